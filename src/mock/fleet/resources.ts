import { fleetContract } from "../../../generated/fleet.contract.ts";
import { zDamage, zInspection } from "../../../generated/fleet.schemas.ts";
import { isObject, type JsonObject, stringsIn } from "../../wire/json.ts";
import type { FleetCall } from "../server/call.ts";
import { refuse } from "../server/exchange.ts";
import { partsOf, type Schema } from "../server/schemas.ts";
import { type FleetData, type FleetResource, type FleetRow, stringOf } from "./data.ts";
import { filtersMeta, matchesSearch } from "./pages.ts";
import {
  damageView,
  fieldView,
  groupsOf,
  inspectionSummaries,
  inspectionView,
  templateViews,
} from "./views.ts";

/** What is special about a resource. Otherwise it is a collection of open objects, which responses return as they are. */
interface Resource {
  /** The name in the message of a 404. */
  readonly name: string;
  /** The schema of a seeded row, with closed enums: the values of a seed must be in the contract. */
  readonly schema?: Schema | undefined;
  /** The values of a new row that documented responses show, whatever its body has. */
  readonly defaults?: (now: string) => JsonObject;
  /** A property whose objects get an ID, so that responses can refer to them, and these values if they lack them. */
  readonly elements?: { readonly name: string; readonly defaults: (index: number) => JsonObject };
  /** The properties that keep their value if a PUT leaves them out. */
  readonly preserved?: readonly string[];
  /** Whether the server sets the times: a body that was read from the list has old times. */
  readonly hasTimes?: boolean;
  /** Returns a filter of the list. */
  readonly filter?: (call: FleetCall) => (row: FleetRow) => boolean;
  /** Returns the view of elements of the list. */
  readonly listed?: (data: FleetData) => (row: FleetRow) => JsonObject;
  readonly listMeta?: (call: FleetCall) => JsonObject;
  /** Returns the view of a row that was written. */
  readonly written?: (data: FleetData) => (row: FleetRow) => JsonObject;
  /** Returns one row in full. */
  readonly detail?: (data: FleetData, row: FleetRow) => JsonObject;
}

/** What an item of a template shows of the properties that it lacks. */
const EMPTY_ITEM = {
  label: "",
  inputType: "TEXT",
  isRequired: false,
  options: [],
  instructionImageUrl: null,
} as const;

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
    written: inspectionSummaries,
    detail: inspectionView,
  },
  inspectionTemplates: {
    name: "inspection template",
    schema: elementOf(fleetContract.listInspectionTemplates.responses[200].schema),
    defaults: (now) => ({ version: 1, isActive: true, createdAt: now, updatedAt: now }),
    elements: { name: "items", defaults: (index) => ({ ...EMPTY_ITEM, order: index + 1 }) },
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
    isObject(element) ? { id: newId(), ...defaults?.(index), ...element } : element,
  );
  return { ...row, [name]: completed };
}
