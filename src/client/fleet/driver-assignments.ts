import type * as contract from "../../../generated/fleet.ts";
import { type FleetApi, type PageQuery, pagesOf, toWrite } from "./resource.ts";
import { dataOf, toInit } from "../call.ts";
import type { Call } from "../response.ts";
import type { PageList } from "../lists/numbered.ts";
import type { CallOptions } from "../options.ts";

/** The driver assignments. The contract does not show their properties. Contract: fleet 4, Driver assignments. */
export class DriverAssignments<A = contract.DriverAssignment, I = contract.DriverAssignmentInput> {
  readonly #api: FleetApi<A>;

  constructor(api: FleetApi<A>) {
    this.#api = api;
  }

  /**
   * Lists the driver assignments.
   *
   * `GET /driver-assignments`
   * @throws {ScopeError} without `driver-assignments:read`
   * @throws {PaginationError} if the server repeats a page, or the list changes under `onDrift: "throw"`
   */
  readonly list = (query?: PageQuery, options?: CallOptions): PageList<A> =>
    pagesOf(this.#api, "/driver-assignments", { query, options });

  /**
   * Returns one driver assignment.
   *
   * `GET /driver-assignments/{id}`
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `driver-assignments:read`
   */
  readonly get = (id: string, options?: CallOptions): Call<A> =>
    dataOf(this.#api.http.GET("/driver-assignments/{id}", toInit({ id }, options)), this.#api.output);

  /**
   * Creates a driver assignment.
   *
   * `POST /driver-assignments`
   * @throws {FleetApiError} if the server rejects the input
   * @throws {ScopeError} without `driver-assignments:write`
   */
  readonly create = (assignment: I, options?: CallOptions): Call<A> =>
    dataOf(
      this.#api.http.POST("/driver-assignments", toWrite(this.#api, assignment, options)),
      this.#api.output,
    );

  /**
   * Changes a driver assignment.
   *
   * `PATCH /driver-assignments/{id}`
   *
   * The shape `driverAssignmentInput` is not used, because a part of an assignment need not match it (gap
   * `fleet.patch`).
   * @throws {FleetApiError} `NOT_FOUND`, or another code if the server rejects the input
   * @throws {ScopeError} without `driver-assignments:write`
   */
  readonly update = (id: string, changes: contract.DriverAssignmentPatch, options?: CallOptions): Call<A> =>
    dataOf(
      this.#api.http.PATCH("/driver-assignments/{id}", { ...toInit({ id }, options), body: changes }),
      this.#api.output,
    );

  /**
   * Releases a driver assignment.
   *
   * `DELETE /driver-assignments/{id}`
   *
   * Resolves with the `data` of the response, or with null if it has no body (gap `fleet.delete-response`).
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `driver-assignments:write`
   */
  readonly release = (id: string, options?: CallOptions): Call<unknown> =>
    dataOf(this.#api.http.DELETE("/driver-assignments/{id}", toInit({ id }, options)));
}
