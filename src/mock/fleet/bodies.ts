import * as z from "zod/mini";
import { type FleetOperationId, fleetOperations } from "../../../generated/fleet.operations.ts";
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
import { isObject, type JsonObject, objectsIn } from "../../wire/json.ts";
import type { Call } from "../server/call.ts";
import { instantSchema } from "../server/clock.ts";
import type { Issue } from "../server/exchange.ts";
import { nameValue, suggest } from "../server/quotes.ts";
import type { SeededMap } from "../server/rows.ts";
import { checkSchema, closeSchema, partsOf, type Schema } from "../server/schemas.ts";
import { type FleetData, type FleetResource, type FleetRow, idOf, REFERENCES, stringOf } from "./data.ts";
import { CHANGES } from "./handlers.ts";

/** Compares a body with the form of its resource, and its references with the data. gap fleet.unknown-properties */
export function bodyIssues({ operation, request, body: sent, is, fleet, params }: Call): Issue[] {
  const resource = resourceOf(operation);
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
  return objectsIn(items).flatMap(({ options, inputType = "TEXT" }, index) =>
    Array.isArray(options) && options.length > 0 && inputType !== "SELECT"
      ? [
          {
            path: `items.${index}.options`,
            message: `must be empty: only the inputType "SELECT" has choices`,
          },
        ]
      : [],
  );
}

/** Returns the resource that the path of an operation names: `vehicleGroups` of `/vehicle-groups/{id}`. */
function resourceOf(operation: string): FleetResource {
  const [, segment = ""] = fleetOperations[operation as FleetOperationId].path.split("/"); // of this API
  return segment.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()) as FleetResource; // each is one
}

/**
 * Returns the schema of a body, of which the contract shows only the response: each property may be missing, and times,
 * whose names end in `At`, are ISO 8601.
 */
function inputSchema(response: Schema, added: Readonly<Record<string, Schema>> = {}): Schema {
  const { shape = {} } = partsOf(closeSchema(response, true));
  const properties = Object.entries(shape).map(([name, property]): [string, Schema] => [
    name,
    isTime(name, property) ? timeSchema(partsOf(property).isNullable) : property,
  ]);
  return z.strictObject({ ...Object.fromEntries(properties), ...added });
}

function isTime(name: string, property: Schema): boolean {
  return name.endsWith("At") && partsOf(property).type === "string";
}

function timeSchema(isNullable: boolean): Schema {
  return z.optional(isNullable ? z.nullable(instantSchema) : instantSchema);
}

const text = z.optional(z.string());

const listOf = (element: Schema): Schema => z.optional(z.array(element));

/** Returns a schema without one of its properties. */
function without(name: string, schema: Schema): Schema {
  const { [name]: _, ...shape } = partsOf(schema).shape ?? {};
  return z.strictObject(shape);
}

const vehicleForm = (): Schema => inputSchema(zInspection.shape.vehicles.def.element);

const damageForm = (): Schema => inputSchema(zDamage);

/** The items of a template. gap templates.options */
const itemForm = (): Schema =>
  inputSchema(zTemplateItem, { inputType: z.optional(zTemplateItemInputType), options: listOf(z.string()) });

const responseForm = (): Schema =>
  inputSchema(zInspectionResponse, {
    templateItemId: text,
    vehicleId: text,
    updatedAt: z.optional(instantSchema),
  });

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
      damages: listOf(without("inspection", damageForm())),
    }),
  inspectionTemplates: () =>
    inputSchema(zInspectionTemplate, { groupIds: listOf(z.string()), items: listOf(itemForm()) }),
  damages: () => z.strictObject({ ...partsOf(damageForm()).shape, inspectionId: text }),
  driverAssignments: () =>
    z.strictObject({
      id: text,
      vehicleId: text,
      driver: z.optional(inputSchema(zPerson)),
      driverId: text,
      assignedAt: z.optional(instantSchema),
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

/** One ID in a body, and the rows of which one must have it. */
interface Reference {
  readonly path: string;
  readonly id: string | undefined;
  readonly noun: string;
  readonly rows: Pick<SeededMap<unknown>, "has" | "size" | "keys">;
}

/** An object in a body, and the beginning of the paths of its properties: `damages.0.`. */
interface Part {
  readonly object: JsonObject;
  readonly path: string;
}

/** Returns an issue for each entity that a body refers to and that does not exist; `before`: the row that it changes. */
function referenceIssues(data: FleetData, body: JsonObject, before?: FleetRow): Issue[] {
  const whole = { object: body, path: "" };
  const [responses, damages] = [partsIn(body, "responses"), partsIn(body, "damages")];
  const inner = [whole, ...responses, ...damages];
  const references = [
    ...inner.flatMap((part) => singleReferences(data, part)),
    ...listReferences(data, body),
    ...responses.map((part) => itemReference(data, part, { ...before, ...body })),
    ...damages.map((part) => damageReference(data, part, before)),
  ];
  return [...references.flatMap(missing), ...inner.flatMap(contradictions)];
}

function partsIn(body: JsonObject, name: string): Part[] {
  return objectsIn(body[name]).map((object, index) => ({ object, path: `${name}.${index}.` }));
}

/** Finds the place of an ID that has two names: `vehicleId`, or the `id` of `vehicle`. */
function referenceIn({ object, path }: Part, name: string): Pick<Reference, "path" | "id"> {
  const isOwn = typeof object[`${name}Id`] === "string";
  return { path: `${path}${isOwn ? `${name}Id` : `${name}.id`}`, id: idOf(object, name as "vehicle") }; // or another one
}

function singleReferences(data: FleetData, part: Part): Reference[] {
  return Object.entries(REFERENCES).map(([name, resource]) => ({
    ...referenceIn(part, name),
    noun: name,
    rows: data[resource],
  }));
}

function listReferences(data: FleetData, body: JsonObject): Reference[] {
  const idsIn = (name: string, noun: string, rows: Reference["rows"]): Reference[] =>
    (Array.isArray(body[name]) ? body[name] : []).map((element: unknown, index) => ({
      path: `${name}.${index}${isObject(element) ? ".id" : ""}`,
      id: stringOf(isObject(element) ? element.id : element),
      noun,
      rows,
    }));
  return [
    ...idsIn("vehicleIds", "vehicle", data.vehicles),
    ...idsIn("vehicles", "vehicle", data.vehicles),
    ...idsIn("groupIds", "vehicle group", data.vehicleGroups),
  ];
}

/** The item of a response is one of the template of its inspection, or a vehicle field. */
function itemReference(data: FleetData, part: Part, inspection: JsonObject): Reference {
  const template = data.inspectionTemplates.get(idOf(inspection, "template") ?? "");
  const ids = objectsIn(template?.items).map(({ id }) => String(id));
  const rows = new Set([...ids, ...data.vehicleFields.keys()]);
  return { ...referenceIn(part, "templateItem"), noun: "item of the template or vehicle field", rows };
}

/** A reported damage with an ID changes a damage of the same inspection. gap inspections.reported-damages */
function damageReference(data: FleetData, { object, path }: Part, before: FleetRow | undefined): Reference {
  const id = stringOf(object.id);
  const row = id === undefined || before === undefined ? undefined : data.damages.get(id);
  const isOwn = row !== undefined && idOf(row, "inspection") === before?.id;
  return { path: `${path}id`, id, noun: "damage of this inspection", rows: new Set(isOwn ? [row.id] : []) };
}

function missing({ path, id, noun, rows }: Reference): Issue[] {
  if (id === undefined || rows.has(id)) return [];
  return [{ path, message: `no ${noun} has the ID ${nameValue(id)}${suggest(id, rows)}`, code: "not_found" }];
}

/** Returns an issue for each reference that has another ID under its other name, which the server ignores. */
function contradictions({ object, path }: Part): Issue[] {
  return [...Object.keys(REFERENCES), "templateItem"].flatMap((name) => {
    const [id, embedded] = [object[`${name}Id`], object[name]];
    if (
      typeof id !== "string" ||
      !isObject(embedded) ||
      typeof embedded.id !== "string" ||
      embedded.id === id
    )
      return [];
    return [
      {
        path: `${path}${name}.id`,
        message: `must be ${nameValue(id)} as in ${name}Id, not ${nameValue(embedded.id)}`,
      },
    ];
  });
}
