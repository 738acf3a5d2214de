import {
  type api,
  type CallOptions,
  callOptions,
  concernsAll,
  InvalidRequestError,
  type Issue,
  type StoreApi,
} from "./clients.ts";
import { isObject, type JsonObject } from "../wire/json.ts";
import { RowError } from "./errors.ts";
import { type ExpositionOptions, findRowIssues, matchExpositions } from "./expositions.ts";
import { copyJson } from "./json.ts";
import { refuse, requireList, requireStore } from "./part-checks.ts";
import {
  differing,
  type Equals,
  findLost,
  hashKept,
  type ListName,
  listParts,
  type Part,
  type PartName,
  pick,
  storePart,
} from "./parts.ts";
import { runEach } from "./tasks.ts";

/** The lists of a store that a plan can contain. */
export interface DesiredLists {
  /** All contacts of the store. */
  contacts?: readonly api.ContactInput[] | undefined;
  /** All expectations of the store. */
  expectations?: readonly api.ExpectationInput[] | undefined;
  /** Expositions of the store. Others stay as they are, because the contract has no operation to delete them. */
  expositions?: readonly api.ExpositionInput[] | undefined;
}

/** The properties and lists that differ, with the desired values. */
export interface StoreChanges extends Omit<api.StoreUpsert, "externalId">, DesiredLists {}

/** A desired store: its external ID, the properties to compare, and its lists. */
export interface DesiredStore extends StoreChanges {
  externalId: string;
}

/** A store and those of its lists that a plan compares. */
export interface PlannedStore extends api.Store {
  contacts?: api.Contact[];
  expectations?: api.Expectation[];
  expositions?: api.Exposition[];
}

/**
 * Parts that the service keeps in another form than the desired one, such as phone numbers without blanks: a hash of both
 * forms for each part. A part whose hash is the same is not written again.
 */
export type KeptParts = { [Name in PartName]?: string };

/** The place of a desired store in the table. */
export interface PlannedRow {
  /** The index in the given stores. */
  row: number;
  externalId: string;
  kept?: KeptParts | undefined;
}

/** The changes that lead to the desired stores. It is JSON, and can be saved. */
export interface StorePlan {
  /** The base URL of the service: `applyPlan` refuses a client of another one. */
  baseUrl?: string | undefined;
  /** The stores that do not exist. */
  create: (PlannedRow & { changes: StoreChanges })[];
  /** The stores that differ. */
  update: (PlannedRow & { changes: StoreChanges; before: PlannedStore })[];
  /** The stores without a difference. */
  unchanged: PlannedRow[];
  /** The rows that are wrong, and the stores that could not be compared. */
  failed: (PlannedRow & { part: string; message: string; issues: readonly Issue[]; error: unknown })[];
  /** The existing stores that are not desired. The contract has no operation to delete them. */
  extra: api.Store[];
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

const label = "planStores";

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
  const { concurrency = 4 } = options;
  const call = callOptions(options);
  const plan: StorePlan = {
    baseUrl: store.baseUrl,
    create: [],
    update: [],
    unchanged: [],
    failed: [],
    extra: [],
  };
  const wanted = await readDesired(desired, plan, options);
  const existing = new Map<string, api.Store[]>();
  for await (const found of store.stores.list(undefined, call)) {
    const { externalId } = found;
    if (externalId === null || !wanted.has(externalId)) plan.extra.push(found);
    else existing.set(externalId, [...(existing.get(externalId) ?? []), found]);
  }
  await runEach([...wanted], { concurrency, signal: call.signal }, async ([externalId, { row, changes }]) => {
    const [found, second] = existing.get(externalId) ?? [];
    if (found === undefined) return void plan.create.push({ row, externalId, changes });
    const before: PlannedStore = { ...found };
    let part: PartName = "store";
    try {
      requireStore(found, externalId);
      if (second !== undefined) refuse(label, [{ path: "externalId", message: "is that of several stores" }]);
      for (part of ["contacts", "expectations", "expositions"] as const)
        if (changes[part] !== undefined) {
          const { items } = requireList(listParts[part], await store[part].get(externalId, call), externalId);
          Object.assign(before, { [part]: items });
        }
      part = "store";
      const { differences, kept } = compare(changes, before, options);
      const place = { row, externalId, kept };
      if (Object.keys(differences).length === 0) plan.unchanged.push(place);
      else plan.update.push({ ...place, changes: differences, before });
    } catch (error) {
      call.signal?.throwIfAborted();
      if (concernsAll(error)) throw error;
      fail(plan, { row, externalId }, part, error);
    }
  });
  for (const rows of [plan.create, plan.update, plan.unchanged, plan.failed])
    rows.sort((a, b) => a.row - b.row);
  return plan;
}

/** Returns the parts of a store that differ, and those that the service keeps in another form. */
function compare(
  desired: StoreChanges,
  before: PlannedStore,
  { equals, kept: last = {}, matchBy }: PlanOptions,
) {
  const differences: StoreChanges = {};
  const kept: KeptParts = {};
  const add = (part: Part, changes: JsonObject, wanted: object, actual: object): void => {
    const hash = hashKept(part, wanted, actual);
    if (last[before.externalId ?? ""]?.[part.name] === hash) kept[part.name] = hash;
    else Object.assign(differences, changes);
  };
  const own = pick(storePart, desired);
  const names = differing(storePart, own, before, equals);
  const values = Object.fromEntries(names.map((name) => [name, own[name]]));
  if (names.length > 0) add(storePart, values, values, before);
  for (const name of Object.keys(listParts) as ListName[]) {
    const [part, wanted, items] = [listParts[name], desired[name], before[name] ?? []];
    if (wanted === undefined) continue;
    let isSame = name !== "expositions" && findLost(part, wanted, items, equals).length === 0;
    if (name === "expositions") {
      const { changed, issues } = matchExpositions(before.expositions ?? [], desired.expositions ?? [], {
        matchBy,
        equals,
      });
      refuse(label, issues);
      isSame = changed.size === 0;
    }
    if (!isSame) add(part, { [name]: wanted }, wanted, items);
  }
  return { differences, kept };
}

/** Reads the rows; those that are wrong fail. An external ID that occurs twice fails in all of its rows. */
async function readDesired(desired: Iterable<DesiredStore>, plan: StorePlan, { matchBy }: PlanOptions) {
  const wanted = new Map<string, { row: number; changes: StoreChanges }>();
  const options = { matchBy, absent: "keep" } as const; // an option of applyPlan
  // a reader of a file may use one object for all rows
  const copies = Array.from(desired, (given) => copyJson(given));
  const places = Map.groupBy(copies.keys(), (row) => externalIdOf(copies[row]));
  for (const [row, copy] of copies.entries()) {
    const id = externalIdOf(copy);
    const same = typeof id === "string" ? (places.get(id) ?? []) : [];
    const message = `occurs in several rows: ${same.join(", ")}`;
    const issues = same.length > 1 ? [{ path: "externalId", message }] : await findRowIssues(copy, options);
    const [{ path } = { path: "" }] = issues;
    const externalId = typeof id === "string" ? id : `row ${row}`;
    const part = Object.keys(listParts).find((name) => path.split(".")[0] === name) ?? "store";
    if (issues.length > 0) fail(plan, { row, externalId }, part, new InvalidRequestError(label, issues));
    else {
      const { externalId: _, ...changes } = copy as DesiredStore; // it has no issues
      wanted.set(externalId, { row, changes });
    }
  }
  return wanted;
}

function externalIdOf(copy: unknown): unknown {
  return isObject(copy) ? copy.externalId : undefined;
}

function fail(plan: StorePlan, place: PlannedRow, part: string, cause: unknown): void {
  const error = new RowError(place.externalId, part, cause);
  plan.failed.push({ ...place, part, message: error.message, issues: error.issues, error });
}
