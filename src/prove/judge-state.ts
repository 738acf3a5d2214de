import { isDeepStrictEqual } from "node:util";
import type { ReferenceState } from "../mock/index.ts";
import type { JsonObject } from "../wire/json.ts";
import { namesOf } from "../wire/names.ts";
import type { Finding, FindingKind } from "./judge.ts";
import { EMPTY_FLEET } from "./tasks/seeds.ts";

/** The entities of a state: rows with an ID, and the lists of stores. */
export interface Entities {
  readonly rows: ReadonlyMap<string, JsonObject>;
  /** The elements as JSON, without what a server generates. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
}

/** The IDs and times that a server generates, which say nothing about the program. */
const GENERATED: ReadonlySet<string> = new Set([
  "storeId",
  "contactId",
  "createdAt",
  "updatedAt",
  "expectationId",
]);

/** Copies the data of one API. */
export function readEntities({ store, fleet, sandbox }: ReferenceState, api: "store" | "fleet"): Entities {
  const rows = new Map<string, JsonObject>();
  const lists = new Map<string, string[]>();
  if (api === "fleet") {
    for (const [environment, resources] of Object.entries({ "": fleet, "sandbox ": sandbox }))
      for (const resource of namesOf(EMPTY_FLEET))
        for (const [id, row] of resources[resource]) rows.set(`${environment}${resource} ${id}`, jsonOf(row));
    return { rows, lists };
  }
  for (const [id, row] of store.stores) {
    rows.set(`stores ${id}`, jsonOf(row));
    for (const name of ["contacts", "expectations"] as const)
      lists.set(`${name} of ${id}`, (store[name].get(id) ?? []).map(comparable));
    for (const [index, exposition] of (store.expositions.get(id) ?? []).entries())
      rows.set(`expositions of ${id} ${exposition.expositionId ?? `new-${index}`}`, jsonOf(exposition));
  }
  return { rows, lists };
}

/** Copies a row, without its undefined properties. */
function jsonOf(row: object): JsonObject {
  return JSON.parse(JSON.stringify(row)) as JsonObject; // of an object
}

function comparable(row: object): string {
  const own = Object.entries(row).filter(([name, value]) => !GENERATED.has(name) && value !== undefined);
  return JSON.stringify(Object.fromEntries(own.toSorted(([a], [b]) => (a < b ? -1 : 1))));
}

/** The same data at four points of view. */
export interface Versions {
  readonly before: Entities;
  /** With the changes of the other writers. */
  readonly others: Entities;
  /** With those of the task as well. */
  readonly expected: Entities;
  readonly actual: Entities;
}

/** Compares the data of the server with the expected data. */
export function judgeState(versions: Versions): Finding[] {
  return [...judgeAdded(versions), ...judgeRows(versions), ...judgeLists(versions)];
}

/** Compares the rows that did not exist: the server chooses their IDs. */
function judgeAdded({ before, expected, actual }: Versions): Finding[] {
  const findings: Finding[] = [];
  const added = new Map([...actual.rows].filter(([key]) => !before.rows.has(key)));
  for (const [key, row] of expected.rows) {
    if (before.rows.has(key)) continue;
    const kind = key.slice(0, key.lastIndexOf(" "));
    const found = [...added].filter(([other, got]) => other.startsWith(`${kind} `) && contains(got, row));
    if (found.length === 0) findings.push({ kind: "lost", what: `a new row of ${kind}`, expected: row });
    for (const [index, [what, got]] of found.entries()) {
      added.delete(what);
      if (index > 0) findings.push({ kind: "written twice", what, expected: row, got });
    }
  }
  for (const [key, got] of added) findings.push({ kind: "wrong place", what: `${key} was created`, got });
  return findings;
}

function contains(row: JsonObject, wanted: JsonObject): boolean {
  return Object.entries(wanted).every(
    ([name, value]) => GENERATED.has(name) || name === "id" || isDeepStrictEqual(row[name], value),
  );
}

function judgeRows({ before, others, expected, actual }: Versions): Finding[] {
  const findings: Finding[] = [];
  for (const [key, old] of before.rows) {
    const [wanted, got] = [expected.rows.get(key), actual.rows.get(key)];
    if (wanted !== undefined && got !== undefined)
      findings.push(...judgeRow(key, { old, other: others.rows.get(key) ?? old, wanted, got }));
    else if (wanted !== undefined)
      findings.push({ kind: "wrong place", what: `${key} was deleted`, expected: wanted });
    else if (got !== undefined) findings.push({ kind: "lost", what: `${key} still exists`, got });
  }
  return findings;
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

/** Compares lists whose elements get other IDs with each write, without their order: what is missing and what is additional. */
function judgeLists({ others, expected, actual }: Versions): Finding[] {
  const findings: Finding[] = [];
  for (const [key, elements] of actual.lists) {
    const what = `an element of ${key}`;
    const [wanted, kept] = [expected.lists.get(key) ?? [], others.lists.get(key) ?? []];
    const left = [...elements];
    const missing = wanted.filter((element) => {
      const index = left.indexOf(element);
      return index === -1 || left.splice(index, 1).length === 0;
    });
    for (const element of missing)
      findings.push({
        kind: kept.includes(element) ? "overwritten" : "lost",
        what,
        expected: JSON.parse(element),
      });
    for (const element of left) {
      const isDouble = wanted.includes(element);
      if (!isDouble && kept.includes(element) && missing.length > 0) continue; // it should have changed, and is reported as missing
      findings.push({ kind: isDouble ? "written twice" : "wrong", what, got: JSON.parse(element) });
    }
  }
  return findings;
}
