// All that this folder uses of the clients: what every user of the package can import.
import { FleetApiError } from "../client/fleet/index.ts";
import type * as api from "../client/store/index.ts";
import {
  ApiError,
  ConfigurationError,
  InvalidRequestError,
  PaginationError,
  ShelfleetError,
  StoreApiError,
  UnexpectedResponseError,
  WriteError,
} from "../client/store/index.ts";
import { objectOf } from "../wire/json.ts";
import { withoutUndefined } from "./json.ts";

export { ConfigurationError, FleetApiError, InvalidRequestError, ShelfleetError, WriteError };
export type { api };
export type { CallOptions, Issue } from "../client/store/index.ts";

/** The clocks and timers that a function of this entry uses, with the names that they have in `globalThis`. */
export type SyncRuntime = Pick<api.Runtime, "setTimeout" | "clearTimeout" | "Date">;

/** A list of a client, as far as a pull, a mirror and `ensure` use it. */
export interface SyncList<T> {
  /** The operation's ID in the OpenAPI document, e.g. `listVehicles`. */
  readonly operation: string;
  /** The base URL; undefined if it depends on the environment of the key. */
  readonly baseUrl?: string | undefined;
  /** Returns the ID of an item as the service sent it. */
  idOf(sent: unknown): string | undefined;
  /** Returns the pages, from the first or the resumed one. */
  pages(): AsyncIterableIterator<SyncPage<T>, void>;
}

/** A page of a list. */
export interface SyncPage<T> {
  items: T[];
  /** The items as the service sent them. */
  readonly sent: readonly unknown[];
  /** The token of the next page; null on the last one. */
  readonly resume: string | null;
  /** The place of a numbered page. */
  pagination?: { currentPage: number; totalCount: number };
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

/**
 * Whether the service says in the contract's own form that an entity does not exist. A 404 of a gateway or of a wrong URL
 * has another one.
 */
export function isNotFound(error: unknown): boolean {
  if (error instanceof StoreApiError) return error.status === 404 && error.code === "not_found";
  return error instanceof FleetApiError && error.status === 404 && error.code === "NOT_FOUND";
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

/** Whether an error would occur for every other entity: a rejected token, a missing scope. */
export function concernsAll(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status === 401 || error.status === 403 || ("code" in error && error.code === "not_configured");
}

/** Whether an error is about one response only, so that the next entity may succeed. */
export function concernsOne(error: unknown): boolean {
  if (error instanceof ApiError) return !concernsAll(error) && !isOutage(error);
  return error instanceof UnexpectedResponseError || error instanceof InvalidRequestError;
}

/** Whether a saved position may not exist any more. The contract does not show how a service says so. */
export function isRefusedPosition(error: unknown): boolean {
  if (error instanceof ApiError) return error.status !== 401 && !isOutage(error);
  return error instanceof PaginationError || error instanceof InvalidRequestError;
}

/** Whether a write that failed may have been processed. */
export function mayHaveBeenProcessed(error: unknown): boolean {
  return objectOf(error)["mayHaveBeenProcessed"] === true;
}

function isOutage({ status }: { readonly status: number }): boolean {
  return [429, 502, 503, 504].includes(status);
}

/** Loads the schemas of the store API, which need zod. */
export function loadSchemas() {
  return import("../../generated/store.schemas.ts");
}

/** Returns the options of a call from the options of a function. */
export function callOptions(options: api.CallOptions): api.CallOptions {
  const { signal, timeout, totalTimeout, retry, headers, maxResponseBytes } = options;
  return withoutUndefined({ signal, timeout, totalTimeout, retry, headers, maxResponseBytes });
}
