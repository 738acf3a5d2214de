// All that this folder uses of the clients: what every user of the package can import.
import type * as api from "../client/store/index.ts";
import {
  type CallOptions,
  ConfigurationError,
  InvalidRequestError,
  type Issue,
  PaginationError,
  ShelfleetError,
  WriteError,
} from "../client/store/index.ts";
import { fleetOperations } from "../../generated/fleet.operations.ts";
import { objectOf } from "../wire/json.ts";
import { omitUndefined } from "../wire/names.ts";
import type { Operation } from "../wire/operation.ts";

export { ConfigurationError, InvalidRequestError, PaginationError, ShelfleetError, WriteError };
export type { api };
export type { CallOptions, Issue };
export * as inputs from "../../generated/store.inputs.ts";
export { storeOperations as operations } from "../../generated/store.operations.ts";
export { serializeBody } from "../client/serialization.ts";
export { limitTime, sleep } from "../client/time.ts";
export { isSameValue } from "../client/written.ts";

/** The clocks and timers that a function of this entry uses, with the names that they have in `globalThis`. */
export type SyncRuntime = Pick<api.Runtime, "setTimeout" | "clearTimeout" | "Date">;

/** A list of a client, as far as a pull, a mirror and `ensure` use it. */
export interface SyncList<T> extends Pick<api.CursorList<T>, "operation" | "baseUrl" | "idOf"> {
  /** Returns the pages, from the first or the resumed one. */
  pages(): AsyncIterableIterator<SyncPage<T>, void>;
}

/** A page of a list. */
export interface SyncPage<T> extends Pick<api.CursorPage<T>, "items" | "sent" | "resume"> {
  /** The place of a numbered page. */
  pagination?: { totalCount: number };
  /** Returns the HTTP response of the page. */
  withResponse(): Promise<{ response: { readonly headers: Headers } }>;
}

/** The part of a `StoreClient` that reads and writes stores. */
export interface StoreApi {
  readonly baseUrl?: string | undefined;
  readonly stores: Pick<api.Stores, "list" | "get" | "upsert">;
  readonly contacts: Pick<api.Contacts, "get" | "replace">;
  readonly expectations: Pick<api.Expectations, "get" | "replace">;
  readonly expositions: Pick<api.Expositions, "get" | "upsert">;
}

// An error may be one of another copy of this package: no class is compared.

/** Returns the status of the response that an error is about. */
export function statusOf(error: unknown): number | undefined {
  const { status } = objectOf(error);
  return typeof status === "number" ? status : undefined;
}

/**
 * Whether the service says in the contract's own form that an entity does not exist. A 404 of a gateway or of a wrong URL
 * has another one.
 */
export function isNotFound(error: unknown): boolean {
  const { name, code } = objectOf(error);
  if (statusOf(error) !== 404) return false;
  return (
    (name === "StoreApiError" && code === "not_found") || (name === "FleetApiError" && code === "NOT_FOUND")
  );
}

/** Returns an entity; undefined if the service says that it does not exist. */
export async function findOne<T>(entity: PromiseLike<T>): Promise<T | undefined> {
  try {
    return await entity;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/**
 * What an error is about: `everything`, so that no other request would succeed, such as a rejected token; the `service`, which
 * is not available now; or `one` request or entity.
 */
export type Concern = "everything" | "service" | "one";

/** Returns what an error is about. */
export function concernOf(error: unknown): Concern {
  const { name, code } = objectOf(error);
  const status = statusOf(error);
  if (status === 401 || code === "not_configured" || name === "ScopeError") return "everything";
  if (status === 403 && code === "FORBIDDEN") return "everything";
  if (name === "ConfigurationError" || name === "AbortError") return "everything";
  if (name === "ConnectionError" || name === "TimeoutError" || isOutage(status)) return "service";
  return "one";
}

/** Throws an error that is not about one entry only, so that the others need not be tried; or the reason of the signal. */
export function requireSingle(error: unknown, signal: AbortSignal | undefined): void {
  signal?.throwIfAborted();
  if (concernOf(error) !== "one") throw error;
}

/** Whether a saved position may not exist any more. The contract does not show how a service says so. */
export function isRefusedPosition(error: unknown): boolean {
  const { name } = objectOf(error);
  const status = statusOf(error);
  if (name === "PaginationError" || name === "InvalidRequestError") return true;
  return name !== "UnexpectedResponseError" && status !== undefined && status !== 401 && !isOutage(status);
}

/** Returns the reason of a `WriteError`; undefined for another error. */
export function writeReasonOf(error: unknown): api.WriteErrorReason | undefined {
  const { name, reason } = objectOf(error);
  return name === "WriteError" ? (reason as api.WriteErrorReason) : undefined; // each has one
}

/** Whether a write that failed may have been processed. */
export function mayHaveBeenProcessed(error: unknown): boolean {
  return objectOf(error)["mayHaveBeenProcessed"] === true;
}

/**
 * Sends a write. If it fails and may have been processed, and must not be sent again, the service shows what it has.
 * @param look returns the entity if it has what was written
 */
export async function sendOnce<T>(
  write: () => Promise<T>,
  look: () => Promise<T | undefined>,
  signal: AbortSignal | undefined,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!mayHaveBeenProcessed(error) || objectOf(error)["retryable"] === true) throw error;
    const shown = await look().catch(() => undefined); // then the write is what failed
    signal?.throwIfAborted();
    if (shown === undefined) throw error;
    return shown;
  }
}

function isOutage(status: number | undefined): boolean {
  return [429, 502, 503, 504].includes(status ?? 0);
}

/** Whether the entities of a list are changed with a PATCH, which takes only the properties to change. */
export function isPatched(listOperation: string): boolean {
  const rows: readonly { id: string; method: string; path: string }[] = Object.values(fleetOperations);
  const list = rows.find(({ id }) => id === listOperation);
  return rows.some(({ method, path }) => method === "PATCH" && path === `${list?.path}/{id}`);
}

/** Returns what the client would refuse in the JSON of a body of the store API. */
export async function checkBody(operation: Operation, json: unknown): Promise<Issue[]> {
  const { check } = await import("../client/store/contract-check.ts"); // with zod
  return check.checkBody(operation, json);
}

/** Returns the options of a call from the options of a function. */
export function callOptions(options: CallOptions): CallOptions {
  const { signal, timeout, totalTimeout, retry, headers, maxResponseBytes } = options;
  return omitUndefined({ signal, timeout, totalTimeout, retry, headers, maxResponseBytes });
}
