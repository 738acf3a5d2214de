import * as z from "zod/mini";
import type { FleetOperationId } from "../../../generated/fleet.operations.ts";
import {
  zDamage,
  zInspection,
  zInspectionResponse,
  zInspectionTemplate,
  zPerson,
  zTemplateItem,
  zTemplateItemInputType,
  zVehicleField,
} from "../../../generated/fleet.schemas.ts";
import { isObject, type JsonObject, objectOf, objectsIn } from "../../wire/json.ts";
import type { Call } from "../server/call.ts";
import { instantSchema } from "../server/clock.ts";
import type { Issue } from "../server/exchange.ts";
import { nameValue, suggest } from "../server/quotes.ts";
import type { SeededMap } from "../server/rows.ts";
import { checkSchema, closeSchema, partsOf, type Schema } from "../server/schemas.ts";
import {
  type FleetData,
  type FleetResource,
  type FleetRow,
  idOf,
  REFERENCES,
  resourceOf,
  stringOf,
} from "./data.ts";
import { CHANGES } from "./handlers.ts";

/** Compares a body with the form of its resource, and its references with the data. gap fleet.unknown-properties */
export function bodyIssues({ operation, request, body: sent, is, fleet, params }: Call): Issue[] {
  const resource = resourceOf(operation as FleetOperationId); // of this API
  const isOwn = request.method === "PATCH" && is("fleet.patch", "own-shape");
  const body = isOwn && isObject(sent) ? sent[CHANGES] : sent; // undefined if the operation has no body
  if (!isObject(body)) return [];
  const before = params.id === undefined ? undefined : fleet[resource].get(params.id);
  const issues = [
    ...checkSchema(formOf(resource), body).issues,
    ...idIssues(body, params.id),
    ...(resource === "inspectionTemplates" ? choiceIssues(body) : []),
    ...referenceIssues(fleet, body, before),
  ];
  return isOwn ? issues.map((issue) => ({ ...issue, path: `${CHANGES}.${issue.path}` })) : issues;
}

/** The service chooses the ID of a new resource, and a path names that of another one. */
function idIssues({ id }: JsonObject, inPath: string | undefined): Issue[] {
  if (id === undefined || id === inPath) return [];
  const expected =
    inPath === undefined ? "must be left out: the service chooses the ID" : "must be the ID in the path";
  return [{ path: "id", message: `${expected}, not ${nameValue(id)}` }];
}

/** Only an item of the type SELECT has choices. */
function choiceIssues({ items }: JsonObject): Issue[] {
  const message = 'must be empty: only the inputType "SELECT" has choices';
  return objectsIn(items).flatMap(({ options, inputType }, index) => {
    const isEmpty = !Array.isArray(options) || options.length === 0;
    return isEmpty || inputType === "SELECT" ? [] : [{ path: `items.${index}.options`, message }];
  });
}

/**
 * Returns the schema of a body, of which the contract shows only the response: each property may be missing, and times,
 * whose names end in `At`, are ISO 8601.
 */
function inputSchema(response: Schema, added: Shape = {}): z.ZodMiniObject<Shape> {
  const { shape = {} } = partsOf(closeSchema(response, true));
  const inputs = Object.entries(shape).map(([name, property]) => [name, inputOf(name, property)] as const);
  return z.strictObject({ ...Object.fromEntries(inputs), ...added });
}

function inputOf(name: string, property: Schema): Schema {
  const { type, isNullable } = partsOf(property);
  if (type !== "string" || !name.endsWith("At")) return property;
  return isNullable ? z.nullish(instantSchema) : time;
}

type Shape = Readonly<Record<string, Schema>>;

const text = z.optional(z.string());

const time = z.optional(instantSchema);

const listOf = (element: Schema): Schema => z.optional(z.array(element));

const vehicleForm = () => inputSchema(zInspection.shape.vehicles.def.element);

const damageForm = () => inputSchema(zDamage);

/** The items of a template. gap templates.options */
const itemForm = (): Schema =>
  inputSchema(zTemplateItem, { inputType: z.optional(zTemplateItemInputType), options: listOf(z.string()) });

const responseForm = (): Schema =>
  inputSchema(zInspectionResponse, { templateItemId: text, vehicleId: text, updatedAt: time });

/**
 * The forms of the bodies of each resource. The contract gives only method and path of these operations; the names and types
 * come from other responses of the contract, and a few are invented. gap fleet.input-shapes
 */
const forms: Readonly<Record<Exclude<FleetResource, "vehicleFields">, () => Schema>> = {
  vehicles: vehicleForm,
  vehicleGroups: () => inputSchema(zVehicleField.shape.groups.def.element),
  inspections: () =>
    inputSchema(zInspection, {
      id: text,
      vehicleIds: listOf(z.string()),
      vehicles: listOf(z.union([z.string(), vehicleForm()])),
      responses: listOf(responseForm()),
      damages: listOf(z.omit(damageForm(), { inspection: true })),
    }),
  inspectionTemplates: () =>
    inputSchema(zInspectionTemplate, { groupIds: listOf(z.string()), items: listOf(itemForm()) }),
  damages: () => z.extend(damageForm(), { inspectionId: text }),
  driverAssignments: () =>
    z.strictObject({
      id: text,
      vehicleId: text,
      driver: z.optional(inputSchema(zPerson)),
      driverId: text,
      assignedAt: time,
      note: text,
    }),
};

const known = new Map<FleetResource, Schema>();

/** Returns the form of the bodies of a resource; without one, the resource cannot be written. */
export function formOf(resource: FleetResource): Schema | undefined {
  if (resource === "vehicleFields") return undefined;
  // it takes some milliseconds, which a server without writes saves
  const form = known.get(resource) ?? forms[resource]();
  known.set(resource, form);
  return form;
}

/** The open objects of the contract: an ID in them means nothing to the server. */
const OPEN = new Set(["dependsOn", "followUpResponses"]);

/** An ID in a body, with the name of what it refers to. */
interface GivenId {
  readonly path: string;
  readonly name: string;
  readonly id: string;
  /** The ID of the same reference under its other name. */
  readonly other?: string | undefined;
}

/**
 * Returns the IDs in a part of a body. `name` is the property that has it: `vehicleId`, `vehicleIds`, `vehicles` and
 * `vehicle.id` refer to a `vehicle`.
 */
function idsIn(part: unknown, path: string, name: string, other?: string): GivenId[] {
  if (typeof part === "string") return [{ path, name: name.replace(/(?:Id)?s?$/, ""), id: part, other }];
  if (typeof part !== "object" || part === null || OPEN.has(name)) return [];
  // other properties of a reference are not read
  const read = isObject(part) && name in REFERENCES ? { id: part.id } : part;
  return Object.entries<unknown>({ ...read }).flatMap(([key, value]) => {
    const inner = path === "" ? key : `${path}.${key}`;
    if (Array.isArray(part)) return idsIn(value, inner, name);
    if (key === "id") return idsIn(value, inner, name, other);
    return idsIn(value, inner, key, stringOf(objectOf(part)[`${key}Id`]));
  });
}

/** Rows of which a reference means one, and the word for it. */
type Target = readonly [noun: string, rows: Pick<SeededMap<unknown>, "has" | "size" | "keys">];

/** Returns what the IDs in the body of a write can refer to, by their names; `before` is the row that it changes. */
function targetsOf(data: FleetData, body: JsonObject, before?: FleetRow): Readonly<Record<string, Target>> {
  const template = data.inspectionTemplates.get(idOf({ ...before, ...body }, "template") ?? "");
  const items = objectsIn(template?.items).map(({ id }) => String(id));
  const reported = body.damages === undefined ? [] : [...data.damages.values()];
  const own = reported.filter((damage) => before !== undefined && idOf(damage, "inspection") === before.id);
  return {
    vehicle: ["vehicle", data.vehicles],
    inspection: ["inspection", data.inspections],
    template: ["template", data.inspectionTemplates],
    group: ["vehicle group", data.vehicleGroups],
    // one of the template of its inspection, or a vehicle field
    templateItem: [
      "item of the template or vehicle field",
      new Set([...items, ...data.vehicleFields.keys()]),
    ],
    // a reported damage with an ID changes a damage of the same inspection: gap inspections.reported-damages
    damage: ["damage of this inspection", new Set(own.map(({ id }) => id))],
  };
}

/** Returns an issue for each ID of an entity that does not exist, and for one that the server ignores. */
function referenceIssues(data: FleetData, body: JsonObject, before?: FleetRow): Issue[] {
  const targets = targetsOf(data, body, before);
  return idsIn(body, "", "").flatMap(({ path, name, id, other }): Issue[] => {
    const [noun, rows] = targets[name] ?? [];
    if (noun === undefined || rows === undefined) return [];
    if (other !== undefined && other !== id)
      return [{ path, message: `must be ${nameValue(other)} as in ${name}Id, not ${nameValue(id)}` }];
    if (rows.has(id)) return [];
    const message = `no ${noun} has the ID ${nameValue(id)}${suggest(id, rows)}`;
    return [{ path, message, code: "not_found" }];
  });
}
