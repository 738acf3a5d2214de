import { isSameJson } from "../../testing/compare-json.ts";
import { type JsonObject } from "../../../wire/json.ts";
import { fleetResources } from "../../fleet/data.ts";
import type { ReferenceState } from "../../reference-server.ts";
import type { Finding, FindingKind } from "./rows.ts";

/** The entities of a state: rows with an ID, and the lists of stores. */
export interface Entities {
  readonly rows: ReadonlyMap<string, JsonObject>;
  readonly lists: ReadonlyMap<string, readonly JsonObject[]>;
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
export function readEntities(state: ReferenceState, api: "store" | "fleet"): Entities {
  return api === "store" ? storeEntities(state) : fleetEntities(state);
}

function storeEntities({ store }: ReferenceState): Entities {
  const rows = new Map([...store.stores].map(([id, row]) => [`stores ${id}`, copy(row)]));
  const lists = new Map<string, JsonObject[]>();
  for (const id of store.stores.keys()) {
    for (const name of ["contacts", "expectations"] as const)
      lists.set(`${name} of ${id}`, (store[name].get(id) ?? []).map(copy));
    for (const [index, row] of (store.expositions.get(id) ?? []).entries())
      rows.set(`expositions of ${id} ${row.expositionId ?? `new-${index}`}`, copy(row));
  }
  return { rows, lists };
}

function fleetEntities({ fleet, sandbox }: ReferenceState): Entities {
  const rows = new Map<string, JsonObject>();
  for (const [environment, resources] of Object.entries({ "": fleet, "sandbox ": sandbox }))
    for (const resource of fleetResources)
      for (const [id, row] of resources[resource]) rows.set(`${environment}${resource} ${id}`, copy(row));
  return { rows, lists: new Map() };
}

function copy(row: object): JsonObject {
  return structuredClone({ ...row });
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
  const added = [...actual.rows].filter(([key]) => !before.rows.has(key));
  for (const [key, row] of expected.rows) {
    if (before.rows.has(key)) continue;
    const kind = key.slice(0, key.lastIndexOf(" "));
    const found = added.filter(
      ([other, candidate]) => other.startsWith(`${kind} `) && contains(candidate, row),
    );
    if (found.length === 0) findings.push({ kind: "lost", what: `a new row of ${kind}`, expected: row });
    for (const [other, candidate] of found.slice(1))
      findings.push({ kind: "written twice", what: other, expected: row, got: candidate });
    for (const match of found) added.splice(added.indexOf(match), 1);
  }
  for (const [key, row] of added)
    findings.push({ kind: "wrong place", what: `${key} was created`, got: row });
  return findings;
}

function contains(row: JsonObject, wanted: JsonObject): boolean {
  return Object.entries(wanted).every(
    ([name, value]) => GENERATED.has(name) || name === "id" || isSameJson(row[name], value),
  );
}

function judgeRows({ before, others, expected, actual }: Versions): Finding[] {
  const findings: Finding[] = [];
  for (const [key, old] of before.rows) {
    const [wanted, got] = [expected.rows.get(key), actual.rows.get(key)];
    if (wanted === undefined && got === undefined) continue;
    if (got === undefined)
      findings.push({ kind: "wrong place", what: `${key} was deleted`, expected: wanted });
    else if (wanted === undefined) findings.push({ kind: "lost", what: `${key} still exists`, got });
    else findings.push(...judgeRow(key, { old, other: others.rows.get(key) ?? old, wanted, got }));
  }
  return findings;
}

/** One row at the four points of view. */
interface RowVersions {
  readonly old: JsonObject;
  readonly other: JsonObject;
  readonly wanted: JsonObject;
  readonly got: JsonObject;
}

function judgeRow(key: string, { old, other, wanted, got }: RowVersions): Finding[] {
  const isPartOfTask = !isSameJson(other, wanted);
  const findings: Finding[] = [];
  for (const name of new Set([...Object.keys(wanted), ...Object.keys(got)])) {
    if (GENERATED.has(name) || isSameJson(wanted[name], got[name])) continue;
    const isIntended = !isSameJson(wanted[name], other[name]);
    const isUnchanged = isSameJson(got[name], old[name]);
    const kind: FindingKind = isIntended
      ? isUnchanged
        ? "lost"
        : "wrong"
      : isPartOfTask || isUnchanged
        ? "overwritten"
        : "wrong place";
    findings.push({ kind, what: `${name} of ${key}`, expected: wanted[name], got: got[name] });
  }
  return findings;
}

/** Compares lists whose elements get other IDs with each write, without their order: what is missing and what is additional. */
function judgeLists({ others, expected, actual }: Versions): Finding[] {
  const findings: Finding[] = [];
  for (const [key, elements] of actual.lists) {
    const wanted = (expected.lists.get(key) ?? []).map(comparable);
    const left = elements.map(comparable);
    const missing = wanted.filter((element) => !takeEqual(left, element));
    const kept = (others.lists.get(key) ?? []).map(comparable);
    for (const element of missing) {
      const kind = kept.some((other) => isSameJson(other, element)) ? "overwritten" : "lost";
      findings.push({ kind, what: `an element of ${key}`, expected: element });
    }
    for (const element of left) {
      const isDouble = wanted.some((other) => isSameJson(other, element));
      const isOld = kept.some((other) => isSameJson(other, element));
      if (!isDouble && isOld && missing.length > 0) continue; // it should have changed, and is reported as missing
      findings.push({
        kind: isDouble ? "written twice" : "wrong",
        what: `an element of ${key}`,
        got: element,
      });
    }
  }
  return findings;
}

function comparable(element: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(element).filter(([name]) => !GENERATED.has(name)));
}

function takeEqual(elements: JsonObject[], wanted: JsonObject): boolean {
  const index = elements.findIndex((element) => isSameJson(element, wanted));
  if (index !== -1) elements.splice(index, 1);
  return index !== -1;
}
