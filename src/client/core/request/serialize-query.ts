// Loaded for the first request with query parameters.
import { isObject, type JsonObject } from "../../../wire/json.ts";
import { unknownParameter } from "../../../wire/unknown-parameter.ts";
import type { Issue } from "../errors/issue.ts";
import { type Serialized, type SerializedValue, serializeString, serializeUuid } from "./build.ts";
import type { QueryRule } from "./operation.ts";

/**
 * Returns the query string with its `?`; an empty text without parameters.
 * @param query a copy by `copyQuery`, which has no undefined parameters
 */
export function serializeQuery(
  query: JsonObject,
  rules: Readonly<Record<string, QueryRule>> = {},
): Serialized {
  const search = new URLSearchParams();
  const issues: Issue[] = [];
  const add = (name: string, path: string, value: SerializedValue): void => {
    if (typeof value === "string") search.append(name, value);
    else issues.push({ path, message: value.problem });
  };
  const { extra = {}, "": hidden, ...given } = query;
  if (hidden !== undefined) issues.push({ path: "query", message: "must be a plain object" });
  for (const [name, value] of Object.entries(given)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    add(
      rule?.name ?? name,
      name,
      rule ? serialize(value, rule) : { problem: unknownParameter(Object.keys(rules)) },
    );
  }
  for (const [name, { required }] of Object.entries(rules))
    if (required && given[name] === undefined) add(name, name, { problem: "is required" });
  if (!isObject(extra)) issues.push({ path: "extra", message: "must be an object of strings" });
  for (const [name, value] of Object.entries(isObject(extra) ? extra : {})) {
    const [property] = Object.entries(rules).find(([key, rule]) => name === (rule.name ?? key)) ?? [];
    const documented = { problem: `is a documented parameter: pass it as \`${property}\`` };
    add(name, `extra.${name}`, property === undefined ? serializeString(value) : documented);
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

function serializeNumber(
  value: unknown,
  { type, minimum = -Infinity, maximum = Number.MAX_SAFE_INTEGER }: QueryRule,
): SerializedValue {
  if (typeof value !== "number" || !(type === "integer" ? Number.isInteger(value) : Number.isFinite(value)))
    return { problem: type === "integer" ? "must be an integer" : "must be a number" };
  if (value < minimum) return { problem: `must be at least ${minimum}` };
  if (value > maximum) return { problem: `must be at most ${maximum}` };
  const text = String(value);
  // not every server parses exponents
  return text.includes("e") ? { problem: "must be written without an exponent" } : text;
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
