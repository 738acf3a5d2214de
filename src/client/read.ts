import { isObject, type JsonObject, parseJson } from "../wire/json.ts";
import type { Operation, ResponseKind } from "../wire/operation.ts";
import type { Core } from "./core.ts";
import {
  type ApiError,
  type CallDetails,
  type Issue,
  listIssues,
  requestIdOf,
  UnexpectedResponseError,
} from "./errors.ts";
import { type ResponseHeaders, toPlatformHeaders } from "./headers.ts";
import { requireValue } from "./option-rules.ts";
import type { CallArguments } from "./request.ts";
import type { ReadResponse, Received, ReceivedCall } from "./response.ts";

/** The largest part of a body that is not JSON in an `ApiError`, and of any body in an `UnexpectedResponseError`. */
const maxErrorText = 64 * 1024;
const maxSnippet = 1024;

/** The JSON of a successful response, undefined for an empty response to a DELETE; or why the response is not one. */
export type Reading =
  | { readonly json: JsonObject | undefined; readonly defect?: undefined }
  | { readonly defect: string; readonly issues?: readonly Issue[] };

/** Reads a response; undefined if it has an error status. With `validate: "full"` the schemas are loaded. */
export function readResponse(
  core: Core,
  request: CallArguments,
  received: Received,
): Reading | Promise<Reading> | undefined {
  if (received.status >= 400) return undefined;
  const reading = readJson(core, request, received);
  const isChecked = core.validate === "full" && reading.defect === undefined && reading.json !== undefined;
  return isChecked ? checkWhole(core, request, reading.json) : reading;
}

async function checkWhole(core: Core, request: CallArguments, json: JsonObject): Promise<Reading> {
  const check = await core.loadCheck();
  const issues = check.checkResponse(request.operation, request.path, json);
  if (issues === undefined) return { defect: "with JSON that is nested too deeply to be checked" };
  if (issues.length === 0) return { json };
  return { defect: `does not fit the contract: ${listIssues(issues, "the body")}`, issues };
}

function readJson(core: Core, request: CallArguments, received: Received): Reading {
  const { operation, limits } = request;
  const kind = operation.response;
  const { status, complete } = received;
  if (status < 200 || status > 299 || (status > 201 && kind !== "deleted"))
    return { defect: describeStatus(core, received) };
  if (!complete) return { defect: `with a body over ${limits.maxResponseBytes} bytes (maxResponseBytes)` };
  const text = decode(received.body, true);
  if (text === undefined) return { defect: "with a body that is not UTF-8" };
  if (text.trim() === "")
    return kind === "deleted" ? { json: undefined } : { defect: "with an empty body instead of JSON" };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { defect: `with a body that is not JSON: ${guessContent(text)}` };
  }
  if (!isObject(json)) return { defect: "with JSON that is not an object" };
  const defect = findDefect(json, operation, received.headers) ?? request.findDefect?.(json);
  return defect === undefined ? { json } : { defect };
}

/** Properties of a body that only says that something failed. */
const errorNames = new Set(["error", "errors", "success", "message", "code", "status"]);

/** The array that a response of a kind has. */
const arrays: Partial<Record<ResponseKind, string>> = { items: "items", detail: "images" };

/** Returns what a response lacks of its form. A maintenance page with status 200 is not a store. */
function findDefect(
  json: JsonObject,
  { response: kind, entityId }: Operation,
  headers: ResponseHeaders,
): string | undefined {
  const { error, errors, success, data, errorMessage, errorType } = json;
  // an error of RFC 9457 by its content type, or of a gateway's function by its form
  const isOther =
    headers.get("content-type")?.startsWith("application/problem+json") === true ||
    (typeof errorMessage === "string" && typeof errorType === "string");
  const mark = error || errors;
  const hasMark = success === false || mark === true || Object.keys(mark ?? {}).length > 0;
  // an entity, and an object that the contract leaves open, may have own properties with these names
  const hasError =
    kind === "entity" || kind === "detail"
      ? isObject(error)
      : hasMark && (kind !== "object" || Object.keys(json).every((name) => errorNames.has(name)));
  if (isOther || hasError) return "with an error in its body";
  if (entityId !== undefined && json[entityId] === undefined) return `without \`${entityId}\``;
  const array = arrays[kind];
  if (array !== undefined && !Array.isArray(json[array])) return `without the array \`${array}\``;
  const lacksData = kind === "data" ? !isObject(data) : kind === "deleted" && data === undefined;
  return lacksData ? "without the `data` of an envelope { data, meta }" : undefined;
}

/**
 * Whether an error response is not what the contract describes, but one of a proxy or a firewall.
 * @param hasForm whether its body has the form of the API's errors
 */
export function isForeign({ status, headers }: Received, hasForm: boolean): boolean {
  if (status !== 403 && status !== 404) return false;
  // a missing permission is not a matter of time: a firewall limits the rate of requests
  const isLimit = status === 403 && headers.get("retry-after") !== null;
  return isLimit || !hasForm;
}

/** Returns the JSON of an error response; undefined if it has none. */
export function readErrorBody({ body }: Received): unknown {
  return parseJson(decode(body) ?? "");
}

/** Creates the error for a response with the status of an error. */
export function statusError(
  core: Core,
  { operation }: CallArguments,
  received: Received,
  details: CallDetails & { hint?: string | undefined },
): ApiError {
  const { redact } = core.redactor;
  const text = decode(received.body) ?? "";
  const json = parseJson(text);
  const body = json === undefined ? redact(text).slice(0, maxErrorText) : core.redactor.redactJson(json);
  const looksLike = /^\s*</.test(text) ? guessContent(text) : undefined;
  const hint = [looksLike, details.hint].filter(Boolean).join("; ") || undefined;
  return core.apiError(operation, { ...details, ...describeResponse(core, received), body, hint });
}

/** Creates the error for a response that violates the contract. */
export function unexpected(
  core: Core,
  { received, details }: ReceivedCall,
  summary: string,
  issues: readonly Issue[] = [],
): UnexpectedResponseError {
  const { redact } = core.redactor;
  const location = received.status >= 300 ? received.headers.get("location") : null;
  const isWrite = details.method !== "GET" && received.status < 300;
  return new UnexpectedResponseError(redact(summary), {
    ...details,
    ...describeResponse(core, received),
    mayHaveBeenProcessed: details.mayHaveBeenProcessed === true || isWrite,
    body: redact(decode(received.body.slice(0, 8 * maxSnippet)) ?? "").slice(0, maxSnippet),
    location: location === null ? undefined : redact(withoutUsers(location)),
    issues,
  });
}

/** The response of a call. A `Headers` object is created when it is read. */
export class JsonResponse implements ReadResponse {
  readonly ok = true as const;
  readonly status: number;
  readonly url: string;
  readonly #core: Core;
  readonly #call: ReceivedCall;
  #headers: Headers | undefined;

  constructor(core: Core, call: ReceivedCall) {
    this.status = call.received.status;
    this.url = call.received.url;
    this.#core = core;
    this.#call = call;
  }

  get headers(): Headers {
    return (this.#headers ??= toPlatformHeaders(this.#call.received.headers));
  }

  requestId(): string | undefined {
    return requestIdOf(this.#call.received.headers, this.#core.redactor.redact);
  }

  unexpected(summary: string, issues?: readonly Issue[]): UnexpectedResponseError {
    return unexpected(this.#core, this.#call, summary, issues);
  }
}

function describeResponse(core: Core, { status, url, headers }: Received) {
  const cleaned = new Headers();
  headers.forEach((value, name) => {
    if (name !== "set-cookie") cleaned.append(name, core.redactor.redact(withoutUsers(value)));
  });
  return { status, url: core.redactor.redact(url), headers: cleaned };
}

/** Describes a status that is neither an error nor a success of the contract. */
function describeStatus({ baseUrl }: Core, { status, headers, url }: Received): string {
  if (status === 304) return "Not Modified, which has no content: a conditional header or a cache caused it";
  if (status > 0 && status < 300) return "is not a status of the contract";
  const location = withoutUsers(headers.get("location") ?? "another place");
  const path = baseUrl === undefined ? url : url.slice(baseUrl.length);
  const isSamePath = location.startsWith("http") && location.endsWith(path);
  const advice = isSamePath ? `: set baseUrl to ${location.slice(0, -path.length)}` : "";
  return `is a redirect to ${location}, which is not followed${advice}`;
}

/** Removes the user names and passwords of URLs. */
function withoutUsers(text: string): string {
  return text.replaceAll(/\/\/[^/?#<>]*@/g, "//");
}

function guessContent(text: string): string {
  if (/^\s*</.test(text)) return "it looks like HTML, from a proxy or a wrong base URL";
  return /^\s*[[{]/.test(text) ? "it begins like JSON and may be cut short" : "see the error's body";
}

const decoders: TextDecoder[] = [];

/** Returns the text of a body; undefined if it is not UTF-8 and `isStrict`. */
export function decode(body: Uint8Array | string, isStrict = false): string | undefined {
  if (typeof body === "string") return body;
  requireValue(
    "this environment has no TextDecoder, which reads the bodies of responses: set globalThis.TextDecoder",
    typeof TextDecoder === "function",
  );
  const index = Number(isStrict);
  const decoder = (decoders[index] ??= new TextDecoder("utf-8", { fatal: isStrict }));
  try {
    return decoder.decode(body);
  } catch {
    return undefined;
  }
}
