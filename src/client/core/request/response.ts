import type { ResponseKind } from "../../../wire/operation.ts";
import { isObject, isTooDeep, type JsonObject, maxDepth, nestsTooDeep } from "../../../wire/json.ts";
import type * as failures from "./response-failure.ts";
import { ConnectionError } from "../errors/errors.ts";
import { type Defect, type FailedResponse, nothing, notJson, type ResponseContent } from "./content.ts";
import type { BufferedResponse, ReadConfig, Run } from "./run.ts";
import { finalFailure } from "./send.ts";

/** Reads a successful response. Rejects for an error status and for a body that is not JSON. */
export function readResponse(
  config: ReadConfig,
  buffered: BufferedResponse,
  run: Run,
): ResponseContent | Promise<ResponseContent> {
  const { redactor } = config.secret;
  const { operation, limits } = run.spec;
  const clean = (words: string): string => redactor.redact(words);
  const { status, bytes, complete } = buffered;
  if (status < 200 || status > (operation.response === "deleted" ? 205 : 201))
    return rejectStatus(config, buffered, run);
  const text = decoder.decode(bytes);
  const json = complete
    ? parseObject(text, operation.response)
    : `with a body over ${limits.maxResponseBytes} bytes (maxResponseBytes)`;
  if (typeof json === "string") return rejectContent({ run, buffered, clean }, json);
  if (text.includes("\uFFFD") && !isUtf8(bytes))
    return rejectContent({ run, buffered, clean }, "with a body that is not UTF-8");
  const content = { run, buffered, clean, json, text };
  return config.validate === "full" || mayRepeatNames(content) ? validate(content, config) : content;
}

/** Rejects with the error for a defect of a response. */
export function rejectContent(failed: FailedResponse, defect: Defect): Promise<never> {
  return rejectWith(failed, ({ schemaMismatch, unexpectedResponse }) =>
    typeof defect === "string" ? unexpectedResponse(failed, defect) : schemaMismatch(failed, defect),
  );
}

function rejectStatus(config: ReadConfig, buffered: BufferedResponse, run: Run): Promise<never> {
  return rejectWith({ run, buffered }, ({ statusError }) => statusError(config, buffered, run));
}

/** Rejects with an error about a response. The errors are loaded with the first one. */
export async function rejectWith(
  { run, buffered: { status } }: Pick<FailedResponse, "run" | "buffered">,
  create: (errors: typeof failures) => Error | Promise<Error>,
): Promise<never> {
  const error = await import("./response-failure.ts").then(create).catch((cause: unknown) => {
    const message = `${run.spec.label}: ${status}, and the part of the package that reads such responses could not be loaded`;
    return finalFailure(new ConnectionError(message, { cause }), run);
  });
  throw error;
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
  // one pass for all names takes 4 % of the time of JSON.parse; 15 % if the pattern began with the brace or comma
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

/** The depth of a longer text is counted before it is parsed; a shorter one is parsed within 0.2 s, whatever its depth is. */
const longText = 100_000;

/**
 * Returns the JSON object of a body without an error, or what is wrong with the body; an empty object for a DELETE with
 * an empty response.
 */
function parseObject(text: string, kind: ResponseKind): JsonObject | string {
  const tooDeep = `with JSON deeper than ${maxDepth} levels`;
  if (text.length > longText && nestsTooDeep(text)) return tooDeep;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    if (text.trim() !== "") return notJson;
    return kind === "deleted" ? nothing : "with an empty body instead of JSON";
  }
  if (!isObject(json)) return "with JSON that is not an object";
  if (isTooDeep(json)) return tooDeep;
  const { error, errors, success } = json;
  const isMarked =
    kind === "entity" || kind === "detail" // an entity may have its own such properties
      ? isObject(error)
      : isErrorMark(error) || isErrorMark(errors) || success === false;
  // and so may an object that the contract leaves open
  const isOpen = kind === "object" && Object.keys(json).some((name) => !errorNames.has(name));
  return isMarked && !isOpen ? "with an error in its body" : json;
}

/** Properties of a body that only says that something failed. */
const errorNames = new Set(["error", "errors", "success", "message", "code", "status"]);

function isErrorMark(value: unknown): boolean {
  return value === true || (value !== undefined && Object.keys(value ?? {}).length > 0);
}

/**
 * Returns the data of a response, validated as far as the client uses them, and the envelope's `meta`; or what is wrong
 * with it. Pages of lists are read elsewhere.
 */
export function unwrap(
  json: JsonObject,
  kind: ResponseKind,
): { data?: unknown; meta?: JsonObject; defect?: Defect } {
  if (kind === "data" || kind === "deleted") {
    const { data, meta } = json;
    // the contract does not show the response of a DELETE
    const fits = kind === "deleted" ? data !== undefined : isObject(data);
    if (!fits) return { defect: "without the `data` of an envelope { data, meta }" };
    return isObject(meta) ? { data, meta } : { data };
  }
  // a maintenance page with status 200 is not a store
  if (kind === "entity" && json["storeId"] === undefined) return { defect: "without `storeId`" };
  const list = kind === "items" ? "items" : kind === "detail" ? "images" : undefined;
  if (list !== undefined && !Array.isArray(json[list]))
    return { defect: [{ path: list, message: "must be an array" }] };
  return { data: json };
}
