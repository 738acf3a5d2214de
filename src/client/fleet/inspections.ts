import type * as contract from "../../../generated/fleet.ts";
import { type FleetApi, type PageQuery, pagesOf, toReplace, toWrite } from "./resource.ts";
import { dataOf, toInit } from "../call.ts";
import type { Call } from "../response.ts";
import type { PageList } from "../lists/numbered.ts";
import type { CallOptions } from "../options.ts";

/**
 * The inspections. The contract does not show the properties of their summaries and inputs. Contract: fleet 4,
 * Inspections.
 */
export class Inspections<S = contract.InspectionSummary, I = contract.InspectionInput> {
  readonly #api: FleetApi<S>;

  constructor(api: FleetApi<S>) {
    this.#api = api;
  }

  /**
   * Lists the inspections.
   *
   * `GET /inspections`
   * @throws {ScopeError} without `inspections:read`
   * @throws {PaginationError} if the server repeats a page, or the list changes under `onDrift: "throw"`
   */
  readonly list = (query?: PageQuery, options?: CallOptions): PageList<S> =>
    pagesOf(this.#api, "/inspections", { query, options });

  /**
   * Returns one inspection in full.
   *
   * `GET /inspections/{id}`
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `inspections:read`
   */
  readonly get = (id: string, options?: CallOptions): Call<contract.Inspection> =>
    dataOf(this.#api.http.GET("/inspections/{id}", toInit({ id }, options)));

  /**
   * Submits an inspection. It may contain several vehicles, damage reports with photo URLs, and a GPS location.
   *
   * `POST /inspections`
   * @throws {FleetApiError} if the server rejects the input
   * @throws {ScopeError} without `inspections:write`
   */
  readonly submit = (inspection: I, options?: CallOptions): Call<S> =>
    dataOf(this.#api.http.POST("/inspections", toWrite(this.#api, inspection, options)), this.#api.output);

  /**
   * Changes an inspection.
   *
   * `PATCH /inspections/{id}`
   *
   * The shape `inspectionInput` is not used, because a part of an inspection need not match it (gap `fleet.patch`).
   * @throws {FleetApiError} `NOT_FOUND`, or another code if the server rejects the input
   * @throws {ScopeError} without `inspections:write`
   */
  readonly update = (id: string, changes: contract.InspectionPatch, options?: CallOptions): Call<S> =>
    dataOf(
      this.#api.http.PATCH("/inspections/{id}", { ...toInit({ id }, options), body: changes }),
      this.#api.output,
    );

  /**
   * Deletes an inspection.
   *
   * `DELETE /inspections/{id}`
   *
   * Resolves with the `data` of the response, or with null if it has no body (gap `fleet.delete-response`).
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `inspections:write`
   */
  readonly delete = (id: string, options?: CallOptions): Call<unknown> =>
    dataOf(this.#api.http.DELETE("/inspections/{id}", toInit({ id }, options)));
}

/** The names of two query parameters of `inspectionTemplates.list`, which the contract states in several ways. */
export interface TemplateFilters {
  /** The name for the vehicle group (default: `vehicleGroupId`). */
  group?: "vehicleGroupId" | "groupId" | "vehicleGroup" | undefined;
  /** The name for the title (default: `search`). */
  title?: "search" | "title" | undefined;
}

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
export class InspectionTemplates<I = contract.InspectionTemplateInput> {
  readonly #api: FleetApi;

  constructor(api: FleetApi) {
    this.#api = api;
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
  readonly list = (
    query?: InspectionTemplateQuery,
    options?: CallOptions,
  ): PageList<contract.InspectionTemplate, contract.PageMeta> =>
    pagesOf(this.#api, "/inspection-templates", { query, options });

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
  readonly get = (id: string, options?: CallOptions): Call<contract.JsonObject> =>
    dataOf(this.#api.http.GET("/inspection-templates/{id}", toInit({ id }, options)));

  /**
   * Creates an inspection template.
   *
   * `POST /inspection-templates`
   * @throws {FleetApiError} if the server rejects the input
   * @throws {ScopeError} without `inspection-templates:write`
   */
  readonly create = (template: I, options?: CallOptions): Call<contract.JsonObject> =>
    dataOf(this.#api.http.POST("/inspection-templates", toWrite(this.#api, template, options)));

  /**
   * Changes an inspection template.
   *
   * `PUT /inspection-templates/{id}`
   *
   * Whether omitted properties keep their values is a gap (`fleet.put`): send every property that must be kept.
   * @throws {FleetApiError} `NOT_FOUND`, or another code if the server rejects the input
   * @throws {ScopeError} without `inspection-templates:write`
   */
  readonly update = (id: string, template: I, options?: CallOptions): Call<contract.JsonObject> =>
    dataOf(this.#api.http.PUT("/inspection-templates/{id}", toReplace(this.#api, id, template, options)));

  /**
   * Deletes an inspection template.
   *
   * `DELETE /inspection-templates/{id}`
   *
   * Resolves with the `data` of the response, or with null if it has no body (gap `fleet.delete-response`).
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `inspection-templates:write`
   */
  readonly delete = (id: string, options?: CallOptions): Call<unknown> =>
    dataOf(this.#api.http.DELETE("/inspection-templates/{id}", toInit({ id }, options)));
}
