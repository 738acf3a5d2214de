import type {
  InspectionTemplate,
  InspectionTemplateInput,
  JsonObject,
  PageMeta,
  paths,
} from "../../generated/fleet.ts";
import type { Call } from "../core/call.ts";
import type { Http } from "../core/http.ts";
import type { CallOptions } from "../core/options.ts";
import type { PageList } from "../core/page-list.ts";
import { boolean, text } from "../core/rules.ts";
import type { Shape } from "../core/shape.ts";
import type { Lists } from "./lists.ts";
import { type PageQuery, pageRules } from "./query.ts";
import type { FleetShapes } from "./shapes.ts";

/** Query of `inspectionTemplates.list`. Contract: fleet 4. */
export interface InspectionTemplateQuery extends PageQuery {
  /** Templates of a vehicle group. The parameter's name is a gap (`templates.group-filter`). */
  vehicleGroup?: string | undefined;
  /** Matches the title. The parameter's name is a gap (`templates.title-filter`). */
  title?: string | undefined;
  /** What the list holds without it is a gap (`templates.inactive`). */
  isActive?: boolean | undefined;
}

/** What the two filters are called on the wire: the readings of their gaps. */
export interface TemplateFilterNames {
  vehicleGroup: "vehicleGroupId" | "groupId" | "vehicleGroup";
  title: "search" | "title";
}

/** The inspection templates. Contract: fleet 2, Inspection template, and 4. */
export class InspectionTemplates<I = InspectionTemplateInput> {
  readonly #http: Http<paths>;
  readonly #lists: Lists;
  readonly #input: Shape | undefined;
  readonly #names: TemplateFilterNames;

  constructor(http: Http<paths>, lists: Lists, shapes: FleetShapes, names: TemplateFilterNames) {
    this.#http = http;
    this.#lists = lists;
    this.#input = shapes.inspectionTemplateInput;
    this.#names = names;
  }

  /**
   * Lists the inspection templates.
   *
   * `GET /inspection-templates`
   * @throws {ScopeError} without `inspection-templates:read` or `inspections:read`; which is a gap (`scopes.list-templates`)
   * @throws {PaginationError} where the server repeats itself, or the list changes under `onDrift: "throw"`
   */
  list(query?: InspectionTemplateQuery, options?: CallOptions): PageList<InspectionTemplate, PageMeta> {
    const { vehicleGroup, title, ...shared } = query ?? {};
    // gaps templates.group-filter, templates.title-filter
    const named = { ...shared, [this.#names.vehicleGroup]: vehicleGroup, [this.#names.title]: title };
    const filters = { [this.#names.vehicleGroup]: text, [this.#names.title]: text, isActive: boolean };
    const rules = { rules: { ...pageRules, ...filters } };
    const call = { query: named, options, shown: true };
    return this.#lists.open("GET /inspection-templates", call, (sent, cancel) =>
      this.#http.page("/inspection-templates", { query: sent, rules }, options, cancel),
    );
  }

  /**
   * Returns one inspection template, whose properties are not shown.
   *
   * `GET /inspection-templates/{id}`
   *
   * Only the contract's scope table names this operation, so it may not exist (gap `templates.get-one`); the list
   * returns whole templates.
   * @throws {FleetApiError} `NOT_FOUND`, also where the operation does not exist
   * @throws {ScopeError} without `inspection-templates:read`
   */
  get(id: string, options?: CallOptions): Call<JsonObject> {
    return this.#http.get("/inspection-templates/{id}", { path: { id } }, options);
  }

  /**
   * Creates an inspection template.
   *
   * `POST /inspection-templates`
   * @throws {FleetApiError} where the server refuses the input
   * @throws {ScopeError} without `inspection-templates:write`
   */
  create(template: I, options?: CallOptions): Call<JsonObject> {
    const body = template as InspectionTemplateInput; // what the input's shape takes
    return this.#http.post("/inspection-templates", { body, bodyShape: this.#input }, options);
  }

  /**
   * Changes an inspection template.
   *
   * `PUT /inspection-templates/{id}`
   *
   * Whether members that are left out stay is a gap (`fleet.put`): send every member that must hold.
   * @throws {FleetApiError} `NOT_FOUND`, or another code where the server refuses the input
   * @throws {ScopeError} without `inspection-templates:write`
   */
  update(id: string, template: I, options?: CallOptions): Call<JsonObject> {
    const body = template as InspectionTemplateInput; // what the input's shape takes
    return this.#http.put(
      "/inspection-templates/{id}",
      { path: { id }, body, bodyShape: this.#input },
      options,
    );
  }

  /**
   * Deletes an inspection template.
   *
   * `DELETE /inspection-templates/{id}`
   *
   * Resolves with whatever `data` the server answers, with null where it answers nothing (gap `fleet.delete-answer`).
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `inspection-templates:write`
   */
  delete(id: string, options?: CallOptions): Call<unknown> {
    return this.#http.delete("/inspection-templates/{id}", { path: { id } }, options);
  }
}
