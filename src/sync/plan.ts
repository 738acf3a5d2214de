import {
  type CallOptions,
  callOptions,
  concernsAll,
  type Contact,
  type ContactInput,
  type Expectation,
  type ExpectationInput,
  type Exposition,
  type ExpositionInput,
  InvalidRequestError,
  type Issue,
  type Store,
  type StoreApi,
  type StoreUpsert,
} from "./clients.ts";
import { isObject, type JsonObject } from "../wire/json.ts";
import { messageOf, RowError } from "./errors.ts";
import { type ExpositionOptions, matchExpositions } from "./expositions.ts";
import { copyJson, hashJson } from "./json.ts";
import { checkExternalId, findIssues, requireList, requireStore } from "./part-checks.ts";
import {
  differing,
  type ElementList,
  type Equals,
  hashPart,
  isSameList,
  listParts,
  type Part,
  type PartName,
  pick,
  storePart,
} from "./parts.ts";
import { checkOptions, readCount, runEach } from "./tasks.ts";

/** The lists of a store that a plan can contain. */
export interface DesiredLists {
  /** All contacts of the store. */
  contacts?: readonly ContactInput[] | undefined;
  /** All expectations of the store. */
  expectations?: readonly ExpectationInput[] | undefined;
  /** Expositions of the store. Others stay as they are, because the contract has no operation to delete them. */
  expositions?: readonly ExpositionInput[] | undefined;
}

/** A desired store: its external ID, the properties to compare, and its lists. */
export interface DesiredStore extends Omit<StoreUpsert, "externalId">, DesiredLists {
  externalId: string;
}

/** The properties and lists that differ, with the desired values. */
export interface StoreChanges extends Omit<StoreUpsert, "externalId">, DesiredLists {}

/** A store and those of its lists that a plan compares. */
export interface PlannedStore extends Store {
  contacts?: Contact[];
  expectations?: Expectation[];
  expositions?: Exposition[];
}

/**
 * Parts that the service keeps in another form than the desired one, such as phone numbers without blanks: a hash of both
 * forms for each part. A part whose hash is the same is not written again.
 */
export type KeptParts = { readonly [Name in PartName]?: string };

/** The place of a desired store in the table. */
interface Row {
  /** The index in the given stores. */
  row: number;
  externalId: string;
  kept?: KeptParts;
}

/** The changes that lead to the desired stores. It is JSON, and can be saved. */
export interface StorePlan {
  /** The base URL of the service: `applyPlan` refuses a client of another one. */
  baseUrl?: string | undefined;
  /** One of the existing stores: `applyPlan` creates stores only for a token that has it. */
  known?: { externalId: string; storeId: string } | undefined;
  /** The stores that do not exist. */
  create: (Row & { changes: StoreChanges })[];
  /** The stores that differ. */
  update: (Row & { changes: StoreChanges; before: PlannedStore })[];
  /** The stores without a difference. */
  unchanged: Row[];
  /** The rows that are wrong, and the stores that could not be compared. */
  failed: (Row & { part: string; message: string; issues: readonly Issue[]; error: unknown })[];
  /** The existing stores that are not desired. The contract has no operation to delete them. */
  extra: Store[];
}

/** The options of `planStores`. */
export interface PlanOptions extends CallOptions, Pick<ExpositionOptions, "matchBy"> {
  /** The number of stores whose lists are read at the same time (default: 4). */
  concurrency?: number | undefined;
  /** Compares a desired value with that of the service, by the name of the property: `name`, `contacts.phone`. */
  equals?: Equals | undefined;
  /** The `kept` of the results of the last run, by external ID. */
  kept?: Readonly<Record<string, KeptParts>> | undefined;
}

/**
 * Compares desired stores with those of the service. Writes nothing. Properties and lists that a desired store omits are
 * not compared. A row that is wrong, or whose store cannot be read, is in `failed` and does not stop the others.
 * @throws the error of the list of stores; the reason of the signal if it is aborted
 * @example const results = await applyPlan(store, await planStores(rows, store));
 */
export async function planStores(
  desired: Iterable<DesiredStore>,
  store: StoreApi,
  options: PlanOptions = {},
): Promise<StorePlan> {
  checkOptions("planStores", options, ["concurrency", "equals", "kept", "matchBy"]);
  const concurrency = readCount("planStores: concurrency", options.concurrency, 4);
  const call = callOptions(options);
  const plan: StorePlan = {
    baseUrl: store.baseUrl,
    create: [],
    update: [],
    unchanged: [],
    failed: [],
    extra: [],
  };
  const fail = (row: number, externalId: string, part: string, cause: unknown): void => {
    const error = new RowError(externalId, part, cause);
    plan.failed.push({ row, externalId, part, message: error.message, issues: error.issues, error });
  };
  const wanted = await readDesired(desired, fail);
  const existing = new Map<string, Store[]>();
  for await (const found of store.stores.list(undefined, call)) {
    const { externalId, storeId } = found;
    if (externalId === null || !wanted.has(externalId)) plan.extra.push(found);
    else existing.set(externalId, [...(existing.get(externalId) ?? []), found]);
    if (typeof externalId === "string") plan.known ??= { externalId, storeId };
  }
  await runEach([...wanted.values()], { concurrency, signal: call.signal }, async ({ row, store: given }) => {
    const { externalId, ...changes } = given;
    const [found, second] = existing.get(externalId) ?? [];
    if (found === undefined) return void plan.create.push({ row, externalId, changes });
    let part: PartName = "store";
    try {
      requireStore(found, externalId);
      if (second !== undefined)
        throw new InvalidRequestError("planStores", [
          { path: "externalId", message: "is that of several stores" },
        ]);
      const comparison = compareStore(found, changes, options, externalId);
      for (part of ["contacts", "expectations", "expositions"] as const)
        if (changes[part] !== undefined)
          comparison.addList(
            part,
            requireList(listParts[part], await store[part].get(externalId, call), externalId),
          );
      const { differences, before, kept } = comparison;
      const place = { row, externalId, ...(Object.keys(kept).length > 0 && { kept }) };
      if (Object.keys(differences).length === 0) plan.unchanged.push(place);
      else plan.update.push({ ...place, changes: differences, before });
    } catch (error) {
      call.signal?.throwIfAborted();
      if (concernsAll(error)) throw error;
      fail(row, externalId, part, error);
    }
  });
  for (const rows of [plan.create, plan.update, plan.unchanged, plan.failed])
    rows.sort((a, b) => a.row - b.row);
  return plan;
}

/** Compares the parts of one store. */
function compareStore(
  found: Store,
  changes: StoreChanges,
  { equals, kept: last = {}, matchBy }: PlanOptions,
  externalId: string,
) {
  const differences: JsonObject = {};
  const before: PlannedStore = { ...found };
  const kept: { -readonly [Name in PartName]?: string } = {};
  const wasKept = (part: Part, desired: object, actual: object): boolean => {
    const hash = hashKept(part, desired, actual);
    const isKept = last[externalId]?.[part.name] === hash;
    if (isKept) kept[part.name] = hash;
    return isKept;
  };
  const own = pick(storePart, changes);
  const names = differing(storePart, own, found, equals);
  const values = Object.fromEntries(names.map((name) => [name, own[name]]));
  if (names.length > 0 && !wasKept(storePart, values, found)) Object.assign(differences, values);
  return {
    differences: differences as StoreChanges, // the names are those of the given changes
    before,
    kept,
    addList(name: keyof DesiredLists, { items }: ElementList<object>): void {
      const part = listParts[name];
      const desired = changes[name] ?? [];
      Object.assign(before, { [name]: items });
      if (name === "expositions") {
        // the list is that of the expositions
        const stored = items as Exposition[];
        const matched = matchExpositions(stored, desired as readonly ExpositionInput[], { matchBy, equals });
        if (matched.issues.length > 0) throw new InvalidRequestError("planStores", matched.issues);
        if (matched.changed.length === 0) return;
      } else if (isSameList(part, desired, items, equals)) return;
      if (!wasKept(part, desired, items)) differences[name] = desired;
    },
  };
}

/** Returns the hash of what was desired and of what the service keeps instead. */
export function hashKept(part: Part, desired: object, actual: object): string {
  if (Array.isArray(desired)) return hashJson([hashPart(part, desired), hashPart(part, actual)]);
  const names = Object.keys(desired);
  const values = Object.fromEntries(names.map((name) => [name, (actual as JsonObject)[name]]));
  return hashJson([hashPart(part, desired), hashPart(part, values)]);
}

/** Reads the rows; reports those that are wrong. An external ID that occurs twice fails in all of its rows. */
async function readDesired(
  desired: Iterable<DesiredStore>,
  fail: (row: number, externalId: string, part: string, cause: unknown) => void,
): Promise<Map<string, { row: number; store: DesiredStore }>> {
  if (typeof desired !== "object" || !(Symbol.iterator in desired))
    throw new InvalidRequestError("planStores", [{ path: "desired", message: "must be an array" }]);
  const wanted = new Map<string, { row: number; store: DesiredStore }>();
  const rows = new Map<unknown, number[]>();
  let row = 0;
  for (const given of desired) {
    const id: unknown = isObject(given) ? given.externalId : undefined;
    rows.set(id, [...(rows.get(id) ?? []), row]);
    const name = typeof id === "string" ? id : `row ${row}`;
    try {
      const copy = copyJson(given); // a reader of a file may use one object for all rows
      const issues = await findRowIssues(copy);
      if (issues.length > 0) throw new InvalidRequestError("planStores", issues);
      wanted.set(String(id), { row, store: copy as DesiredStore }); // it has no issues
    } catch (error) {
      const [first] = error instanceof InvalidRequestError ? error.issues : [];
      const part = first?.path.split(".")[0] ?? "";
      fail(row, name, part in listParts ? part : "store", error instanceof Error ? error : messageOf(error));
    }
    row += 1;
  }
  for (const [id, same] of rows) {
    if (same.length < 2 || typeof id !== "string" || !wanted.has(id)) continue;
    wanted.delete(id);
    const message = `occurs in several rows: ${same.join(", ")}`;
    for (const index of same)
      fail(index, id, "store", new InvalidRequestError("planStores", [{ path: "externalId", message }]));
  }
  return wanted;
}

/** Returns what the client would refuse of a row. */
export async function findRowIssues(given: unknown): Promise<Issue[]> {
  if (!isObject(given)) return [{ path: "", message: "must be an object" }];
  const { externalId, contacts, expectations, expositions, ...own } = given;
  const lists = { contacts, expectations, expositions };
  const found = [checkExternalId(externalId), await findIssues(storePart, own)];
  for (const [name, part] of Object.entries(listParts))
    if (lists[part.name as keyof typeof lists] !== undefined)
      found.push(await findIssues(part, lists[name as keyof typeof lists])); // the names of the parts
  if (own["storeId"] !== undefined) found.push([{ path: "storeId", message: "cannot be set" }]);
  return found.flat();
}
