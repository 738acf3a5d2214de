import type * as contract from "../../../generated/fleet.ts";
import type { Vehicle, VehicleGroup, VehicleGroupInput, VehicleInput } from "../../../generated/fleet.ts";
import { type FleetApi, type PageQuery, pagesOf, toReplace, toWrite } from "./resource.ts";
import { dataOf, toInit } from "../call.ts";
import type { Call } from "../response.ts";
import type { PageList } from "../lists/numbered.ts";
import type { CallOptions } from "../options.ts";

/** The vehicles. The contract does not show their properties. Contract: fleet 4, Vehicles. */
export class Vehicles<V = Vehicle, I = VehicleInput> {
  readonly #api: FleetApi<V>;

  constructor(api: FleetApi<V>) {
    this.#api = api;
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
    pagesOf(this.#api, "/vehicles", { query, options });

  /**
   * Returns one vehicle.
   *
   * `GET /vehicles/{id}`
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `vehicles:read`
   * @example const vehicle = await fleet.vehicles.get(id);
   */
  readonly get = (id: string, options?: CallOptions): Call<V> =>
    dataOf(this.#api.http.GET("/vehicles/{id}", toInit({ id }, options)), this.#api.output);

  /**
   * Creates a vehicle.
   *
   * `POST /vehicles`
   * @throws {FleetApiError} if the server rejects the input
   * @throws {ScopeError} without `vehicles:write`
   * @example const vehicle = await fleet.vehicles.create({ plateNumber: "WX 12345" });
   */
  readonly create = (vehicle: I, options?: CallOptions): Call<V> =>
    dataOf(this.#api.http.POST("/vehicles", toWrite(this.#api, vehicle, options)), this.#api.output);

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
      this.#api.http.PUT("/vehicles/{id}", toReplace(this.#api, id, vehicle, options)),
      this.#api.output,
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
    dataOf(this.#api.http.DELETE("/vehicles/{id}", toInit({ id }, options)));
}

/** The vehicle groups. The contract does not show their properties. Contract: fleet 4, Vehicle groups. */
export class VehicleGroups<G = VehicleGroup, I = VehicleGroupInput> {
  readonly #api: FleetApi<G>;

  constructor(api: FleetApi<G>) {
    this.#api = api;
  }

  /**
   * Lists the vehicle groups.
   *
   * `GET /vehicle-groups`
   * @throws {ScopeError} without `vehicle-groups:read`
   * @throws {PaginationError} if the server repeats a page, or the list changes under `onDrift: "throw"`
   */
  readonly list = (query?: PageQuery, options?: CallOptions): PageList<G> =>
    pagesOf(this.#api, "/vehicle-groups", { query, options });

  /**
   * Returns one vehicle group.
   *
   * `GET /vehicle-groups/{id}`
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `vehicle-groups:read`
   */
  readonly get = (id: string, options?: CallOptions): Call<G> =>
    dataOf(this.#api.http.GET("/vehicle-groups/{id}", toInit({ id }, options)), this.#api.output);

  /**
   * Creates a vehicle group.
   *
   * `POST /vehicle-groups`
   * @throws {FleetApiError} if the server rejects the input
   * @throws {ScopeError} without `vehicle-groups:write`
   */
  readonly create = (group: I, options?: CallOptions): Call<G> =>
    dataOf(this.#api.http.POST("/vehicle-groups", toWrite(this.#api, group, options)), this.#api.output);

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
      this.#api.http.PUT("/vehicle-groups/{id}", toReplace(this.#api, id, group, options)),
      this.#api.output,
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
    dataOf(this.#api.http.DELETE("/vehicle-groups/{id}", toInit({ id }, options)));
}

/** The query of `vehicleFields.list`. Contract: fleet 4. */
export interface VehicleFieldQuery extends PageQuery {
  /** Matches the label, the description or the name of an assigned group. */
  search?: string | undefined;
}

/** The query of `vehicleFields.listVehicles`. Contract: fleet 4. */
export interface FieldVehicleQuery extends PageQuery {
  /** The derived status of the vehicle for the field. */
  status?: contract.FieldStatus | undefined;
  /** Matches the plate number, the brand or the model. */
  search?: string | undefined;
}

/** The custom fields of vehicles. Contract: fleet 2, Vehicle field, and 4. */
export class VehicleFields {
  readonly #api: FleetApi;

  constructor(api: FleetApi) {
    this.#api = api;
  }

  /**
   * Lists the vehicle fields.
   *
   * `GET /vehicle-fields`
   * @throws {ScopeError} without one of `vehicle-fields:read`, `vehicles:read`, `vehicles:write`
   * @throws {PaginationError} if the server repeats a page, or the list changes under `onDrift: "throw"`
   */
  readonly list = (
    query?: VehicleFieldQuery,
    options?: CallOptions,
  ): PageList<contract.VehicleField, contract.VehicleFieldListMeta> =>
    pagesOf(this.#api, "/vehicle-fields", { query, options });

  /**
   * Lists the vehicles of a field, each once with its latest response.
   *
   * `GET /vehicle-fields/{id}/vehicles`
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `vehicle-fields:read`; whether others suffice is a gap (`scopes.field-vehicles`)
   * @throws {PaginationError} if the server repeats a page, or the list changes under `onDrift: "throw"`
   * @example
   * for await (const { plateNumber, status } of fleet.vehicleFields.listVehicles(fieldId, { status: "NOT_OK" }))
   *   console.log(plateNumber, status);
   */
  readonly listVehicles = (
    fieldId: string,
    query?: FieldVehicleQuery,
    options?: CallOptions,
  ): PageList<contract.VehicleFieldEntry, contract.VehicleFieldEntryListMeta> =>
    pagesOf(this.#api, "/vehicle-fields/{id}/vehicles", { path: { id: fieldId }, query, options });
}
