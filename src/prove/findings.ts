import { isDeepStrictEqual } from "node:util";
import type { ReferenceState } from "../mock/index.ts";
import { isObject, type JsonObject, objectOf, stringsIn } from "../wire/json.ts";
import { namesOf } from "../wire/names.ts";
import type { World } from "./world.ts";

/** The ways in which a result is wrong. */
export type FindingKind = "lost" | "repeated" | "wrong" | "overwritten" | "written twice" | "wrong place";

/** One difference between the expected and the actual result. */
export interface Finding {
  readonly kind: FindingKind;
  /** The row or the entity. */
  readonly what: string;
  readonly expected?: unknown;
  readonly got?: unknown;
}

/** What a program has delivered. */
export interface Delivery {
  /** One array for each delivery. */
  readonly rows: readonly (readonly unknown[])[];
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** What to say if there are no rows. */
  readonly missing: string;
}

/** Returns the rows of a correct copy by their ID, the first column. Several rows can have one ID. */
function copyOf({ plan, task: { data } }: World, state: ReferenceState): Map<string, JsonObject[]> {
  const columns = stringsIn(data["columns"]);
  const rows = Array.from(plan.task.rows?.(state, data) ?? [], (row) => {
    const given: JsonObject = { ...row, ...plan.expected };
    return Object.fromEntries(columns.map((name) => [name, given[name]]));
  });
  return Map.groupBy(rows, (row) => String(row[columns[0] ?? ""]));
}

/**
 * Compares deliveries with the correct copies before and after the runs, by content: the properties may have other names. A
 * row that was there all the time must be delivered, one that was added or deleted may be. A row in two deliveries is not
 * repeated: a later run replaces what an earlier one delivered.
 */
export function judgeCopy(world: World, { rows: deliveries, missing }: Delivery): Finding[] {
  const [before, after] = [copyOf(world, world.stateBefore()), copyOf(world, world.ref.state)];
  const findings: Finding[] = [];
  const delivered = new Map<string, unknown>();
  for (const rows of deliveries) {
    const seen = new Set<string>();
    for (const row of rows) {
      const id = identify(row, (value) => before.has(value) || after.has(value));
      if (id === undefined) findings.push({ kind: "wrong", what: "a row that is not in the list", got: row });
      else if (seen.has(id)) findings.push({ kind: "repeated", what: id, got: row });
      else {
        seen.add(id);
        delivered.set(id, row);
      }
    }
  }
  const lost = [...before].filter(([id]) => after.has(id) && !delivered.has(id));
  if (lost.length > 0 && deliveries.every(({ length }) => length === 0))
    findings.push({ kind: "lost", what: `every row: ${missing}` });
  for (const [id, [expected]] of lost) findings.push({ kind: "lost", what: id, expected });
  for (const [id, got] of delivered) {
    const versions = [...(before.get(id) ?? []), ...(after.get(id) ?? [])];
    if (versions.some((values) => hasValues(objectOf(got), values))) continue;
    findings.push({ kind: "wrong", what: id, expected: versions.at(-1), got });
  }
  return findings;
}

function identify(row: unknown, isId: (value: string) => boolean): string | undefined {
  if (!isObject(row)) return undefined;
  return Object.values(row)
    .filter((value) => typeof value === "string" || typeof value === "number")
    .map(String)
    .find(isId);
}

/**
 * A program may rename a property, but not to the name of another one: `version: 1` is not the value of `isActive: true`. Under
 * its own name, a null, a boolean or a number must be right: other properties have the same value by chance.
 */
function hasValues(row: JsonObject, values: JsonObject): boolean {
  const renamed = Object.entries(row).filter(([name]) => !Object.hasOwn(values, name));
  return Object.entries(values).every(([name, value]) => {
    if (isSameValue(row[name], value)) return true;
    const isRenamed = typeof value === "string" || !Object.hasOwn(row, name);
    return isRenamed && renamed.some(([, own]) => isSameValue(own, value));
  });
}

/** A database may return numbers, booleans and times as texts, and null as an empty or a missing value. */
function isSameValue(delivered: unknown, expected: unknown): boolean {
  if (expected === null || expected === undefined) return (delivered ?? "") === "";
  if (!["string", "number", "bigint", "boolean"].includes(typeof delivered)) return false;
  if (typeof expected === "boolean")
    return (expected ? ["true", "t", "1"] : ["false", "f", "0"]).includes(String(delivered).toLowerCase());
  if (typeof expected !== "string" && typeof expected !== "number") return false;
  const text = String(delivered);
  const instant = readInstant(String(expected));
  if (instant !== undefined) return readInstant(text) === instant;
  if (text === String(expected)) return true;
  const isExact = !Number.isInteger(expected) || Number.isSafeInteger(expected); // a double holds it
  return typeof expected === "number" && isExact && text !== "" && Number(text) === expected;
}

const INSTANT =
  /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?: ?(?:Z|UTC)| ?([+-]\d\d):?(\d\d)?(?: UTC)?)?(?:\[\S+\])?$/i;

/**
 * Returns the time in ms of an instant of ISO 8601, SQL, or the standard library of Java, Ruby or Go. A time without an
 * offset counts as one in UTC: the program copies what the service sends.
 */
function readInstant(text: string): number | undefined {
  const [, date, time, hours = "+00", minutes = "00"] = INSTANT.exec(text) ?? [];
  return date === undefined ? undefined : Date.parse(`${date}T${time}${hours}:${minutes}`);
}

/** A row, and the resource or the list of a store that it belongs to. */
interface Entity {
  readonly kind: string;
  readonly row: JsonObject;
}

/** The rows of a state by their kind and ID. */
type Entities = ReadonlyMap<string, Entity>;

/** The IDs and times that a server generates, which say nothing about the program. */
const GENERATED = new Set(["storeId", "contactId", "expectationId", "createdAt", "updatedAt"]);

/** Copies the data of one API. */
function readEntities({ store, fleet, sandbox }: ReferenceState, api: "store" | "fleet"): Entities {
  const entities = new Map<string, Entity>();
  const add = (kind: string, id: string, row: object): void => {
    let key = `${kind} ${id}`;
    while (entities.has(key)) key += " again";
    entities.set(key, { kind, row: { ...row } });
  };
  if (api === "fleet") {
    for (const [environment, resources] of Object.entries({ "": fleet, "sandbox ": sandbox }))
      for (const resource of namesOf(resources))
        for (const [id, row] of resources[resource]) add(`${environment}${resource}`, id, row);
    return entities;
  }
  for (const [id, row] of store.stores) {
    add("stores", id, row);
    for (const list of ["contacts", "expectations"] as const)
      for (const element of store[list].get(id) ?? []) {
        const content = contentOf(element);
        add(`${list} of ${id}`, JSON.stringify(content), content);
      }
    for (const [index, exposition] of (store.expositions.get(id) ?? []).entries())
      add(`expositions of ${id}`, exposition.expositionId ?? `new-${index}`, exposition);
  }
  return entities;
}

/** Returns an element that gets another ID with each write without what the server generates. */
function contentOf(element: object): object {
  const own = Object.entries(element).filter(([name, value]) => !GENERATED.has(name) && value !== undefined);
  return Object.fromEntries(own.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Compares the data of the server with the expected data: the rows as they were, with the changes of other writers, with those
 * of the task as well, and as they are.
 */
export function judgeState(world: World): Finding[] {
  const { api, task } = world.plan;
  const state = world.stateBefore();
  const before = readEntities(state, api);
  for (const write of world.writes) write(state);
  const others = readEntities(state, api);
  task.apply?.(state, world.task.data);
  const expected = readEntities(state, api);
  const actual = readEntities(world.ref.state, api);
  const findings: Finding[] = [];
  const added = new Map([...actual].filter(([key]) => !before.has(key)));
  for (const [key, { kind, row: wanted }] of expected) {
    const [old, got] = [before.get(key)?.row, actual.get(key)?.row];
    if (old !== undefined && got !== undefined)
      findings.push(...judgeRow(key, { old, other: others.get(key)?.row ?? old, wanted, got }));
    else if (old !== undefined)
      findings.push({ kind: "wrong place", what: `${key} was deleted`, expected: wanted });
    else {
      // the server chooses the ID of a new row
      const found = [...added].filter(([, { kind: own, row }]) => own === kind && contains(row, wanted));
      const missing = others.has(key) ? "overwritten" : "lost";
      if (found.length === 0)
        findings.push({ kind: missing, what: `a new row of ${kind}`, expected: wanted });
      for (const [own] of found) added.delete(own);
      for (const [own, { row }] of found.slice(1))
        findings.push({ kind: "written twice", what: own, expected: wanted, got: row });
    }
  }
  for (const [key, { row: got }] of actual)
    if (before.has(key) && !expected.has(key))
      findings.push({ kind: "lost", what: `${key} still exists`, got });
  for (const [key, { row: got }] of added)
    findings.push({ kind: "wrong place", what: `${key} was created`, got });
  return findings;
}

function contains(row: JsonObject, wanted: JsonObject): boolean {
  return Object.entries(wanted).every(
    ([name, value]) => GENERATED.has(name) || name === "id" || isDeepStrictEqual(row[name], value),
  );
}

/** One row at the four points of view. */
type RowVersions = Readonly<Record<"old" | "other" | "wanted" | "got", JsonObject>>;

function judgeRow(key: string, { old, other, wanted, got }: RowVersions): Finding[] {
  const isPartOfTask = !isDeepStrictEqual(other, wanted);
  const kindOf = (name: string): FindingKind => {
    const isUnchanged = isDeepStrictEqual(got[name], old[name]);
    if (!isDeepStrictEqual(wanted[name], other[name])) return isUnchanged ? "lost" : "wrong";
    return isPartOfTask || isUnchanged ? "overwritten" : "wrong place";
  };
  return [...new Set([...Object.keys(wanted), ...Object.keys(got)])]
    .filter((name) => !GENERATED.has(name) && !isDeepStrictEqual(wanted[name], got[name]))
    .map((name) => ({
      kind: kindOf(name),
      what: `${name} of ${key}`,
      expected: wanted[name],
      got: got[name],
    }));
}
