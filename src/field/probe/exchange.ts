import type { ResponseKind } from "../../wire/operation.ts";
import { isPathId, pathSegment } from "../../wire/path-segment.ts";
import { type OperationId } from "../routes.ts";
import type { Query, ReceivedResponse } from "../sender/sender.ts";
import { type JsonObject, isObject, objectOf, objectsIn } from "../../wire/json.ts";

/** One request and its response, as evidence. */
export interface Exchange {
  /** The number of the request in the run, starting at 1. */
  readonly n: number;
  /** The number of requests before it that failed, perhaps before they reached the service. */
  readonly failures: number;
  /** The connection of the request: 0 for the first one, and otherwise `n` of the only request over it. */
  readonly connection: number;
  readonly api: "store" | "fleet";
  /** The credentials of the request: `store`, `fleet`, `sandbox` or `narrow-1`. */
  readonly as: string;
  readonly method: string;
  /** The path below the base URL, percent-encoded. */
  readonly path: string;
  readonly query: Query;
  /** The ID of the operation; `undefined` if no operation has this path. */
  readonly operation: OperationId | undefined;
  /** The path parameters. */
  readonly params: Readonly<Record<string, string>>;
  /** `X-Service-API-Version` of the request. */
  readonly version: string | undefined;
  /** The body of the request. */
  readonly body?: unknown;
  readonly contentType?: string | undefined;
  /** The service's time of the response, in milliseconds. */
  readonly date?: number;
  readonly status: number;
  /** The beginning of the body without secrets. */
  readonly text: string;
  /** The number of characters of the body. */
  readonly size: number;
  /** The parsed body; `undefined` if it is empty. */
  readonly json: unknown;
  /** False if the response is not evidence: 5xx, 429, HTML, or a body that is not in the contract. */
  readonly isEvidence: boolean;
  /** Whether it is about a resource that an earlier POST created, which may have only what was sent. */
  readonly isCreated?: boolean;
}

/** Recognizes the resources that the requests of a run or a log create. */
export class Creations {
  readonly #paths = new Set<string>();

  /** Returns an exchange, marked if an earlier one created its resource. */
  mark(exchange: Exchange): Exchange {
    const { as, method, path } = exchange;
    const { id } = dataOf(exchange);
    if (method === "POST" && isPathId(id)) this.#paths.add(`${as} ${path}/${pathSegment(id)}`);
    return this.#paths.has(`${as} ${path}`) ? { ...exchange, isCreated: true } : exchange;
  }
}

/** Returns the body if it is an object, otherwise an empty object. */
export function bodyOf(exchange: Exchange): JsonObject {
  return objectOf(exchange.json);
}

/** Returns the rows of a list: `items` of the store API, `data` of the fleet API, or the first other array. */
export function rowsOf(exchange: Exchange): JsonObject[] {
  const body = bodyOf(exchange);
  if (exchange.api === "store") return objectsIn(body.items);
  // gap fleet.undocumented-responses
  const list = [body.data, exchange.json, ...Object.values(body)].find((value) => Array.isArray(value));
  return objectsIn(list);
}

/** Returns the object of a fleet response: `data`, or the body if it has no envelope. */
export function dataOf(exchange: Exchange): JsonObject {
  const body = bodyOf(exchange);
  return isObject(body.data) ? body.data : body;
}

/** Returns `meta.pagination` of a fleet list. */
export function paginationOf(exchange: Exchange): JsonObject | undefined {
  const { pagination } = objectOf(bodyOf(exchange).meta);
  return pagination === undefined || pagination === null ? undefined : objectOf(pagination);
}

export function isOk({ status }: Exchange): boolean {
  return status >= 200 && status < 300;
}

/** Whether a response comes from the API: 5xx, 429, redirects, HTML, and bodies of another status do not. */
export function isEvidence(
  api: "store" | "fleet",
  {
    method,
    status,
    contentType,
    text,
    json,
    isWhole = true,
  }: Omit<ReceivedResponse, "date" | "isWhole"> & {
    method: string;
    isWhole?: boolean;
  },
): boolean {
  if (!isWhole || status >= 500 || status === 429 || status === 408 || status < 200) return false;
  if (status >= 300 && status < 400) return false;
  if (/\bhtml\b/i.test(contentType) || text.trimStart().startsWith("<")) return false;
  const isEmpty = text.trim() === "";
  if (status < 300 && isError(api, json)) return false;
  // a proxy may respond with an empty object
  if (status < 300 && method === "GET" && isObject(json) && Object.keys(json).length === 0) return false;
  if (status < 300)
    return isObject(json) || (api === "fleet" && ((isEmpty && method !== "GET") || Array.isArray(json)));
  if (api === "store") return isObject(json) && isObject(json.error);
  return isEmpty ? status === 400 : isObject(json) && Array.isArray(json.errors);
}

/** Whether a body is that of an error. */
function isError(api: "store" | "fleet", json: unknown): boolean {
  const { error, errors, data } = objectOf(json);
  return api === "store"
    ? typeof objectOf(error).code === "string"
    : Array.isArray(errors) && data === undefined;
}

/** Returns whether a successful body has what the contract always shows: a proxy may respond with another 200. */
export function hasDocumentedShape(response: ResponseKind | undefined, json: unknown): boolean {
  const body = objectOf(json);
  if (response === "items" || response === "cursor-page") return Array.isArray(body.items);
  // gap fleet.undocumented-responses
  if (response === "numbered-page") return Array.isArray(json) || Object.values(body).some(Array.isArray);
  return response !== "entity" || "storeId" in body;
}
