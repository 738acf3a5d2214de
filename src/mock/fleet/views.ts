import {
  zDamage,
  zInspection,
  zInspectionTemplate,
  zTemplateItem,
  zVehicleField,
  zVehicleFieldOption,
} from "../../../generated/fleet.schemas.ts";
import { isObject, type JsonObject, objectsIn, stringsIn } from "../../wire/json.ts";
import type { FleetCall } from "../server/call.ts";
import type { MockReadings } from "../server/readings.ts";
import { partsOf, type Schema, type SchemaParts } from "../server/schemas.ts";
import type { FleetData, FleetResource, FleetRow } from "./data.ts";
import { idOf, type Reference, stringOf, vehiclesIn } from "./rows.ts";

/**
 * What a response shows of a property that a row lacks and that the contract only names in a list; `present` if the contract
 * describes it.
 */
type Absent = MockReadings["fleet.absent-properties"] | "present";

const BLANKS: Readonly<Record<string, unknown>> = { string: "", number: 0, boolean: false };

/**
 * Returns the properties of a row that the contract describes, in its order. Bodies are open objects and a test may
 * write any value to the state, so a value of another type counts as missing. `computed` replaces properties of the
 * row; an undefined one is left out. gap fleet.absent-properties
 */
export function view(row: unknown, schema: Schema, absent: Absent, computed: JsonObject = {}): JsonObject {
  const given = isObject(row) ? row : {};
  const result: JsonObject = {};
  for (const [name, property] of partsOf(schema).properties ?? []) {
    const isComputed = Object.hasOwn(computed, name);
    const value = isComputed ? computed[name] : viewValue(given[name], partsOf(property), absent);
    if (value !== undefined) result[name] = value;
  }
  return result;
}

function viewValue(value: unknown, parts: SchemaParts, absent: Absent): unknown {
  const { schema, type, properties, element, isOptional, isNullable } = parts;
  if (element !== undefined) return objectsIn(value).map((item) => view(item, element, absent));
  const isOpen = properties?.length === 0;
  if (hasType(value, parts)) return type === "object" && !isOpen ? view(value, schema, absent) : value;
  if (isNullable && (type !== "object" || isOpen)) return null;
  if (isOptional && absent !== "present")
    return type === "object" && absent === "null-objects" ? null : undefined;
  return type === "object" ? view({}, schema, absent) : BLANKS[type];
}

function hasType(value: unknown, { type, isInteger }: SchemaParts): boolean {
  if (type === "object") return isObject(value);
  if (type === "number") return isInteger ? Number.isSafeInteger(value) : Number.isFinite(value);
  return typeof value === type;
}

/** Returns embedded objects of a row with the further properties that a request has written. */
function sentObjects(row: JsonObject, names: readonly string[], schema: Schema, absent: Absent): JsonObject {
  const sent = names.flatMap((name) => {
    const [object, inner] = [row[name], partsOf(schema).shape?.[name]];
    if (!isObject(object) || inner === undefined) return [];
    const known = partsOf(inner).shape ?? {};
    const others = Object.entries(object).filter(([property]) => !Object.hasOwn(known, property));
    return [[name, { ...Object.fromEntries(others), ...view(object, inner, absent) }] as const];
  });
  return Object.fromEntries(sent);
}

/** Returns the referenced resource, otherwise the object in the row itself; `undefined` without a reference. */
function resolve(
  data: FleetData,
  resource: FleetResource,
  row: JsonObject,
  name: Reference,
): JsonObject | undefined {
  const id = idOf(row, name);
  const object = row[name];
  if (id === undefined) return isObject(object) ? object : undefined;
  return data[resource].get(id) ?? { ...(isObject(object) && object), id };
}

function absentIn({ server }: FleetCall) {
  return server.readings["fleet.absent-properties"];
}

export function damageView(row: JsonObject, call: FleetCall): JsonObject {
  const { fleet } = call;
  const absent = absentIn(call);
  const inspection = resolve(fleet, "inspections", row, "inspection");
  const template = inspection && resolve(fleet, "inspectionTemplates", inspection, "template");
  const resolved = {
    ...row,
    vehicleId: idOf(row, "vehicle"),
    vehicle: resolve(fleet, "vehicles", row, "vehicle"),
    inspection: inspection && { ...inspection, template },
  };
  return view(resolved, zDamage, absent, sentObjects(row, ["reportedBy", "assignedTo"], zDamage, absent));
}

/** Returns a vehicle field as an element of the list. */
export function fieldView(row: JsonObject, call: FleetCall): JsonObject {
  const absent = absentIn(call);
  const groups = groupsOf(row, call.fleet);
  const options = objectsIn(row.options).map((option) => {
    const status = row.hasStatusRule === true ? stringOf(option.status) : undefined;
    return view(option, zVehicleFieldOption, absent, { status: status ?? fallbackStatus(row) });
  });
  return view({ ...row, groups }, zVehicleField, absent, { groupIds: groups.map(({ id }) => id), options });
}

/** Returns the groups of a field: existing groups, and groups that only the field itself names, without deleted ones. */
export function groupsOf(row: JsonObject, data: FleetData): JsonObject[] {
  const own = objectsIn(row.groups);
  const ids = Array.isArray(row.groupIds) ? stringsIn(row.groupIds) : stringsIn(own.map(({ id }) => id));
  const groups = ids.map((id) => data.vehicleGroups.get(id) ?? own.find((group) => group.id === id));
  return groups.filter((group) => group !== undefined);
}

/** Returns the status if no option gives one: that of a field without a rule. gap fields.no-status-rule */
export function fallbackStatus(field: JsonObject): string | undefined {
  return field.hasStatusRule === true ? undefined : "OK";
}

/** Returns a template as an element of the list; both counts are computed from the data. */
export function templateView(row: JsonObject, inspectionCount: number): JsonObject {
  const items = objectsIn(row.items).map((item, index) =>
    view(item, zTemplateItem, "present", {
      options: item.inputType === "SELECT" ? optionsOf(item) : [],
      order: Number.isSafeInteger(item.order) ? item.order : index + 1,
      dependsOn: isObject(item.dependsOn) ? item.dependsOn : undefined,
    }),
  );
  return view(row, zInspectionTemplate, "present", { itemCount: items.length, inspectionCount, items });
}

/** An object becomes its value or label: gap templates.options. */
function optionsOf({ options }: JsonObject): string[] {
  if (!Array.isArray(options)) return [];
  return options.flatMap((option: unknown) => {
    const text = isObject(option) ? (stringOf(option.value) ?? stringOf(option.label)) : stringOf(option);
    return text ?? [];
  });
}

export function inspectionCounts(data: FleetData): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const inspection of data.inspections.values()) {
    const id = idOf(inspection, "template");
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

export function inspectionView(row: FleetRow, call: FleetCall): JsonObject {
  const { fleet } = call;
  const absent = absentIn(call);
  const template = resolve(fleet, "inspectionTemplates", row, "template");
  const resolved = {
    ...row,
    templateId: idOf(row, "template"),
    vehicles: vehiclesIn(row).map((element) => {
      const given = isObject(element) ? element : { id: element };
      return fleet.vehicles.get(stringOf(given.id) ?? "") ?? given;
    }),
    responses: objectsIn(row.responses).map((response) => withItem(response, template, fleet)),
  };
  return view(resolved, zInspection, absent, {
    // gap inspections.template-properties
    template: view(template, zInspection.shape.template, absent),
    damages: allDamages(row, damagesOf(row.id, fleet), call),
    ...sentObjects(row, ["performedBy", "location"], zInspection, absent),
  });
}

/** Returns an inspection for the list and for writes: its written properties, and the damages reported with it. */
export function inspectionSummary(
  row: JsonObject,
  damages: readonly JsonObject[],
  call: FleetCall,
): JsonObject {
  return { ...row, damages: allDamages(row, damages, call) };
}

/** The damages that were reported with an inspection, and those in the inspection itself. gap inspections.reported-damages */
function allDamages(row: JsonObject, reported: readonly JsonObject[], call: FleetCall): JsonObject[] {
  return [...reported, ...objectsIn(row.damages)].map((damage) => {
    const resolved = { ...damage, vehicleId: idOf(damage, "vehicle") };
    return view(resolved, zInspection.shape.damages.def.element, absentIn(call));
  });
}

/** The item of a response is an item of the template, or a vehicle field, or the content of the response itself. */
function withItem(response: JsonObject, template: JsonObject | undefined, data: FleetData): JsonObject {
  const id = idOf(response, "templateItem");
  if (id === undefined) return response;
  const known = objectsIn(template?.items).find((item) => item.id === id) ?? data.vehicleFields.get(id);
  const own = isObject(response.templateItem) ? response.templateItem : {};
  return { ...response, templateItem: { ...known, ...own, id } };
}

export function damagesOf(inspectionId: string, data: FleetData): JsonObject[] {
  return [...data.damages.values()].filter((damage) => idOf(damage, "inspection") === inspectionId);
}
