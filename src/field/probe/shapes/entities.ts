import { type OperationId } from "../../routes.ts";
import { type Exchange, bodyOf, dataOf, isOk, rowsOf } from "../exchange.ts";
import { listIn } from "../experiments/store/data.ts";
import { type JsonObject, objectsIn } from "../../../wire/json.ts";
import { type JsonSchema, ShapeCount } from "./count.ts";

/** The open objects of the contracts, as the clients' option `shapes` names them. */
export type EntityName =
  | "protocol"
  | "protocolImage"
  | "photo"
  | "storeFillRates"
  | "expositionFillRate"
  | "fillRates"
  | "vehicle"
  | "vehicleGroup"
  | "inspectionSummary"
  | "damageSummary"
  | "driverAssignment";

type Pick = readonly [entity: EntityName, objects: (exchange: Exchange) => readonly JsonObject[]];

const rows = (entity: EntityName): Pick => [entity, rowsOf];
const one = (entity: EntityName): Pick => [entity, (exchange) => [dataOf(exchange)]];
const body = (entity: EntityName): Pick => [entity, (exchange) => [bodyOf(exchange)]];

/** The responses in which each open object is. */
const SOURCES: Readonly<Partial<Record<OperationId, readonly Pick[]>>> = {
  listProtocols: [rows("protocol")],
  getProtocol: [["protocolImage", (exchange) => objectsIn(bodyOf(exchange).images)]],
  listPhotos: [["photo", (exchange) => listIn(exchange)?.rows ?? []]],
  getStoreFillRates: [body("storeFillRates")],
  getExpositionFillRate: [body("expositionFillRate")],
  getFillRates: [body("fillRates")],
  listVehicles: [rows("vehicle")],
  getVehicle: [one("vehicle")],
  listVehicleGroups: [rows("vehicleGroup")],
  getVehicleGroup: [one("vehicleGroup")],
  listInspections: [rows("inspectionSummary")],
  listDamages: [rows("damageSummary")],
  listDriverAssignments: [rows("driverAssignment")],
  getDriverAssignment: [one("driverAssignment")],
};

/** Counts the received open objects. */
export class ShapeCounts {
  readonly #counts = new Map<EntityName, ShapeCount>();

  add(exchange: Exchange): void {
    if (!exchange.isEvidence || !isOk(exchange) || exchange.method !== "GET") return;
    for (const [entity, objects] of (exchange.operation && SOURCES[exchange.operation]) ?? []) {
      for (const object of objects(exchange)) {
        const count = this.#counts.get(entity) ?? new ShapeCount();
        this.#counts.set(entity, count);
        count.add(object);
      }
    }
  }

  /** Returns a JSON Schema for each kind of object: names, types and counts, and no free text. */
  schemas(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#counts].map(([name, count]) => [name, count.schema()]));
  }
}
