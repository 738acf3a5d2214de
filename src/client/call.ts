import { isUuid } from "./id.ts";
import { isObject, type JsonObject } from "../wire/json.ts";
import type { ListFacts, Operation } from "../wire/operation.ts";
import type { Core } from "./core.ts";
import { ConfigurationError, InvalidRequestError, PaginationError } from "./errors.ts";
import type { CallInit } from "./request.ts";
import type { Controls, ListSource } from "./lists/page.ts";
import { type CallOptions, readCallOptions } from "./options.ts";
import { addResponse, type Call, type HttpResult, type WithResponse } from "./response.ts";
import { parseItems, parseResponse, type Shape } from "./shape.ts";
import { copyArgument } from "./snapshot.ts";

/** Returns the body of a response, parsed with a shape. Without one, the type is that of the contract. */
export function bodyOf<T>(sending: Promise<HttpResult<T>>): Call<T>;
export function bodyOf<T>(
  sending: Promise<HttpResult<unknown>>,
  shape: Shape<T> | undefined,
  hasEnvelope?: boolean,
): Call<T>;
export function bodyOf<T>(
  sending: Promise<HttpResult<unknown>>,
  shape?: Shape<T>,
  hasEnvelope = false,
): Call<T> {
  const read = async (): Promise<T> => {
    const { data: body, response } = await sending;
    const value = hasEnvelope ? ((body as JsonObject | undefined)?.["data"] ?? null) : body;
    // without a shape, the type that the contract gives the response
    return shape === undefined ? (value as T) : parseResponse(response, shape, value);
  };
  const result = read();
  const withResponse = async (): Promise<WithResponse<T>> => {
    const data = await result;
    const { data: body, response } = await sending;
    return addResponse(data, response, body);
  };
  return Object.assign(result, { withResponse });
}

/** Returns the `data` of a response's envelope, parsed with a shape; null if the response is empty. */
export function dataOf<T>(sending: Promise<HttpResult<{ data: T } | undefined>>): Call<T>;
export function dataOf<T>(sending: Promise<HttpResult<unknown>>, shape: Shape<T> | undefined): Call<T>;
export function dataOf<T>(sending: Promise<HttpResult<unknown>>, shape?: Shape<T>): Call<T> {
  return bodyOf(sending, shape, true);
}

type More = Omit<NonNullable<CallInit["call"]>, "options">;

/** Returns the argument of openapi-fetch for a route with IDs in its path. */
export function toInit<Path extends object>(
  path: Path,
  options: CallOptions | undefined,
  more: More = {},
): CallInit & { params: { path: Path } } {
  return { params: { path }, call: { options, ...more } };
}

/** What the caller of a list gives, and what its client says about the items. */
export interface ListCall<T> {
  readonly path?: Readonly<Record<string, string>>;
  readonly query: object | undefined;
  readonly options: CallOptions | undefined;
  readonly shape?: Shape<T> | undefined;
}

/** Requests one page. openapi-fetch checks the type of the route; the list makes the query. */
export type GetPage = (query: never, init: CallInit) => Promise<HttpResult<object>>;

/** The properties of a query that control the walk. */
const unsent = new Set(["resume", "verify", "identify", "onDrift"]);

/**
 * Connects a list with the requests of its client.
 * @param route the path template of the contract, e.g. `/v1/stores`
 */
export function listSource<T>(
  core: Core,
  route: string,
  { path = {}, query, options: given, shape }: ListCall<T>,
  get: GetPage,
): ListSource<T> {
  const label = `GET ${route}`;
  const { id, list } = core.operations.get(label) as Operation; // the route of a list of the contract
  const { itemId, defaultPageSize, maxPageSize } = list as ListFacts;
  const controls: Controls = copyArgument({ ...query }); // of the types of the query
  const options = readCallOptions(given);
  const parameters = Object.entries(controls).filter(
    ([name, value]) => value !== undefined && !unsent.has(name),
  );
  return {
    operation: id,
    label,
    path,
    baseUrl: core.baseUrl,
    query: Object.fromEntries(parameters),
    controls,
    idOf: idReader(itemId, controls),
    pageSize: defaultPageSize,
    largestPage: maxPageSize,
    async fetch(changed, cancel, findDefect) {
      const { data, response } = await get(changed as never, { call: { options, cancel, findDefect } });
      return { json: data as JsonObject, response }; // `send` returns nothing else
    },
    parse: ({ response }, items, place) => parseItems(response, shape, items, place),
    refuse: (name, message) => new InvalidRequestError(label, [{ path: name, message }]),
    end: (reason, last) => new PaginationError(label, reason, last),
  };
}

/** Creates the function that returns IDs: of the caller's `identify`, or of the first property that has one. */
function idReader(
  properties: readonly string[],
  { identify }: Controls,
): (item: unknown) => string | undefined {
  return (item) => {
    if (!isObject(item)) return undefined;
    if (identify !== undefined) {
      const id = identify(item);
      if (typeof id === "string" && id !== "") return id;
      throw new ConfigurationError("identify must return a non-empty string");
    }
    for (const property of properties) {
      const id = item[property];
      if (typeof id === "string" && id !== "") return isUuid(id) ? id.toLowerCase() : id; // either case is the same UUID
      // beyond 2^53 `JSON.parse` returns the same number for different ones
      if (Number.isSafeInteger(id)) return String(id);
    }
    return undefined;
  };
}
