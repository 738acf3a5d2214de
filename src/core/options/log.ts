import { isObject } from "../../internal/json.ts";
import { ConfigurationError } from "../errors/errors.ts";
import { type Logger, type LogLevel, logLevels } from "./logger.ts";
import type { SettledEvent } from "./options.ts";

/** What is sent and received, and how to take secrets out of it. */
export interface Exchanged {
  request: string | undefined;
  response: Uint8Array | undefined;
  clean: (text: string) => string;
}

/** Writes how a request ended. */
export type WriteLog = (event: SettledEvent, exchanged: Exchanged) => void;

/** The most of a body that is logged, in characters. */
const longestBody = 2048;

/** Members that hold credentials in the bodies of either API. */
const secretMember =
  /("[^"]*(?:loginCode|password|secret|token|apiKey|authorization)"\s*:\s*)"(?:[^"\\]|\\.)*"?/gi;

/** Makes the log of a client; undefined if it has none. */
export function makeLog(logger: Logger | undefined, level: LogLevel = "info"): WriteLog | undefined {
  if (!logLevels.includes(level)) {
    throw new ConfigurationError(`logLevel must be one of ${logLevels.join(", ")}`);
  }
  if (logger === undefined) return undefined;
  if (!isLogger(logger)) {
    throw new ConfigurationError("log must be console, or an object with debug, info, warn and error");
  }
  const least = logLevels.indexOf(level);
  return (event, { request, response, clean }) => {
    const at = levelOf(event);
    if (logLevels.indexOf(at) >= least) logger[at](describe(event, clean));
    if (least > 0) return;
    const text = response && new TextDecoder().decode(response.subarray(0, 4 * longestBody));
    if (request) logger.debug(`${prefix(event)}: request body ${shorten(request, clean)}`);
    if (text) logger.debug(`${prefix(event)}: response body ${shorten(text, clean)}`);
  };
}

function isLogger(value: unknown): boolean {
  const isCallable = isObject(value) || typeof value === "function";
  return isCallable && logLevels.every((name) => typeof (value as unknown as Logger)[name] === "function");
}

/** `info` for what went well or was aborted, `warn` for a refusal, `error` for a failure of server or network. */
function levelOf({ status, error }: SettledEvent): LogLevel {
  if (status === undefined) return isFailure(error) ? "error" : "info";
  if (status >= 500) return "error";
  return status >= 400 ? "warn" : "info";
}

function isFailure(error: unknown): boolean {
  return error instanceof Error && error.name !== "AbortError";
}

function prefix({ operation, method, route }: SettledEvent): string {
  return `shelfleet: ${operation === "" ? "" : `${operation} `}${method} ${route}`;
}

/** One line: operation, route, status or failure, duration, attempt and request ID. */
function describe(event: SettledEvent, clean: (text: string) => string): string {
  const { status, error, duration, attempt, call, requestId } = event;
  const failure = error instanceof Error ? error.message : "aborted";
  const outcome = status === undefined ? oneLine(clean(failure)) : `${status}`;
  const id = requestId === undefined ? "" : `, request ID ${oneLine(requestId)}`;
  return `${prefix(event)}: ${outcome} in ${Math.round(duration)} ms (call ${call}, attempt ${attempt}${id})`;
}

/** The beginning of a body on one line. Secrets are taken out first, so that no cut leaves half of one. */
function shorten(body: string, clean: (text: string) => string): string {
  const start = clean(body.slice(0, 4 * longestBody)).replaceAll(secretMember, '$1"[redacted]"');
  const text = oneLine(start);
  return text.length <= longestBody ? text : `${text.slice(0, longestBody)}… (${body.length} characters)`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}
