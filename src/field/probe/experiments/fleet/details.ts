import { pathSegment } from "../../../../wire/path-segment.ts";
import { FLEET_PATHS, type OperationId } from "../../../routes.ts";
import { control } from "../../controls.ts";
import { type Exchange, dataOf, isOk, rowsOf } from "../../exchange.ts";
import { type Definition, experiment } from "../../experiment.ts";
import { type JsonObject, isObject, objectOf, objectsIn } from "../../../../wire/json.ts";
import { type ExperimentTools, fleetOf, unseenFirst } from "../../experiment-tools.ts";
import { idsIn, listOf } from "./data.ts";

/** The number of details that are read. */
const MAX_DETAILS = 3;

/** Reads details of a list one after another, for `examine`; at least `count`. */
async function* details(tools: ExperimentTools, path: string, count = 1): AsyncGenerator<undefined, void> {
  const ids = fewestValuesFirst(rowsOf(await listOf(tools, path)));
  for (const [index, id] of unseenFirst(tools, ids).slice(0, MAX_DETAILS).entries()) {
    await fleetOf(tools).get(`${path}/${pathSegment(id)}`);
    if (index + 1 >= count) yield undefined;
  }
}

/** Returns the IDs of rows; one with fewer values than others is likely to have a detail without some values. */
export function fewestValuesFirst(rows: readonly JsonObject[]): string[] {
  return idsIn(rows.toSorted((a, b) => countValues(a) - countValues(b)));
}

/** Properties that can be null although no value is missing. */
const OFTEN_NULL: ReadonlySet<string> = new Set(["repairedAt"]);

/** Returns the number of properties with a value, nested objects included. */
function countValues(value: unknown): number {
  if (!isObject(value)) return value === undefined || value === null || value === "" ? 0 : 1;
  const properties = Object.entries(value).filter(([name]) => !OFTEN_NULL.has(name));
  return properties.reduce((sum, [, property]) => sum + countValues(property), 0);
}

/** Properties that only the template list shows. */
const FULL = ["items", "itemCount", "inspectionCount", "isActive"] as const;

/** Properties of every template besides its title. */
const ALWAYS = ["id", "description", "version"] as const;

export const templateProperties = experiment({
  gap: "inspections.template-properties",
  cost: 2,
  needs: "two inspections",
  assumes: "Two inspections show the template as all do.",
  everyEntity: true,
  shownBy: ["getInspection"],
  examine: (exchange) => {
    const template = objectOf(dataOf(exchange).template);
    if (template.id === undefined || exchange.isCreated === true) return undefined;
    const more = FULL.filter((name) => template[name] !== undefined);
    const reason = `The template of an inspection ${more.length > 0 ? `holds ${more.join(", ")}` : "does not contain its items"}.`;
    const hasFour = ALWAYS.every((name) => template[name] !== undefined);
    const observed = { hasFour, more: more.length, items: Array.isArray(template.items) };
    const isTitled = typeof template.title === "string" && template.title !== "";
    const controls = [control("the template has a title", isTitled)] as const;
    return { subject: String(exchange.params.id), observed, reason, controls };
  },
  observe: (tools) => details(tools, FLEET_PATHS.inspections),
  readings: {
    "four-fields": { hasFour: true, more: 0 },
    full: ({ hasFour, more, items }) => hasFour && more === FULL.length && items,
  },
});

/** Creates the experiment of a property that may have values that the contract does not show. */
function openValues<
  Gap extends "inspections.status-values" | "damages.status-values" | "vehicles.type-values",
>(
  gap: Gap,
  what: string,
  path: string,
  known: readonly string[],
  valuesIn: Readonly<Partial<Record<OperationId, (exchange: Exchange) => unknown[]>>>,
) {
  return experiment<Gap, boolean>({
    gap,
    cost: 20,
    needs: `${what} that the contract does not show; that none exists cannot be seen`,
    assumes: "Another string than those of the contract is another value.",
    examine: (exchange) => {
      const { operation } = exchange;
      const values = isOk(exchange) && operation && valuesIn[operation]?.(exchange);
      const isOpen = (values || []).some(
        (value) => typeof value === "string" && value !== "" && !known.includes(value),
      );
      const reason = `There is ${what} that the contract does not show.`;
      return isOpen ? { observed: true, reason } : undefined;
    },
    observe: (tools) => details(tools, path),
    // the readings of each of these gaps
    readings: { documented: false, open: true } as Definition<Gap, boolean>["readings"],
  });
}

export const inspectionStatuses = openValues(
  "inspections.status-values",
  "an inspection status",
  FLEET_PATHS.inspections,
  ["COMPLETED"],
  {
    getInspection: (exchange) => [dataOf(exchange).status],
    listInspections: (exchange) => rowsOf(exchange).map(({ status }) => status),
    getDamage: (exchange) => [objectOf(dataOf(exchange).inspection).status],
  },
);

export const damageStatuses = openValues(
  "damages.status-values",
  "a damage status",
  FLEET_PATHS.damages,
  ["TO_REPAIR_WARNING", "TO_REPAIR_NOT_OK"],
  {
    getDamage: (exchange) => [dataOf(exchange).status],
    listDamages: (exchange) => rowsOf(exchange).map(({ status }) => status),
    getInspection: (exchange) => objectsIn(dataOf(exchange).damages).map(({ status }) => status),
  },
);

export const vehicleTypes = openValues(
  "vehicles.type-values",
  "a vehicle type",
  FLEET_PATHS.inspections,
  ["TRACTOR_UNIT"],
  {
    listVehicles: (exchange) => rowsOf(exchange).map(({ type }) => type),
    getInspection: (exchange) => objectsIn(dataOf(exchange).vehicles).map(({ type }) => type),
  },
);

/** The objects, and the other properties, that the contract only names in a list. */
const NAMED: Readonly<
  Partial<Record<OperationId, { objects: readonly string[]; others: readonly string[] }>>
> = {
  getDamage: {
    objects: ["vehicle", "reportedBy", "assignedTo", "inspection"],
    others: ["vehicleId", "description", "photoUrl", "status", "reportedAt"],
  },
};

const PARTS: readonly (readonly [object: string, properties: readonly string[]])[] = [
  ["performedBy", ["id", "firstName", "lastName", "email"]],
  ["reportedBy", ["id", "firstName", "lastName", "email"]],
  ["assignedTo", ["id", "firstName", "lastName", "email"]],
  ["location", ["title", "latitude", "longitude"]],
  ["template", ["id", "title"]],
  ["vehicle", ["id", "plateNumber", "brand", "model", "vin"]],
];

/** Counts properties without a value. */
function countValueless(exchange: Exchange) {
  const data = dataOf(exchange);
  const { objects = [], others = [] } = (exchange.operation && NAMED[exchange.operation]) ?? {};
  const parts = PARTS.flatMap(([name, properties]) => {
    const part = data[name];
    return isObject(part) ? properties.map((property) => part[property]) : [];
  });
  const values = [...others.map((name) => data[name]), ...parts];
  const count = (value: unknown): number => values.filter((other) => other === value).length;
  return {
    nullObjects: objects.filter((name) => data[name] === null).length,
    missingObjects: objects.filter((name) => data[name] === undefined).length,
    nullOthers: count(null),
    missingOthers: count(undefined),
    /** The number of objects whose ID is an empty string. */
    blanks: objects.filter((name) => objectOf(data[name]).id === "").length,
  };
}

/** The parts of the question. */
const OBJECTS = "objects";
const OTHERS = "other properties";

export const absentProperties = experiment({
  gap: "fleet.absent-properties",
  cost: 2,
  chance: 0.3,
  needs:
    "a damage that is assigned to nobody or was not found in an inspection, and an inspection without place or person",
  assumes: "Two entities show how all properties without a value are returned.",
  mayVary: true,
  parts: [OBJECTS, OTHERS],
  shownBy: ["getDamage", "getInspection"],
  examine: (exchange) => {
    const observed = countValueless(exchange);
    const { nullObjects, missingObjects, nullOthers, missingOthers, blanks } = observed;
    const objects = nullObjects + missingObjects + blanks;
    if (objects + nullOthers + missingOthers === 0 || exchange.isCreated === true) return undefined;
    const reason = `${nullObjects} objects are null, ${missingObjects} are missing, ${blanks} are blank; ${nullOthers} other properties are null, ${missingOthers} are missing.`;
    return { subject: objects > 0 ? OBJECTS : OTHERS, observed, reason };
  },
  observe: async function* observe(tools) {
    const isSecond = tools.round === 2;
    yield* details(tools, FLEET_PATHS.damages, isSecond ? 2 : 1);
    if (isSecond) yield* details(tools, FLEET_PATHS.inspections);
  },
  readings: {
    "null-objects": { missingObjects: 0, blanks: 0, nullOthers: 0 },
    present: { nullObjects: 0, missingObjects: 0, nullOthers: 0, missingOthers: 0 },
    absent: { nullObjects: 0, blanks: 0, nullOthers: 0 },
  },
});
