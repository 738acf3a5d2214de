import { isObject, type JsonObject, objectOf } from "../../../wire/json.ts";
import type { ExpectedRow } from "../model.ts";

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

/** The rows that must be delivered, and those that may be, because the data changed during the run. */
interface ExpectedRows {
  readonly required: ReadonlyMap<string, readonly ExpectedRow[]>;
  readonly allowed: ReadonlyMap<string, readonly ExpectedRow[]>;
}

/** Combines the correct copies before and after a run. */
export function expectRows(before: readonly ExpectedRow[], after: readonly ExpectedRow[]): ExpectedRows {
  const [first, last] = [groupById(before), groupById(after)];
  const allowed = new Map(first);
  for (const [id, rows] of last) allowed.set(id, [...(first.get(id) ?? []), ...rows]);
  return { required: new Map([...first].filter(([id]) => last.has(id))), allowed };
}

function groupById(rows: readonly ExpectedRow[]): Map<string, ExpectedRow[]> {
  const groups = new Map<string, ExpectedRow[]>();
  for (const row of rows) groups.set(row.id, [...(groups.get(row.id) ?? []), row]);
  return groups;
}

/**
 * Compares deliveries with the expected rows, by content: the properties may have other names. A row that two
 * deliveries contain is not repeated: a later run replaces what an earlier one delivered.
 */
export function judgeRows(
  { required, allowed }: ExpectedRows,
  deliveries: readonly (readonly unknown[])[],
): Finding[] {
  const findings: Finding[] = [];
  const last = new Map<string, unknown>();
  for (const rows of deliveries) {
    const seen = new Set<string>();
    for (const row of rows) {
      const id = identify(row, allowed);
      if (id === undefined) findings.push({ kind: "wrong", what: "a row that is not in the list", got: row });
      else if (seen.has(id)) findings.push({ kind: "repeated", what: id, got: row });
      else {
        seen.add(id);
        last.set(id, row);
      }
    }
  }
  for (const [id, rows] of required)
    if (!last.has(id)) findings.push({ kind: "lost", what: id, expected: rows[0]?.values });
  return [...findings, ...wrongValues(allowed, last)];
}

function identify(row: unknown, allowed: ReadonlyMap<string, unknown>): string | undefined {
  if (!isObject(row)) return undefined;
  return Object.values(row)
    .filter((value) => typeof value === "string" || typeof value === "number")
    .map(String)
    .find((value) => allowed.has(value));
}

function wrongValues(allowed: ExpectedRows["allowed"], delivered: ReadonlyMap<string, unknown>): Finding[] {
  const findings: Finding[] = [];
  for (const [id, row] of delivered) {
    const versions = allowed.get(id) ?? [];
    if (versions.some(({ values }) => hasValues(objectOf(row), values))) continue;
    findings.push({ kind: "wrong", what: id, expected: versions.at(-1)?.values, got: row });
  }
  return findings;
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
  if (!isScalar(delivered) && typeof delivered !== "boolean") return false;
  const text = String(delivered);
  if (typeof expected === "boolean") return (expected ? TRUE : FALSE).includes(text.toLowerCase());
  if (!isScalar(expected)) return false;
  const instant = readInstant(String(expected));
  if (instant !== undefined) return readInstant(text) === instant;
  return text === String(expected) || (isSafeNumber(expected) && text !== "" && Number(text) === expected);
}

const TRUE = ["true", "t", "1"];
const FALSE = ["false", "f", "0"];

function isScalar(value: unknown): value is string | number | bigint {
  return typeof value === "string" || typeof value === "number" || typeof value === "bigint";
}

/** Whether a double holds a number exactly. */
function isSafeNumber(value: unknown): boolean {
  return typeof value === "number" && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

const INSTANT =
  /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?: ?(?:Z|UTC)| ?([+-]\d\d):?(\d\d)?(?: UTC)?)?(?:\[\S+\])?$/i;

/**
 * Returns the time in ms of an instant of ISO 8601, SQL, or the standard library of Java, Ruby or Go. A time without an offset counts as one in UTC: the program copies
 * what the service sends.
 */
function readInstant(text: string): number | undefined {
  const [, date, time, hours = "+00", minutes = "00"] = INSTANT.exec(text) ?? [];
  return date === undefined ? undefined : Date.parse(`${date}T${time}${hours}:${minutes}`);
}
