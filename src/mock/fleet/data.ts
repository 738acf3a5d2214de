import { type FleetOperationId, fleetOperations } from "../../../generated/fleet.operations.ts";
import type {
  Damage,
  Inspection,
  InspectionTemplate,
  JsonObject,
  Scope,
  VehicleField,
} from "../../../generated/fleet.ts";
import { tableOf } from "../../wire/names.ts";
import { SeededMap } from "../server/rows.ts";
import { isObject, objectsIn, stringsIn } from "../../wire/json.ts";

/** The seven resources, with their names in options and state. */
export const fleetResources = [
  "vehicles",
  "vehicleGroups",
  "vehicleFields",
  "inspections",
  "inspectionTemplates",
  "damages",
  "driverAssignments",
] as const;

/** A resource of the fleet API. */
export type FleetResource = (typeof fleetResources)[number];

/** Returns the resource that the path of an operation names: `vehicleGroups` of `/vehicle-groups/{id}`. */
export function resourceOf(operation: FleetOperationId): FleetResource {
  const [, segment = ""] = fleetOperations[operation].path.split("/");
  return segment.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()) as FleetResource; // each is one
}

/** A stored resource. The contract shows few other properties. */
export interface FleetRow extends JsonObject {
  id: string;
}

/** The state of one environment: each resource by ID, in order of insertion. */
export type FleetData = Readonly<Record<FleetResource, SeededMap<FleetRow>>>;

/** Returns an environment without data. */
export function emptyFleet(): FleetData {
  return tableOf(fleetResources, () => new SeededMap<FleetRow>(false));
}

/** A key of the fleet API. `<prefix>_test_` and 64 hexadecimal digits make it a key of the sandbox. */
export interface FleetKeySeed {
  key: string;
  /** Default: every scope. */
  scopes?: readonly Scope[] | undefined;
  /** ISO 8601; the key is rejected from then on, by the server's clock. */
  expiresAt?: string | undefined;
}

/** A key of a server. Changes of its scopes and expiry last until `reset()`. */
export interface FleetKey extends FleetKeySeed {
  readonly key: string;
  scopes: readonly Scope[];
}

/** A row of the options. */
type SeededRow = JsonObject | Damage | Inspection | InspectionTemplate | VehicleField;

/**
 * The seed of the fleet API: a number of rows, or the rows, for example rows that a client has read. Sandbox and
 * production begin with the same rows and are separate.
 */
export interface FleetOptions extends Partial<Record<FleetResource, number | SeededRow[] | undefined>> {
  /** Default: a production key and a sandbox key, each with every scope. */
  keys?: FleetKeySeed[] | undefined;
}

/*
 * The contract shows no body, so a reference may have each name that responses use for it: `vehicleId`, or
 * `vehicle` with an `id`; several are `vehicleIds`, or `vehicles` as ids or as objects with an `id`.
 */

/** The resource that each name of a reference means. */
export const REFERENCES = {
  vehicle: "vehicles",
  inspection: "inspections",
  template: "inspectionTemplates",
} as const satisfies Readonly<Record<string, FleetResource>>;

/** The name of a reference, such as `vehicle`. */
export type Reference = keyof typeof REFERENCES;

/** The two names of each reference: a body with one of them replaces the other. */
const SYNONYMS = [
  ["vehicleIds", "vehicles"],
  ...Object.keys(REFERENCES).map((name) => [`${name}Id`, name] as const),
] as const;

export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Returns the referenced ID: `vehicleId`, or else the `id` of `vehicle`. */
export function idOf(row: JsonObject, name: Reference | "templateItem"): string | undefined {
  const object = row[name];
  return stringOf(row[`${name}Id`]) ?? (isObject(object) ? stringOf(object.id) : undefined);
}

/** Returns the IDs of the vehicles of an inspection. */
export function vehicleIdsOf(inspection: JsonObject): string[] {
  return stringsIn(vehiclesIn(inspection).map((element) => (isObject(element) ? element.id : element)));
}

/** Returns the vehicles of an inspection, as IDs or as objects. */
export function vehiclesIn({ vehicleIds, vehicles }: JsonObject): unknown[] {
  if (Array.isArray(vehicleIds)) return stringsIn(vehicleIds);
  if (!Array.isArray(vehicles)) return [];
  return vehicles.filter((vehicle) => isObject(vehicle) || typeof vehicle === "string");
}

/** Returns the referenced resource, otherwise the object in the row itself; `undefined` without a reference. */
export function resolve(data: FleetData, row: JsonObject, name: Reference): JsonObject | undefined {
  const id = idOf(row, name);
  const object = isObject(row[name]) ? row[name] : undefined;
  return id === undefined ? object : (data[REFERENCES[name]].get(id) ?? { ...object, id });
}

/** Inspections and damages by their IDs. */
type Reported = Readonly<Record<"inspections" | "damages", ReadonlyMap<string, FleetRow>>>;

/**
 * Moves the damages within inspections to the damages, where a write stores them, so that each is stored once; a damage with
 * the same ID has the properties. gap inspections.reported-damages
 */
export function moveDamages({ inspections, damages }: Reported): Reported {
  const moved = new Map(damages);
  const rows = Array.from(inspections.values(), ({ damages: embedded, ...inspection }): FleetRow => {
    for (const [index, damage] of objectsIn(embedded).entries()) {
      const id = stringOf(damage.id) ?? `${inspection.id}-damage-${index + 1}`;
      moved.set(id, { inspectionId: inspection.id, ...(moved.get(id) ?? damage), id });
    }
    return { ...inspection, id: inspection.id };
  });
  return { inspections: new Map(rows.map((row) => [row.id, row])), damages: moved };
}

/** Returns a row without the references for which a body uses the other name. */
export function withoutReplaced(row: JsonObject, body: JsonObject): JsonObject {
  const pairs = SYNONYMS.filter((pair) => pair.some((name) => Object.hasOwn(body, name)));
  const replaced = new Set<string>(pairs.flat());
  return Object.fromEntries(Object.entries(row).filter(([name]) => !replaced.has(name)));
}
