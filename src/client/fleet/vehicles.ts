import type { Vehicle, VehicleInput } from "../../../generated/fleet.ts";
import { type FleetApi, type PageQuery, pagesOf } from "./resource.ts";
import { dataOf } from "../call.ts";
import type { Call } from "../core.ts";
import type { PageList } from "../lists/list.ts";
import type { CallOptions } from "../options.ts";
import type { Shape } from "../shape.ts";

/** The vehicles. The contract does not show their properties. Contract: fleet 4, Vehicles. */
export class Vehicles<V = Vehicle, I = VehicleInput> {
  readonly #api: FleetApi;
  readonly #output: Shape<V> | undefined;
  readonly #input: Shape | undefined;

  constructor(api: FleetApi, output?: Shape<V>, input?: Shape) {
    this.#api = api;
    this.#output = output;
    this.#input = input;
  }

  /**
   * Lists the vehicles.
   *
   * `GET /vehicles`
   * @throws {ScopeError} without `vehicles:read`
   * @throws {PaginationError} if the server repeats a page, or the list changes under `onDrift: "throw"`
   * @example for await (const vehicle of fleet.vehicles.list().items({ concurrency: 8 })) console.log(vehicle);
   */
  readonly list = (query?: PageQuery, options?: CallOptions): PageList<V> =>
    pagesOf<V>(this.#api, "/vehicles", { query, options, shape: this.#output }, (sent, init) =>
      this.#api.http.GET("/vehicles", { params: { query: sent }, ...init }),
    );

  /**
   * Returns one vehicle.
   *
   * `GET /vehicles/{id}`
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `vehicles:read`
   * @example const vehicle = await fleet.vehicles.get(id);
   */
  readonly get = (id: string, options?: CallOptions): Call<V> =>
    dataOf(
      this.#api.http.GET("/vehicles/{id}", { params: { path: { id } }, call: { options } }),
      this.#output,
    );

  /**
   * Creates a vehicle.
   *
   * `POST /vehicles`
   * @throws {FleetApiError} if the server rejects the input
   * @throws {ScopeError} without `vehicles:write`
   * @example const vehicle = await fleet.vehicles.create({ plateNumber: "WX 12345" });
   */
  readonly create = (vehicle: I, options?: CallOptions): Call<V> =>
    dataOf(
      this.#api.http.POST("/vehicles", {
        body: vehicle as VehicleInput,
        call: { options, bodyShape: this.#input },
      }),
      this.#output,
    );

  /**
   * Changes a vehicle.
   *
   * `PUT /vehicles/{id}`
   *
   * Whether omitted properties keep their values is a gap (`fleet.put`): send every property that must be kept.
   * @throws {FleetApiError} `NOT_FOUND`, or another code if the server rejects the input
   * @throws {ScopeError} without `vehicles:write`
   */
  readonly update = (id: string, vehicle: I, options?: CallOptions): Call<V> =>
    dataOf(
      this.#api.http.PUT("/vehicles/{id}", {
        params: { path: { id } },
        body: vehicle as VehicleInput,
        call: { options, bodyShape: this.#input },
      }),
      this.#output,
    );

  /**
   * Deletes a vehicle.
   *
   * `DELETE /vehicles/{id}`
   *
   * Resolves with the `data` of the response, or with null if it has no body (gap `fleet.delete-response`).
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `vehicles:write`
   */
  readonly delete = (id: string, options?: CallOptions): Call<unknown> =>
    dataOf(this.#api.http.DELETE("/vehicles/{id}", { params: { path: { id } }, call: { options } }));
}
