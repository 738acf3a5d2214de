import type { Issue } from "./issue.ts";
import { isObject } from "./json.ts";

/** Checks one query value and gives its text on the wire; what is wrong goes to `complain`. */
export type Rule = (value: unknown, complain: (message: string) => void) => string;

/** One rule for each query parameter that an operation has; `required` names those it cannot do without. */
export interface QueryRules {
  readonly rules: Readonly<Record<string, Rule>>;
  readonly required?: readonly string[];
}

const guid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const instantForm = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})$/i;

export const text: Rule = (value, complain) => {
  if (typeof value !== "string") complain("must be a string");
  return String(value);
};

export const uuid: Rule = (value, complain) => {
  const problem = problemOfUuid(value);
  if (problem !== undefined) complain(problem);
  return String(value);
};

export function problemOfUuid(value: unknown): string | undefined {
  return typeof value === "string" && guid.test(value) ? undefined : "must be a UUID (8-4-4-4-12 hex digits)";
}

export const boolean: Rule = (value, complain) => {
  if (typeof value !== "boolean") complain("must be true or false");
  return String(value);
};

export function integer(min: number, max = Infinity): Rule {
  return (value, complain) => {
    const fits = Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
    if (!fits)
      complain(
        max === Infinity ? `must be an integer, ${min} or more` : `must be an integer from ${min} to ${max}`,
      );
    return String(value);
  };
}

export function number(min: number, max: number): Rule {
  return (value, complain) => {
    const fits = typeof value === "number" && value >= min && value <= max;
    if (!fits) complain(`must be a number from ${min} to ${max}`);
    return String(value);
  };
}

export function oneOf(known: readonly string[]): Rule {
  return (value, complain) => {
    if (!known.includes(value as string)) complain(`must be one of ${known.join(", ")}`);
    return String(value);
  };
}

/** A `Date`, or ISO 8601 text with its offset: without one the instant would be a guess. */
export const instant: Rule = (value, complain) => {
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  if (typeof value === "string" && isInstant(value)) return value;
  complain("must be a Date or ISO 8601 text with an offset or Z, such as 2026-01-31T00:00:00Z");
  return "";
};

function isInstant(value: string): boolean {
  const day = instantForm.exec(value)?.[1];
  // engines take 30 February for 2 March
  return day !== undefined && !Number.isNaN(Date.parse(value)) && new Date(day).toISOString().startsWith(day);
}

/** Several texts joined by commas. An empty list is refused: on the wire it would mean no filter at all. */
export const commaList: Rule = (value, complain) => {
  if (!Array.isArray(value) || value.some((part) => typeof part !== "string" || part === "")) {
    complain("must be an array of non-empty strings");
    return "";
  }
  if (value.length === 0)
    complain("must not be empty: sent empty it would mean all; leave it out to mean all");
  if (value.some((part: string) => part.includes(",")))
    complain("must not hold a comma: commas separate the values");
  return value.join(",");
};

/** The query string of a call, or the issues that keep it from being sent. */
export function buildQuery(
  query: object | undefined,
  { rules, required }: QueryRules,
  issues: Issue[],
): string {
  if (query === undefined && required === undefined) return "";
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined);
  const parts = new URLSearchParams();
  for (const [name, value] of given) {
    if (name === "extra") continue;
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) issues.push({ path: name, message: unknownName(rules) });
    else
      parts.append(
        name,
        rule(value, (message) => issues.push({ path: name, message })),
      );
  }
  for (const name of required ?? []) {
    if (!given.some(([known]) => known === name)) issues.push({ path: name, message: "is required" });
  }
  checkOrder(parts, issues);
  addExtra(parts, query && "extra" in query ? query.extra : undefined, rules, issues);
  const search = parts.toString();
  return search === "" ? "" : `?${search}`;
}

function unknownName(rules: QueryRules["rules"]): string {
  const known = Object.keys(rules).join(", ");
  return known === ""
    ? "is not a parameter: this operation has none"
    : `is not a parameter of this operation; it has ${known}`;
}

function checkOrder(parts: URLSearchParams, issues: Issue[]): void {
  const [from, to] = [Date.parse(parts.get("from") ?? ""), Date.parse(parts.get("to") ?? "")];
  if (from > to) issues.push({ path: "from", message: "must not be after `to`" });
}

function addExtra(parts: URLSearchParams, extra: unknown, rules: QueryRules["rules"], issues: Issue[]): void {
  if (extra !== undefined && !isObject(extra))
    return void issues.push({ path: "extra", message: "must be an object of strings" });
  for (const [name, value] of Object.entries(extra ?? {})) {
    const path = `extra.${name}`;
    if (typeof value !== "string") issues.push({ path, message: "must be a string" });
    else if (Object.hasOwn(rules, name))
      issues.push({ path, message: `is a parameter of its own: pass it as \`${name}\`` });
    else parts.append(name, value);
  }
}
