import { isObject } from "../../../wire/json.ts";
import { isPathId } from "../../../wire/path-segment.ts";
import { unknownParameter } from "../../../wire/unknown-parameter.ts";
import { isUuid } from "../../../wire/uuid.ts";
import type { Issue } from "../errors/issue.ts";
import { checkCallOptions } from "../options/check-options.ts";
import { checkHeaders } from "../options/headers.ts";
import { type CallOptions, type Limits, resolveLimits } from "../options/options.ts";
import type { AnyInput, Operation, QueryRule } from "./operation.ts";
import { redactError } from "./redact-error.ts";
import type { RequestSpec } from "./run.ts";
import type { Secret } from "./secret.ts";

/** An error response is read only for its code and messages. */
const errorBytes = 1024 * 1024;

/** Builds the request of a call without its body; adds an issue for each violation of the contract. */
export function buildRequest(
  { limits, secret }: { limits: Limits; secret: Pick<Secret, "redactor"> },
  operation: Operation,
  { path: ids, query }: Pick<AnyInput, "path" | "query">,
  options: CallOptions | undefined,
  issues: Issue[],
): RequestSpec {
  const { method, path: route, query: rules } = operation;
  const path = fillPath(operation, ids as Record<string, unknown>, issues);
  const search = query === undefined && rules === undefined ? "" : buildQuery(query, rules ?? {}, issues);
  const spec = {
    operation,
    label: `${method} ${route}`,
    method,
    route,
    path: path + search,
    body: undefined,
    retryClass: operation.retry,
    errorBytes,
  };
  if (options === undefined) return { ...spec, headers: undefined, limits, signals: [] };
  try {
    checkCallOptions(options);
    return {
      ...spec,
      headers: checkHeaders(options.headers),
      limits: resolveLimits(options, limits),
      signals: options.signal === undefined ? [] : [options.signal],
    };
  } catch (error) {
    throw redactError(error, secret.redactor);
  }
}

/** Inserts IDs into a path template. An ID that would lead to another path is an issue. */
export function fillPath(
  { path, formats }: Pick<Operation, "path" | "formats">,
  ids: Record<string, unknown>,
  issues: Issue[],
): string {
  return path.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const serialize = formats?.[name] === "uuid" ? serializeUuid : serializeString;
    const result = serialize(ids[name]);
    if ("text" in result && isPathId(result.text)) return encodeURIComponent(result.text);
    const what = ids[name] === "" ? "empty" : "a dot segment";
    const message =
      "problem" in result ? result.problem : `must not be ${what}, because the path would be a different one`;
    issues.push({ path: name, message });
    return placeholder;
  });
}

/** The query parameters of an operation. */
type QueryRules = Readonly<Record<string, QueryRule>>;

/** The value as it is written in a URL, or the issue with it. */
type SerializedValue = { text: string } | { problem: string };

const serializers: Readonly<Record<QueryRule["type"], (value: unknown, rule: QueryRule) => SerializedValue>> =
  {
    string: serializeString,
    uuid: serializeUuid,
    boolean: (value) =>
      typeof value === "boolean" ? { text: String(value) } : { problem: "must be true or false" },
    integer: serializeNumber,
    number: serializeNumber,
    "date-time": serializeDateTime,
    "comma-list": serializeCommaList,
  };

/** Returns the query string of a call with its `?`; adds an issue for each invalid parameter. */
export function buildQuery(query: object | undefined, rules: QueryRules, issues: Issue[]): string {
  const parts = new URLSearchParams();
  const { extra = {}, ...given } = (query ?? {}) as Record<string, unknown>; // the values are checked below
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    const result =
      rule === undefined
        ? { problem: unknownParameter(Object.keys(rules)) }
        : serializers[rule.type](value, rule);
    if ("problem" in result) issues.push({ path: name, message: result.problem });
    else parts.append(name, result.text);
  }
  for (const [name, { required }] of Object.entries(rules)) {
    if (required === true && given[name] === undefined) issues.push({ path: name, message: "is required" });
  }
  addExtra(parts, extra, rules, issues);
  const search = parts.toString();
  return search === "" ? "" : `?${search}`;
}

function serializeString(value: unknown, { values }: Pick<QueryRule, "values"> = {}): SerializedValue {
  if (values !== undefined && !values.includes(value as string))
    return { problem: `must be one of ${values.join(", ")}` };
  if (typeof value !== "string") return { problem: "must be a string" };
  if (value.isWellFormed()) return { text: value };
  return { problem: "must not contain a lone surrogate, which has no percent-encoded form" };
}

function serializeUuid(value: unknown): SerializedValue {
  return typeof value === "string" && isUuid(value) ? { text: value } : { problem: "must be a UUID" };
}

function serializeNumber(
  value: unknown,
  { type, minimum = -Infinity, maximum = type === "integer" ? Number.MAX_SAFE_INTEGER : Infinity }: QueryRule,
): SerializedValue {
  const isInteger = type === "integer";
  if (!(isInteger ? Number.isInteger(value) : Number.isFinite(value)))
    return { problem: isInteger ? "must be an integer" : "must be a number" };
  const number = value as number; // both checks reject other types
  if (number < minimum) return { problem: `must be at least ${minimum}` };
  if (number > maximum) return { problem: `must be at most ${maximum}` };
  return { text: plainNumber(number) };
}

/** Formats a number without an exponent, because not every server parses exponents. */
function plainNumber(value: number): string {
  const [mantissa, exponent] = String(value).split("e") as [string, string?];
  if (exponent === undefined) return mantissa;
  const [whole, fraction = ""] = mantissa.replace("-", "").split(".") as [string, string?];
  const point = whole.length + Number(exponent);
  const digits = whole + fraction;
  const sign = mantissa.startsWith("-") ? "-" : "";
  if (exponent.startsWith("-")) return `${sign}0.${"0".repeat(-point)}${digits}`;
  return sign + digits.padEnd(point, "0");
}

/** Joins values with commas. An empty list is rejected: in the URL it would mean no filter. */
function serializeCommaList(value: unknown): SerializedValue {
  if (!Array.isArray(value) || value.some((part) => typeof part !== "string" || part === ""))
    return { problem: "must be an array of non-empty strings" };
  if (value.length === 0)
    return {
      problem: "must not be empty: an empty list would select everything; omit it to select everything",
    };
  if (value.some((part: string) => part.includes(",")))
    return { problem: "must not contain a comma, which separates the values" };
  return serializeString(value.join(","));
}

const noDateTime = {
  problem: "must be a Date or an ISO 8601 date-time with an offset or Z, such as 2026-01-31T00:00:00Z",
};

const dateTimeForm =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?:Z|([+-])(\d{2})(?::?(\d{2}))?)$/i;

/**
 * Serializes an instant as RFC 3339 with `Z`, from a `Date` or an ISO 8601 string with an offset. Without an offset the
 * instant would be a guess. Digits beyond milliseconds are kept. Gap `date-times.forms`.
 */
export function serializeDateTime(value: unknown): SerializedValue {
  if (value instanceof Date && !Number.isNaN(value.getTime())) return { text: value.toISOString() };
  const parts = typeof value === "string" ? dateTimeForm.exec(value) : null;
  if (parts === null) return noDateTime;
  const [, year, month, day, hour, minute, second, fraction, sign, hours, minutes] = parts;
  const [y, mo, d, h, m, s] = [year, month, day, hour, minute, second ?? 0].map(Number) as DateFields;
  const isMidnight = h === 24 && m === 0 && s === 0 && Number(fraction ?? 0) === 0;
  if ((h > 23 && !isMidnight) || m > 59 || s > 59) return noDateTime;
  const [offsetHours, offsetMinutes] = [Number(hours ?? 0), Number(minutes ?? 0)];
  if (offsetHours > 23 || offsetMinutes > 59) return noDateTime;
  const offset = (sign === "-" ? -1 : 1) * (offsetHours * 60 + offsetMinutes) * 60_000;
  const date = new Date(0);
  date.setUTCFullYear(y, mo - 1, d);
  // a day that does not exist becomes a day of another month
  if (date.getUTCMonth() !== mo - 1) return noDateTime;
  date.setUTCHours(h, m, s);
  const iso = new Date(date.getTime() - offset).toISOString();
  // years before 0 and after 9999 have another form
  if (iso.length !== 24) return noDateTime;
  return { text: `${iso.slice(0, 19)}${fraction === undefined ? "" : `.${fraction}`}Z` };
}

type DateFields = [number, number, number, number, number, number];

function addExtra(parts: URLSearchParams, extra: unknown, rules: QueryRules, issues: Issue[]): void {
  if (!isObject(extra)) return void issues.push({ path: "extra", message: "must be an object of strings" });
  for (const [name, value] of Object.entries(extra)) {
    const path = `extra.${name}`;
    const result = serializeString(value);
    if ("problem" in result) issues.push({ path, message: result.problem });
    else if (Object.hasOwn(rules, name))
      issues.push({ path, message: `is a documented parameter: pass it as \`${name}\`` });
    else parts.append(name, result.text);
  }
}
