import { isObject, type JsonObject, objectOf, stringsIn } from "../wire/json.ts";
import type { ReferenceState } from "../mock/index.ts";
import type { Finding } from "./finding.ts";
import type { World } from "./world.ts";

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
export function judgeCopy(world: World, deliveries: readonly (readonly unknown[])[]): Finding[] {
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
  for (const [id, [expected]] of before)
    if (after.has(id) && !delivered.has(id)) findings.push({ kind: "lost", what: id, expected });
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
