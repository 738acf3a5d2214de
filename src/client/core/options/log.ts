import { escapeLine } from "../../../wire/foreign-text.ts";
import { isObject, parseJson } from "../../../wire/json.ts";
import { ConfigurationError } from "../errors/errors.ts";
import { type Logger, type LogLevel, logLevels } from "./logger.ts";
import type { DriftEvent } from "./drift.ts";
import type { SettledEvent } from "./hooks.ts";

/** A request and its response, with the function that redacts secrets in them. */
export interface RequestBodies {
  /** The text of the request's body. */
  request: string | undefined;
  /** The bytes of the response's body, as far as they were read. */
  response: Uint8Array | undefined;
  /** Returns a text without the secrets of the client. */
  clean: (text: string) => string;
}

/** The option `log` of a client. `logTo` creates it. */
export interface Log {
  /** Writes the result of a request. */
  writeRequest(event: SettledEvent, bodies: RequestBodies): void;
  /** Writes a change of a numbered list during a walk. */
  writeDrift(event: DriftEvent, description: string): void;
}

/** The largest part of a body that is logged, in characters. */
const maxLoggedBody = 2048;

/** The largest body that is parsed to find credentials in it, in characters. */
const maxParsedBody = 1024 * 1024;

/** The properties that hold credentials in the bodies of either API. */
const secretName = /(?:login_?code|password|passcode|secret|token|api_?key|authorization)$/i;

/** The same in a body that is not JSON or is cut short. */
const secretProperty =
  /("[^"\\]*(?:login_?code|password|passcode|secret|token|api_?key|authorization)\\*"\s*:\s*)(?:\\*"(?:[^"\\]|\\.)*"?|[^\s,}\]]+)/gi;

/**
 * Creates the option `log` of a client: one line for each request, never with a secret.
 * @param logger `console`, or a logger such as pino or winston
 * @param level the lowest level that is written; `debug` adds the beginning of each body
 * @throws {ConfigurationError} if the logger lacks a method, or for an unknown level
 * @example const store = new StoreClient({ baseUrl, token, log: logTo(console) });
 */
export function logTo(logger: Logger, level: LogLevel = "info"): Log {
  if (!logLevels.includes(level))
    throw new ConfigurationError(`logTo: the level must be one of ${logLevels.join(", ")}`);
  if (!isLogger(logger))
    throw new ConfigurationError(
      "logTo: the logger must be console, or an object with debug, info, warn and error",
    );
  const isWritten = (other: LogLevel): boolean => logLevels.indexOf(other) >= logLevels.indexOf(level);
  return {
    writeRequest(event, { request, response, clean }) {
      const own = levelOf(event);
      if (isWritten(own)) logger[own](describe(event, clean));
      if (!isWritten("debug")) return;
      const text = response && new TextDecoder().decode(response.subarray(0, 4 * maxParsedBody));
      if (request) logger.debug(`${prefix(event)}: request body ${shorten(request, clean)}`);
      if (text) logger.debug(`${prefix(event)}: response body ${shorten(text, clean)}`);
    },
    writeDrift({ operation }, description) {
      if (isWritten("warn")) logger.warn(`shelfleet: ${operation}: ${description}`);
    },
  };
}

function isLogger(value: unknown): boolean {
  const isCallable = isObject(value) || typeof value === "function";
  return isCallable && logLevels.every((name) => typeof Reflect.get(value, name) === "function");
}

/**
 * Returns `info` for successful and aborted requests, `warn` for a status below 500, and `error` for other failures.
 */
function levelOf({ status, error }: SettledEvent): LogLevel {
  if (status === undefined) return isFailure(error) ? "error" : "info";
  if (status >= 500) return "error";
  return status >= 400 ? "warn" : "info";
}

function isFailure(error: unknown): boolean {
  return error instanceof Error && error.name !== "AbortError";
}

function prefix({ operation, method, route }: SettledEvent): string {
  return `shelfleet: ${operation === "" ? "" : `${operation} `}${method} ${oneLine(route)}`;
}

/** Returns one line: operation, route, status or failure, duration, attempt and request ID. */
function describe(event: SettledEvent, clean: (text: string) => string): string {
  const { status, error, duration, attempt, call, requestId } = event;
  const failure = error instanceof Error ? error.message : "aborted";
  const outcome = status === undefined ? oneLine(clean(failure)) : `${status}`;
  const id = requestId === undefined ? "" : `, request ID ${oneLine(requestId)}`;
  return `${prefix(event)}: ${outcome} in ${Math.round(duration)} ms (call ${call}, attempt ${attempt}${id})`;
}

/**
 * Returns the beginning of a body on one line. Secrets are redacted first, so that the cut cannot leave a part of one.
 */
function shorten(body: string, clean: (text: string) => string): string {
  const text = oneLine(clean(withoutCredentials(body)));
  return text.length <= maxLoggedBody ? text : `${text.slice(0, maxLoggedBody)}… (${body.length} characters)`;
}

function withoutCredentials(body: string): string {
  const json = body.length <= maxParsedBody ? parseJson(body) : undefined;
  if (isObject(json) || Array.isArray(json))
    return JSON.stringify(json, replaceCredential).slice(0, 4 * maxLoggedBody);
  return body.slice(0, 4 * maxLoggedBody).replaceAll(secretProperty, '$1"[redacted]"');
}

/** Replaces the value of a property that holds credentials, also in JSON within a string. */
function replaceCredential(name: string, value: unknown): unknown {
  if (secretName.test(name) && value !== null) return "[redacted]";
  return typeof value === "string" && value.includes('"') ? withoutCredentials(value) : value;
}

function oneLine(text: string): string {
  return escapeLine(text.replaceAll(/\s+/g, " "));
}
