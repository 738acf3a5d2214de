import { isObject, type JsonObject } from "../wire/json.ts";
import type { ListFacts, Operation } from "../wire/operation.ts";
import type { Core, Call, WithResponse } from "./core.ts";
import type { CallInit, Sent } from "./http.ts";
import type { Controls, ListSource } from "./lists/page.ts";
import type { CallOptions } from "./options.ts";
import { parseResponse, type Shape } from "./shape.ts";

/** Returns the body of a response, parsed with a shape. Without one, the type is that of the contract. */
export function bodyOf<T>(sent: Promise<Sent<T>>): Call<T>;
export function bodyOf<T>(
  sent: Promise<Sent<unknown>>,
  shape: Shape<T> | undefined,
  hasEnvelope?: boolean,
): Call<T>;
export function bodyOf<T>(sent: Promise<Sent<unknown>>, shape?: Shape<T>, hasEnvelope = false): Call<T> {
  const read = async (): Promise<T> => {
    const { data: body, response } = await sent;
    const value = hasEnvelope ? ((body as JsonObject | undefined)?.["data"] ?? null) : body;
    // without a shape, the type that the contract gives the response
    return shape === undefined ? (value as T) : parseResponse(response, shape, value);
  };
  const result = read();
  const withResponse = async (): Promise<WithResponse<T>> => {
    const data = await result;
    const { data: body, response } = await sent;
    const requestId = response.requestId();
    const meta = (body as JsonObject | undefined)?.["meta"];
    return isObject(meta) ? { data, response, requestId, meta } : { data, response, requestId };
  };
  return Object.assign(result, { withResponse });
}

/** Returns the `data` of a response's envelope, parsed with a shape; null if the response is empty. */
export function dataOf<T>(sent: Promise<Sent<{ data: T } | undefined>>): Call<T>;
export function dataOf<T>(sent: Promise<Sent<unknown>>, shape: Shape<T> | undefined): Call<T>;
export function dataOf<T>(sent: Promise<Sent<unknown>>, shape?: Shape<T>): Call<T> {
  return bodyOf(sent, shape, true);
}

/** What the caller of a list gives, and what its client says about the items. */
export interface ListCall<T> {
  readonly path?: Readonly<Record<string, string>>;
  readonly query: object | undefined;
  readonly options: CallOptions | undefined;
  readonly shape?: Shape<T> | undefined;
}

/** Requests one page. openapi-fetch checks the type of the route; the list makes the query. */
export type GetPage = (query: never, init: CallInit) => Promise<Sent<object>>;

/** The properties of a query that control the walk. */
const unsent = new Set(["resume", "maxIdleRequests", "verify", "identify", "onDrift"]);

/**
 * Connects a list with the requests of its client.
 * @param route the path template of the contract, e.g. `/v1/stores`
 */
export function listSource<T>(
  core: Core,
  route: string,
  { path = {}, query, options, shape }: ListCall<T>,
  get: GetPage,
): ListSource<T> {
  const label = `GET ${route}`;
  const { id, list } = core.operations.get(label) as Operation; // the route of a list of the contract
  const { itemId, defaultPageSize, maxPageSize } = list as ListFacts;
  const controls = (query ?? {}) as Controls; // of the types of the query
  const sent = Object.entries(controls).filter(([name, value]) => value !== undefined && !unsent.has(name));
  return {
    operation: id,
    label,
    path,
    baseUrl: core.baseUrl,
    query: Object.fromEntries(sent),
    controls,
    itemId,
    pageSize: defaultPageSize,
    largestPage: maxPageSize,
    shape,
    async fetch(changed, cancel) {
      const { data, response } = await get(changed as never, { call: { options, cancel } });
      return { json: data as JsonObject, response }; // `send` returns nothing else
    },
  };
}
