import type { ResponseContent } from "../request/response.ts";
import { InvalidRequestError, type UnexpectedResponseError } from "../errors/errors.ts";
import { isObject, type JsonObject } from "../../internal/json.ts";
import type { CallOptions } from "../options/options.ts";
import type { Shape } from "../request/shape.ts";
import { hash, type Identity, type ItemKeys, readGuardState, WalkGuard } from "./guard.ts";

/** What lists need of an API: the only contact between them and the request path. */
export interface PageApi {
  /** `GET /v1/stores`, for messages. */
  labelOf(operation: string): string;
  /** Takes secrets out of a text. */
  redact(text: string): string;
  page(
    operation: string,
    input: { path: object | undefined; query: object },
    options: CallOptions | undefined,
    cancel: AbortSignal | undefined,
  ): Promise<ResponseContent>;
}

/** A list as the caller asked for it. */
export interface ListRequest<T> {
  api: PageApi;
  operation: string;
  /** The IDs in the path. */
  path?: Readonly<Record<string, unknown>>;
  query: object | undefined;
  options: CallOptions | undefined;
  /** Reads each item. */
  shape?: Shape<T> | undefined;
}

/** A list call, copied when it is made: nothing that the caller changes later reaches a request. */
export interface ListCall {
  readonly label: string;
  /** The query as it is sent. */
  readonly sent: JsonObject;
  /** The members of the query that steer the walk and are not sent. */
  readonly steering: JsonObject;
  readonly options: CallOptions | undefined;
  /** The query parameter that says where the list begins. */
  readonly start: "cursor" | "page" | undefined;
  /** A digest for each part of the call that decides what the list contains. */
  readonly digests: Readonly<Record<string, string>>;
  /** What the list looks like in a log: its route and query, without secrets. */
  readonly describe: () => string;
  /** Requests one page. */
  readonly ask: (query: JsonObject, cancel: AbortSignal | undefined) => Promise<ResponseContent>;
}

/** Changes whenever tokens of another version would be misread. */
const version = 2;
/** Bounds the work that a token can cause. */
const longestToken = 1024 * 1024;
/** An instant without digits beyond milliseconds, which `Date` would lose. */
const instantForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:?\d\d)$/i;

/** @param steers the members of the query that steer the walk, beside `resume` and `maxIdleRequests` */
export function copyCall(
  { api, operation, path, query, options }: Omit<ListRequest<never>, "shape">,
  steers: readonly string[],
  start?: "cursor" | "page",
): ListCall {
  const sent: JsonObject = {};
  const steering: JsonObject = {};
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined) continue;
    const isSteering = name === "resume" || name === "maxIdleRequests" || steers.includes(name);
    (isSteering ? steering : sent)[name] = copy(value);
  }
  const copied = options === undefined ? undefined : copyOptions(options);
  const identify = steering.identify && "given";
  const label = api.labelOf(operation);
  const parts = { operation: label, ...path, ...sent, ...(start && { [start]: undefined }), identify };
  const ask: ListCall["ask"] = (asked, cancel) => api.page(operation, { path, query: asked }, copied, cancel);
  const describeCall = (): string => api.redact(`${label} ${JSON.stringify({ ...path, ...sent })}`);
  return {
    label,
    describe: describeCall,
    sent,
    steering,
    options: copied,
    start,
    digests: digestParts(parts),
    ask,
  };
}

/** Starts a walk: its guard, and the position of the token that it resumes from. */
export function beginWalk(call: ListCall): { guard: WalkGuard; resumed: { position: unknown } | undefined } {
  const { label, start, sent } = call;
  const { resume, maxIdleRequests: maxIdle } = call.steering;
  const isCount =
    maxIdle === undefined || (typeof maxIdle === "number" && Number.isSafeInteger(maxIdle) && maxIdle > 0);
  if (!isCount) throw refusal(call, "maxIdleRequests", "must be a whole number, 1 or more");
  if (resume === undefined) return { guard: new WalkGuard(label, maxIdle), resumed: undefined };
  if (start !== undefined && sent[start] !== undefined)
    throw refusal(call, start, "cannot be given together with `resume`, which says where the list goes on");
  const { position, guard } = readToken(call, resume);
  const state = readGuardState(guard);
  if (state === undefined) throw badToken(call);
  return { guard: new WalkGuard(label, maxIdle, state), resumed: { position } };
}

/** Serializes where a walk goes on. */
export function writeToken({ digests }: ListCall, position: object, { state }: WalkGuard): string {
  return JSON.stringify({ v: version, list: digests, position, guard: state });
}

/** The names of a list's array and cursor in its response. */
export interface CursorNames {
  readonly items: string;
  readonly cursor: string;
  /** Ends the message about a response without them. */
  readonly advice?: string;
}

/** A page of a cursor list as it was read. */
export interface CursorResponse extends ItemKeys {
  content: ResponseContent;
  items: unknown[];
  nextCursor: string | null;
}

/** Reads the array and the cursor of a response. */
export function readCursorResponse(
  content: ResponseContent,
  names: CursorNames,
  identity: Identity,
  guard: WalkGuard,
): CursorResponse {
  const { [names.items]: items, [names.cursor]: nextCursor } = content.json;
  if (!Array.isArray(items) || !(nextCursor === null || typeof nextCursor === "string"))
    throw withoutList(content, names);
  if (nextCursor === "")
    throw guard.error("the server returned an empty string as cursor: neither a next page nor the end");
  const { keys, certain } = guard.keysOf(items, identity);
  return { content, items, nextCursor, keys, certain };
}

export function badToken(call: ListCall): InvalidRequestError {
  return refusal(call, "resume", "is not the `resume` of a page of this list");
}

export function refusal({ label }: ListCall, path: string, message: string): InvalidRequestError {
  return new InvalidRequestError(label, [{ path, message }]);
}

/** Parses a token of the same list; throws an `InvalidRequestError` that names what differs. */
function readToken(call: ListCall, token: unknown): JsonObject {
  const { digests } = call;
  const state = parse(token);
  const list = state?.list;
  if (state?.v !== version || !isObject(list) || list.operation !== digests.operation) throw badToken(call);
  const names = [...new Set([...Object.keys(list), ...Object.keys(digests)])];
  const differing = names.filter((name) => list[name] !== digests[name]);
  if (differing.length === 0) return state;
  const quoted = differing.map((name) => `\`${name}\``).join(", ");
  throw refusal(call, "resume", `belongs to a list with another ${quoted}`);
}

function parse(token: unknown): JsonObject | undefined {
  if (typeof token !== "string" || token.length > longestToken) return undefined;
  try {
    const state: unknown = JSON.parse(token);
    return isObject(state) ? state : undefined;
  } catch {
    return undefined;
  }
}

/** Digests the parts of a call: tokens name what differs without holding the values. */
function digestParts({ extra, ...parts }: JsonObject): Record<string, string> {
  const extras = Object.entries(isObject(extra) ? extra : {}).map(
    ([name, value]) => [`extra.${name}`, value] as const,
  );
  const given = [...Object.entries(parts), ...extras].filter(([, value]) => value !== undefined);
  const digests = given.map(([name, value]) => {
    const text = Array.isArray(value) ? value.map(describe).join() : describe(value);
    // an instant has one digest, however it is written
    const time = instantForm.test(text) ? Date.parse(text) : Number.NaN;
    return [name, hash(`${typeof value}:${Number.isNaN(time) ? text : time}`).toString(36)] as const;
  });
  return Object.fromEntries(digests);
}

/** Writes a value of a query; an object among them is refused with the request. */
function describe(value: unknown): string {
  return isObject(value) ? "object" : String(value);
}

function copy(value: unknown): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? new Date(value) : value.toISOString();
  if (Array.isArray(value)) return [...(value as unknown[])];
  return isObject(value) ? { ...value } : value;
}

/** Anything but an object is left for the check of the request. */
function copyOptions(options: CallOptions): CallOptions {
  if (!isObject(options)) return options;
  const { headers, retry } = options;
  const copied: CallOptions = { ...options };
  if (headers instanceof Headers) copied.headers = Object.fromEntries(headers);
  else if (isObject(headers) && !(Symbol.iterator in headers))
    copied.headers = { ...headers } as Record<string, string>; // the values are checked with the request
  if (isObject(retry)) copied.retry = { ...retry };
  return copied;
}

function withoutList(
  { json, clean, unexpected }: ResponseContent,
  { items, cursor, advice = "" }: CursorNames,
): UnexpectedResponseError {
  const keys = Object.keys(json).map((key) => `\`${clean(key)}\``);
  return unexpected(
    `without an array \`${items}\` and a \`${cursor}\` that is a string or null; ` +
      `the response has ${keys.length === 0 ? "no members" : keys.slice(0, 20).join(", ")}${advice}`,
  );
}
