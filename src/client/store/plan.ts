import type { Store, StoreUpsert } from "../../../generated/store.ts";
import { InvalidRequestError } from "../core/errors/errors.ts";
import type { Issue } from "../core/errors/issue.ts";
import { isObject, isSameJson } from "../../wire/json.ts";
import { pick, storeProperties } from "./inputs.ts";

/** A desired store: its external ID, and the properties to compare. */
export interface DesiredStore extends Omit<StoreUpsert, "externalId"> {
  externalId: string;
}

/** A store that differs from the desired one. */
export interface PlannedUpdate {
  externalId: string;
  /** The properties that differ, with the desired values. */
  changes: StoreUpsert;
  /** The store before the change. */
  before: Store;
}

/** The changes that lead to the desired stores. */
export interface StorePlan {
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
}

/**
 * Compares desired stores with existing ones. Sends nothing. Properties that a desired store omits are not compared.
 * @param desired the desired stores, each external ID once
 * @param actual all stores, such as `await store.stores.list().toArray()`
 * @throws {InvalidRequestError} if a desired store has no external ID or a property that cannot be sent, or if an
 * external ID occurs twice
 * @example
 * const plan = planStores(rows, await store.stores.list().toArray());
 * await applyPlan(store, plan, { onResult: ({ externalId, outcome }) => console.log(externalId, outcome) });
 */
export function planStores(desired: Iterable<DesiredStore>, actual: Iterable<Store>): StorePlan {
  const wanted = readDesired(desired);
  const { existing, extra } = readActual(actual, wanted);
  const plan: StorePlan = { create: [], update: [], unchanged: [], extra };
  for (const [externalId, store] of wanted) {
    const before = existing.get(externalId);
    if (before === undefined) {
      plan.create.push(store);
      continue;
    }
    const changes = changesOf(before, store);
    if (Object.keys(changes).length === 0) plan.unchanged.push(externalId);
    else plan.update.push({ externalId, changes, before });
  }
  return plan;
}

/** Separates the existing stores by whether they are desired; reports all issues with them at once. */
function readActual(
  actual: Iterable<Store>,
  wanted: ReadonlyMap<string, DesiredStore>,
): { existing: ReadonlyMap<string, Store>; extra: Store[] } {
  const existing = new Map<string, Store>();
  const extra: Store[] = [];
  const issues: Issue[] = [];
  const places = new Map<string, number>();
  let at = 0;
  for (const store of actual) {
    const id = (store as Partial<Store> | null)?.externalId as string; // other types are not in the maps
    const first = places.get(id);
    if (!isObject(store)) issues.push({ path: `actual.${at}`, message: "must be an object" });
    else if (!wanted.has(id)) extra.push(store);
    else if (first !== undefined)
      issues.push({
        path: `actual.${at}.externalId`,
        message: `${id} occurs twice, first at index ${first}`,
      });
    else {
      existing.set(id, store);
      places.set(id, at);
    }
    at += 1;
  }
  if (issues.length > 0) throw new InvalidRequestError("planStores", issues);
  return { existing, extra };
}

function changesOf(before: Store, desired: DesiredStore): StoreUpsert {
  const current: Readonly<Record<string, unknown>> = { ...before };
  const sendable: StoreUpsert = pick(desired, storeProperties);
  const differing = Object.entries(sendable).filter(([name, value]) => !isSameJson(value, current[name]));
  return Object.fromEntries(differing);
}

/** Returns the desired stores by external ID; reports all issues with them at once. */
function readDesired(desired: Iterable<DesiredStore>): Map<string, DesiredStore> {
  const stores = new Map<string, DesiredStore>();
  const issues: Issue[] = [];
  const places = new Map<string, number>();
  let at = 0;
  for (const store of desired as Iterable<unknown>) {
    const problem = problemOf(store, places);
    if (problem === undefined) {
      const { externalId } = store as DesiredStore; // checked above
      places.set(externalId, at);
      stores.set(externalId, store as DesiredStore);
    } else
      issues.push({
        path: [at, problem.path].filter((part) => part !== "").join("."),
        message: problem.message,
      });
    at += 1;
  }
  if (issues.length > 0) throw new InvalidRequestError("planStores", issues);
  return stores;
}

function problemOf(store: unknown, places: ReadonlyMap<string, number>): Issue | undefined {
  if (!isObject(store)) return { path: "", message: "must be an object" };
  const { externalId } = store;
  const path = "externalId";
  if (typeof externalId !== "string" || externalId === "")
    return { path, message: "must be a non-empty string" };
  const before = places.get(externalId);
  if (before !== undefined) return { path, message: `${externalId} occurs twice, first at index ${before}` };
  const known = new Set<string>([...storeProperties.sent, ...storeProperties.received]);
  const unknown = Object.keys(store).find((name) => !known.has(name) && store[name] !== undefined);
  return unknown === undefined ? undefined : { path: unknown, message: "is not a property of an upsert" };
}
