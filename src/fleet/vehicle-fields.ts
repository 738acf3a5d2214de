import { fieldStatuses } from "../../generated/fleet.enums.ts";
import type {
  FieldStatus,
  paths,
  VehicleField,
  VehicleFieldEntry,
  VehicleFieldEntryListMeta,
  VehicleFieldListMeta,
} from "../../generated/fleet.ts";
import type { Http } from "../core/http.ts";
import type { CallOptions } from "../core/options.ts";
import type { PageList } from "../core/pagination/list.ts";
import { oneOf, text } from "../core/rules.ts";
import type { Lists } from "./lists.ts";
import { type PageQuery, pageRules } from "./query.ts";

/** Query of `vehicleFields.list`. Contract: fleet 4. */
export interface VehicleFieldQuery extends PageQuery {
  /** Matches the label, the description or the name of an assigned group. */
  search?: string | undefined;
}

/** Query of `vehicleFields.listVehicles`. Contract: fleet 4. */
export interface FieldVehicleQuery extends PageQuery {
  /** The derived status of the vehicle for the field. */
  status?: FieldStatus | undefined;
  /** Matches the plate number, the brand or the model. */
  search?: string | undefined;
}

const fieldRules = { rules: { ...pageRules, search: text } };
const vehicleRules = { rules: { ...pageRules, status: oneOf(fieldStatuses), search: text } };

/** The custom fields of vehicles. Contract: fleet 2, Vehicle field, and 4. */
export class VehicleFields {
  readonly #http: Http<paths>;
  readonly #lists: Lists;

  constructor(http: Http<paths>, lists: Lists) {
    this.#http = http;
    this.#lists = lists;
  }

  /**
   * Lists the vehicle fields.
   *
   * `GET /vehicle-fields`
   * @throws {ScopeError} without one of `vehicle-fields:read`, `vehicles:read`, `vehicles:write`
   * @throws {PaginationError} where the server repeats itself, or the list changes under `onDrift: "throw"`
   */
  list(query?: VehicleFieldQuery, options?: CallOptions): PageList<VehicleField, VehicleFieldListMeta> {
    return this.#lists.open("GET /vehicle-fields", { query, options, shown: true }, (sent, copied, cancel) =>
      this.#http.page("/vehicle-fields", { query: sent, rules: fieldRules }, copied, cancel),
    );
  }

  /**
   * Lists the vehicles of a field, each once with its latest response.
   *
   * `GET /vehicle-fields/{id}/vehicles`
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `vehicle-fields:read`; whether others suffice is a gap (`scopes.field-vehicles`)
   * @throws {PaginationError} where the server repeats itself, or the list changes under `onDrift: "throw"`
   */
  listVehicles(
    fieldId: string,
    query?: FieldVehicleQuery,
    options?: CallOptions,
  ): PageList<VehicleFieldEntry, VehicleFieldEntryListMeta> {
    const call = { path: { id: fieldId }, query, options, shown: true, idMember: "vehicleId" };
    return this.#lists.open("GET /vehicle-fields/{id}/vehicles", call, (sent, copied, cancel) =>
      this.#http.page(
        "/vehicle-fields/{id}/vehicles",
        { path: { id: fieldId }, query: sent, rules: vehicleRules },
        copied,
        cancel,
      ),
    );
  }
}
