import type { paths, VehicleGroup, VehicleGroupInput } from "../../generated/fleet.ts";
import type { Call } from "../core/call.ts";
import type { Http } from "../core/http.ts";
import type { CallOptions } from "../core/options.ts";
import type { PageList } from "../core/pagination/list.ts";
import { type Shape, shaped } from "../core/shape.ts";
import type { Lists } from "./lists.ts";
import { type PageQuery, pageRules } from "./query.ts";
import type { FleetShapes } from "./shapes.ts";

const listRules = { rules: pageRules };

/** The vehicle groups; their members are not shown. Contract: fleet 4, Vehicle groups. */
export class VehicleGroups<G = VehicleGroup, I = VehicleGroupInput> {
  readonly #http: Http<paths>;
  readonly #lists: Lists;
  readonly #shape: Shape | undefined;
  readonly #input: Shape | undefined;

  constructor(http: Http<paths>, lists: Lists, shapes: FleetShapes) {
    this.#http = http;
    this.#lists = lists;
    this.#shape = shapes.vehicleGroup;
    this.#input = shapes.vehicleGroupInput;
  }

  /**
   * Lists the vehicle groups.
   *
   * `GET /vehicle-groups`
   * @throws {ScopeError} without `vehicle-groups:read`
   * @throws {PaginationError} where the server repeats itself, or the list changes under `onDrift: "throw"`
   */
  list(query?: PageQuery, options?: CallOptions): PageList<G> {
    return this.#lists.open(
      "GET /vehicle-groups",
      { query, options, shape: this.#shape },
      (sent, copied, cancel) =>
        this.#http.page("/vehicle-groups", { query: sent, rules: listRules }, copied, cancel),
    );
  }

  /**
   * Reads one vehicle group.
   *
   * `GET /vehicle-groups/{id}`
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `vehicle-groups:read`
   */
  get(id: string, options?: CallOptions): Call<G> {
    const finish = shaped<G>(this.#shape);
    return this.#http.get("/vehicle-groups/{id}", { path: { id }, finish }, options);
  }

  /**
   * Creates a vehicle group.
   *
   * `POST /vehicle-groups`
   * @throws {FleetApiError} where the server refuses the input
   * @throws {ScopeError} without `vehicle-groups:write`
   */
  create(group: I, options?: CallOptions): Call<G> {
    const body = group as VehicleGroupInput; // what the input's shape takes
    const finish = shaped<G>(this.#shape);
    return this.#http.post("/vehicle-groups", { body, bodyShape: this.#input, finish }, options);
  }

  /**
   * Changes a vehicle group.
   *
   * `PUT /vehicle-groups/{id}`
   *
   * Whether members that are left out stay is a gap (`fleet.put`): send every member that must hold.
   * @throws {FleetApiError} `NOT_FOUND`, or another code where the server refuses the input
   * @throws {ScopeError} without `vehicle-groups:write`
   */
  update(id: string, group: I, options?: CallOptions): Call<G> {
    const body = group as VehicleGroupInput; // what the input's shape takes
    const finish = shaped<G>(this.#shape);
    return this.#http.put(
      "/vehicle-groups/{id}",
      { path: { id }, body, bodyShape: this.#input, finish },
      options,
    );
  }

  /**
   * Deletes a vehicle group.
   *
   * `DELETE /vehicle-groups/{id}`
   *
   * Resolves with whatever `data` the server answers, with null where it answers nothing (gap `fleet.delete-answer`).
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `vehicle-groups:write`
   */
  delete(id: string, options?: CallOptions): Call<unknown> {
    return this.#http.delete("/vehicle-groups/{id}", { path: { id } }, options);
  }
}
