import { fleetContract } from "../../../generated/fleet.contract.ts";
import { zDamage, zInspection } from "../../../generated/fleet.schemas.ts";
import type { JsonObject } from "../../../generated/fleet.ts";
import { isObject } from "../../wire/json.ts";
import { tableOf } from "../../wire/names.ts";
import { Random } from "../server/random.ts";
import { deepCopy } from "../server/rows.ts";
import { idSchema, parse, partsOf, type Schema } from "../server/schemas.ts";
import {
  type FleetData,
  type FleetOptions,
  type FleetResource,
  fleetResources,
  type FleetRow,
} from "./data.ts";
import { type FleetPlan, type FleetSeed, generatedIds, generateRow } from "./generate.ts";
import { view } from "./views.ts";

/** The default number of rows. */
const COUNTS: Record<FleetResource, number> = {
  vehicles: 100,
  vehicleGroups: 5,
  vehicleFields: 6,
  inspections: 60,
  inspectionTemplates: 6,
  damages: 40,
  driverAssignments: 40,
};

/** What a row of a resource refers to: it cannot be generated without these. */
const NEEDED: Partial<Record<FleetResource, readonly FleetResource[]>> = {
  inspections: ["vehicles", "inspectionTemplates"],
  damages: ["vehicles"],
  driverAssignments: ["vehicles"],
};

/** Fills both environments with the same rows. Everything except the IDs is created on first access. */
export function seedFleet(environments: readonly FleetData[], plan: FleetPlan, options: FleetOptions): void {
  const given = tableOf(fleetResources, (resource) => givenRows(resource, plan, options));
  const ids = tableOf(fleetResources, (resource) => [
    ...(given[resource]?.keys() ?? generatedIds(resource, countOf(resource, options), plan)),
  ]);
  const reportedIds = given.inspections === undefined ? ids.inspections : [];
  const seed: FleetSeed = { ...plan, ids, reportedIds, rowOf: cached(rowOf) };
  const numbers = tableOf(
    fleetResources,
    (resource) => new Map(ids[resource].map((id, index) => [id, index])),
  );
  function rowOf(resource: FleetResource, id: string): FleetRow {
    const own = given[resource]?.get(id);
    return own ?? generateRow(resource, id, (numbers[resource].get(id) ?? 0) + 1, seed);
  }
  for (const resource of fleetResources) {
    for (const data of environments)
      data[resource].seed(ids[resource], (id) => deepCopy(rowOf(resource, id)));
  }
}

/** Keeps the rows that other rows refer to: each is looked up many times. */
function cached(rowOf: FleetSeed["rowOf"]): FleetSeed["rowOf"] {
  const known = new Map<string, FleetRow>();
  return (resource, id) => {
    const key = `${resource} ${id}`;
    const row = known.get(key) ?? rowOf(resource, id);
    known.set(key, row);
    return row;
  };
}

/** Returns how many rows of a resource are generated. */
function countOf(resource: FleetResource, options: FleetOptions): number {
  const wanted = options[resource];
  const missing = NEEDED[resource]?.filter((needed) => {
    const rows = options[needed];
    return rows === 0 || (Array.isArray(rows) && rows.length === 0);
  });
  if (missing === undefined || missing.length === 0) return Number(wanted ?? COUNTS[resource]);
  if (wanted === undefined || wanted === 0) return 0;
  const names = missing.map((name) => `fleet.${name}`).join(" and ");
  throw new Error(
    `fleet.${resource}: ${Number(wanted)} cannot be generated without ${names}; pass rows instead of a number`,
  );
}

/** Completes the rows that the caller gives; throws an error that names a row that violates the contract. */
function givenRows(
  resource: FleetResource,
  plan: FleetPlan,
  options: FleetOptions,
): Map<string, FleetRow> | undefined {
  const rows: unknown = options[resource];
  if (!Array.isArray(rows)) return undefined;
  const now = new Date(plan.now).toISOString();
  const completed = new Map<string, FleetRow>();
  for (const [index, given] of rows.entries()) {
    const place = `fleet.${resource}[${index}]`;
    if (!isObject(given)) throw new Error(`${place} must be an object`);
    const { id: own = new Random(plan.seed, "own", resource, index).uuid(), ...properties } = deepCopy(given);
    const id = parse(idSchema, own, `${place}.id`);
    if (completed.has(id)) throw new Error(`${place}.id: duplicate row "${id}"`);
    const row: FleetRow = { id, ...defaultsOf(resource, now), ...properties };
    if (resource === "inspectionTemplates") completeItems(row);
    const schema = ROW_SCHEMAS[resource];
    // responses compute the properties that a row does not have
    if (schema !== undefined) parse(schema, { ...view({}, schema, "present"), ...row }, place);
    completed.set(id, row);
  }
  return completed;
}

/** Returns the schema of the elements of a list, with closed enums: the values of a seed must be in the contract. */
function elementOf(list: Schema | null): Schema | undefined {
  const { shape } = list === null ? {} : partsOf(list);
  return shape?.data && partsOf(shape.data).element;
}

/** The schemas of the properties that the contract describes. */
const ROW_SCHEMAS: { readonly [Resource in FleetResource]?: Schema | undefined } = {
  vehicleFields: elementOf(fleetContract.listVehicleFields.responses[200].schema),
  inspectionTemplates: elementOf(fleetContract.listInspectionTemplates.responses[200].schema),
  inspections: zInspection,
  damages: zDamage,
};

/** The properties that the server adds if they are missing. */
function defaultsOf(resource: FleetResource, now: string): JsonObject {
  const times = { createdAt: now, updatedAt: now };
  switch (resource) {
    case "vehicleFields":
      return { ...ITEM, description: "", instructionImageUrl: null, hasStatusRule: false, ...times };
    case "inspections":
      return { status: "COMPLETED", performedAt: now, notes: "", responses: [] };
    case "inspectionTemplates":
      return { title: "", description: "", version: 1, isActive: true, ...times, items: [] };
    case "damages":
      return { status: "TO_REPAIR_WARNING", reportedAt: now, repairedAt: null };
    default:
      return {};
  }
}

const ITEM: JsonObject = { label: "", inputType: "TEXT", isRequired: false, options: [] };

function completeItems(row: FleetRow): void {
  if (!Array.isArray(row.items)) return;
  row.items = row.items.map((item: unknown, index) => {
    const shown = { id: `${row.id}-item-${index + 1}`, ...ITEM, order: index + 1, instructionImageUrl: null };
    return isObject(item) ? { ...shown, ...item } : item;
  });
}
