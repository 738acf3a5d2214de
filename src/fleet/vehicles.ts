import type { paths, Vehicle, VehicleInput } from "../../generated/fleet.ts";
import type { Call } from "../core/call.ts";
import type { Http } from "../core/http.ts";
import type { CallOptions } from "../core/options.ts";
import type { PageList } from "../core/pagination/list.ts";
import { type Shape, shaped } from "../core/shape.ts";
import type { Lists } from "./lists.ts";
import { type PageQuery, pageRules } from "./query.ts";
import type { FleetShapes } from "./shapes.ts";

const listRules = { rules: pageRules };

/** The vehicles; their members are not shown. Contract: fleet 4, Vehicles. */
export class Vehicles<V = Vehicle, I = VehicleInput> {
  readonly #http: Http<paths>;
  readonly #lists: Lists;
  readonly #shape: Shape | undefined;
  readonly #input: Shape | undefined;

  constructor(http: Http<paths>, lists: Lists, shapes: FleetShapes) {
    this.#http = http;
    this.#lists = lists;
    this.#shape = shapes.vehicle;
    this.#input = shapes.vehicleInput;
  }

  /**
   * Lists the vehicles.
   *
   * `GET /vehicles`
   * @throws {ScopeError} without `vehicles:read`
   * @throws {PaginationError} where the server repeats itself, or the list changes under `onDrift: "throw"`
   */
  list(query?: PageQuery, options?: CallOptions): PageList<V> {
    return this.#lists.open("GET /vehicles", { query, options, shape: this.#shape }, (sent, copied, cancel) =>
      this.#http.page("/vehicles", { query: sent, rules: listRules }, copied, cancel),
    );
  }

  /**
   * Reads one vehicle.
   *
   * `GET /vehicles/{id}`
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `vehicles:read`
   */
  get(id: string, options?: CallOptions): Call<V> {
    const finish = shaped<V>(this.#shape);
    return this.#http.get("/vehicles/{id}", { path: { id }, finish }, options);
  }

  /**
   * Creates a vehicle.
   *
   * `POST /vehicles`
   * @throws {FleetApiError} where the server refuses the input
   * @throws {ScopeError} without `vehicles:write`
   */
  create(vehicle: I, options?: CallOptions): Call<V> {
    const body = vehicle as VehicleInput; // what the input's shape takes
    const finish = shaped<V>(this.#shape);
    return this.#http.post("/vehicles", { body, bodyShape: this.#input, finish }, options);
  }

  /**
   * Changes a vehicle.
   *
   * `PUT /vehicles/{id}`
   *
   * Whether members that are left out stay is a gap (`fleet.put`): send every member that must hold.
   * @throws {FleetApiError} `NOT_FOUND`, or another code where the server refuses the input
   * @throws {ScopeError} without `vehicles:write`
   */
  update(id: string, vehicle: I, options?: CallOptions): Call<V> {
    const body = vehicle as VehicleInput; // what the input's shape takes
    const finish = shaped<V>(this.#shape);
    return this.#http.put("/vehicles/{id}", { path: { id }, body, bodyShape: this.#input, finish }, options);
  }

  /**
   * Deletes a vehicle.
   *
   * `DELETE /vehicles/{id}`
   *
   * Resolves with whatever `data` the server answers, with null where it answers nothing (gap `fleet.delete-answer`).
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `vehicles:write`
   */
  delete(id: string, options?: CallOptions): Call<unknown> {
    return this.#http.delete("/vehicles/{id}", { path: { id } }, options);
  }
}
