import type { Vehicle, VehicleInput } from "../../../generated/fleet.ts";
import type { Call } from "../core/request/api.ts";
import type { CallOptions } from "../core/options/options.ts";
import type { PageList } from "../core/pagination/list.ts";
import type { PageQuery } from "./query.ts";
import type { Resource } from "./resource.ts";

/** The vehicles. The contract does not show their properties. Contract: fleet 4, Vehicles. */
export class Vehicles<V = Vehicle, I = VehicleInput> {
  readonly #resource: Resource<V>;

  constructor(resource: Resource<V>) {
    this.#resource = resource;
  }

  /**
   * Lists the vehicles.
   *
   * `GET /vehicles`
   * @throws {ScopeError} without `vehicles:read`
   * @throws {PaginationError} if the server repeats a page, or the list changes under `onDrift: "throw"`
   * @example for await (const vehicle of fleet.vehicles.list().items({ concurrency: 8 })) console.log(vehicle);
   */
  list(query?: PageQuery, options?: CallOptions): PageList<V> {
    return this.#resource.list("listVehicles", query, options);
  }

  /**
   * Returns one vehicle.
   *
   * `GET /vehicles/{id}`
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `vehicles:read`
   * @example const vehicle = await fleet.vehicles.get(id);
   */
  get(id: string, options?: CallOptions): Call<V> {
    return this.#resource.get("getVehicle", id, options);
  }

  /**
   * Creates a vehicle.
   *
   * `POST /vehicles`
   * @throws {FleetApiError} if the server rejects the input
   * @throws {ScopeError} without `vehicles:write`
   * @example const vehicle = await fleet.vehicles.create({ plateNumber: "WX 12345" });
   */
  create(vehicle: I, options?: CallOptions): Call<V> {
    return this.#resource.create("createVehicle", vehicle, options);
  }

  /**
   * Changes a vehicle.
   *
   * `PUT /vehicles/{id}`
   *
   * Whether omitted properties keep their values is a gap (`fleet.put`): send every property that must be kept.
   * @throws {FleetApiError} `NOT_FOUND`, or another code if the server rejects the input
   * @throws {ScopeError} without `vehicles:write`
   */
  update(id: string, vehicle: I, options?: CallOptions): Call<V> {
    return this.#resource.replace("updateVehicle", id, vehicle, options);
  }

  /**
   * Deletes a vehicle.
   *
   * `DELETE /vehicles/{id}`
   *
   * Resolves with the `data` of the response, or with null if it has no body (gap `fleet.delete-response`).
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `vehicles:write`
   */
  delete(id: string, options?: CallOptions): Call<unknown> {
    return this.#resource.delete("deleteVehicle", id, options);
  }
}
