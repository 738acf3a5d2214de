import type {
  Inspection,
  InspectionInput,
  InspectionPatch,
  InspectionSummary,
} from "../../../generated/fleet.ts";
import type { Call } from "../core/request/api.ts";
import type { CallOptions } from "../core/options/options.ts";
import type { PageList } from "../core/pagination/list.ts";
import type { PageQuery } from "./query.ts";
import type { Resource } from "./resource.ts";

/**
 * The inspections. The contract does not show the properties of their summaries and inputs. Contract: fleet 4,
 * Inspections.
 */
export class Inspections<S = InspectionSummary, I = InspectionInput> {
  readonly #resource: Resource<S>;

  constructor(resource: Resource<S>) {
    this.#resource = resource;
  }

  /**
   * Lists the inspections.
   *
   * `GET /inspections`
   * @throws {ScopeError} without `inspections:read`
   * @throws {PaginationError} if the server repeats a page, or the list changes under `onDrift: "throw"`
   */
  list(query?: PageQuery, options?: CallOptions): PageList<S> {
    return this.#resource.list("listInspections", query, options);
  }

  /**
   * Returns one inspection in full.
   *
   * `GET /inspections/{id}`
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `inspections:read`
   */
  get(id: string, options?: CallOptions): Call<Inspection> {
    return this.#resource.call("getInspection", { path: { id } }, options);
  }

  /**
   * Submits an inspection. It may contain several vehicles, damage reports with photo URLs, and a GPS location.
   *
   * `POST /inspections`
   * @throws {FleetApiError} if the server rejects the input
   * @throws {ScopeError} without `inspections:write`
   */
  submit(inspection: I, options?: CallOptions): Call<S> {
    return this.#resource.create("submitInspection", inspection, options);
  }

  /**
   * Changes an inspection.
   *
   * `PATCH /inspections/{id}`
   *
   * The shape `inspectionInput` is not used, because a part of an inspection need not match it (gap `fleet.patch`).
   * @throws {FleetApiError} `NOT_FOUND`, or another code if the server rejects the input
   * @throws {ScopeError} without `inspections:write`
   */
  update(id: string, changes: InspectionPatch, options?: CallOptions): Call<S> {
    return this.#resource.patch("updateInspection", id, changes, options);
  }

  /**
   * Deletes an inspection.
   *
   * `DELETE /inspections/{id}`
   *
   * Resolves with the `data` of the response, or with null if it has no body (gap `fleet.delete-response`).
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `inspections:write`
   */
  delete(id: string, options?: CallOptions): Call<unknown> {
    return this.#resource.delete("deleteInspection", id, options);
  }
}
