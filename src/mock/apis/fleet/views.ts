import {
  zDamage,
  zInspection,
  zInspectionTemplate,
  zTemplateItem,
  zVehicleField,
  zVehicleFieldOption,
} from "../../../../generated/fleet.schemas.ts";
import { type JsonObject, isObject, objectsIn, stringsIn } from "../../../wire/json.ts";
import type { MockReadings } from "../../server/readings.ts";
import type { FleetData, FleetRow } from "./data.ts";
import { sentObjects, stringOf, view } from "./properties.ts";
import { idOf, resolveReference, rowOrArchived, vehiclesOf } from "./rows.ts";

export function damageView(row: JsonObject, data: FleetData, readings: MockReadings): JsonObject {
  const absent = readings["fleet.absent-properties"];
  const inspection = resolveReference(data, "inspections", row, "inspection");
  const template = inspection && resolveReference(data, "inspectionTemplates", inspection, "template");
  const resolved = {
    ...row,
    vehicleId: idOf(row, "vehicle"),
    vehicle: resolveReference(data, "vehicles", row, "vehicle"),
    inspection: inspection && { ...inspection, template },
  };
  return view(resolved, zDamage, absent, sentObjects(row, ["reportedBy", "assignedTo"], zDamage, absent));
}

/** Returns a vehicle field as an element of the list. */
export function fieldView(row: JsonObject, data: FleetData, readings: MockReadings): JsonObject {
  const absent = readings["fleet.absent-properties"];
  const groups = groupsOf(row, data);
  const options = objectsIn(row.options).map((option) => {
    const status = row.hasStatusRule === true ? stringOf(option.status) : undefined;
    return view(option, zVehicleFieldOption, absent, { status: status ?? fallbackStatus(row, readings) });
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

/** Returns the status if no option gives one. It applies only to fields without a rule. gap fields.no-status-rule */
export function fallbackStatus(field: JsonObject, readings: MockReadings): string | undefined {
  return field.hasStatusRule === true || readings["fields.no-status-rule"] === "ok" ? "OK" : undefined;
}

/** Returns a template as an element of the list; both counts are computed from the data. */
export function templateView(row: JsonObject, inspections: number, readings: MockReadings): JsonObject {
  const items = objectsIn(row.items).map((item, index) =>
    view(item, zTemplateItem, "present", {
      options: item.inputType === "SELECT" ? optionsOf(item, readings) : [],
      order: Number.isSafeInteger(item.order) ? item.order : index + 1,
      dependsOn: isObject(item.dependsOn) ? item.dependsOn : undefined,
    }),
  );
  const computed = { itemCount: items.length, inspectionCount: inspections, items };
  return view(row, zInspectionTemplate, "present", computed);
}

/** gap templates.options: a string is converted to an object with this label and value, and an object to its label. */
function optionsOf({ options }: JsonObject, readings: MockReadings): unknown[] {
  if (!Array.isArray(options)) return [];
  const asObjects = readings["templates.options"] === "objects";
  return options.flatMap((option: unknown, index): unknown[] => {
    const text = isObject(option) ? (stringOf(option.value) ?? stringOf(option.label)) : stringOf(option);
    if (text === undefined) return [];
    const defaults = { id: String(index + 1), label: text, value: text, status: "OK" };
    const given = { ...defaults, ...(isObject(option) && option) };
    return [asObjects ? view(given, zVehicleFieldOption, "present") : text];
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

export function inspectionView(row: FleetRow, data: FleetData, readings: MockReadings): JsonObject {
  const absent = readings["fleet.absent-properties"];
  const template = resolveReference(data, "inspectionTemplates", row, "template");
  const resolved = {
    ...row,
    templateId: idOf(row, "template"),
    vehicles: vehiclesOf(data, row),
    responses: objectsIn(row.responses).map((response) => withItem(response, template, data)),
  };
  return view(resolved, zInspection, absent, {
    template: templateProperty(template, data, readings),
    damages: allDamages(row, damagesOf(row.id, data), readings),
    ...sentObjects(row, ["performedBy", "location"], zInspection, absent),
  });
}

/** Returns an inspection for the list and for writes: its written properties, and the damages reported with it. */
export function inspectionSummary(
  row: JsonObject,
  damages: readonly JsonObject[],
  readings: MockReadings,
): JsonObject {
  const { responses } = row;
  const listed = Array.isArray(responses) ? { responses: responses.map(withoutItem) } : {};
  return { ...row, ...listed, damages: allDamages(row, damages, readings) };
}

/** Returns a response without its item, which the rows of a twin have for the details. */
function withoutItem(response: unknown): unknown {
  if (!isObject(response) || !("templateItemId" in response)) return response;
  const { templateItem: _, ...listed } = response;
  return listed;
}

/** The damages that were reported with an inspection, and those in the inspection itself. gap inspections.reported-damages */
function allDamages(row: JsonObject, reported: readonly JsonObject[], readings: MockReadings): JsonObject[] {
  return [...reported, ...objectsIn(row.damages)].map((damage) => {
    const resolved = { ...damage, vehicleId: idOf(damage, "vehicle") };
    return view(resolved, zInspection.shape.damages.def.element, readings["fleet.absent-properties"]);
  });
}

/** gap inspections.template-properties */
function templateProperty(
  template: JsonObject | undefined,
  data: FleetData,
  readings: MockReadings,
): JsonObject {
  const absent = readings["fleet.absent-properties"];
  const fourFields = view(template, zInspection.shape.template, absent);
  if (readings["inspections.template-properties"] === "four-fields") return fourFields;
  if (template === undefined && absent !== "present") return fourFields;
  const inspections = inspectionCounts(data).get(stringOf(template?.id) ?? "") ?? 0;
  const {
    id: _,
    title,
    description,
    version,
    ...others
  } = templateView(template ?? {}, inspections, readings);
  return { ...fourFields, ...others };
}

/** The item of a response is an item of the template, or a vehicle field, or the content of the response itself. */
function withItem(response: JsonObject, template: JsonObject | undefined, data: FleetData): JsonObject {
  const id = idOf(response, "templateItem");
  if (id === undefined) return response;
  const known =
    objectsIn(template?.items).find((item) => item.id === id) ?? rowOrArchived(data, "vehicleFields", id);
  const own = isObject(response.templateItem) ? response.templateItem : {};
  return { ...response, templateItem: { ...known, ...own, id } };
}

export function damagesOf(inspectionId: string, data: FleetData): JsonObject[] {
  return [...data.damages.values()].filter((damage) => idOf(damage, "inspection") === inspectionId);
}

export function damagesByInspection(data: FleetData): ReadonlyMap<string | undefined, JsonObject[]> {
  return Map.groupBy(data.damages.values(), (damage) => idOf(damage, "inspection"));
}
