import type { QueryRule } from "../../generated/operation.ts";
import { type ApiOperation, pathNames } from "./operations.ts";
import type { Sample } from "./sample.ts";

/** A request of one operation. */
export interface Ask {
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
export interface Asks {
  good: Ask[];
  /** 400 */
  bad: Ask[];
  /** 404 */
  unknown: Ask[];
  /** Any documented response: a reading decides. */
  open: Ask[];
}

/** Requests in addition to those that the table implies. */
export type MoreAsks<Id extends string> = Partial<Record<Id, Partial<Asks>>>;

const strangerUuid = "11111111-1111-1111-1111-111111111111";

/** The requests that follow from an operation's row and its sample, and the requests in `more`. */
export function asksOf(operation: ApiOperation, sample: Sample, more: Partial<Asks> = {}): Asks {
  const base = sample as Ask; // samples are typed by the documents
  const queries = queryAsks(operation, base);
  return {
    good: [base, ...queries.good, ...(more.good ?? [])],
    bad: [...queries.bad, ...bodyAsks(operation, base), ...(more.bad ?? [])],
    unknown: [...unknownAsks(operation, base), ...(more.unknown ?? [])],
    open: [...queries.open, ...openAsks(operation, base), ...(more.open ?? [])],
  };
}

interface Values {
  good: (string | number | boolean)[];
  bad: (string | number | boolean)[];
  open: (string | number | boolean)[];
}

function queryAsks(operation: ApiOperation, base: Ask): Omit<Asks, "unknown"> {
  const asks: Omit<Asks, "unknown"> = { good: [], bad: [], open: [] };
  for (const [name, rule] of Object.entries(operation.query ?? {})) {
    const values = valuesOf(rule, operation.api);
    for (const kind of ["good", "bad", "open"] as const) {
      asks[kind].push(...values[kind].map((value) => ({ ...base, query: { ...base.query, [name]: value } })));
    }
    if (rule.required === true) asks.bad.push(without(base, name));
  }
  return asks;
}

function without(base: Ask, name: string): Ask {
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
      return { good: [strangerUuid], bad: ["no-uuid"], open: [] };
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

function bodyAsks({ body }: ApiOperation, base: Ask): Ask[] {
  return body === undefined ? [] : [[], "text"].map((wrong) => ({ ...base, body: wrong }));
}

/** Requests with one path ID replaced by an unknown ID, if the contract has a response for it. */
function unknownAsks(operation: ApiOperation, base: Ask): Ask[] {
  if (!operation.statuses.includes(404)) return [];
  return pathNames(operation).map((name) => {
    const id = operation.formats?.[name] === "uuid" ? strangerUuid : "nobody/here";
    return { ...base, path: { ...base.path, [name]: id } };
  });
}

function openAsks(operation: ApiOperation, base: Ask): Ask[] {
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
