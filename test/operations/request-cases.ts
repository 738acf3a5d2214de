import type { QueryRule } from "../../src/wire/operation.ts";
import { type ApiOperation, pathNames } from "./operations.ts";
import type { Sample } from "./sample.ts";

/** A request of one operation. */
export interface RequestCase {
  /** The path ids. */
  path?: Record<string, string>;
  /** An array is sent as a repeated parameter. */
  query?: Record<string, string | number | boolean | readonly string[]>;
  body?: unknown;
  /** Sent as it is, instead of `body`. */
  text?: string;
  /** Instead of the server's own token or key. */
  secret?: string;
  version?: string;
}

/** Requests of one operation, by their outcome under the default readings. */
export interface RequestCases {
  good: RequestCase[];
  /** 400 */
  bad: RequestCase[];
  /** 404 */
  unknown: RequestCase[];
  /** Any documented response: a reading decides. */
  open: RequestCase[];
}

/** Requests in addition to those that the table implies. */
export type ExtraCases<Id extends string> = Partial<Record<Id, Partial<RequestCases>>>;

const unknownUuid = "11111111-1111-1111-1111-111111111111";

/** The requests that follow from an operation's row and its sample, and the requests in `more`. */
export function casesOf(
  operation: ApiOperation,
  sample: Sample,
  more: Partial<RequestCases> = {},
): RequestCases {
  const base = sample as RequestCase; // samples are typed by the documents
  const queries = queryCases(operation, base);
  return {
    good: [base, ...queries.good, ...(more.good ?? [])],
    bad: [...queries.bad, ...bodyCases(operation, base), ...(more.bad ?? [])],
    unknown: [...unknownCases(operation, base), ...(more.unknown ?? [])],
    open: [...queries.open, ...openCases(operation, base), ...(more.open ?? [])],
  };
}

interface Values {
  good: (string | number | boolean)[];
  bad: (string | number | boolean)[];
  open: (string | number | boolean)[];
}

function queryCases(operation: ApiOperation, base: RequestCase): Omit<RequestCases, "unknown"> {
  const cases: Omit<RequestCases, "unknown"> = { good: [], bad: [], open: [] };
  for (const [name, rule] of Object.entries(operation.rules)) {
    const values = valuesOf(rule, operation.api);
    for (const kind of ["good", "bad", "open"] as const) {
      cases[kind].push(
        ...values[kind].map((value) => ({ ...base, query: { ...base.query, [name]: value } })),
      );
    }
    if (rule.required === true) cases.bad.push(without(base, name));
  }
  return cases;
}

function without(base: RequestCase, name: string): RequestCase {
  const { [name]: _, ...query } = base.query ?? {};
  return { ...base, query };
}

/** Values of a query parameter, inside and outside of its rule. */
function valuesOf(rule: QueryRule, api: ApiOperation["api"]): Values {
  if (rule.values !== undefined) return { good: [...rule.values], bad: ["no value of the enum"], open: [] };
  switch (rule.type) {
    case "integer":
    case "number":
      return numbers(rule, api);
    case "boolean":
      return { good: [true, false], bad: ["perhaps"], open: [] };
    case "date-time":
      return { good: [], bad: ["tomorrow"], open: [] };
    case "uuid":
      return { good: [unknownUuid], bad: ["no-uuid"], open: [] };
    default:
      return { good: [], bad: [], open: ["a"] };
  }
}

/** The fleet API may clamp values outside the bounds (gap fleet.limit-out-of-range). */
function numbers({ type, minimum, maximum }: QueryRule, api: ApiOperation["api"]): Values {
  const inside = [minimum, maximum].filter((value) => value !== undefined);
  const outside = [
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1]),
  ];
  const malformed = type === "integer" ? ["many", 1.5] : ["many"];
  return api === "store"
    ? { good: inside, bad: [...malformed, ...outside], open: [] }
    : { good: inside, bad: malformed, open: outside };
}

function bodyCases({ method }: ApiOperation, base: RequestCase): RequestCase[] {
  return /^[GD]/.test(method) ? [] : [[], "text"].map((wrong) => ({ ...base, body: wrong }));
}

/** Requests with one path ID replaced by an unknown ID, if the contract has a response for it. */
function unknownCases(operation: ApiOperation, base: RequestCase): RequestCase[] {
  if (!operation.statuses.includes(404)) return [];
  return pathNames(operation).map((name) => {
    const id = operation.formats?.[name] === "uuid" ? unknownUuid : "nobody/here";
    return { ...base, path: { ...base.path, [name]: id } };
  });
}

function openCases(operation: ApiOperation, base: RequestCase): RequestCase[] {
  const malformed = Object.keys(operation.formats ?? {}).map((name) => ({
    ...base,
    path: { ...base.path, [name]: "no-uuid" },
  }));
  return [
    { ...base, query: { ...base.query, nonsense: 1 } },
    ...(operation.api === "fleet" ? [{ ...base, version: "v9" }] : []),
    ...malformed,
  ];
}
