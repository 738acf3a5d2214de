import { parseJson } from "../../../wire/json.ts";
import { plainQuery } from "../../plain-query.ts";
import type { Body, CheckedExchange } from "../check/exchange.ts";
import { type ApiName, findRoute } from "../../routes.ts";
import { type Pseudonym, isPlainId, replaceString, withoutPersonalData } from "./personal.ts";

/** One line of the log. */
export interface LogRecord {
  readonly v: 1;
  /** The time at which the response ended. */
  readonly at: string;
  readonly api: ApiName;
  readonly service: "store" | "fleet" | "sandbox";
  readonly operation?: string;
  readonly method: string;
  readonly url: string;
  /** The path below the base URL. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string;
  readonly ms: number;
  /** The parsed body of the response, without personal data. */
  readonly body?: unknown;
  /** The reason that the body of the response is missing, if it had a body. */
  readonly omitted?: string;
  /** The IDs of violations. */
  readonly violations?: readonly string[];
}

/** The input of a record. */
export interface LoggedExchange
  extends Pick<CheckedExchange, "api" | "method" | "path" | "query" | "status"> {
  readonly service: LogRecord["service"];
  readonly baseUrl: string;
  readonly operation: string | undefined;
  readonly contentType: string;
  readonly body: Body;
  readonly milliseconds: number;
  readonly violations: readonly string[];
}

/** Returns the record of an exchange, without secrets and personal data. */
export function recordOf(exchange: LoggedExchange, at: Date, pseudonym: Pseudonym): LogRecord {
  const { api, service, operation, method, status, violations } = exchange;
  const isKnown = findRoute(api, method, exchange.path).operation !== undefined;
  const path = isKnown ? knownPath(exchange.path, pseudonym) : unknownPath(exchange.path, pseudonym);
  const query = safeQuery(exchange.query, pseudonym);
  return {
    v: 1,
    at: at.toISOString(),
    api,
    service,
    ...(operation !== undefined && { operation }),
    method,
    url: `${exchange.baseUrl.replace(/\/+$/, "")}${path}${query === "" ? "" : `?${query}`}`,
    path,
    status,
    contentType: /^[\w.+-]+\/[\w.+-]+/.exec(exchange.contentType)?.[0] ?? "",
    ms: Math.round(exchange.milliseconds),
    ...bodyProperties(exchange.body, pseudonym),
    ...(violations.length > 0 && { violations }),
  };
}

/** The IDs in a path of the contract are replaced like those in a body. */
function knownPath(path: string, pseudonym: Pseudonym): string {
  const segments = path.split("/").map((segment) => {
    const text = decodeURIComponent(segment); // a route matches only what can be decoded
    return text === "" || isPlainId(text) ? segment : encodeURIComponent(replaceString(text, pseudonym));
  });
  return segments.join("/");
}

/** A path that is not in the contract can contain any data; only words of known routes are kept. */
function unknownPath(path: string, pseudonym: Pseudonym): string {
  const segments = path
    .split("/")
    .map((segment) => (/^[a-z-]{0,24}$|^v\d$/.test(segment) ? segment : replaceString(segment, pseudonym)));
  return segments.join("/");
}

function safeQuery(query: string, pseudonym: Pseudonym): string {
  const replace = (text: string): string => replaceString(text, pseudonym);
  const pairs = [...new URLSearchParams(query)].flatMap(([name, value]) =>
    // like in the body that it is from
    name === "cursor" && value !== "" && !isPlainId(value)
      ? [[name, replace(value)]]
      : plainQuery([[name, value]], replace),
  );
  return new URLSearchParams(pairs).toString();
}

function bodyProperties(body: Body, pseudonym: Pseudonym): Pick<LogRecord, "body" | "omitted"> {
  if (body.kind === "none") return {};
  if (body.kind !== "text") return { omitted: body.reason };
  const value = parseJson(body.text);
  if (value === undefined) return { omitted: "it is not JSON, or is nested too deep" };
  const plain = withoutPersonalData(value, pseudonym);
  return hasOtherNumbers(plain)
    ? { omitted: "it has a number that JavaScript cannot hold" }
    : { body: plain };
}

/** Whether `JSON.parse` may have changed a number of a value. */
function hasOtherNumbers(value: unknown): boolean {
  if (typeof value === "number") return Math.abs(value) > Number.MAX_SAFE_INTEGER;
  return typeof value === "object" && value !== null && Object.values(value).some(hasOtherNumbers);
}
