import { isObject, type JsonObject } from "../wire/json.ts";
import type { Core, Call, ResponseHead, WithResponse } from "./core.ts";
import { type Issue, listIssues, requestIdOf, type UnexpectedResponseError } from "./errors.ts";
import { notify } from "./hooks.ts";
import type { CallInit, ReadResponse, Sent } from "./http.ts";
import type { ListSource, PageResponse } from "./lists/source.ts";
import type { CallOptions } from "./options.ts";
import { unexpected } from "./read.ts";
import { parseWith, type Shape } from "./shape.ts";

/** Returns the body of a response, parsed with a shape. Without one, the type is that of the contract. */
export function bodyOf<T>(core: Core, sent: Promise<Sent<T>>): Call<T>;
export function bodyOf<T>(core: Core, sent: Promise<Sent<unknown>>, shape: Shape<T> | undefined): Call<T>;
export function bodyOf<T>(core: Core, sent: Promise<Sent<unknown>>, shape?: Shape<T>): Call<T> {
  return makeCall(core, sent, false, shape);
}

/** Returns the `data` of a response's envelope, parsed with a shape; null if the response is empty. */
export function dataOf<T>(core: Core, sent: Promise<Sent<{ data: T } | undefined>>): Call<T>;
export function dataOf<T>(core: Core, sent: Promise<Sent<unknown>>, shape: Shape<T> | undefined): Call<T>;
export function dataOf<T>(core: Core, sent: Promise<Sent<unknown>>, shape?: Shape<T>): Call<T> {
  return makeCall(core, sent, true, shape);
}

function makeCall<T>(
  core: Core,
  sent: Promise<Sent<unknown>>,
  hasEnvelope: boolean,
  shape: Shape<T> | undefined,
): Call<T> {
  const read = async (): Promise<T> => {
    const { data: body, response } = await sent;
    const value = hasEnvelope ? ((body as JsonObject | undefined)?.["data"] ?? null) : body;
    // without a shape, the type that the contract gives the response
    return shape === undefined ? (value as T) : parseResponse(core, response, shape, value);
  };
  const result = read();
  const withResponse = async (): Promise<WithResponse<T>> => {
    const data = await result;
    const { data: body, response } = await sent;
    const id = requestIdOf(response.headers);
    const requestId = id === undefined ? undefined : core.redactor.redact(id);
    const meta = (body as JsonObject | undefined)?.["meta"];
    return isObject(meta) ? { data, response, requestId, meta } : { data, response, requestId };
  };
  return Object.assign(result, { withResponse });
}

/** Parses a part of a response with a shape. */
export async function parseResponse<T>(
  core: Core,
  response: Response,
  shape: Shape<T>,
  value: unknown,
  place = "",
): Promise<T> {
  const parsed = await parseWith(shape, value, place);
  if (parsed.issues === undefined) return parsed.value;
  const summary = `does not fit the shape: ${listIssues(parsed.issues, "the value")}`;
  throw unexpectedResponse(core, response, summary, parsed.issues);
}

function unexpectedResponse(
  core: Core,
  response: ResponseHead,
  summary: string,
  issues?: readonly Issue[],
): UnexpectedResponseError {
  const { received, details } = response as unknown as ReadResponse; // the only responses that openapi-fetch gets
  return unexpected(core, received, details, summary, issues);
}

/** The properties of a query that control the walk of a list and are not sent. */
const controlNames = new Set(["resume", "maxIdleRequests", "verify", "identify", "onDrift"]);

/** What the method of a resource says about its list. */
export interface ListCall<T> {
  readonly core: Core;
  /** The path template of the contract, e.g. `/v1/stores`. */
  readonly route: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query: object | undefined;
  readonly options: CallOptions | undefined;
  readonly shape?: Shape<T> | undefined;
  /** Requests one page. openapi-fetch checks the type of the route; the list makes the query. */
  readonly get: (query: never, init: CallInit) => Promise<Sent<object>>;
}

/** Connects a list with the requests of its client. */
export function listSource<T>({
  core,
  route,
  path = {},
  query,
  options,
  shape,
  get,
}: ListCall<T>): ListSource<T> {
  const label = `GET ${route}`;
  const operation = core.operations.get(label);
  const { itemId = [], defaultPageSize = 100 } = operation?.list ?? {};
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  const pick = (isControl: boolean): JsonObject =>
    Object.fromEntries(given.filter(([name]) => controlNames.has(name) === isControl));
  const id = operation?.id ?? "";
  return {
    operation: id,
    label,
    path,
    baseUrl: core.baseUrl,
    query: pick(false),
    controls: pick(true),
    signal: options?.signal,
    itemId,
    pageSize: defaultPageSize,
    largestPage: operation?.query?.["limit"]?.maximum ?? defaultPageSize,
    shape,
    redact: core.redactor.redact,
    async fetch(changed, cancel) {
      const { data, response } = await get(changed as never, { call: { options, cancel } });
      return { json: data as JsonObject, response }; // `send` returns nothing else
    },
    unexpected: ({ response }: PageResponse, summary, issues) =>
      unexpectedResponse(core, response, summary, issues),
    report(drift, sentence) {
      notify(core.hooks, "onDrift", () => ({ operation: id, drift }));
      core.log?.write("warn", `shelfleet: ${id}: ${core.redactor.redact(sentence)}`);
    },
  };
}
