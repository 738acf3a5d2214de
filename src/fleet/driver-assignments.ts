import type { DriverAssignment, DriverAssignmentInput, paths } from "../../generated/fleet.ts";
import type { Call } from "../core/call.ts";
import type { Http } from "../core/http.ts";
import type { CallOptions } from "../core/options.ts";
import type { PageList } from "../core/pagination/list.ts";
import { type Shape, shaped } from "../core/shape.ts";
import type { Lists } from "./lists.ts";
import { type PageQuery, pageRules } from "./query.ts";
import type { FleetShapes } from "./shapes.ts";

const listRules = { rules: pageRules };

/** The driver assignments; their members are not shown. Contract: fleet 4, Driver assignments. */
export class DriverAssignments<A = DriverAssignment, I = DriverAssignmentInput> {
  readonly #http: Http<paths>;
  readonly #lists: Lists;
  readonly #shape: Shape | undefined;
  readonly #input: Shape | undefined;

  constructor(http: Http<paths>, lists: Lists, shapes: FleetShapes) {
    this.#http = http;
    this.#lists = lists;
    this.#shape = shapes.driverAssignment;
    this.#input = shapes.driverAssignmentInput;
  }

  /**
   * Lists the driver assignments.
   *
   * `GET /driver-assignments`
   * @throws {ScopeError} without `driver-assignments:read`
   * @throws {PaginationError} where the server repeats itself, or the list changes under `onDrift: "throw"`
   */
  list(query?: PageQuery, options?: CallOptions): PageList<A> {
    return this.#lists.open(
      "GET /driver-assignments",
      { query, options, shape: this.#shape },
      (sent, copied, cancel) =>
        this.#http.page("/driver-assignments", { query: sent, rules: listRules }, copied, cancel),
    );
  }

  /**
   * Reads one driver assignment.
   *
   * `GET /driver-assignments/{id}`
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `driver-assignments:read`
   */
  get(id: string, options?: CallOptions): Call<A> {
    const finish = shaped<A>(this.#shape);
    return this.#http.get("/driver-assignments/{id}", { path: { id }, finish }, options);
  }

  /**
   * Creates a driver assignment.
   *
   * `POST /driver-assignments`
   * @throws {FleetApiError} where the server refuses the input
   * @throws {ScopeError} without `driver-assignments:write`
   */
  create(assignment: I, options?: CallOptions): Call<A> {
    const body = assignment as DriverAssignmentInput; // what the input's shape takes
    const finish = shaped<A>(this.#shape);
    return this.#http.post("/driver-assignments", { body, bodyShape: this.#input, finish }, options);
  }

  /**
   * Changes a driver assignment.
   *
   * `PATCH /driver-assignments/{id}`
   * @throws {FleetApiError} `NOT_FOUND`, or another code where the server refuses the input
   * @throws {ScopeError} without `driver-assignments:write`
   */
  update(id: string, assignment: I, options?: CallOptions): Call<A> {
    const body = assignment as DriverAssignmentInput; // what the input's shape takes
    const finish = shaped<A>(this.#shape);
    return this.#http.patch(
      "/driver-assignments/{id}",
      { path: { id }, body, bodyShape: this.#input, finish },
      options,
    );
  }

  /**
   * Releases a driver assignment.
   *
   * `DELETE /driver-assignments/{id}`
   *
   * Resolves with whatever `data` the server answers, with null where it answers nothing (gap `fleet.delete-answer`).
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `driver-assignments:write`
   */
  release(id: string, options?: CallOptions): Call<unknown> {
    return this.#http.delete("/driver-assignments/{id}", { path: { id } }, options);
  }
}
