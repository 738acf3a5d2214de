import { fleetContract } from "../../../generated/fleet.contract.ts";
import { zDamage, zInspection } from "../../../generated/fleet.schemas.ts";
import type { JsonObject } from "../../../generated/fleet.ts";
import { isObject } from "../../wire/json.ts";
import { Random } from "../server/random.ts";
import { idSchema, parse, partsOf, type Schema } from "../server/schemas.ts";
import {
  type FleetData,
  type FleetOptions,
  type FleetResource,
  fleetResources,
  type FleetRow,
} from "./data.ts";
import {
  assignmentSource,
  damageSource,
  fieldSource,
  type FleetPlan,
  groupSource,
  inspectionSource,
  type Source,
  type Sources,
  templateSource,
  vehicleSource,
} from "./generate.ts";
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

/**
 * Fills one environment with its seed; both begin with the same rows. Everything except the IDs is created on first
 * access.
 */
export function seedFleet(data: FleetData, plan: FleetPlan, options: FleetOptions): void {
  const sources = sourcesOf(plan, options);
  for (const resource of fleetResources) {
    const { ids, rowOf } = sources[resource];
    data[resource].seed(ids, (id) => ({ ...rowOf(id), id }));
  }
}

/** A resource comes after the resources that it refers to, so that each reference has a target. */
function sourcesOf(plan: FleetPlan, options: FleetOptions): Sources {
  const sourceOf = (
    resource: FleetResource,
    needed: Partial<Sources>,
    make: (count: number) => Source,
  ): Source => {
    const wanted = options[resource];
    if (Array.isArray(wanted)) return listSource(completeRows(wanted, resource, plan));
    const missing = Object.entries(needed).filter(([, { ids }]) => ids.length === 0);
    if (missing.length === 0) return make(wanted ?? COUNTS[resource]);
    if (wanted === undefined || wanted === 0) return make(0);
    const names = missing.map(([name]) => `fleet.${name}`).join(" and ");
    throw new Error(
      `fleet.${resource}: ${wanted} cannot be generated without ${names}; pass rows instead of a number`,
    );
  };
  const vehicles = sourceOf("vehicles", {}, (count) => vehicleSource(plan, count));
  const vehicleGroups = sourceOf("vehicleGroups", {}, groupSource);
  const vehicleFields = sourceOf("vehicleFields", {}, (count) => fieldSource(plan, count, vehicleGroups));
  const fields = cacheSource(vehicleFields);
  const inspectionTemplates = sourceOf("inspectionTemplates", {}, (count) =>
    templateSource(plan, count, vehicleGroups, fields),
  );
  const templates = cacheSource(inspectionTemplates);
  const inspections = sourceOf("inspections", { vehicles, inspectionTemplates }, (count) =>
    inspectionSource(plan, count, vehicles, templates),
  );
  // generated damages belong only to generated inspections
  const reported = Array.isArray(options.inspections) ? listSource([]) : cacheSource(inspections);
  const damages = sourceOf("damages", { vehicles }, (count) => damageSource(plan, count, vehicles, reported));
  const driverAssignments = sourceOf("driverAssignments", { vehicles }, (count) =>
    assignmentSource(plan, count, vehicles),
  );
  return {
    vehicles,
    vehicleGroups,
    vehicleFields,
    inspectionTemplates,
    inspections,
    damages,
    driverAssignments,
  };
}

function listSource(rows: readonly FleetRow[]): Source {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return { ids: [...byId.keys()], rowOf: (id) => structuredClone(byId.get(id) ?? { id }) };
}

/** Caches the rows of a source for lookups; they must not be changed or stored. */
function cacheSource({ ids, rowOf }: Source): Source {
  const rows = new Map<string, FleetRow>();
  const cached = (id: string) => {
    const row = rows.get(id) ?? rowOf(id);
    rows.set(id, row);
    return row;
  };
  return { ids, rowOf: cached };
}

/** Completes the given rows of one resource; throws an error that names a row that violates the contract. */
function completeRows(rows: readonly unknown[], resource: FleetResource, plan: FleetPlan): FleetRow[] {
  const seen = new Set<string>();
  return rows.map((given, index) => {
    const place = `fleet.${resource}[${index}]`;
    if (!isObject(given)) throw new Error(`${place} must be an object`);
    const { id: own = new Random(plan.seed, "own", resource, index).uuid(), ...properties } =
      structuredClone(given);
    const id = parse(idSchema, own, `${place}.id`);
    if (seen.has(id)) throw new Error(`${place}.id: duplicate row "${id}"`);
    seen.add(id);
    const row: FleetRow = { id, ...defaultsOf(resource, new Date(plan.now).toISOString()), ...properties };
    if (resource === "inspectionTemplates") completeItems(row);
    const schema = ROW_SCHEMAS[resource];
    // responses compute the properties that a row does not have
    if (schema !== undefined) parse(schema, { ...view({}, schema, "present"), ...row }, place);
    return row;
  });
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
      return {
        label: "",
        description: "",
        inputType: "TEXT",
        isRequired: false,
        instructionImageUrl: null,
        hasStatusRule: false,
        options: [],
        ...times,
      };
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

function completeItems(row: FleetRow): void {
  if (!Array.isArray(row.items)) return;
  row.items = row.items.map((item: unknown, index) => {
    const shown = {
      id: `${row.id}-item-${index + 1}`,
      label: "",
      inputType: "TEXT",
      isRequired: false,
      options: [],
    };
    return isObject(item) ? { ...shown, order: index + 1, instructionImageUrl: null, ...item } : item;
  });
}
