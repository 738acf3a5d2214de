import { isObject } from "../../internal/json.ts";
import { unknownParameter } from "../../internal/unknown-parameter.ts";
import { isUuid } from "../../internal/uuid.ts";
import type { Issue } from "../errors/issue.ts";
import { toWireDateTime } from "./date-time.ts";
import type { QueryRule } from "./operation.ts";

/** The query parameters of an operation. */
type QueryRules = Readonly<Record<string, QueryRule>>;

/** The value as it is written in a URL, or the issue with it. */
type SerializedValue = { text: string } | { problem: string };

const serializers: Readonly<Record<QueryRule["type"], (value: unknown, rule: QueryRule) => SerializedValue>> =
  {
    string: serializeString,
    uuid: (value) => (isUuid(value) ? { text: value } : { problem: "must be a UUID" }),
    boolean: (value) =>
      typeof value === "boolean" ? { text: String(value) } : { problem: "must be true or false" },
    integer: serializeNumber,
    number: serializeNumber,
    "date-time": serializeDateTime,
    "comma-list": serializeCommaList,
  };

const loneSurrogate = "must not contain a lone surrogate, which has no percent-encoded form";

/** Returns the query string of a call with its `?`; adds an issue for each invalid parameter. */
export function buildQuery(query: object | undefined, rules: QueryRules, issues: Issue[]): string {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (name === "extra" || value === undefined) continue;
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    const result =
      rule === undefined ? { problem: unknownParameter(Object.keys(rules)) } : serialize(value, rule);
    if ("problem" in result) issues.push({ path: name, message: result.problem });
    else parts.append(name, result.text);
  }
  for (const [name, { required }] of Object.entries(rules)) {
    const given = (query as Record<string, unknown> | undefined)?.[name];
    if (required === true && given === undefined) issues.push({ path: name, message: "is required" });
  }
  addExtra(parts, query && "extra" in query ? query.extra : undefined, rules, issues);
  const search = parts.toString();
  return search === "" ? "" : `?${search}`;
}

function serialize(value: unknown, rule: QueryRule): SerializedValue {
  const { values } = rule;
  if (values !== undefined && !values.includes(value as string))
    return { problem: `must be one of ${values.join(", ")}` };
  return serializers[rule.type](value, rule);
}

function serializeString(value: unknown): SerializedValue {
  if (typeof value !== "string") return { problem: "must be a string" };
  return value.isWellFormed() ? { text: value } : { problem: loneSurrogate };
}

function serializeNumber(
  value: unknown,
  { type, minimum = -Infinity, maximum = type === "integer" ? Number.MAX_SAFE_INTEGER : Infinity }: QueryRule,
): SerializedValue {
  const isInteger = type === "integer";
  if (typeof value !== "number" || !(isInteger ? Number.isInteger(value) : Number.isFinite(value)))
    return { problem: isInteger ? "must be an integer" : "must be a number" };
  if (value < minimum) return { problem: `must be at least ${minimum}` };
  if (value > maximum) return { problem: `must be at most ${maximum}` };
  return { text: plainNumber(value) };
}

/** Formats a number without an exponent, because not every server parses exponents. */
function plainNumber(value: number): string {
  const [mantissa, exponent] = String(value).split("e") as [string, string?];
  if (exponent === undefined) return mantissa;
  const [whole, fraction = ""] = mantissa.replace("-", "").split(".") as [string, string?];
  const point = whole.length + Number(exponent);
  const digits = whole + fraction;
  const sign = value < 0 ? "-" : "";
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  return sign + digits.padEnd(point, "0");
}

function serializeDateTime(value: unknown): SerializedValue {
  const text = toWireDateTime(value);
  if (text !== undefined) return { text };
  return {
    problem: "must be a Date or an ISO 8601 date-time with an offset or Z, such as 2026-01-31T00:00:00Z",
  };
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

function addExtra(parts: URLSearchParams, extra: unknown, rules: QueryRules, issues: Issue[]): void {
  if (extra !== undefined && !isObject(extra))
    return void issues.push({ path: "extra", message: "must be an object of strings" });
  for (const [name, value] of Object.entries(extra ?? {})) {
    const path = `extra.${name}`;
    const result = serializeString(value);
    if ("problem" in result) issues.push({ path, message: result.problem });
    else if (Object.hasOwn(rules, name))
      issues.push({ path, message: `is a documented parameter: pass it as \`${name}\`` });
    else parts.append(name, result.text);
  }
}
