import type {
  DriverAssignment,
  DriverAssignmentInput,
  DriverAssignmentPatch,
} from "../../../generated/fleet.ts";
import type { Call } from "../core/request/api.ts";
import type { CallOptions } from "../core/options/options.ts";
import type { PageList } from "../core/pagination/list.ts";
import type { PageQuery } from "./query.ts";
import type { Resource } from "./resource.ts";

/** The driver assignments. The contract does not show their properties. Contract: fleet 4, Driver assignments. */
export class DriverAssignments<A = DriverAssignment, I = DriverAssignmentInput> {
  readonly #resource: Resource<A>;

  constructor(resource: Resource<A>) {
    this.#resource = resource;
  }

  /**
   * Lists the driver assignments.
   *
   * `GET /driver-assignments`
   * @throws {ScopeError} without `driver-assignments:read`
   * @throws {PaginationError} if the server repeats a page, or the list changes under `onDrift: "throw"`
   */
  list(query?: PageQuery, options?: CallOptions): PageList<A> {
    return this.#resource.list("listDriverAssignments", query, options);
  }

  /**
   * Returns one driver assignment.
   *
   * `GET /driver-assignments/{id}`
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `driver-assignments:read`
   */
  get(id: string, options?: CallOptions): Call<A> {
    return this.#resource.get("getDriverAssignment", id, options);
  }

  /**
   * Creates a driver assignment.
   *
   * `POST /driver-assignments`
   * @throws {FleetApiError} if the server rejects the input
   * @throws {ScopeError} without `driver-assignments:write`
   */
  create(assignment: I, options?: CallOptions): Call<A> {
    return this.#resource.create("createDriverAssignment", assignment, options);
  }

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
  update(id: string, changes: DriverAssignmentPatch, options?: CallOptions): Call<A> {
    return this.#resource.patch("updateDriverAssignment", id, changes, options);
  }

  /**
   * Releases a driver assignment.
   *
   * `DELETE /driver-assignments/{id}`
   *
   * Resolves with the `data` of the response, or with null if it has no body (gap `fleet.delete-response`).
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `driver-assignments:write`
   */
  release(id: string, options?: CallOptions): Call<unknown> {
    return this.#resource.delete("releaseDriverAssignment", id, options);
  }
}
