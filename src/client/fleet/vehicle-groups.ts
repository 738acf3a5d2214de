import type { VehicleGroup, VehicleGroupInput } from "../../../generated/fleet.ts";
import type { Call } from "../core/request/api.ts";
import type { CallOptions } from "../core/options/options.ts";
import type { PageList } from "../core/pagination/list.ts";
import type { PageQuery } from "./query.ts";
import type { Resource } from "./resource.ts";

/** The vehicle groups. The contract does not show their properties. Contract: fleet 4, Vehicle groups. */
export class VehicleGroups<G = VehicleGroup, I = VehicleGroupInput> {
  readonly #resource: Resource<G>;

  constructor(resource: Resource<G>) {
    this.#resource = resource;
  }

  /**
   * Lists the vehicle groups.
   *
   * `GET /vehicle-groups`
   * @throws {ScopeError} without `vehicle-groups:read`
   * @throws {PaginationError} if the server repeats a page, or the list changes under `onDrift: "throw"`
   */
  list(query?: PageQuery, options?: CallOptions): PageList<G> {
    return this.#resource.list("listVehicleGroups", query, options);
  }

  /**
   * Returns one vehicle group.
   *
   * `GET /vehicle-groups/{id}`
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `vehicle-groups:read`
   */
  get(id: string, options?: CallOptions): Call<G> {
    return this.#resource.get("getVehicleGroup", id, options);
  }

  /**
   * Creates a vehicle group.
   *
   * `POST /vehicle-groups`
   * @throws {FleetApiError} if the server rejects the input
   * @throws {ScopeError} without `vehicle-groups:write`
   */
  create(group: I, options?: CallOptions): Call<G> {
    return this.#resource.create("createVehicleGroup", group, options);
  }

  /**
   * Changes a vehicle group.
   *
   * `PUT /vehicle-groups/{id}`
   *
   * Whether omitted properties keep their values is a gap (`fleet.put`): send every property that must be kept.
   * @throws {FleetApiError} `NOT_FOUND`, or another code if the server rejects the input
   * @throws {ScopeError} without `vehicle-groups:write`
   */
  update(id: string, group: I, options?: CallOptions): Call<G> {
    return this.#resource.replace("updateVehicleGroup", id, group, options);
  }

  /**
   * Deletes a vehicle group.
   *
   * `DELETE /vehicle-groups/{id}`
   *
   * Resolves with the `data` of the response, or with null if it has no body (gap `fleet.delete-response`).
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `vehicle-groups:write`
   */
  delete(id: string, options?: CallOptions): Call<unknown> {
    return this.#resource.delete("deleteVehicleGroup", id, options);
  }
}
