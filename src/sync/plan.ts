import { copyRows } from "./callbacks.ts";
import { type api, callOptions, concernOf, type Issue, type StoreApi } from "./clients.ts";
import { isObject, objectOf } from "../wire/json.ts";
import { RowError } from "./errors.ts";
import { matchExpositions } from "./expositions.ts";
import { type ModifyOptions, pick } from "./modify.ts";
import {
  checkExternalId,
  checkHiddenCharacters,
  type Equals,
  type Part,
  type PartName,
  parts,
  refuse,
  resourceOf,
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

/** The place of a desired store in the table. */
export interface PlannedRow {
  /** The index in the given stores. */
  row: number;
  externalId: string;
}

/** A row that is wrong, or whose store could not be compared. */
export interface FailedRow extends PlannedRow {
  part: PartName;
  /** The message, which names the row and the part. */
  message: string;
  /** The name of the error, and its code if it has one: `StoreApiError`, `not_found`. */
  name: string;
  code: string | undefined;
  issues: readonly Issue[];
}

/** A store to create or to update. */
export interface ChangedRow extends PlannedRow {
  changes: StoreChanges;
  /** The store as it was read; undefined if it does not exist. */
  before?: PlannedStore;
}

/** The changes that lead to the desired stores. It is JSON: the same after it was saved. */
export interface StorePlan {
  /** The base URL of the service: `applyPlan` refuses a client of another one. */
  baseUrl?: string | undefined;
  /** The stores that do not exist. */
  create: ChangedRow[];
  /** The stores that differ. */
  update: (ChangedRow & { before: PlannedStore })[];
  /** The stores without a difference. */
  unchanged: PlannedRow[];
  /** The rows that are wrong, and the stores that could not be compared. */
  failed: FailedRow[];
  /** The existing stores that are not desired. The contract has no operation to delete them. */
  extra: api.Store[];
}

/** The options of `planStores`. */
export interface PlanOptions extends ModifyOptions {
  /** The number of stores whose lists are read at the same time (default: 4). */
  concurrency?: number | undefined;
}

const label = "planStores";

/**
 * Compares desired stores with those of the service. Writes nothing. Properties and lists that a desired store omits are
 * not compared. A row that is wrong, or whose store cannot be read, is in `failed` and does not stop the others.
 * @throws {ConfigurationError} if the desired stores are not iterable, such as a promise of an array
 * @throws the error of the list of stores; the reason of the signal if it is aborted
 * @example const results = await applyPlan(store, await planStores(rows, store));
 */
export async function planStores(
  desired: Iterable<DesiredStore>,
  store: StoreApi,
  options: PlanOptions = {},
): Promise<StorePlan> {
  const { concurrency } = options;
  const call = callOptions(options);
  const { baseUrl } = store;
  const plan: StorePlan = { baseUrl, create: [], update: [], unchanged: [], failed: [], extra: [] };
  const rows = await readRows(desired, plan);
  const existing = new Map<string, api.Store[]>();
  for await (const found of store.stores.list(undefined, call)) {
    const { externalId } = found;
    if (externalId === null || !rows.has(externalId)) plan.extra.push(found);
    else existing.set(externalId, [...(existing.get(externalId) ?? []), found]);
  }
  await runEach([...rows], { concurrency, signal: call.signal }, async ([externalId, { row, changes }]) => {
    const [found, second] = existing.get(externalId) ?? [];
    if (found === undefined) return void plan.create.push({ row, externalId, changes });
    const before: PlannedStore = { ...found };
    const differences: StoreChanges = {};
    for (const part of Object.values(parts)) {
      const wanted = valueOf(part, changes);
      if (wanted === undefined) continue;
      try {
        if (part.isStore && second !== undefined)
          refuse(label, [{ path: "externalId", message: "is that of several stores" }]);
        // the list has the store already
        const read = part.isStore ? { get: async () => found } : resourceOf(store, part);
        const now = await part.read(read, externalId, call);
        if (!part.isStore) Object.assign(before, { [part.name]: now });
        const open = openOf(part, wanted, now, options.equals);
        if (open !== undefined) Object.assign(differences, part.isStore ? open[0] : { [part.name]: wanted });
      } catch (error) {
        call.signal?.throwIfAborted();
        if (concernOf(error) === "everything") throw error;
        return fail(plan, { row, externalId }, part.name, error);
      }
    }
    if (Object.keys(differences).length === 0) plan.unchanged.push({ row, externalId });
    else plan.update.push({ row, externalId, changes: differences, before });
  });
  for (const list of [plan.create, plan.update, plan.unchanged, plan.failed])
    list.sort((a, b) => a.row - b.row);
  return plan;
}

/** Reads the rows; those that are wrong fail. An external ID that occurs twice fails in all of its rows. */
async function readRows(desired: Iterable<DesiredStore>, plan: StorePlan) {
  const wanted = new Map<string, { row: number; changes: StoreChanges }>();
  const given = copyRows(label, desired);
  const ids = given.map(({ copy }) => objectOf(copy)["externalId"]);
  const places = Map.groupBy(ids.keys(), (row) => ids[row]);
  for (const [row, { copy, issues }] of given.entries()) {
    const id = ids[row];
    const isVisible = typeof id === "string" && id !== "" && checkHiddenCharacters(id).length === 0;
    const externalId = isVisible ? id : `row ${row}`;
    const same = typeof id === "string" ? (places.get(id) ?? []) : [];
    const message = `occurs in several rows: ${same.join(", ")}`;
    try {
      refuse(label, same.length > 1 && isVisible ? [{ path: "externalId", message }] : issues);
      await checkRow(label, copy);
      const { externalId: _, ...changes } = copy as DesiredStore; // as it was checked
      wanted.set(externalId, { row, changes });
    } catch (error) {
      fail(plan, { row, externalId }, partIn(error), error);
    }
  }
  return wanted;
}

function fail(plan: StorePlan, place: PlannedRow, part: PartName, cause: unknown): void {
  const { message, code, issues } = new RowError(place.externalId, part, cause);
  plan.failed.push({ ...place, part, message, name: (cause as Error).name, code, issues });
}

/**
 * Refuses a whole row because of what the client would refuse of one of its parts.
 * @throws {InvalidRequestError} with all issues
 */
export async function checkRow(title: string, given: unknown): Promise<void> {
  if (!isObject(given)) return refuse(title, [{ path: "", message: "must be an object" }]);
  const { externalId, contacts, expectations, expositions, ...store } = given;
  const values = { store, contacts, expectations, expositions };
  const issues: Issue[] = [];
  for (const part of Object.values(parts))
    if (values[part.name] !== undefined) issues.push(...(await part.findIssues(values[part.name])));
  const isText = typeof externalId === "string";
  const ofId = [...checkExternalId(externalId), ...(isText ? checkHiddenCharacters(externalId) : [])];
  refuse(title, [...ofId, ...issues]);
  if (Array.isArray(expositions)) matchExpositions(parts.expositions, [], expositions as object[]); // they have no issues
}

/** Returns the part that the first issue of an error is about. */
export function partIn(error: unknown): PartName {
  const [issue] = objectOf(error)["issues"] as Issue[]; // a row is refused with issues
  const names: readonly PartName[] = ["contacts", "expectations", "expositions"];
  return names.find((name) => issue?.path.split(".")[0] === name) ?? "store";
}

/** Returns the desired elements of a part: those of a list, or the properties of the store. */
export function valueOf(part: Part, changes: StoreChanges): readonly object[] | undefined {
  return part.name === "store" ? [part.pick(changes)] : changes[part.name];
}

/** Returns the elements that a list needs, or the properties that a store needs; undefined if it has what is desired. */
export function openOf(
  part: Part,
  wanted: readonly object[],
  now: readonly object[],
  equals: Equals | undefined,
): readonly object[] | undefined {
  if (part.name === "expositions") {
    const after = matchExpositions(part, now, wanted, equals);
    return after === now ? undefined : after;
  }
  if (!part.isStore) return part.isSame(wanted, now, equals) ? undefined : wanted;
  const names = part.findDiffering(wanted[0] ?? {}, now[0] ?? {}, equals);
  return names.length === 0 ? undefined : [pick(wanted[0] ?? {}, names)];
}
