import type { VehicleGroup, VehicleGroupInput } from "../../../generated/fleet.ts";
import { type FleetApi, type PageQuery, pagesOf } from "./resource.ts";
import { dataOf } from "../call.ts";
import type { Call } from "../core.ts";
import type { PageList } from "../lists/list.ts";
import type { CallOptions } from "../options.ts";
import type { Shape } from "../shape.ts";

/** The vehicle groups. The contract does not show their properties. Contract: fleet 4, Vehicle groups. */
export class VehicleGroups<G = VehicleGroup, I = VehicleGroupInput> {
  readonly #api: FleetApi;
  readonly #output: Shape<G> | undefined;
  readonly #input: Shape | undefined;

  constructor(api: FleetApi, output?: Shape<G>, input?: Shape) {
    this.#api = api;
    this.#output = output;
    this.#input = input;
  }

  /**
   * Lists the vehicle groups.
   *
   * `GET /vehicle-groups`
   * @throws {ScopeError} without `vehicle-groups:read`
   * @throws {PaginationError} if the server repeats a page, or the list changes under `onDrift: "throw"`
   */
  readonly list = (query?: PageQuery, options?: CallOptions): PageList<G> =>
    pagesOf<G>(this.#api, "/vehicle-groups", { query, options, shape: this.#output }, (sent, init) =>
      this.#api.http.GET("/vehicle-groups", { params: { query: sent }, ...init }),
    );

  /**
   * Returns one vehicle group.
   *
   * `GET /vehicle-groups/{id}`
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `vehicle-groups:read`
   */
  readonly get = (id: string, options?: CallOptions): Call<G> =>
    dataOf(
      this.#api.http.GET("/vehicle-groups/{id}", { params: { path: { id } }, call: { options } }),
      this.#output,
    );

  /**
   * Creates a vehicle group.
   *
   * `POST /vehicle-groups`
   * @throws {FleetApiError} if the server rejects the input
   * @throws {ScopeError} without `vehicle-groups:write`
   */
  readonly create = (group: I, options?: CallOptions): Call<G> =>
    dataOf(
      this.#api.http.POST("/vehicle-groups", {
        body: group as VehicleGroupInput,
        call: { options, bodyShape: this.#input },
      }),
      this.#output,
    );

  /**
   * Changes a vehicle group.
   *
   * `PUT /vehicle-groups/{id}`
   *
   * Whether omitted properties keep their values is a gap (`fleet.put`): send every property that must be kept.
   * @throws {FleetApiError} `NOT_FOUND`, or another code if the server rejects the input
   * @throws {ScopeError} without `vehicle-groups:write`
   */
  readonly update = (id: string, group: I, options?: CallOptions): Call<G> =>
    dataOf(
      this.#api.http.PUT("/vehicle-groups/{id}", {
        params: { path: { id } },
        body: group as VehicleGroupInput,
        call: { options, bodyShape: this.#input },
      }),
      this.#output,
    );

  /**
   * Deletes a vehicle group.
   *
   * `DELETE /vehicle-groups/{id}`
   *
   * Resolves with the `data` of the response, or with null if it has no body (gap `fleet.delete-response`).
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `vehicle-groups:write`
   */
  readonly delete = (id: string, options?: CallOptions): Call<unknown> =>
    dataOf(this.#api.http.DELETE("/vehicle-groups/{id}", { params: { path: { id } }, call: { options } }));
}
