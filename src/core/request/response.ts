import type { ResponseKind } from "../../../generated/operation.ts";
import { isObject, type JsonObject, parseJson, renameMembers } from "../../internal/json.ts";
import type { Redactor } from "../../internal/redaction.ts";
import {
  type ApiError,
  requestIdOf,
  type ResponseDetails,
  UnexpectedResponseError,
} from "../errors/errors.ts";
import type { Issue } from "../errors/issue.ts";
import { isRedirect } from "./redirect.ts";
import type { ApiAdapter, RawResponse, Run } from "./run.ts";

/** A successful response: its JSON, and what messages about it need. */
export interface ResponseContent {
  /** The operation's id in the OpenAPI document. */
  operation: string;
  /** `GET /v1/stores`, for messages. */
  label: string;
  status: number;
  json: JsonObject;
  /** The text that the JSON was parsed from. */
  text: string;
  raw: RawResponse;
  /** Takes secrets out of a text. */
  clean: (text: string) => string;
  /** Makes the error for something wrong with this response. */
  unexpected: (what: string, issues?: readonly Issue[]) => UnexpectedResponseError;
}

/** The most of a body that is no JSON that an `ApiError` holds. */
const longestErrorText = 64 * 1024;

/** The most of a body that an `UnexpectedResponseError` quotes. */
const longestSnippet = 1024;

/** Reads a successful response; an error status or anything else that is not JSON is thrown as an error. */
export function readResponse(
  run: Run,
  raw: RawResponse,
  adapter: ApiAdapter,
  redactor: Redactor,
): ResponseContent {
  const { operation, label } = run.spec;
  const { status } = raw;
  if (status >= 400) throw apiError(run, raw, adapter, redactor);
  const text = decoder.decode(raw.bytes);
  const unexpected = (what: string, issues?: readonly Issue[]): UnexpectedResponseError =>
    unexpectedResponse(run, raw, redactor, what, issues);
  if (status < 200 || status > 299) throw unexpected(describeRedirect(raw, redactor));
  if (!raw.complete)
    throw unexpected(`with a body over ${run.spec.limits.maxResponseBytes} bytes (maxResponseBytes)`);
  const json = parseObject(text, operation.response, unexpected);
  const clean = (words: string): string => redactor.redact(words);
  return { operation: operation.id, label, status, json, text, raw, clean, unexpected };
}

const decoder = new TextDecoder();

/** The JSON object of a body; an empty one if a DELETE was answered with nothing. */
function parseObject(
  text: string,
  kind: ResponseKind,
  unexpected: (what: string) => UnexpectedResponseError,
): JsonObject {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    if (text.trim() !== "") throw unexpected(`with a body that is not JSON: ${guessContent(text)}`);
    if (kind === "deleted") return nothing;
    throw unexpected("with an empty body where JSON is due");
  }
  if (typeof json === "object" && json !== null && !Array.isArray(json)) return json as JsonObject;
  throw unexpected("with JSON that is not an object");
}

/** Stands for the body of a DELETE that was answered with nothing (gap fleet.delete-answer). */
export const nothing: JsonObject = { data: null };

/** The data of a response, as far as the client relies on them, and the envelope's `meta`. */
export function unwrap(content: ResponseContent, kind: ResponseKind): { data: unknown; meta?: JsonObject } {
  const { json } = content;
  if (kind === "data" || kind === "deleted" || kind === "numbered-page") {
    const { data, meta } = json;
    // what a DELETE tells about what it deleted is not shown
    const fits = kind === "deleted" ? data !== undefined : isObject(data);
    if (!fits) throw content.unexpected("without the `data` of an envelope { data, meta }");
    return isObject(meta) ? { data, meta } : { data };
  }
  if (kind === "entity" && Object.keys(json).length === 0)
    throw unfit(content, [{ path: "", message: "is an empty object" }]);
  const list = kind === "items" ? "items" : kind === "detail" ? "images" : undefined;
  if (list !== undefined && !Array.isArray(json[list]))
    throw unfit(content, [{ path: list, message: "must be an array" }]);
  return { data: json };
}

/** The error for a response that does not fit a schema. */
export function unfit(
  content: ResponseContent,
  issues: readonly Issue[],
  to: "contract" | "shape" = "contract",
): UnexpectedResponseError {
  const words = issues.slice(0, 5).map(({ path, message }) => `${path || "the whole"}: ${message}`);
  const more = issues.length > 5 ? ` (and ${issues.length - 5} more)` : "";
  return content.unexpected(`does not fit the ${to}: ${words.join("; ")}${more}`, issues);
}

/** The error for a response that is not what the contract says. */
export function unexpectedResponse(
  run: Run,
  raw: RawResponse,
  redactor: Redactor,
  what: string,
  issues: readonly Issue[] = [],
): UnexpectedResponseError {
  const clean = (text: string): string => redactor.redact(text);
  const details = responseDetails(run, raw, redactor);
  const location = clean(raw.headers.get("location") ?? "") || undefined;
  return new UnexpectedResponseError(clean(`${run.spec.label}: ${raw.status} ${what}`), {
    ...details,
    body: snippet(decoder.decode(raw.bytes.subarray(0, 8 * longestSnippet)), clean),
    location: raw.status < 300 ? undefined : location,
    issues: issues.map(({ path, message }) => ({ path: clean(path), message: clean(message) })),
  });
}

/** The beginning of a text. Secrets are taken out first, so that no cut leaves half of one. */
function snippet(text: string, clean: (text: string) => string): string {
  return clean(text).slice(0, longestSnippet);
}

function responseDetails(run: Run, { status, headers }: RawResponse, redactor: Redactor): ResponseDetails {
  const { method, route } = run.spec;
  const { attempts, url } = run;
  return {
    status,
    method,
    route,
    attempts,
    url: redactor.redact(url),
    headers: cleanHeaders(headers, redactor),
  };
}

/** The headers without secrets and cookies; `JSON.stringify` writes them as an object. */
export function cleanHeaders(headers: Headers, redactor: Redactor): Headers {
  const cleaned = new Headers();
  for (const [name, value] of headers) {
    if (name === "set-cookie") continue;
    const text = redactor.redact(value);
    cleaned.append(redactor.redact(name) === name ? name : "x-redacted", text);
  }
  const toJSON = (): Record<string, string> => Object.fromEntries(cleaned);
  return Object.defineProperty(cleaned, "toJSON", { value: toJSON });
}

function apiError(run: Run, raw: RawResponse, adapter: ApiAdapter, redactor: Redactor): ApiError {
  const text = decoder.decode(raw.bytes);
  const json = cleanJson(text, redactor);
  const body =
    json === undefined
      ? redactor.redact(text.slice(0, 2 * longestErrorText)).slice(0, longestErrorText)
      : json;
  const details = responseDetails(run, raw, redactor);
  const hint = run.mayHaveExecuted ? mayBeDone(run, raw) : undefined;
  return adapter.error(run.spec.operation.id, { ...details, body, hint });
}

/** A body's JSON without secrets in any of its texts and names; undefined if it is not JSON. */
function cleanJson(text: string, redactor: Redactor): unknown {
  return parseJson(text, (_, value) => {
    if (typeof value === "string") return redactor.redact(value);
    if (typeof value === "number") return redactNumber(value, redactor);
    return isObject(value) ? renameMembers(value, (name) => redactor.redact(name)) : value;
  });
}

/** A secret of digits may be quoted as a number. */
function redactNumber(value: number, redactor: Redactor): number | string {
  const text = redactor.redact(String(value));
  return text === String(value) ? value : text;
}

/** A refusal says nothing about an earlier attempt of a write. */
function mayBeDone({ spec: { method }, attempts }: Run, { status }: RawResponse): string | undefined {
  const isDelete = method === "DELETE" && status === 404;
  if (!isDelete && (method === "GET" || method === "DELETE" || status >= 500)) return undefined;
  const done = isDelete ? "deleted it" : "been processed";
  return `sent ${attempts} times; an earlier attempt, whose response was lost, may have ${done}`;
}

function describeRedirect({ status, headers }: RawResponse, redactor: Redactor): string {
  if (status === 304) return "Not Modified, although the client asked for no comparison";
  if (!isRedirect(status)) return "is not a status that the contract knows";
  const location = headers.get("location");
  return `is a redirect${location === null ? "" : ` to ${redactor.redact(location)}`}, which is not followed`;
}

function guessContent(text: string): string {
  if (/^\s*</.test(text)) return "it looks like HTML, from a proxy or a wrong base URL";
  return /^\s*[[{]/.test(text) ? "it begins like JSON and may be cut short" : "see the error's body";
}

/** A response beside its data. */
export interface WithResponse<T> {
  data: T;
  /** The HTTP response; its body has been read already. */
  response: Response;
  /** The ID that the server gave the request; undefined where it gave none. */
  requestId: string | undefined;
  /** The envelope's `meta`, where the API has one. */
  meta?: JsonObject;
}

/** Returns data together with the response that they came in. */
export function describeResponse<T>(data: T, content: ResponseContent, meta?: JsonObject): WithResponse<T> {
  const { raw, clean } = content;
  const response = raw.response ?? new Response(null, { status: raw.status, headers: raw.headers });
  const id = requestIdOf(raw.headers);
  const requestId = id === undefined ? undefined : clean(id);
  return meta === undefined ? { data, response, requestId } : { data, response, requestId, meta };
}

/** The page of a list: an object that knows its response. */
export interface PageWithResponse<P> {
  /** The page together with its HTTP response. Sends nothing. */
  withResponse(): Promise<WithResponse<P>>;
}

/** Adds `withResponse` to the page of a list, hidden from serialization and comparison. */
export function addResponse<P extends PageWithResponse<P>>(
  members: Omit<P, "withResponse">,
  content: ResponseContent,
  meta?: JsonObject,
): P {
  const page = members as P; // completed in the next line
  const value = async (): Promise<WithResponse<P>> => describeResponse(page, content, meta);
  return Object.defineProperty(page, "withResponse", { value });
}
