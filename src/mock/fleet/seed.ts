import type { JsonObject } from "../../../generated/fleet.ts";
import { isObject } from "../../wire/json.ts";
import { tableOf } from "../../wire/names.ts";
import { Random } from "../server/random.ts";
import { deepCopy, SeededMap } from "../server/rows.ts";
import { idSchema, parse } from "../server/schemas.ts";
import {
  type FleetData,
  type FleetOptions,
  type FleetResource,
  fleetResources,
  type FleetRow,
} from "./data.ts";
import { type FleetPlan, type FleetSeed, generatedIds, generateRow } from "./generate.ts";
import { resources, withElementIds } from "./resources.ts";
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
  const given = tableOf(fleetResources, (resource) => givenRows(resource, plan, options[resource]));
  const ids = tableOf(fleetResources, (resource) => [
    ...(given[resource]?.keys() ?? generatedIds(resource, countOf(resource, options), plan)),
  ]);
  const reportedIds = given.inspections === undefined ? ids.inspections : [];
  // rows that others refer to are kept here; an environment has copies
  const rows = tableOf(fleetResources, () => new SeededMap<FleetRow>(false));
  const seed: FleetSeed = { ...plan, ids, reportedIds, rows };
  for (const resource of fleetResources) {
    rows[resource].seed(ids[resource], (id) => given[resource]?.get(id) ?? generateRow(resource, id, seed));
    for (const data of environments)
      data[resource].seed(ids[resource], (id) => deepCopy(rows[resource].read(id) as FleetRow)); // it is one of the keys
  }
}

/** Returns how many rows of a resource are generated. */
function countOf(resource: FleetResource, options: FleetOptions): number {
  const wanted = options[resource];
  const missing = (NEEDED[resource] ?? []).filter((needed) => {
    const rows = options[needed];
    return rows === 0 || (Array.isArray(rows) && rows.length === 0);
  });
  if (missing.length === 0) return Number(wanted ?? COUNTS[resource]);
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
  rows: number | readonly unknown[] | undefined,
): Map<string, FleetRow> | undefined {
  if (typeof rows !== "object") return undefined;
  const now = new Date(plan.now).toISOString();
  const completed = new Map<string, FleetRow>();
  const { schema, defaults } = resources[resource];
  for (const [index, given] of rows.entries()) {
    const place = `fleet.${resource}[${index}]`;
    if (!isObject(given)) throw new Error(`${place} must be an object`);
    const random = new Random(plan.seed, "own", resource, index);
    const { id: own = random.uuid(), ...properties }: JsonObject = deepCopy(given);
    const id = parse(idSchema, own, `${place}.id`);
    if (completed.has(id)) throw new Error(`${place}.id: duplicate row "${id}"`);
    const written = withElementIds(resource, properties, () => random.uuid());
    const row = { id, ...defaults?.(now), ...written };
    // responses compute the properties that a row does not have
    if (schema !== undefined) parse(schema, { ...view({}, schema), ...row }, place);
    completed.set(id, row);
  }
  return completed;
}
