import type * as contract from "../../../generated/fleet.ts";
import { type FleetApi, type PageQuery, pagesOf } from "./resource.ts";
import type { PageList } from "../lists/list.ts";
import type { CallOptions } from "../options.ts";

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
    pagesOf<contract.VehicleField, contract.VehicleFieldListMeta>(
      this.#api,
      "/vehicle-fields",
      { query, options },
      (sent, init) => this.#api.http.GET("/vehicle-fields", { params: { query: sent }, ...init }),
    );

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
    pagesOf<contract.VehicleFieldEntry, contract.VehicleFieldEntryListMeta>(
      this.#api,
      "/vehicle-fields/{id}/vehicles",
      { path: { id: fieldId }, query, options },
      (sent, init) =>
        this.#api.http.GET("/vehicle-fields/{id}/vehicles", {
          params: { path: { id: fieldId }, query: sent },
          ...init,
        }),
    );
}
