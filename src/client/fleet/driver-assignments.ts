import type {
  DriverAssignment,
  DriverAssignmentInput,
  DriverAssignmentPatch,
  operations,
} from "../../../generated/fleet.ts";
import type { Api, Call } from "../core/request/api.ts";
import type { CallOptions } from "../core/options/options.ts";
import type { PageList } from "../core/pagination/list.ts";
import { type Shape, transformWith } from "../core/request/shape.ts";
import type { Lists } from "./lists.ts";
import type { PageQuery } from "./query.ts";
import type { FleetShapes } from "./shapes.ts";

/** The driver assignments. The contract does not show their properties. Contract: fleet 4, Driver assignments. */
export class DriverAssignments<A = DriverAssignment, I = DriverAssignmentInput> {
  readonly #api: Api<operations>;
  readonly #lists: Lists;
  readonly #shape: Shape | undefined;
  readonly #input: Shape | undefined;

  constructor(api: Api<operations>, lists: Lists, shapes: FleetShapes) {
    this.#api = api;
    this.#lists = lists;
    this.#shape = shapes.driverAssignment;
    this.#input = shapes.driverAssignmentInput;
  }

  /**
   * Lists the driver assignments.
   *
   * `GET /driver-assignments`
   * @throws {ScopeError} without `driver-assignments:read`
   * @throws {PaginationError} if the server repeats a page, or the list changes under `onDrift: "throw"`
   */
  list(query?: PageQuery, options?: CallOptions): PageList<A> {
    return this.#lists.open("listDriverAssignments", { query, options, shape: this.#shape });
  }

  /**
   * Returns one driver assignment.
   *
   * `GET /driver-assignments/{id}`
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `driver-assignments:read`
   */
  get(id: string, options?: CallOptions): Call<A> {
    const transform = transformWith<A>(this.#shape);
    return this.#api.call("getDriverAssignment", { path: { id }, transform }, options);
  }

  /**
   * Creates a driver assignment.
   *
   * `POST /driver-assignments`
   * @throws {FleetApiError} if the server rejects the input
   * @throws {ScopeError} without `driver-assignments:write`
   */
  create(assignment: I, options?: CallOptions): Call<A> {
    const transform = transformWith<A>(this.#shape);
    return this.#api.call(
      "createDriverAssignment",
      { body: assignment, bodyShape: this.#input, transform },
      options,
    );
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
    const transform = transformWith<A>(this.#shape);
    return this.#api.call("updateDriverAssignment", { path: { id }, body: changes, transform }, options);
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
    return this.#api.call("releaseDriverAssignment", { path: { id } }, options);
  }
}
