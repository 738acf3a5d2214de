import { pathSegment } from "../../../../wire/path-segment.ts";
import { control, isShown } from "../../controls.ts";
import { type Exchange, dataOf, isOk, rowsOf } from "../../exchange.ts";
import { type ExperimentResult, experiment, observation } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import { type JsonObject, isObject, objectOf, objectsIn } from "../../json.ts";
import { type ExperimentTools, fleetOf, unseenFirst } from "../../experiment-tools.ts";
import { idsIn, listOf } from "./data.ts";

/** The number of details that are read. */
const MAX_DETAILS = 3;

/** Reads details of a list one after another, for `examine`. */
async function* details(
  tools: ExperimentTools,
  path: string,
  needs: string,
): AsyncGenerator<undefined, void> {
  const rows = rowsOf(await listOf(tools, path));
  // a row with fewer properties than others is likely to have a detail without some values
  const ids = idsIn(rows.toSorted((a, b) => countValues(a) - countValues(b)));
  for (const id of unseenFirst(tools, ids).slice(0, MAX_DETAILS)) {
    await fleetOf(tools).get(`${path}/${pathSegment(id)}`);
    yield undefined;
  }
  throw new Missing(needs);
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

export const templateMembers = experiment({
  gap: "inspections.template-properties",
  cost: 1,
  needs: "two inspections",
  assumes: "Two inspections show the template as all do.",
  everyEntity: true,
  examine: (exchange) => {
    if (exchange.operation !== "getInspection" || !isOk(exchange)) return undefined;
    const template = objectOf(dataOf(exchange).template);
    if (template.id === undefined) return undefined;
    const more = FULL.filter((name) => template[name] !== undefined);
    const reason = `The template of an inspection ${more.length > 0 ? `holds ${more.join(", ")}` : "does not contain its items"}.`;
    const observed = { more: more.length, items: Array.isArray(template.items) };
    const hasTitle = control(
      "the template has a title",
      typeof template.title === "string" && template.title !== "",
    );
    return observation(String(exchange.params.id), observed, reason, [hasTitle], exchange);
  },
  observe: (tools) => details(tools, "/inspections", "two inspections"),
  readings: { "four-fields": ({ more }) => more === 0, full: ({ more, items }) => more > 1 && items },
});

/** Finds a value that is not in the contract. */
function unobserved(
  values: unknown[],
  known: readonly string[],
  what: string,
  exchange: Exchange,
): ExperimentResult<boolean> | undefined {
  const other = values.find((value) => typeof value === "string" && value !== "" && !known.includes(value));
  if (other === undefined) return undefined;
  const reason = `${what} has a value that the contract does not show.`;
  return observation(exchange.path, true, reason, [isShown(exchange)], exchange);
}

const OPEN = { documented: (isOpen: boolean) => !isOpen, open: (isOpen: boolean) => isOpen };

function needsOther(what: string): string {
  return `${what} that the contract does not show; that none exists cannot be seen`;
}

export const inspectionStatuses = experiment<"inspections.status-values", boolean>({
  gap: "inspections.status-values",
  cost: 20,
  needs: needsOther("an inspection status"),
  assumes: "Another string than those of the contract is another value.",
  examine: (exchange) => {
    if (exchange.api !== "fleet" || !isOk(exchange)) return undefined;
    const statuses: unknown[] = [];
    if (exchange.operation === "getInspection") statuses.push(dataOf(exchange).status);
    if (exchange.operation === "listInspections")
      statuses.push(...rowsOf(exchange).map(({ status }) => status));
    if (exchange.operation === "getDamage") statuses.push(objectOf(dataOf(exchange).inspection).status);
    return unobserved(statuses, ["COMPLETED"], "An inspection's status", exchange);
  },
  observe: (tools) => details(tools, "/inspections", needsOther("an inspection status")),
  readings: OPEN,
});

export const damageStatuses = experiment<"damages.status-values", boolean>({
  gap: "damages.status-values",
  cost: 20,
  needs: needsOther("a damage status"),
  assumes: "Another string than those of the contract is another value.",
  examine: (exchange) => {
    if (exchange.api !== "fleet" || !isOk(exchange)) return undefined;
    const statuses: unknown[] = [];
    if (exchange.operation === "getDamage") statuses.push(dataOf(exchange).status);
    if (exchange.operation === "listDamages") statuses.push(...rowsOf(exchange).map(({ status }) => status));
    if (exchange.operation === "getInspection")
      statuses.push(...objectsIn(dataOf(exchange).damages).map(({ status }) => status));
    return unobserved(statuses, ["TO_REPAIR_WARNING", "TO_REPAIR_NOT_OK"], "A damage's status", exchange);
  },
  observe: (tools) => details(tools, "/damages", needsOther("a damage status")),
  readings: OPEN,
});

export const vehicleTypes = experiment<"vehicles.type-values", boolean>({
  gap: "vehicles.type-values",
  cost: 20,
  needs: needsOther("a vehicle type"),
  assumes: "Another string than those of the contract is another value.",
  examine: (exchange) => {
    if (exchange.api !== "fleet" || !isOk(exchange)) return undefined;
    const types: unknown[] = [];
    if (exchange.operation === "listVehicles") types.push(...rowsOf(exchange).map(({ type }) => type));
    if (exchange.operation === "getInspection")
      types.push(...objectsIn(dataOf(exchange).vehicles).map(({ type }) => type));
    return unobserved(types, ["TRACTOR_UNIT"], "A vehicle's type", exchange);
  },
  observe: (tools) => details(tools, "/inspections", needsOther("a vehicle type")),
  readings: OPEN,
});

/** The counts of properties without a value. */
interface ValuelessCounts {
  readonly nullObjects: number;
  readonly missingObjects: number;
  readonly missingOthers: number;
  /** The number of objects whose ID is an empty string. */
  readonly blanks: number;
}

/** The objects, and the other properties, that the contract only names in a list. */
const NAMED: Readonly<Record<string, { objects: readonly string[]; others: readonly string[] }>> = {
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

function countValueless(data: JsonObject, operation: string): ValuelessCounts {
  const { objects = [], others = [] } = NAMED[operation] ?? {};
  const parts = PARTS.flatMap(([name, properties]) => {
    const part = data[name];
    return isObject(part) ? properties.map((property) => part[property]) : [];
  });
  const missing = (names: readonly string[]): number =>
    names.filter((name) => data[name] === undefined).length;
  return {
    nullObjects: objects.filter((name) => data[name] === null).length,
    missingObjects: missing(objects),
    missingOthers: missing(others) + parts.filter((value) => value === undefined).length,
    blanks: objects.filter((name) => objectOf(data[name]).id === "").length,
  };
}

export const absentMembers = experiment<"fleet.absent-properties", ValuelessCounts>({
  gap: "fleet.absent-properties",
  cost: 1,
  chance: 0.4,
  needs: "damages of which one is assigned to nobody or was not found in an inspection",
  assumes: "Two entities show how all properties without a value are returned.",
  everyEntity: true,
  examine: (exchange) => {
    const { operation = "" } = exchange;
    if (!["getDamage", "getInspection"].includes(operation) || !isOk(exchange)) return undefined;
    const observed = countValueless(dataOf(exchange), operation);
    if (Object.values(observed).every((count) => count === 0)) return undefined;
    const reason = `${observed.nullObjects} objects are null, ${observed.missingObjects} are missing, ${observed.blanks} are blank; ${observed.missingOthers} other properties are missing.`;
    return observation(exchange.path, observed, reason, [isShown(exchange)], exchange);
  },
  observe: (tools) => details(tools, "/damages", "damages of which one lacks a person or an inspection"),
  readings: {
    "null-objects": ({ missingObjects, blanks }) => missingObjects + blanks === 0,
    present: ({ nullObjects, missingObjects, missingOthers }) =>
      nullObjects + missingObjects + missingOthers === 0,
    absent: ({ nullObjects, blanks }) => nullObjects + blanks === 0,
  },
});
