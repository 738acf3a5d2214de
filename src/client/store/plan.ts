import type {
  Contact,
  ContactList,
  Expectation,
  ExpectationList,
  Exposition,
  ExpositionList,
  Store,
  StoreUpsert,
} from "../../../generated/store.ts";
import { isObject } from "../../wire/json.ts";
import { ConfigurationError, InvalidRequestError } from "../core/errors/errors.ts";
import { WriteError } from "../core/errors/response-errors.ts";
import type { Issue } from "../core/errors/issue.ts";
import { check } from "../core/options/check.ts";
import type { CallOptions } from "../core/options/options.ts";
import { runConcurrently } from "../core/request/concurrently.ts";
import { differingProperties, findMissing, pick, storeProperties } from "./differences.ts";
import { matchExpositions } from "./match-expositions.ts";
import type { ListReader } from "./modify-list.ts";
import { checkList, contactRules, expectationRules, expositionRules, isSameList } from "./list-rules.ts";
import { checkCalls, type DesiredLists, type DesiredStore, readDesired } from "./desired-stores.ts";

/** The changes of a store: the properties that differ and the lists that differ. */
export interface StoreChanges extends StoreUpsert, DesiredLists {}

/** A store and those of its lists that a plan compares. */
export interface PlannedStore extends Store {
  contacts?: Contact[];
  expectations?: Expectation[];
  expositions?: Exposition[];
}

/** A store that differs from the desired one. */
export interface PlannedUpdate {
  externalId: string;
  /** The properties and lists that differ, with the desired values. */
  changes: StoreChanges;
  /** The store before the change. */
  before: PlannedStore;
}

/** The changes that lead to the desired stores. */
export interface StorePlan {
  /** The base URL of the service that has the stores: `applyPlan` refuses a client of another one. */
  baseUrl?: string | undefined;
  /** The stores that do not exist. */
  create: DesiredStore[];
  /** The stores that differ. */
  update: PlannedUpdate[];
  /** The external IDs of the stores without a difference. */
  unchanged: string[];
  /**
   * The stores that are not desired, including those without an external ID. The contract has no operation to delete
   * them.
   */
  extra: Store[];
  /** One of the existing stores: `applyPlan` creates stores only for a token that has it. */
  known?: { externalId: string; storeId: string } | undefined;
}

/** A list with every store, such as `store.stores.list()`. */
export interface StoreList extends AsyncIterable<Store> {
  /** Whether the list has every store: it has no filter and begins with the first one. */
  readonly isWhole: boolean;
  /** The base URL of its service. */
  readonly baseUrl?: string | undefined;
}

/** The part of a `StoreClient` that reads the lists of stores. */
export interface StoreListReader {
  readonly baseUrl?: string | undefined;
  readonly contacts: ListReader<ContactList>;
  readonly expectations: ListReader<ExpectationList>;
  readonly expositions: ListReader<ExpositionList>;
  readonly readings?: { readonly "expositions.matching"?: string | undefined };
}

/** Options of `planStores`. */
export interface PlanOptions extends CallOptions {
  /** The client that reads contacts, expectations and expositions; required if a desired store has any. */
  store?: StoreListReader | undefined;
  /** The number of stores whose lists are read at the same time (default: 4). */
  concurrency?: number | undefined;
}

/** See `planStores` of `functions.ts`. */
export async function planStores(
  desired: Iterable<DesiredStore>,
  actual: StoreList,
  options: PlanOptions = {},
): Promise<StorePlan> {
  const wanted = readDesired(desired);
  checkWhole(actual);
  const { store: reader, concurrency = 4, ...call } = options;
  checkCalls(call);
  if (!Number.isSafeInteger(concurrency) || concurrency < 1)
    throw new ConfigurationError("concurrency must be a positive integer");
  check("planStores: store must be a StoreClient", reader, isReader);
  if (reader === undefined && [...wanted.values()].some(hasLists))
    throw new ConfigurationError(
      "planStores: contacts, expectations and expositions need the client that reads them: planStores(desired, list, { store })",
    );
  const { baseUrl } = actual;
  requireSameService("planStores: the list", baseUrl, reader);
  const { existing, extra } = await readActual(actual, wanted);
  const known = knownStore([...existing.values(), ...extra]);
  const plan: StorePlan = { baseUrl, create: [], update: [], unchanged: [], extra, ...(known && { known }) };
  const updates = new Map<string, PlannedUpdate>();
  await runConcurrently([...wanted], concurrency, async ([externalId, store]) => {
    const before = existing.get(externalId);
    if (before === undefined) return;
    const update = { externalId, changes: changesOf(before, store), before: { ...before } };
    if (reader !== undefined) await addLists(update, store, reader, call);
    updates.set(externalId, update);
  });
  for (const [externalId, store] of wanted) {
    const update = updates.get(externalId);
    if (update === undefined) plan.create.push(store);
    else if (Object.keys(update.changes).length === 0) plan.unchanged.push(externalId);
    else plan.update.push(update);
  }
  return plan;
}

function knownStore(stores: readonly Store[]): StorePlan["known"] {
  for (const { externalId, storeId } of stores)
    if (typeof externalId === "string" && typeof storeId === "string") return { externalId, storeId };
  return undefined;
}

/** Rejects a client of another service than that of a list or plan. */
export function requireSameService(
  name: string,
  baseUrl: string | undefined,
  client: { readonly baseUrl?: string | undefined } | undefined,
): void {
  const clientUrl = client?.baseUrl;
  if (baseUrl !== undefined && clientUrl !== undefined && baseUrl !== clientUrl)
    throw new ConfigurationError(`${name} is that of ${baseUrl}, and the client is one of ${clientUrl}`);
}

function isReader(value: unknown): boolean {
  if (!isObject(value)) return false;
  const resources = [value.contacts, value.expectations, value.expositions];
  return resources.every((resource) => isObject(resource) && typeof resource.get === "function");
}

function checkWhole(actual: unknown): void {
  if (isObject(actual) && actual.isWhole === true && Symbol.asyncIterator in actual) return;
  const message = Array.isArray(actual)
    ? "must be the list itself, store.stores.list(): an array may have been cut"
    : "must be the list of all stores, store.stores.list(), without a cursor, `resume` or a filter";
  throw new InvalidRequestError("planStores", [{ path: "actual", message }]);
}

/** Separates the existing stores by whether they are desired; reports all problems with them at once. */
async function readActual(
  actual: StoreList,
  wanted: ReadonlyMap<string, DesiredStore>,
): Promise<{ existing: ReadonlyMap<string, Store>; extra: Store[] }> {
  const existing = new Map<string, Store>();
  const extra: Store[] = [];
  const issues: Issue[] = [];
  let index = 0;
  for await (const store of actual) {
    const id = isObject(store) ? store.externalId : null;
    if (!isObject(store)) issues.push({ path: `actual.${index}`, message: "is not an object" });
    else if (id === null || !wanted.has(id)) extra.push(store);
    else if (existing.has(id))
      issues.push({
        path: `actual.${index}.externalId`,
        message: "is the ID of an earlier store of the list",
      });
    else {
      for (const issue of findMissing(store, storeProperties, `actual.${index}`)) issues.push(issue);
      existing.set(id, store);
    }
    index += 1;
  }
  if (issues.length > 0)
    throw new WriteError("planStores", "malformed", "the list cannot be compared", issues);
  return { existing, extra };
}

function changesOf(before: Store, desired: DesiredStore): StoreChanges {
  const sendable = pick(desired, storeProperties);
  const differing = differingProperties(sendable, before);
  return Object.fromEntries(differing.map((name) => [name, sendable[name]]));
}

function hasLists({ contacts, expectations, expositions }: DesiredLists): boolean {
  return (contacts ?? expectations ?? expositions) !== undefined;
}

/** Adds the lists of a store that differ from the desired ones. */
async function addLists(
  { externalId, changes, before }: PlannedUpdate,
  { contacts, expectations, expositions }: DesiredLists,
  reader: StoreListReader,
  call: CallOptions,
): Promise<void> {
  if (contacts !== undefined) {
    const { items } = checkList(contactRules, await reader.contacts.get(externalId, call), externalId);
    before.contacts = items;
    if (!isSameList(contactRules, contacts, items)) changes.contacts = contacts;
  }
  if (expectations !== undefined) {
    const { items } = checkList(
      expectationRules,
      await reader.expectations.get(externalId, call),
      externalId,
    );
    before.expectations = items;
    if (!isSameList(expectationRules, expectations, items)) changes.expectations = expectations;
  }
  if (expositions !== undefined) {
    const { items } = checkList(expositionRules, await reader.expositions.get(externalId, call), externalId);
    before.expositions = items;
    const { changed, issues } = matchExpositions(
      items,
      expositions,
      reader.readings?.["expositions.matching"],
    );
    if (issues.length > 0)
      throw new InvalidRequestError(
        `planStores: ${externalId}`,
        issues.map(({ path, message }) => ({ path: `expositions.${path}`, message })),
      );
    if (changed.length > 0) changes.expositions = expositions;
  }
}
