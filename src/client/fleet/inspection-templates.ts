import type {
  InspectionTemplate,
  InspectionTemplateInput,
  JsonObject,
  PageMeta,
} from "../../../generated/fleet.ts";
import type { Call } from "../core/request/api.ts";
import type { CallOptions } from "../core/options/options.ts";
import type { PageList } from "../core/pagination/list.ts";
import type { PageQuery } from "./query.ts";
import type { Resource } from "./resource.ts";

/** The query of `inspectionTemplates.list`. Contract: fleet 4. */
export interface InspectionTemplateQuery extends PageQuery {
  /** Selects templates of a vehicle group. The parameter's name is a gap (`templates.group-filter`). */
  vehicleGroup?: string | undefined;
  /** Matches the title. The parameter's name is a gap (`templates.title-filter`). */
  title?: string | undefined;
  /** Selects active or inactive templates. The content of the list without it is a gap (`templates.inactive`). */
  isActive?: boolean | undefined;
}

/** The inspection templates. Contract: fleet 2, Inspection template, and 4. */
export class InspectionTemplates<I = InspectionTemplateInput> {
  readonly #resource: Resource<JsonObject>;

  constructor(resource: Resource<JsonObject>) {
    this.#resource = resource;
  }

  /**
   * Lists the inspection templates.
   *
   * `GET /inspection-templates`
   * @throws {ScopeError} without `inspection-templates:read` or `inspections:read`; which is a gap
   * (`scopes.list-templates`)
   * @throws {PaginationError} if the server repeats a page, or the list changes under `onDrift: "throw"`
   * @example const active = await fleet.inspectionTemplates.list({ isActive: true }).toArray();
   */
  list(query?: InspectionTemplateQuery, options?: CallOptions): PageList<InspectionTemplate, PageMeta> {
    return this.#resource.list("listInspectionTemplates", query, options);
  }

  /**
   * Returns one inspection template, whose properties the contract does not show.
   *
   * `GET /inspection-templates/{id}`
   *
   * Only the contract's scope table names this operation, so it may not exist (gap `templates.get-one`); the list
   * returns whole templates.
   * @throws {FleetApiError} `NOT_FOUND`, also if the operation does not exist
   * @throws {ScopeError} without `inspection-templates:read`
   */
  get(id: string, options?: CallOptions): Call<JsonObject> {
    return this.#resource.get("getInspectionTemplate", id, options);
  }

  /**
   * Creates an inspection template.
   *
   * `POST /inspection-templates`
   * @throws {FleetApiError} if the server rejects the input
   * @throws {ScopeError} without `inspection-templates:write`
   */
  create(template: I, options?: CallOptions): Call<JsonObject> {
    return this.#resource.create("createInspectionTemplate", template, options);
  }

  /**
   * Changes an inspection template.
   *
   * `PUT /inspection-templates/{id}`
   *
   * Whether omitted properties keep their values is a gap (`fleet.put`): send every property that must be kept.
   * @throws {FleetApiError} `NOT_FOUND`, or another code if the server rejects the input
   * @throws {ScopeError} without `inspection-templates:write`
   */
  update(id: string, template: I, options?: CallOptions): Call<JsonObject> {
    return this.#resource.replace("updateInspectionTemplate", id, template, options);
  }

  /**
   * Deletes an inspection template.
   *
   * `DELETE /inspection-templates/{id}`
   *
   * Resolves with the `data` of the response, or with null if it has no body (gap `fleet.delete-response`).
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `inspection-templates:write`
   */
  delete(id: string, options?: CallOptions): Call<unknown> {
    return this.#resource.delete("deleteInspectionTemplate", id, options);
  }
}
