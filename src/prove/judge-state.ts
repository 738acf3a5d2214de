import { isDeepStrictEqual } from "node:util";
import type { ReferenceState } from "../mock/index.ts";
import type { JsonObject } from "../wire/json.ts";
import { namesOf, tableOf } from "../wire/names.ts";
import type { Finding, FindingKind } from "./judge.ts";
import type { World } from "./world.ts";

type Rows = ReadonlyMap<string, JsonObject>;

/** The rows of each resource and each list of a state, by their ID. */
type Entities = ReadonlyMap<string, Rows>;

/** The IDs and times that a server generates, which say nothing about the program. */
const GENERATED = new Set(["storeId", "contactId", "expectationId", "createdAt", "updatedAt"]);

/** Copies the data of one API. */
function readEntities({ store, fleet, sandbox }: ReferenceState, api: "store" | "fleet"): Entities {
  const entities = new Map<string, Rows>();
  if (api === "fleet") {
    for (const [environment, resources] of Object.entries({ "": fleet, "sandbox ": sandbox }))
      for (const resource of namesOf(resources))
        entities.set(`${environment}${resource}`, new Map(resources[resource]));
    return entities;
  }
  const stores = Array.from(store.stores, ([id, row]): [string, JsonObject] => [id, { ...row }]);
  entities.set("stores", new Map(stores));
  for (const [id] of stores) {
    for (const list of ["contacts", "expectations"] as const)
      entities.set(`${list} of ${id}`, byContent(store[list].get(id) ?? []));
    const expositions = (store.expositions.get(id) ?? []).map((row, index): [string, JsonObject] => {
      return [row.expositionId ?? `new-${index}`, { ...row }];
    });
    entities.set(`expositions of ${id}`, new Map(expositions));
  }
  return entities;
}

/** Returns elements that get another ID with each write by their content. Equal ones are numbered. */
function byContent(elements: readonly object[]): Rows {
  const rows = new Map<string, JsonObject>();
  for (const element of elements) {
    const own = Object.entries(element).filter(
      ([name, value]) => !GENERATED.has(name) && value !== undefined,
    );
    const row = Object.fromEntries(own.toSorted(([a], [b]) => (a < b ? -1 : 1)));
    const content = JSON.stringify(row);
    const count = [...rows.keys()].filter((id) => id.startsWith(content)).length;
    rows.set(count === 0 ? content : `${content} (${count + 1})`, row);
  }
  return rows;
}

/** Compares the data of the server with the expected data. */
export function judgeState(world: World): Finding[] {
  const { api, task } = world.plan;
  const state = world.stateBefore();
  const before = readEntities(state, api);
  for (const write of world.writes) write(state);
  const others = readEntities(state, api);
  task.apply?.(state, world.task.data);
  const expected = readEntities(state, api);
  const actual = readEntities(world.ref.state, api);
  const versions = { before, others, expected, actual };
  return [...actual.keys()].flatMap((kind) =>
    judgeRows(
      kind,
      tableOf(namesOf(versions), (name) => versions[name].get(kind) ?? new Map()),
    ),
  );
}

/** The same rows as they were, with the changes of other writers, with those of the task as well, and as they are. */
type Versions = Readonly<Record<"before" | "others" | "expected" | "actual", Rows>>;

function judgeRows(kind: string, { before, others, expected, actual }: Versions): Finding[] {
  const findings: Finding[] = [];
  const added = new Map([...actual].filter(([id]) => !before.has(id)));
  for (const [id, wanted] of expected) {
    const [old, got] = [before.get(id), actual.get(id)];
    if (old !== undefined && got !== undefined)
      findings.push(...judgeRow(`${kind} ${id}`, { old, other: others.get(id) ?? old, wanted, got }));
    else if (old !== undefined)
      findings.push({ kind: "wrong place", what: `${kind} ${id} was deleted`, expected: wanted });
    else {
      // the server chooses the ID of a new row
      const found = [...added].filter(([, row]) => contains(row, wanted));
      const missing = others.has(id) ? "overwritten" : "lost";
      if (found.length === 0)
        findings.push({ kind: missing, what: `a new row of ${kind}`, expected: wanted });
      for (const [own] of found) added.delete(own);
      for (const [own, row] of found.slice(1))
        findings.push({ kind: "written twice", what: `${kind} ${own}`, expected: wanted, got: row });
    }
  }
  for (const [id, got] of actual)
    if (before.has(id) && !expected.has(id))
      findings.push({ kind: "lost", what: `${kind} ${id} still exists`, got });
  for (const [id, got] of added)
    findings.push({ kind: "wrong place", what: `${kind} ${id} was created`, got });
  return findings;
}

function contains(row: JsonObject, wanted: JsonObject): boolean {
  return Object.entries(wanted).every(
    ([name, value]) => GENERATED.has(name) || name === "id" || isDeepStrictEqual(row[name], value),
  );
}

/** One row at the four points of view. */
type RowVersions = Readonly<Record<"old" | "other" | "wanted" | "got", JsonObject>>;

function judgeRow(row: string, { old, other, wanted, got }: RowVersions): Finding[] {
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
      what: `${name} of ${row}`,
      expected: wanted[name],
      got: got[name],
    }));
}
