import { fleetContract } from "../../../generated/fleet.contract.ts";
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
import { refuse } from "../server/exchange.ts";
import { partsOf, type Schema, type SchemaParts } from "../server/schemas.ts";
import {
  type FleetData,
  type FleetResource,
  type FleetRow,
  idOf,
  resolve,
  stringOf,
  vehiclesIn,
} from "./data.ts";
import { filtersMeta, matchesSearch } from "./pages.ts";

/** What is special about a resource. Otherwise it is a collection of open objects, which responses return as they are. */
interface Resource {
  /** The name in the message of a 404. */
  readonly name: string;
  /** The schema of a seeded row, with closed enums: the values of a seed must be in the contract. */
  readonly schema?: Schema | undefined;
  /** The values of a new row that documented responses show, whatever its body has. */
  readonly defaults?: (now: string) => JsonObject;
  /** A property whose objects get an ID, so that responses can refer to them, and these values if they lack them. */
  readonly elements?: { readonly name: string; readonly defaults: (number: number) => JsonObject };
  /** The properties that keep their value if a PUT leaves them out. */
  readonly preserved?: readonly string[];
  /** Whether the server sets the times: a body that was read from the list has old times. */
  readonly hasTimes?: boolean;
  /** Returns a filter of the list. */
  readonly filter?: (call: FleetCall) => (row: FleetRow) => boolean;
  /** Returns the view of elements of the list. */
  readonly listed?: (data: FleetData) => (row: FleetRow) => JsonObject;
  readonly listMeta?: (call: FleetCall) => JsonObject;
  /** Returns one row in full. */
  readonly detail?: (data: FleetData, row: FleetRow) => JsonObject;
}

/** The seven resources. */
export const resources: Readonly<Record<FleetResource, Resource>> = {
  vehicles: { name: "vehicle" },
  vehicleGroups: { name: "vehicle group" },
  vehicleFields: {
    name: "vehicle field",
    schema: elementOf(fleetContract.listVehicleFields.responses[200].schema),
    defaults: (now) => ({ inputType: "TEXT", createdAt: now, updatedAt: now }),
    filter:
      ({ query, fleet }) =>
      (row) => {
        const groups = groupsOf(row, fleet).map(({ name }) => name);
        return matchesSearch(query.search, [row.label, row.description, ...groups]);
      },
    listed: (data) => (row) => fieldView(data, row),
    listMeta: (call) => filtersMeta(call, ["search"]),
  },
  inspections: {
    name: "inspection",
    schema: zInspection,
    // the only status in the contract
    defaults: (now) => ({ status: "COMPLETED", performedAt: now }),
    elements: { name: "responses", defaults: () => ({}) },
    listed: inspectionSummaries,
    detail: inspectionView,
  },
  inspectionTemplates: {
    name: "inspection template",
    schema: elementOf(fleetContract.listInspectionTemplates.responses[200].schema),
    defaults: (now) => ({ version: 1, isActive: true, createdAt: now, updatedAt: now }),
    elements: {
      name: "items",
      defaults: (order) => ({ ...view({}, zTemplateItem), inputType: "TEXT", order }),
    },
    preserved: ["version"], // gap templates.version-after-put
    hasTimes: true,
    filter: templateFilter,
    listed: templateViews,
  },
  damages: {
    name: "damage",
    schema: zDamage,
    // the status is one of the two in the contract
    defaults: (now) => ({ status: "TO_REPAIR_WARNING", reportedAt: now, repairedAt: null }),
    preserved: ["reportedAt", "inspectionId", "inspection"],
    detail: damageView,
  },
  driverAssignments: { name: "driver assignment" },
};

/** Returns the schema of the elements of a list. */
function elementOf(list: Schema | null): Schema | undefined {
  const { shape } = list === null ? {} : partsOf(list);
  return shape?.data && partsOf(shape.data).element;
}

/**
 * Returns the filter of the templates. Like a vehicle field, a template belongs to the groups in its `groupIds`. gaps
 * templates.inactive, templates.group-filter, templates.title-filter
 */
function templateFilter({ query, is, server: { readings } }: FleetCall): (row: FleetRow) => boolean {
  // the schema only knows the default names of two filters
  const [group, title] = [readings["templates.group-filter"], readings["templates.title-filter"]].map(
    (name) => {
      if (Array.isArray(query[name])) refuse(name, "must be given once", "invalid_type");
      return stringOf(query[name]);
    },
  );
  const isActive = query.isActive ?? (is("templates.inactive", "active-only") ? true : undefined);
  return (row) =>
    (isActive === undefined || (row.isActive === true) === isActive) &&
    (group === undefined || stringsIn(row.groupIds).includes(group)) &&
    matchesSearch(title, [row.title]);
}

/** Returns a row with an ID for each of its elements. */
export function withElementIds(resource: FleetResource, row: JsonObject, newId: () => string): JsonObject {
  const { name = "", defaults } = resources[resource].elements ?? {};
  const elements = row[name];
  if (!Array.isArray(elements)) return row;
  const completed = elements.map((element: unknown, index) =>
    isObject(element) ? { ...defaults?.(index + 1), id: newId(), ...element } : element,
  );
  return { ...row, [name]: completed };
}

const BLANKS: Readonly<Record<string, unknown>> = { string: "", number: 0, boolean: false };

/**
 * Returns the properties of a row that the contract describes, in its order. Bodies are open objects and a test may
 * write any value to the state, so a value of another type counts as missing. `computed` replaces properties of the
 * row; an undefined one is left out. gap fleet.absent-properties
 */
export function view(row: unknown, schema: Schema, computed: JsonObject = {}): JsonObject {
  const given = isObject(row) ? row : {};
  const result: JsonObject = {};
  for (const [name, property] of partsOf(schema).properties ?? []) {
    const isComputed = Object.hasOwn(computed, name);
    const value = isComputed ? computed[name] : viewValue(given[name], partsOf(property));
    if (value !== undefined) result[name] = value;
  }
  return result;
}

function viewValue(value: unknown, parts: SchemaParts): unknown {
  const { schema, type, properties, element, isOptional, isNullable } = parts;
  if (element !== undefined) return objectsIn(value).map((item) => view(item, element));
  const isOpen = properties?.length === 0;
  if (hasType(value, parts)) return type === "object" && !isOpen ? view(value, schema) : value;
  if (isNullable) return null;
  if (isOptional) return undefined;
  return type === "object" ? view({}, schema) : BLANKS[type];
}

function hasType(value: unknown, { type, isInteger }: SchemaParts): boolean {
  if (type === "object") return isObject(value);
  if (type === "number") return isInteger ? Number.isSafeInteger(value) : Number.isFinite(value);
  return typeof value === type;
}

/** Returns the embedded objects of a row that are shown as they were written, with all their properties. */
function writtenObjects(row: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (isObject(row[name]) ? [[name, row[name]]] : [])));
}

/** Returns a damage with the vehicle and the inspection that it refers to. */
function damageView(data: FleetData, row: JsonObject): JsonObject {
  const inspection = resolve(data, row, "inspection");
  const resolved = {
    ...row,
    vehicleId: idOf(row, "vehicle"),
    vehicle: resolve(data, row, "vehicle"),
    inspection: inspection && { ...inspection, template: resolve(data, inspection, "template") },
  };
  return view(resolved, zDamage, writtenObjects(row, ["reportedBy", "assignedTo"]));
}

/** Returns a vehicle field as an element of the list. */
function fieldView(data: FleetData, row: JsonObject): JsonObject {
  const groups = groupsOf(row, data);
  const options = objectsIn(row.options).map((option) => {
    const status = row.hasStatusRule === true ? stringOf(option.status) : undefined;
    return view(option, zVehicleFieldOption, { status: status ?? fallbackStatus(row) });
  });
  return view({ ...row, groups }, zVehicleField, { groupIds: groups.map(({ id }) => id), options });
}

/** Returns the groups of a field: existing groups, and groups that only the field itself names, without deleted ones. */
function groupsOf(row: JsonObject, data: FleetData): JsonObject[] {
  const own = objectsIn(row.groups);
  const ids = Array.isArray(row.groupIds) ? stringsIn(row.groupIds) : stringsIn(own.map(({ id }) => id));
  const groups = ids.map((id) => data.vehicleGroups.get(id) ?? own.find((group) => group.id === id));
  return groups.filter((group) => group !== undefined);
}

/** Returns the status if no option gives one: that of a field without a rule. gap fields.no-status-rule */
export function fallbackStatus(field: JsonObject): string | undefined {
  return field.hasStatusRule === true ? undefined : "OK";
}

/** Returns the view of templates as elements of the list; both counts are computed from the data. */
function templateViews(data: FleetData): (row: FleetRow) => JsonObject {
  const inspections = Map.groupBy(data.inspections.values(), (inspection) => idOf(inspection, "template"));
  return (row) => {
    const items = objectsIn(row.items).map((item, index) =>
      view(item, zTemplateItem, {
        options: item.inputType === "SELECT" ? optionsOf(item) : [],
        order: Number.isSafeInteger(item.order) ? item.order : index + 1,
      }),
    );
    const inspectionCount = inspections.get(row.id)?.length ?? 0;
    return view(row, zInspectionTemplate, { itemCount: items.length, inspectionCount, items });
  };
}

/** An object becomes its value or label: gap templates.options. */
export function optionsOf({ options }: JsonObject): string[] {
  if (!Array.isArray(options)) return [];
  return options.flatMap((option: unknown) => {
    const text = isObject(option) ? (stringOf(option.value) ?? stringOf(option.label)) : stringOf(option);
    return text ?? [];
  });
}

/** Returns a whole inspection. gap inspections.template-properties */
function inspectionView(data: FleetData, row: FleetRow): JsonObject {
  const template = resolve(data, row, "template");
  const resolved = {
    ...row,
    templateId: idOf(row, "template"),
    template,
    vehicles: vehiclesIn(row).map((element) => {
      const given = isObject(element) ? element : { id: element };
      return data.vehicles.get(stringOf(given.id) ?? "") ?? given;
    }),
    responses: objectsIn(row.responses).map((response) => withItem(response, template, data)),
  };
  const reported = [...data.damages.values()].filter((damage) => idOf(damage, "inspection") === row.id);
  const damages = damagesOf(data, row, reported);
  const computed = { ...writtenObjects(row, ["performedBy", "location"]), damages };
  return view(resolved, zInspection, computed);
}

/** The item of a response is an item of the template, or a vehicle field, or the content of the response itself. */
function withItem(response: JsonObject, template: JsonObject | undefined, data: FleetData): JsonObject {
  const id = idOf(response, "templateItem");
  if (id === undefined) return response;
  const known = objectsIn(template?.items).find((item) => item.id === id) ?? data.vehicleFields.get(id);
  const own = isObject(response.templateItem) ? response.templateItem : {};
  return { ...response, templateItem: { ...known, ...own, id } };
}

/** Returns the view of inspections in the list and after writes: their written properties, and their damages. */
export function inspectionSummaries(data: FleetData): (row: FleetRow) => JsonObject {
  const reported = Map.groupBy(data.damages.values(), (damage) => idOf(damage, "inspection"));
  return (row) => ({ ...row, damages: damagesOf(data, row, reported.get(row.id) ?? []) });
}

/**
 * Returns the damages that were reported with an inspection, and those that a test has put into its row and that are not
 * stored anywhere else. gap inspections.reported-damages
 */
function damagesOf(data: FleetData, row: FleetRow, reported: readonly JsonObject[]): JsonObject[] {
  const own = objectsIn(row.damages).filter(({ id }) => !data.damages.has(stringOf(id) ?? ""));
  return [...reported, ...own].map((damage) =>
    view({ ...damage, vehicleId: idOf(damage, "vehicle") }, zInspection.shape.damages.def.element),
  );
}
