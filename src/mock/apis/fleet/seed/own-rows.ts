import type { JsonObject } from "../../../../../generated/fleet.ts";
import { fieldStatuses, templateItemInputTypes } from "../../../../../generated/fleet.enums.ts";
import {
  zDamage,
  zInspection,
  zInspectionTemplate,
  zVehicleField,
} from "../../../../../generated/fleet.schemas.ts";
import type { Schema } from "../../../server/schemas.ts";
import { Random } from "../../../../wire/random.ts";
import type { FleetSeedPlan } from "../options.ts";
import { assertSchemaAt, idAt } from "../../../seed/state-checks.ts";
import { type ShapeName, checkShape } from "../../../seed/seed-plan.ts";
import type { FleetResource, FleetRow } from "../data.ts";
import { view } from "../properties.ts";
import { isObject, objectsIn } from "../../../../wire/json.ts";

/** The rules for the given rows of one resource. */
interface RowRules {
  readonly shape?: ShapeName;
  /** The schema of the properties that the contract describes. */
  readonly schema?: Schema;
  /** The properties that the server adds if they are missing. */
  readonly defaultsAt?: (at: string) => JsonObject;
}

const ROW_RULES: Record<FleetResource, RowRules> = {
  vehicles: { shape: "vehicle" },
  vehicleGroups: { shape: "vehicleGroup" },
  vehicleFields: {
    schema: zVehicleField,
    defaultsAt: (now) => ({
      label: "",
      description: "",
      inputType: "TEXT",
      isRequired: false,
      instructionImageUrl: null,
      hasStatusRule: false,
      options: [],
      createdAt: now,
      updatedAt: now,
    }),
  },
  inspections: {
    shape: "inspectionSummary",
    schema: zInspection,
    defaultsAt: (now) => ({ status: "COMPLETED", performedAt: now, notes: "", responses: [] }),
  },
  inspectionTemplates: {
    schema: zInspectionTemplate,
    defaultsAt: (now) => ({
      title: "",
      description: "",
      version: 1,
      isActive: true,
      createdAt: now,
      updatedAt: now,
      items: [],
    }),
  },
  damages: {
    shape: "damageSummary",
    schema: zDamage,
    defaultsAt: (now) => ({ status: "TO_REPAIR_WARNING", reportedAt: now, repairedAt: null }),
  },
  driverAssignments: { shape: "driverAssignment" },
};

/** Completes the given rows of one resource; throws an error that names a row that violates the contract or a shape. */
export function completeRows(
  rows: readonly object[],
  resource: FleetResource,
  plan: FleetSeedPlan,
): FleetRow[] {
  const seen = new Set<string>();
  return rows.map((given, index) => {
    const name = `fleet.${resource}[${index}]`;
    const row = completeRow(resource, given, name, index, plan);
    if (seen.has(row.id)) throw new Error(`${name}.id: duplicate row "${row.id}"`);
    seen.add(row.id);
    return row;
  });
}

/** Completes one of the given rows; `key` distinguishes generated IDs. */
export function completeRow(
  resource: FleetResource,
  given: unknown,
  name: string,
  key: string | number,
  plan: FleetSeedPlan,
): FleetRow {
  if (!isObject(given)) throw new Error(`${name} must be an object`);
  const { id: own = new Random(plan.seed, "own", resource, key).uuid(), ...properties } =
    structuredClone(given);
  const id = idAt(own, `${name}.id`);
  const { shape, schema, defaultsAt: defaults } = ROW_RULES[resource];
  const row: FleetRow = { id, ...defaults?.(new Date(plan.now).toISOString()), ...properties };
  if (resource === "inspectionTemplates") completeItems(row);
  checkEnums(resource, row, name);
  // responses compute the properties that a row does not have
  if (schema !== undefined) assertSchemaAt({ ...view({}, schema, "present"), ...row }, name, schema);
  if (shape !== undefined) checkShape(plan.shapes, shape, row, name);
  return row;
}

function completeItems(row: JsonObject): void {
  if (!Array.isArray(row.items)) return;
  row.items = row.items.map((item: unknown, index) => {
    const defaults = {
      id: `${String(row.id)}-item-${index + 1}`,
      label: "",
      inputType: "TEXT",
      isRequired: false,
      options: [],
      order: index + 1,
      instructionImageUrl: null,
    };
    return isObject(item) ? { ...defaults, ...item } : item;
  });
}

/** Validates enums: they are open in responses, but the values of a seed must be in the contract. */
function checkEnums(resource: FleetResource, row: JsonObject, name: string): void {
  const checks: Partial<Record<FleetResource, readonly [list: string, property: string, readonly string[]]>> =
    {
      vehicleFields: ["options", "status", fieldStatuses],
      inspectionTemplates: ["items", "inputType", templateItemInputTypes],
    };
  const [list, property, known] = checks[resource] ?? ["", "", []];
  for (const [index, element] of objectsIn(row[list]).entries()) {
    const value = element[property];
    if (value === undefined || (typeof value === "string" && known.includes(value))) continue;
    throw new Error(`${name}.${list}.${index}.${property} must be one of ${known.join(", ")}`);
  }
}
