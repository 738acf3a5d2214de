// Loaded with the first change.
import { storeOperations } from "../../../generated/store.operations.ts";
import type { Store, StoreUpsert } from "../../../generated/store.ts";
import { isObject } from "../../wire/json.ts";
import { findUnsendable } from "../core/request/unsendable.ts";
import { InvalidRequestError } from "../core/errors/errors.ts";
import { WriteError } from "../core/errors/response-errors.ts";
import { isNotFound } from "../core/errors/not-found.ts";
import type { Issue } from "../core/errors/issue.ts";
import { check } from "../core/options/check.ts";
import type { CallOptions } from "../core/options/options.ts";
import { isSimilarId } from "../../wire/similar-id.ts";
import { findInexact } from "../../wire/exact-numbers.ts";
import { runInOrder } from "../core/request/write-queue.ts";
import { differingProperties, findMissing, pick, storeProperties } from "./differences.ts";
import { toUpsert } from "./inputs.ts";

/** Options of `modify`. */
export interface ModifyOptions extends CallOptions {
  /**
   * If the function returns a promise: reads again before writing, and rejects with a `WriteError` (`conflict`) if
   * another program changed the entity meanwhile (default: true).
   */
  check?: boolean | undefined;
}

/** The properties of a store to change. Undefined and unchanged ones are ignored. */
export type StoreChange = {
  [P in keyof Store]?: Store[P] | (P extends keyof StoreUpsert ? StoreUpsert[P] : never) | undefined;
};

/** The part of `Stores` that a change of a store uses. */
export interface StoreMethods {
  /** Reads one store. */
  get(externalId: string, options?: CallOptions): PromiseLike<Store>;
  /** Writes one store. */
  upsert(externalId: string, store: StoreUpsert, options?: CallOptions): PromiseLike<Store>;
}

const { putStore } = storeOperations;
const label = `${putStore.method} ${putStore.path}`;

/**
 * Reads a store, applies a change, sends every property, and compares what the service kept. Sends nothing if nothing
 * changed.
 */
export async function modifyStore(
  stores: StoreMethods,
  externalId: string,
  change: (store: Store) => StoreChange | Promise<StoreChange>,
  options?: ModifyOptions,
): Promise<Store> {
  checkFunction(label, change);
  const { isChecked, call } = readOptions(options);
  return runInOrder(stores, externalId, call.signal, async () => {
    const store = checkStore(await stores.get(externalId, call), externalId, "not sent");
    const result = change(structuredClone(store)); // a function may also change its argument in place
    const body = changedUpsert(store, await result);
    if (body === undefined) return store;
    if (isChecked && isObject(result) && "then" in result) {
      const again = checkStore(await stores.get(externalId, call), externalId, "not sent");
      const { storeId } = store; // another store may have taken the external ID
      refuseConflict(label, differingProperties({ ...pick(store, storeProperties), storeId }, again));
    }
    return writeStore(stores, externalId, body, call, store.storeId);
  });
}

/** Creates a store; rejects if it exists. */
export async function createStore(
  stores: StoreMethods,
  externalId: string,
  body: StoreUpsert,
  options?: ModifyOptions,
): Promise<Store> {
  const { isChecked, call } = readOptions(options);
  return runInOrder(stores, externalId, call.signal, async () => {
    if (isChecked) {
      const existing = await findStore(stores, externalId, call);
      if (existing !== undefined) checkStore(existing, externalId, "not sent");
      refuseConflict(label, existing === undefined ? [] : ["externalId"], "the store exists");
    }
    return writeStore(stores, externalId, body, call);
  });
}

/** Returns a store; undefined if it does not exist. */
export async function findStore(
  stores: StoreMethods,
  externalId: string,
  call: CallOptions,
): Promise<Store | undefined> {
  try {
    return await stores.get(externalId, call);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Sends a store and compares what the service returned. */
export async function writeStore(
  stores: StoreMethods,
  externalId: string,
  body: StoreUpsert,
  call: CallOptions,
  storeId?: string,
): Promise<Store> {
  const written = await stores.upsert(externalId, body, call);
  // a body with another ID renames the store, or the service ignores it (gap stores.body-external-id)
  const { externalId: newId = externalId } = body;
  checkStore(written, written.externalId === newId ? newId : externalId, "was sent");
  const known = {
    ...pick(body, storeProperties),
    externalId: newId,
    ...(storeId === undefined ? {} : { storeId }),
  };
  refuseDifference(
    label,
    differingProperties(known, written).map((path) => ({ path, message: "has another value" })),
  );
  return written;
}

/** Rejects a response that is not the whole requested store. */
export function checkStore(store: Store, externalId: string, sent: string): Store {
  checkId(label, store, externalId, sent);
  const missing = findMissing(store, storeProperties);
  if (missing.length > 0)
    throw new WriteError(label, "malformed", `${sent}: the response is not a whole store`, missing);
  if (sent === "not sent") requireExact(label, store);
  return store;
}

/** Rejects an entity with another external ID, such as that of a redirected request (gap stores.external-id-equality). */
export function checkId(
  name: string,
  entity: { externalId?: string | null },
  externalId: string,
  sent: string,
): void {
  const id: unknown = isObject(entity) ? entity.externalId : undefined;
  if (id === externalId || id === undefined) return; // an absent ID is reported with the other missing properties
  const isSimilar = typeof id === "string" && isSimilarId(id, externalId);
  const message = isSimilar
    ? "differs from the requested one only in letter case, Unicode form or blanks: to this service both are the same " +
      "(gap stores.external-id-equality)"
    : "differs from the requested one";
  throw otherStore(name, sent, "externalId", message);
}

/** Creates the error for a response about another store. */
export function otherStore(
  name: string,
  sent: string,
  path: string,
  message = "is that of another store now",
): WriteError {
  return new WriteError(name, "other-entity", `${sent}: the response is about another store`, [
    { path, message },
  ]);
}

/** Rejects an entity that would be sent back with another number than the service has. */
export function requireExact(name: string, entity: unknown): void {
  const issues = findInexact(entity);
  if (issues.length > 0)
    throw new WriteError(name, "malformed", "not sent: the response cannot be sent back", issues);
}

/** Returns the upsert that turns a store into the changed one; undefined if both are equal. */
function changedUpsert(store: Store, changed: unknown): StoreUpsert | undefined {
  if (!isObject(changed))
    throw refusal(label, [{ path: "change", message: "must return the properties to change" }]);
  const unsendable = findUnsendable(changed);
  if (unsendable.length > 0) throw refusal(label, unsendable);
  const given = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined));
  const differing = differingProperties(given, store);
  const issues = differing
    .filter((name) => name !== "externalId" && !storeProperties.sent.includes(name))
    .map((path) => ({ path, message: "is not a property of an upsert" }));
  if (issues.length > 0) throw refusal(label, issues);
  if (differing.length === 0) return undefined;
  // whether another external ID renames the store is a gap (stores.body-external-id)
  return { ...toUpsert(store), ...Object.fromEntries(differing.map((name) => [name, given[name]])) };
}

/** Separates the options of `modify` from those of its calls. */
export function readOptions(options: ModifyOptions | undefined): { isChecked: boolean; call: CallOptions } {
  const { check: isChecked = true, ...call } = options ?? {};
  check("check must be true or false", isChecked, (value) => typeof value === "boolean");
  return { isChecked, call };
}

/** Creates the error for a change that cannot be sent. */
export function refusal(name: string, issues: readonly Issue[]): InvalidRequestError {
  return new InvalidRequestError(name, issues);
}

/** Rejects what is not a function. */
export function checkFunction(name: string, change: unknown): void {
  if (typeof change === "function") return;
  throw refusal(name, [{ path: "change", message: "must be a function" }]);
}

/** Rejects if another program changed something. */
export function refuseConflict(
  name: string,
  paths: readonly string[],
  message = "was changed by another program after it was read",
): void {
  if (paths.length === 0) return;
  const issues = paths.map((path) => ({ path, message }));
  throw new WriteError(name, "conflict", "not sent: there is a conflict", issues);
}

/** Rejects if the service kept other values than those that were sent. */
export function refuseDifference(name: string, issues: readonly Issue[]): void {
  if (issues.length > 0)
    throw new WriteError(name, "differs", "was sent, and the service returned other values", issues);
}
