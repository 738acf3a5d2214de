import { isUuid } from "../../internal/uuid.ts";
import { isObject } from "../../internal/json.ts";
import type { Issue } from "../errors/issue.ts";
import { toWireDateTime } from "./date-time.ts";
import type { QueryRule } from "./operation.ts";

/** The query parameters of an operation. */
type QueryRules = Readonly<Record<string, QueryRule>>;

/** The value as it is written in a URL, or what is wrong with it. */
type Written = { text: string } | { problem: string };

const writers: Readonly<Record<QueryRule["type"], (value: unknown, rule: QueryRule) => Written>> = {
  string: writeText,
  uuid: (value) => (isUuid(value) ? { text: value } : { problem: "must be a UUID (8-4-4-4-12 hex digits)" }),
  boolean: (value) =>
    typeof value === "boolean" ? { text: String(value) } : { problem: "must be true or false" },
  integer: writeNumber,
  number: writeNumber,
  "date-time": writeDateTime,
  "comma-list": writeCommaList,
};

const loneSurrogate = "must not hold a lone surrogate: it has no percent-encoded form";

/** Returns the query string of a call with its `?`; adds an issue for each parameter that cannot be sent. */
export function buildQuery(query: object | undefined, rules: QueryRules, issues: Issue[]): string {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (name === "extra" || value === undefined) continue;
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    const written = rule === undefined ? { problem: describeUnknown(rules) } : write(value, rule);
    if ("problem" in written) issues.push({ path: name, message: written.problem });
    else parts.append(name, written.text);
  }
  for (const [name, { required }] of Object.entries(rules)) {
    const given = (query as Record<string, unknown> | undefined)?.[name];
    if (required === true && given === undefined) issues.push({ path: name, message: "is required" });
  }
  addExtra(parts, query && "extra" in query ? query.extra : undefined, rules, issues);
  const search = parts.toString();
  return search === "" ? "" : `?${search}`;
}

function write(value: unknown, rule: QueryRule): Written {
  const { values } = rule;
  if (values !== undefined && !values.includes(value as string))
    return { problem: `must be one of ${values.join(", ")}` };
  return writers[rule.type](value, rule);
}

function writeText(value: unknown): Written {
  if (typeof value !== "string") return { problem: "must be a string" };
  return value.isWellFormed() ? { text: value } : { problem: loneSurrogate };
}

function writeNumber(value: unknown, { type, minimum = -Infinity, maximum = Infinity }: QueryRule): Written {
  const fits = type === "integer" ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (fits && (value as number) >= minimum && (value as number) <= maximum)
    return { text: plainNumber(value as number) };
  const kind = type === "integer" ? "an integer" : "a number";
  if (maximum !== Infinity) return { problem: `must be ${kind} from ${minimum} to ${maximum}` };
  return { problem: minimum === -Infinity ? `must be ${kind}` : `must be ${kind}, ${minimum} or more` };
}

/** A number without an exponent, which not every server reads. */
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

function writeDateTime(value: unknown): Written {
  const text = toWireDateTime(value);
  if (text !== undefined) return { text };
  return { problem: "must be a Date or ISO 8601 text with an offset or Z, such as 2026-01-31T00:00:00Z" };
}

/** Values joined by commas. An empty list is refused: on the wire it would mean no filter at all. */
function writeCommaList(value: unknown): Written {
  if (!Array.isArray(value) || value.some((part) => typeof part !== "string" || part === ""))
    return { problem: "must be an array of non-empty strings" };
  if (value.length === 0)
    return { problem: "must not be empty: sent empty it would mean all; leave it out to mean all" };
  if (value.some((part: string) => part.includes(",")))
    return { problem: "must not hold a comma: commas separate the values" };
  return writeText(value.join(","));
}

function describeUnknown(rules: QueryRules): string {
  const known = Object.keys(rules).join(", ");
  return known === ""
    ? "is not a parameter: this operation has none"
    : `is not a parameter of this operation; it has ${known}`;
}

function addExtra(parts: URLSearchParams, extra: unknown, rules: QueryRules, issues: Issue[]): void {
  if (extra !== undefined && !isObject(extra))
    return void issues.push({ path: "extra", message: "must be an object of strings" });
  for (const [name, value] of Object.entries(extra ?? {})) {
    const path = `extra.${name}`;
    const written = writeText(value);
    if ("problem" in written) issues.push({ path, message: written.problem });
    else if (Object.hasOwn(rules, name))
      issues.push({ path, message: `is a parameter of its own: pass it as \`${name}\`` });
    else parts.append(name, written.text);
  }
}
