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

/** A serialized part of a request, which can be sent if there are no issues. */
export interface Serialized {
  text: string;
  issues: readonly Issue[];
}

/** Builds the request of a call without its body, and lists each violation of the contract. */
export function buildRequest(
  { limits, secret }: { limits: Limits; secret: Pick<Secret, "redactor"> },
  operation: Operation,
  { path: ids, query }: Pick<AnyInput, "path" | "query">,
  options: CallOptions | undefined,
  { destination, cancel }: Pick<RequestSpec, "destination" | "cancel">,
): { spec: RequestSpec; issues: readonly Issue[] } {
  const { method, path: route, query: rules } = operation;
  const path = fillPath(operation, ids as Record<string, unknown>);
  const search = query === undefined && rules === undefined ? nothing : buildQuery(query, rules);
  const spec: RequestSpec = {
    operation,
    label: `${method} ${route}`,
    method,
    route,
    path: path.text + search.text,
    body: undefined,
    headers: undefined,
    limits,
    signals: cancel === undefined ? [] : [cancel],
    cancel,
    destination,
    retryClass: operation.retry,
    errorBytes,
  };
  const issues = [...path.issues, ...search.issues];
  if (options === undefined) return { spec, issues };
  try {
    checkCallOptions(options);
    const headers = checkHeaders(options.headers);
    const signals = options.signal === undefined ? spec.signals : [options.signal, ...spec.signals];
    return { spec: { ...spec, headers, signals, limits: resolveLimits(options, limits) }, issues };
  } catch (error) {
    throw redactError(error, secret.redactor);
  }
}

const nothing: Serialized = { text: "", issues: [] };

/** Inserts IDs into a path template. An ID that would lead to another path is an issue. */
export function fillPath(
  { path, formats }: Pick<Operation, "path" | "formats">,
  ids: Record<string, unknown>,
): Serialized {
  const issues: Issue[] = [];
  let text = "";
  let done = 0;
  // a quarter of the time of a regular expression
  for (let start = path.indexOf("{"); start >= 0; start = path.indexOf("{", done)) {
    const end = path.indexOf("}", start);
    const name = path.slice(start + 1, end);
    const id = formats?.[name] === "uuid" ? serializeUuid(ids[name]) : serializeString(ids[name]);
    if (!isPathId(id)) issues.push({ path: name, message: describePathIssue(id) });
    text += path.slice(done, start) + (isPathId(id) ? encodeURIComponent(id) : `{${name}}`);
    done = end + 1;
  }
  return { text: text + path.slice(done), issues };
}

function describePathIssue(id: SerializedValue): string {
  if (typeof id !== "string") return id.problem;
  return `must not be ${id === "" ? "empty" : "a dot segment"}, because the path would be a different one`;
}

/** A value as it is written in a URL, or the problem with it. */
type SerializedValue = string | { problem: string };

/** Returns the query string of a call with its `?`. */
export function buildQuery(
  query: object | undefined,
  rules: Readonly<Record<string, QueryRule>> = {},
): Serialized {
  const search = new URLSearchParams();
  const issues: Issue[] = [];
  const add = (name: string, path: string, value: SerializedValue): void => {
    if (typeof value === "string") search.append(name, value);
    else issues.push({ path, message: value.problem });
  };
  const { extra = {}, ...given } = (query ?? {}) as Record<string, unknown>; // the values are checked below
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    add(name, name, rule ? serialize(value, rule) : { problem: unknownParameter(Object.keys(rules)) });
  }
  for (const [name, { required }] of Object.entries(rules))
    if (required && given[name] === undefined) add(name, name, { problem: "is required" });
  if (!isObject(extra)) add("extra", "extra", { problem: "must be an object of strings" });
  for (const [name, value] of Object.entries(isObject(extra) ? extra : {})) {
    const text = serializeString(value);
    const isDocumented = typeof text === "string" && Object.hasOwn(rules, name);
    const documented = { problem: `is a documented parameter: pass it as \`${name}\`` };
    add(name, `extra.${name}`, isDocumented ? documented : text);
  }
  return { text: search.size === 0 ? "" : `?${search}`, issues };
}

function serialize(value: unknown, rule: QueryRule): SerializedValue {
  switch (rule.type) {
    case "string":
      return serializeString(value, rule);
    case "uuid":
      return serializeUuid(value);
    case "boolean":
      return typeof value === "boolean" ? String(value) : { problem: "must be true or false" };
    case "date-time":
      return serializeDateTime(value);
    case "comma-list":
      return serializeCommaList(value);
    default:
      return serializeNumber(value, rule);
  }
}

function serializeString(value: unknown, { values }: Pick<QueryRule, "values"> = {}): SerializedValue {
  if (values !== undefined && !values.some((one) => one === value))
    return { problem: `must be one of ${values.join(", ")}` };
  if (typeof value !== "string") return { problem: "must be a string" };
  if (value.isWellFormed()) return value;
  return { problem: "must not contain a lone surrogate, which has no percent-encoded form" };
}

function serializeUuid(value: unknown): SerializedValue {
  return typeof value === "string" && isUuid(value) ? value : { problem: "must be a UUID" };
}

function serializeNumber(
  value: unknown,
  { type, minimum = -Infinity, maximum = type === "integer" ? Number.MAX_SAFE_INTEGER : Infinity }: QueryRule,
): SerializedValue {
  if (typeof value !== "number" || !(type === "integer" ? Number.isInteger(value) : Number.isFinite(value)))
    return { problem: type === "integer" ? "must be an integer" : "must be a number" };
  if (value < minimum) return { problem: `must be at least ${minimum}` };
  if (value > maximum) return { problem: `must be at most ${maximum}` };
  return plainNumber(value);
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

const dateTimeForm =
  /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:Z|([+-](\d\d)):?(\d\d)?)$/i;

/**
 * Serializes an instant as RFC 3339 with `Z`, from a `Date` or an ISO 8601 string with an offset. Without an offset the
 * instant would be a guess. Digits beyond milliseconds are kept. Gap `date-times.forms`.
 */
export function serializeDateTime(value: unknown): SerializedValue {
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  return (
    (typeof value === "string" && toUtc(value)) || {
      problem: "must be a Date or an ISO 8601 date-time with an offset or Z, such as 2026-01-31T00:00:00Z",
    }
  );
}

/** Returns an ISO 8601 date-time with the offset zero; undefined if it is not one. */
function toUtc(text: string): string | undefined {
  const parts = dateTimeForm.exec(text);
  if (parts === null) return undefined;
  const [, day = "", hour, minute, second = "00", fraction, sign = "+00", hours = "00", minutes = "00"] =
    parts;
  const local = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
  // a day that does not exist becomes one of the next month
  const exists = new Date(Date.parse(day) || 0).toISOString().startsWith(day);
  if (!exists || Number.isNaN(local) || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  if (hour === "24" && Number(fraction ?? 0) > 0) return undefined;
  const offset = Number(`${sign.charAt(0)}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  const utc = new Date(local - offset).toISOString();
  // years before 0 and after 9999 have another form
  return utc.length === 24
    ? `${utc.slice(0, 19)}${fraction === undefined ? "" : `.${fraction}`}Z`
    : undefined;
}
