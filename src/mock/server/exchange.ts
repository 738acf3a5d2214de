import type { StoreErrorCode } from "../../../generated/store.ts";
import { nestsTooDeep } from "../../wire/json.ts";
import { nameValue } from "./quotes.ts";

/** The base URL that a request was sent to. */
export type Base = "store" | "fleet" | "sandbox";

/** The headers of a request. Names in lower case, as Node and `Headers` have them. */
export type RequestHeaders = Readonly<Record<string, string>>;

/** A request to one of the three base URLs. */
export interface CoreRequest {
  base: Base;
  method: string;
  /** Path and query below the base URL, percent-encoded: `/v1/stores?limit=5`. */
  target: string;
  headers?: RequestHeaders | undefined;
  body?: string | undefined;
  /** The adapter has not read the body, because it is larger than the limit. */
  tooLarge?: boolean | undefined;
  /** The bytes of the body are not UTF-8. */
  notUtf8?: boolean | undefined;
}

/** A fault that the adapter applies to the response. */
export interface TransportFault {
  kind: "reset" | "close" | "truncate" | "stall" | "slow";
  /** `head`: no byte of the body is sent; `body`: half of the body is sent. */
  at: "head" | "body";
  /** Only of `slow`. */
  bytesPerSecond?: number;
}

/** A response for an adapter, which waits `delay` milliseconds and applies `fault`. */
export interface CoreResponse {
  status: number;
  headers: Record<string, string>;
  body: string | null;
  delay: number;
  fault: TransportFault | null;
  /** How the request violates the contract. */
  violations?: readonly Issue[];
}

/** One issue of a request; the parts of `path` are separated by dots: `limit`, `contacts.0.name`. */
export interface Issue {
  path: string;
  message: string;
  code?: string;
}

/** The response of an operation; a body of `undefined` is an empty body. */
export interface Reply {
  status: number;
  body?: unknown;
  headers?: Record<string, string> | undefined;
}

/** What an error response says. */
export interface ErrorParts {
  /** Default: the code of the status. */
  readonly code?: StoreErrorCode;
  readonly message?: string;
  /** The issues of the request, also for the journal. */
  readonly issues?: readonly Issue[];
  readonly details?: object | undefined;
}

/** Ends the handling of a request with an error response. */
export class Refusal extends Error {
  readonly status: number;
  readonly parts: ErrorParts;
  readonly headers: Record<string, string> | undefined;

  constructor(status: number, parts: ErrorParts = {}, headers?: Record<string, string>) {
    super(parts.message ?? `refused with ${status}`);
    this.status = status;
    this.parts = parts;
    this.headers = headers;
  }
}

/** Throws a 400 if there are issues. */
export function refuseIssues(issues: readonly Issue[]): void {
  if (issues.length > 0) throw new Refusal(400, { issues });
}

/** Throws a 400 with one issue. */
export function refuse(path: string, message: string, code?: string): never {
  throw new Refusal(400, { issues: [{ path, message, ...(code !== undefined && { code }) }] });
}

export function ok(body: unknown): Reply {
  return { status: 200, body };
}

/** The statuses of responses without a body. */
export const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

export function serialize({ status, body, headers }: Reply): CoreResponse {
  const sent = { status, delay: 0, fault: null };
  if (body === undefined || BODILESS.has(status)) return { ...sent, headers: { ...headers }, body: null };
  const isText = typeof body === "string";
  const typed = { "content-type": isText ? "text/plain" : "application/json", ...headers };
  return { ...sent, headers: typed, body: isText ? body : JSON.stringify(body) };
}

/** A decoded query; a repeated name has an array. */
export type UncheckedQuery = Record<string, string | string[]>;

/** Splits `/v1/stores?limit=5` at its question mark. A fragment is not part of a request. */
export function splitTarget(target: string): [path: string, query: string] {
  const hash = target.indexOf("#");
  const text = hash === -1 ? target : target.slice(0, hash);
  const mark = text.indexOf("?");
  return mark === -1 ? [text, ""] : [text.slice(0, mark), text.slice(mark + 1)];
}

/** Parses a query. The object inherits nothing, so that every name can be a parameter. */
export function parseQuery(text: string): UncheckedQuery {
  const query = Object.create(null) as UncheckedQuery; // `Object.create` returns any
  if (text === "") return query;
  for (const [name, value] of new URLSearchParams(text)) {
    const before = query[name];
    if (Array.isArray(before)) before.push(value);
    else query[name] = before === undefined ? value : [before, value];
  }
  return query;
}

/** The largest body of a request, in bytes: gap limits.body-size. */
export const BODY_LIMIT = 10_000_000;

/** Whether a text has more UTF-8 bytes than the limit. */
export function exceedsLimit(text: string): boolean {
  if (text.length * 3 <= BODY_LIMIT) return false;
  return text.length > BODY_LIMIT || new TextEncoder().encode(text).length > BODY_LIMIT;
}

/** Created with the first body: some test environments have no TextDecoder when the module is loaded. */
let decoder: TextDecoder | undefined;

/** Decodes the bytes of a body. A byte order mark is left out, as `fetch` does. */
export function decodeBody(bytes: Uint8Array): Pick<CoreRequest, "body" | "notUtf8"> {
  decoder ??= new TextDecoder("utf-8", { fatal: true });
  try {
    return { body: decoder.decode(bytes) };
  } catch {
    return { notUtf8: true };
  }
}

function bodyIssue(message: string, code: string): { issue: Issue } {
  return { issue: { path: "", message, code } };
}

/** Parses the JSON of a body; returns an issue if it has none. */
export function parseBody({ body, notUtf8, headers }: Pick<CoreRequest, "body" | "notUtf8" | "headers">): {
  value?: unknown;
  issue?: Issue;
} {
  const encoding = headers?.["content-encoding"];
  if (notUtf8 === true && encoding !== undefined)
    return bodyIssue(`must not be compressed (content-encoding: ${encoding})`, "invalid_encoding");
  if (notUtf8 === true) return bodyIssue("must be UTF-8", "invalid_encoding");
  if (body === undefined || body === "") return bodyIssue("is required", "invalid_type");
  if (nestsTooDeep(body)) return bodyIssue("must be nested less deeply", "too_big");
  try {
    return { value: JSON.parse(body) };
  } catch {
    return bodyIssue(`must be JSON, not ${nameValue(body)}: send JSON.stringify(body)`, "invalid_json");
  }
}

/** Returns the JSON of a body; the text if it is not JSON, and `undefined` if it is empty. */
export function bodyValue(text: string | undefined | null): unknown {
  if (text === undefined || text === null || text === "") return undefined;
  const { value, issue } = parseBody({ body: text });
  return issue === undefined ? value : text;
}

/** A request as matchers and functions of a test see it; `operation` is null for an unknown path or method. */
export interface RequestView<Operation extends string | null = string> {
  readonly operation: Operation;
  readonly base: Base;
  readonly method: string;
  /** Decoded path parameters. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | string[]>>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON; a string if the body is not JSON, `undefined` if there is no body. */
  readonly body: unknown;
}

/** A request with its operation. */
export interface RoutedRequest<Operation extends string | null> {
  readonly request: CoreRequest;
  readonly operation: Operation;
  /** Decoded path parameters. */
  readonly params: Readonly<Record<string, string>>;
}

/** Returns the view of a request. */
export function viewOf<Operation extends string | null>({
  request,
  operation,
  params,
}: RoutedRequest<Operation>): RequestView<Operation> {
  const { base, method, target, headers = {}, body } = request;
  const [, query] = splitTarget(target);
  return { operation, base, method, path: params, query: parseQuery(query), headers, body: bodyValue(body) };
}
