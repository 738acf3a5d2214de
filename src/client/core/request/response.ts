import type { ResponseKind } from "../../../wire/operation.ts";
import { isObject, isTooDeep, type JsonObject, maxDepth } from "../../../wire/json.ts";
import type { Redactor } from "../../../wire/redaction.ts";
import { type ApiError, type ResponseDetails, UnexpectedResponseError } from "../errors/errors.ts";
import type { Issue } from "../errors/issue.ts";
import { nothing, type ResponseContent, schemaMismatch } from "./content.ts";
import { isRedirect } from "./url.ts";
import { lostWrite } from "./retry.ts";
import type { ApiAdapter, BufferedResponse, ReadConfig, Run } from "./run.ts";

/** The largest part of a body that is not JSON in an `ApiError`. */
const maxErrorText = 64 * 1024;

/** The largest part of a body in an `UnexpectedResponseError`. */
const maxSnippet = 1024;

/** Reads a successful response. Throws for an error status and for a body that is not JSON. */
export function readResponse(
  config: ReadConfig,
  buffered: BufferedResponse,
  run: Run,
): ResponseContent | Promise<ResponseContent> {
  const { redactor } = config.secret;
  const { operation, label } = run.spec;
  const { status } = buffered;
  if (status >= 400) throw apiError(run, buffered, config.adapter, redactor);
  const text = decoder.decode(buffered.bytes);
  const unexpected = (description: string, issues?: readonly Issue[]): UnexpectedResponseError =>
    unexpectedResponse(run, buffered, redactor, description, issues);
  if (status < 200 || status > (operation.response === "deleted" ? 205 : 201))
    throw unexpected(describeStatus(buffered, redactor));
  if (!buffered.complete)
    throw unexpected(`with a body over ${run.spec.limits.maxResponseBytes} bytes (maxResponseBytes)`);
  const json = parseObject(text, operation.response, unexpected);
  if (text.includes("\uFFFD") && !isUtf8(buffered.bytes)) throw unexpected("with a body that is not UTF-8");
  const clean = (words: string): string => redactor.redact(words);
  const content = { operation: operation.id, label, status, json, text, buffered, clean, unexpected };
  return config.validate === "full" || mayRepeatNames(content) ? validate(content, config) : content;
}

/** Loads the checks that few responses need. */
async function validate(content: ResponseContent, config: ReadConfig): Promise<ResponseContent> {
  const { validateResponse } = await import("./validate-response.ts");
  return validateResponse(content, config);
}

/** The names of the last response, and their pattern: most responses have the names of the one before. */
let lastNames: readonly string[] = [];
let namePattern = /(?!)/g;

/** A letter, digit or underscore as an escape sequence: two names that are written differently may be the same one. */
const escapedLetter = /\\u00(?:3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\da])/i;

/** Whether a property may occur twice in the outermost object. `JSON.parse` would silently keep only the last one. */
function mayRepeatNames({ json, text }: ResponseContent): boolean {
  if (json === nothing) return false;
  if (!hasLastNames(json)) {
    const names = Object.keys(json);
    const pattern = names.join("|");
    if (names.length > 20 || !/^[\w|]*$/.test(pattern)) return true;
    [lastNames, namePattern] = [names, new RegExp(`"(?:${pattern})"\\s*:`, "g")];
  }
  // the first search takes a tenth of the time of the second
  if (text.includes("\\u00") && escapedLetter.test(text)) return true;
  // one pass for all names: a search for each name takes 40 % of the time of JSON.parse
  return (text.match(namePattern)?.length ?? 0) !== lastNames.length;
}

/** Whether an object has the names of the last response. Creates no array and no string. */
function hasLastNames(json: JsonObject): boolean {
  let index = 0;
  for (const name in json) {
    if (name !== lastNames[index]) return false;
    index += 1;
  }
  return index === lastNames.length;
}

const decoder = new TextDecoder();
const strict = new TextDecoder("utf-8", { fatal: true });

/** Whether decoding replaced no byte. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Returns the JSON object of a body without an error; an empty object for a DELETE with an empty response. */
function parseObject(
  text: string,
  kind: ResponseKind,
  unexpected: (description: string) => UnexpectedResponseError,
): JsonObject {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    if (text.trim() !== "") throw unexpected(`with a body that is not JSON: ${guessContent(text)}`);
    if (kind === "deleted") return nothing;
    throw unexpected("with an empty body instead of JSON");
  }
  if (!isObject(json)) throw unexpected("with JSON that is not an object");
  if (isTooDeep(json)) throw unexpected(`with JSON that is nested deeper than ${maxDepth} levels`);
  // the data may be a part of what was requested, or not be about it; a text that is not empty has keys
  const { error, errors, success }: JsonObject = json;
  const mayHaveErrors = kind === "entity" || kind === "detail"; // an entity may have its own such properties
  if (mayHaveErrors ? isObject(error) : isErrorMark(error) || isErrorMark(errors) || success === false)
    throw unexpected("with an error in its body");
  return json;
}

function isErrorMark(value: unknown): boolean {
  return value === true || (value !== undefined && Object.keys(value ?? {}).length > 0);
}

/**
 * Returns the data of a response, validated as far as the client uses them, and the envelope's `meta`. Pages of lists are
 * read elsewhere.
 */
export function unwrap(content: ResponseContent, kind: ResponseKind): { data: unknown; meta?: JsonObject } {
  const { json } = content;
  if (kind === "data" || kind === "deleted") {
    const { data, meta } = json;
    // the contract does not show the response of a DELETE
    const fits = kind === "deleted" ? data !== undefined : isObject(data);
    if (!fits) throw content.unexpected("without the `data` of an envelope { data, meta }");
    return isObject(meta) ? { data, meta } : { data };
  }
  if (kind === "entity" && Object.keys(json).length === 0)
    throw schemaMismatch(content, [{ path: "", message: "is an empty object" }]);
  const list = kind === "items" ? "items" : kind === "detail" ? "images" : undefined;
  if (list !== undefined && !Array.isArray(json[list]))
    throw schemaMismatch(content, [{ path: list, message: "must be an array" }]);
  return { data: json };
}

/** Creates the error for a response that violates the contract. */
export function unexpectedResponse(
  run: Run,
  buffered: BufferedResponse,
  redactor: Redactor,
  description: string,
  issues: readonly Issue[] = [],
): UnexpectedResponseError {
  const clean = (text: string): string => redactor.redact(text);
  const details = responseDetails(run, buffered, redactor);
  const location = clean(locationOf(buffered) ?? "") || undefined;
  return new UnexpectedResponseError(clean(`${run.spec.label}: ${buffered.status} ${description}`), {
    ...details,
    body: snippet(decoder.decode(buffered.bytes.subarray(0, 8 * maxSnippet)), clean),
    location: buffered.status < 300 ? undefined : location,
    issues: issues.map(({ path, message }) => ({ path: clean(path), message: clean(message) })),
  });
}

/** Returns the beginning of a text. Secrets are redacted first, so that the cut cannot leave a part of one. */
function snippet(text: string, clean: (text: string) => string): string {
  return clean(text).slice(0, maxSnippet);
}

function responseDetails(
  run: Run,
  { status, headers }: BufferedResponse,
  redactor: Redactor,
): ResponseDetails {
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

/** Returns the headers without secrets and cookies; `JSON.stringify` writes them as an object. */
export function cleanHeaders(headers: Headers, redactor: Redactor): Headers {
  const cleaned = new Headers();
  for (const [name, value] of headers) {
    if (name === "set-cookie") continue;
    const text = redactor.redact(name === "location" ? withoutUser(value) : value);
    cleaned.append(redactor.redact(name) === name ? name : "x-redacted", text);
  }
  const toJSON = (): Record<string, string> => Object.fromEntries(cleaned);
  return Object.defineProperty(cleaned, "toJSON", { value: toJSON });
}

function apiError(run: Run, buffered: BufferedResponse, adapter: ApiAdapter, redactor: Redactor): ApiError {
  const text = decoder.decode(buffered.bytes);
  const json = redactor.parseJson(text);
  // redaction takes 0.4 s for 1 MiB
  const body =
    json === undefined ? redactor.redact(text.slice(0, 2 * maxErrorText)).slice(0, maxErrorText) : json;
  const details = responseDetails(run, buffered, redactor);
  const earlier = run.mayHaveExecuted
    ? describeEarlierAttempt(run, buffered)
    : describeLostWrite(run, buffered);
  const hints = [run.obstacle, earlier].filter((hint) => hint !== undefined);
  return adapter.error(run.spec.operation.id, {
    ...details,
    body,
    hint: hints.join("; ") || undefined,
    retryable: run.retryable,
  });
}

/** A failure of the service does not show if a write was executed. */
function describeLostWrite({ spec }: Run, { status }: BufferedResponse): string | undefined {
  return spec.retryClass === "idempotent" || status < 500 || status === 501 ? undefined : lostWrite;
}

/** A rejected request does not show if an earlier attempt of a write was executed. */
function describeEarlierAttempt(
  { spec: { method }, attempts }: Run,
  { status }: BufferedResponse,
): string | undefined {
  const isDelete = method === "DELETE" && status === 404;
  if (!isDelete && (method === "GET" || method === "DELETE" || status >= 500)) return undefined;
  const done = isDelete ? "deleted it" : "been processed";
  return `sent ${attempts} times; an earlier attempt, whose response was lost, may have ${done}`;
}

function describeStatus({ status, headers }: BufferedResponse, redactor: Redactor): string {
  if (status === 304) return "Not Modified, although the request was not conditional";
  if (!isRedirect(status)) return "is not a status of the contract";
  const location = locationOf({ headers });
  return `is a redirect${location === undefined ? "" : ` to ${redactor.redact(location)}`}, which is not followed`;
}

/** Returns the target of a redirect. */
function locationOf({ headers }: Pick<BufferedResponse, "headers">): string | undefined {
  const location = headers.get("location");
  return location === null ? undefined : withoutUser(location);
}

/** Removes the user name and password of a URL. */
function withoutUser(url: string): string {
  return url.replace(/\/\/[^/?#]*@/, "//");
}

function guessContent(text: string): string {
  if (/^\s*</.test(text)) return "it looks like HTML, from a proxy or a wrong base URL";
  return /^\s*[[{]/.test(text) ? "it begins like JSON and may be cut short" : "see the error's body";
}
