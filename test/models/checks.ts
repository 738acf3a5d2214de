/** Checks of queries and bodies, written as tables. Each check adds the issues it finds. */
import { isObject } from "./exchange.ts";
import { type DateTimeForm, parseInstant } from "./instants.ts";

export interface Issue {
  readonly path: string;
  readonly message: string;
  readonly code: string;
}

export interface CheckScope {
  readonly issues: Issue[];
  /** Unknown properties are an issue. */
  readonly closed: boolean;
  readonly email: "lenient" | "rfc5321";
  /** A string that an enumeration does not list is accepted. */
  readonly anyValue?: boolean;
}

export type Check = (value: unknown, path: string, scope: CheckScope) => void;

const uuidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const emailPatterns = {
  lenient: /^[^\s@]+@[^\s@]+$/,
  rfc5321:
    /^(?=.{3,254}$)(?=[^@]{1,64}@)[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+$/i,
};

export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}

function reportUnless(condition: boolean, path: string, message: string, scope: CheckScope): void {
  if (!condition) scope.issues.push({ path, message, code: "invalid_value" });
}

export const text: Check = (value, path, scope) =>
  reportUnless(typeof value === "string", path, "must be a string", scope);
export const flag: Check = (value, path, scope) =>
  reportUnless(typeof value === "boolean", path, "must be a boolean", scope);
export const uuid: Check = (value, path, scope) =>
  reportUnless(typeof value === "string" && isUuid(value), path, "must be a UUID", scope);
export const email: Check = (value, path, scope) =>
  reportUnless(
    typeof value === "string" && emailPatterns[scope.email].test(value),
    path,
    "must be an e-mail address",
    scope,
  );

export function oneOf(values: readonly string[]): Check {
  return (value, path, scope) =>
    reportUnless(
      typeof value === "string" && (scope.anyValue === true || values.includes(value)),
      path,
      `must be one of ${values.join(", ")}`,
      scope,
    );
}

export function integer(minimum: number, maximum: number): Check {
  return (value, path, scope) =>
    reportUnless(
      Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum,
      path,
      `must be an integer from ${minimum} to ${maximum}`,
      scope,
    );
}

export function matching(pattern: RegExp): Check {
  return (value, path, scope) =>
    reportUnless(
      typeof value === "string" && pattern.test(value),
      path,
      `must match ${pattern.source}`,
      scope,
    );
}

export function nullable(check: Check): Check {
  return (value, path, scope) => {
    if (value !== null) check(value, path, scope);
  };
}

export function list(element: Check, maximum = Number.POSITIVE_INFINITY): Check {
  return (value, path, scope) => {
    if (!Array.isArray(value)) return reportUnless(false, path, "must be an array", scope);
    if (value.length > maximum)
      return reportUnless(false, path, `must have at most ${maximum} elements`, scope);
    for (const [index, item] of value.entries()) element(item, `${path}.${index}`, scope);
  };
}

/** A property whose name ends in `!` is required. */
export function object(properties: Readonly<Record<string, Check>>): Check {
  const known = Object.entries(properties).map(([name, check]) => ({
    name: name.replace("!", ""),
    required: name.endsWith("!"),
    check,
  }));
  const names = new Set(known.map(({ name }) => name));
  return (value, path, scope) => {
    if (!isObject(value)) return reportUnless(false, path, "must be an object", scope);
    const prefix = path === "" ? "" : `${path}.`;
    for (const { name, required, check } of known) {
      if (value[name] !== undefined) check(value[name], prefix + name, scope);
      else if (required) reportUnless(false, prefix + name, "is required", scope);
    }
    if (!scope.closed) return;
    for (const name of Object.keys(value))
      reportUnless(names.has(name), prefix + name, "is not known", scope);
  };
}

export interface QueryRule {
  readonly type: "text" | "integer" | "number" | "boolean" | "date-time" | "uuid";
  readonly required?: true;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly values?: readonly string[];
  readonly default?: string;
  /** The maximum number of values; 1 by default. */
  readonly maxValues?: number;
}

export type QueryRules = Readonly<Record<string, QueryRule>>;

/** The parameters that were sent, each with its values in order. */
export type Query = ReadonlyMap<string, readonly string[]>;

const noQuery: Query = new Map();

export function parseQuery(search: string): Query {
  if (search === "") return noQuery;
  const query = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(search)) {
    const values = query.get(name);
    if (values) values.push(value);
    else query.set(name, [value]);
  }
  return query;
}

const inBounds = (value: number, rule: QueryRule): boolean =>
  Number.isFinite(value) && value >= (rule.minimum ?? -Infinity) && value <= (rule.maximum ?? Infinity);

const valueChecks: Record<
  QueryRule["type"],
  (value: string, rule: QueryRule, form: DateTimeForm) => boolean
> = {
  text: (value, rule) => rule.values === undefined || rule.values.includes(value),
  integer: (value, rule) => /^[+-]?\d+$/.test(value) && inBounds(Number(value), rule),
  number: (value, rule) => value.trim() !== "" && inBounds(Number(value), rule),
  boolean: (value) => value === "true" || value === "false",
  "date-time": (value, _rule, form) => parseInstant(value, form) !== undefined,
  uuid: (value) => isUuid(value),
};

export interface QueryOptions {
  readonly form: DateTimeForm;
  readonly rejectUnknown: boolean;
}

/** Returns an issue for each parameter that is missing, repeated, malformed or (if asked for) unknown. */
export function checkQuery(query: Query, rules: QueryRules, options: QueryOptions): Issue[] {
  const issues: Issue[] = [];
  const scope: CheckScope = { issues, closed: false, email: "lenient" };
  for (const name in rules) {
    const rule = rules[name];
    if (!rule) continue;
    const values = query.get(name) ?? [];
    reportUnless(values.length > 0 || !rule.required, name, "is required", scope);
    reportUnless(values.length <= (rule.maxValues ?? 1), name, "must not be repeated", scope);
    for (const value of values)
      reportUnless(valueChecks[rule.type](value, rule, options.form), name, "is not valid", scope);
  }
  if (!options.rejectUnknown) return issues;
  for (const name of query.keys())
    reportUnless(rules[name] !== undefined, name, "is not a known parameter", scope);
  return issues;
}
