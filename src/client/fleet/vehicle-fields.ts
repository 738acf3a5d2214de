import type {
  FieldStatus,
  VehicleField,
  VehicleFieldEntry,
  VehicleFieldEntryListMeta,
  VehicleFieldListMeta,
} from "../../../generated/fleet.ts";
import type { CallOptions } from "../core/options/options.ts";
import type { PageList } from "../core/pagination/list.ts";
import type { PageQuery } from "./query.ts";
import type { Resource } from "./resource.ts";

/** The query of `vehicleFields.list`. Contract: fleet 4. */
export interface VehicleFieldQuery extends PageQuery {
  /** Matches the label, the description or the name of an assigned group. */
  search?: string | undefined;
}

/** The query of `vehicleFields.listVehicles`. Contract: fleet 4. */
export interface FieldVehicleQuery extends PageQuery {
  /** The derived status of the vehicle for the field. */
  status?: FieldStatus | undefined;
  /** Matches the plate number, the brand or the model. */
  search?: string | undefined;
}

/** The custom fields of vehicles. Contract: fleet 2, Vehicle field, and 4. */
export class VehicleFields {
  readonly #resource: Resource<VehicleField>;

  constructor(resource: Resource<VehicleField>) {
    this.#resource = resource;
  }

  /**
   * Lists the vehicle fields.
   *
   * `GET /vehicle-fields`
   * @throws {ScopeError} without one of `vehicle-fields:read`, `vehicles:read`, `vehicles:write`
   * @throws {PaginationError} if the server repeats a page, or the list changes under `onDrift: "throw"`
   */
  list(query?: VehicleFieldQuery, options?: CallOptions): PageList<VehicleField, VehicleFieldListMeta> {
    return this.#resource.list("listVehicleFields", query, options);
  }

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
  listVehicles(
    fieldId: string,
    query?: FieldVehicleQuery,
    options?: CallOptions,
  ): PageList<VehicleFieldEntry, VehicleFieldEntryListMeta> {
    return this.#resource.list("listVehicleFieldVehicles", query, options, { id: fieldId });
  }
}
