import { isObject, type JsonObject, objectsIn } from "../../wire/json.ts";
import type { Issue } from "../server/exchange.ts";
import type { SeededMap } from "../server/rows.ts";
import { nameValue, suggest } from "../server/quotes.ts";
import { type FleetData, type FleetRow, idOf, REFERENCES, stringOf } from "./data.ts";

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
export function referenceIssues(data: FleetData, body: JsonObject, before?: FleetRow): Issue[] {
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
