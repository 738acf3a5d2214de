import { isDeepStrictEqual } from "node:util";
import type { ReferenceState } from "../mock/index.ts";
import type { JsonObject } from "../wire/json.ts";
import { namesOf } from "../wire/names.ts";
import type { Finding, FindingKind } from "./finding.ts";
import type { World } from "./world.ts";

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
