import { describe, expect, it } from "vitest";
import type { Issue } from "../../../../src/client/core/errors/issue.ts";
import { copyQuery } from "../../../../src/client/core/request/build.ts";
import type { QueryRule } from "../../../../src/client/core/request/operation.ts";
import { serializeQuery } from "../../../../src/client/core/request/serialize-query.ts";

type QueryRules = Readonly<Record<string, QueryRule>>;

function query(given: object | undefined, rules: QueryRules): { query: string; issues: readonly Issue[] } {
  const { text: search, issues } = serializeQuery(copyQuery(given), rules);
  return { query: search, issues };
}

/** The serialized form of a value by a rule, and the rule's complaint. */
function apply(rule: QueryRule, value: unknown): { serialized: string | undefined; complaints: string[] } {
  const { query: search, issues } = query({ a: value }, { a: rule });
  const serialized = new URLSearchParams(search).get("a") ?? undefined;
  return { serialized, complaints: issues.map(({ message }) => message) };
}

const text: QueryRule = { type: "string" };
const uuid: QueryRule = { type: "uuid" };
const boolean: QueryRule = { type: "boolean" };
const commaList: QueryRule = { type: "comma-list" };
const instant: QueryRule = { type: "date-time" };
const integer = (minimum: number, maximum?: number): QueryRule =>
  maximum === undefined ? { type: "integer", minimum } : { type: "integer", minimum, maximum };
const number = (minimum: number, maximum: number): QueryRule => ({ type: "number", minimum, maximum });
const oneOf = (values: readonly string[]): QueryRule => ({ type: "string", values });

const id = "0123abcd-4567-89ef-0123-456789ABCDEF";
const noUuid = "must be a UUID";
const noInstant = "must be a Date or an ISO 8601 date-time with an offset or Z, such as 2026-01-31T00:00:00Z";

describe("a rule serializes valid values", () => {
  it.each<[string, QueryRule, unknown, string]>([
    ["a text", text, "a b", "a b"],
    ["an empty text", text, "", ""],
    ["a UUID", uuid, id, id],
    ["true", boolean, true, "true"],
    ["false", boolean, false, "false"],
    ["the least integer", integer(1, 5), 1, "1"],
    ["the greatest integer", integer(1, 5), 5, "5"],
    ["an integer without an upper bound", integer(1), 2 ** 53 - 1, "9007199254740991"],
    ["the least number", number(0, 100), 0, "0"],
    ["the greatest number", number(0, 100), 100, "100"],
    ["a fraction", number(0, 100), 0.5, "0.5"],
    ["a known value", oneOf(["a", "b"]), "b", "b"],
    ["several values", commaList, ["a", "b c"], "a,b c"],
    ["one value", commaList, ["a"], "a"],
    ["a Date", instant, new Date(0), "1970-01-01T00:00:00.000Z"],
    ["a minute", instant, "2026-01-31T23:59Z", "2026-01-31T23:59:00Z"],
    ["a second", instant, "2026-01-31T00:00:59Z", "2026-01-31T00:00:59Z"],
    ["a part of a second", instant, "2026-01-31T00:00:00.123456Z", "2026-01-31T00:00:00.123456Z"],
    ["a part of a second behind a comma", instant, "2026-01-31T00:00:00,5Z", "2026-01-31T00:00:00.5Z"],
    ["an offset eastward", instant, "2026-01-31T00:00:00+05:30", "2026-01-30T18:30:00Z"],
    ["an offset westward", instant, "2026-01-31T00:00:00-11:00", "2026-01-31T11:00:00Z"],
    ["an offset without a colon", instant, "2026-01-31T00:00:00+0530", "2026-01-30T18:30:00Z"],
    ["the largest offset", instant, "2026-01-31T00:00:00-23:59", "2026-01-31T23:59:00Z"],
    ["an offset of hours", instant, "2026-01-31T00:00:00+05", "2026-01-30T19:00:00Z"],
    [
      "an offset without minutes of its own",
      instant,
      "2026-01-31T00:00:00.25-00:00",
      "2026-01-31T00:00:00.25Z",
    ],
    ["small letters", instant, "2026-01-31t00:00:00z", "2026-01-31T00:00:00Z"],
    ["a leap day", instant, "2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"],
    ["the end of a day", instant, "2026-01-31T24:00:00Z", "2026-02-01T00:00:00Z"],
    ["the end of a day with a zero fraction", instant, "2026-01-31T24:00:00.0Z", "2026-02-01T00:00:00.0Z"],
    ["the end of a year in another zone", instant, "2025-12-31T23:30-01:00", "2026-01-01T00:30:00Z"],
  ])("a rule writes what fits %s", (_, rule, value, serialized) => {
    expect(apply(rule, value)).toEqual({ serialized, complaints: [] });
  });
});

describe("a rule rejects", () => {
  it.each<[string, QueryRule, unknown, string]>([
    ["a number for a text", text, 5, "must be a string"],
    ["no UUID", uuid, "x", noUuid],
    ["an object for a text", text, {}, "must be a string"],
    ["something before a UUID", uuid, `x${id}`, noUuid],
    ["something behind a UUID", uuid, `${id}x`, noUuid],
    ["a UUID in an object", uuid, { toString: () => id }, noUuid],
    ["a text for a boolean", boolean, "true", "must be true or false"],
    ["too small an integer", integer(1, 5), 0, "must be at least 1"],
    ["too great an integer", integer(1, 5), 6, "must be at most 5"],
    ["a fraction for an integer", integer(1, 5), 1.5, "must be an integer"],
    [
      "an integer that JavaScript cannot hold exactly",
      integer(1),
      2 ** 60,
      "must be at most 9007199254740991",
    ],
    ["no number", integer(1), Number.NaN, "must be an integer"],
    ["an integer below its only bound", integer(1), 0, "must be at least 1"],
    ["a number too small", number(0, 100), -0.1, "must be at least 0"],
    ["a number too great", number(0, 100), 100.1, "must be at most 100"],
    ["a text for a number", number(0, 100), "5", "must be a number"],
    ["a small number", number(0, 1), 1e-7, "must be written without an exponent"],
    ["a large number", { type: "number" }, -1.5e21, "must be written without an exponent"],
    ["an unknown value", oneOf(["a", "b"]), "c", "must be one of a, b"],
    ["a text for a list", commaList, "a", "must be an array of non-empty strings"],
    ["an empty text in a list", commaList, ["a", ""], "must be an array of non-empty strings"],
    ["a number in a list", commaList, ["a", 5], "must be an array of non-empty strings"],
    [
      "an empty list",
      commaList,
      [],
      "must not be empty: an empty list would select everything; omit it to select everything",
    ],
    ["a comma in a list", commaList, ["a,b", "c"], "must not contain a comma, which separates the values"],
    ["a Date that is none", instant, new Date(Number.NaN), noInstant],
    ["a number for an instant", instant, 0, noInstant],
    ["an instant in an object", instant, { toString: () => "2026-01-31T00:00:00Z" }, noInstant],
    ["a day", instant, "2026-01-31", noInstant],
    ["an instant without offset", instant, "2026-01-31T00:00:00", noInstant],
    ["something before an instant", instant, "x2026-01-31T00:00:00Z", noInstant],
    ["something behind an instant", instant, "2026-01-31T00:00:00Zx", noInstant],
    ["a fraction without a second", instant, "2026-01-31T00:00.5Z", noInstant],
    ["a day that its month lacks", instant, "2026-02-30T00:00:00Z", noInstant],
    ["a day 0", instant, "2026-01-00T00:00:00Z", noInstant],
    ["a month 0", instant, "2026-00-01T00:00:00Z", noInstant],
    ["a month 13", instant, "2026-13-01T00:00:00Z", noInstant],
    ["an hour that no day has", instant, "2026-01-31T25:00:00Z", noInstant],
    ["a minute that no hour has", instant, "2026-01-31T00:60:00Z", noInstant],
    ["a leap second", instant, "2026-01-31T00:00:60Z", noInstant],
    ["a second after the end of a day", instant, "2026-01-31T24:00:01Z", noInstant],
    ["a minute after the end of a day", instant, "2026-01-31T24:01:00Z", noInstant],
    ["a fraction of a second after the end of a day", instant, "2026-01-31T24:00:00.5Z", noInstant],
    ["an offset of a day", instant, "2026-01-31T00:00:00+24:00", noInstant],
    ["an offset of 60 minutes", instant, "2026-01-31T00:00:00+00:60", noInstant],
    ["an instant before the year 0", instant, "0000-01-01T00:00:00+01:00", noInstant],
    ["an instant after the year 9999", instant, "9999-12-31T23:59:59-01:00", noInstant],
    [
      "a lone surrogate",
      text,
      "\ud800",
      "must not contain a lone surrogate, which has no percent-encoded form",
    ],
  ])("a rule complains about %s", (_, rule, value, complaint) => {
    expect(apply(rule, value).complaints).toEqual([complaint]);
  });

  it("values that are not an instant or a list", () => {
    expect(apply(instant, "x").serialized).toBeUndefined();
    expect(apply(commaList, [""]).serialized).toBeUndefined();
  });
});

describe("a query", () => {
  const rules: QueryRules = {
    limit: integer(1, 9),
    from: { type: "date-time", required: true },
    to: instant,
  };
  const { from: _, ...optional } = rules;
  const [early, late] = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"];
  const missing = { path: "from", message: "is required" };

  it("is empty without given and required parameters", () => {
    for (const given of [undefined, {}, { limit: undefined }, { extra: {} }]) {
      expect(query(given, optional)).toEqual({ query: "", issues: [] });
    }
  });

  it("contains the given parameters, then those that the contract does not show", () => {
    expect(query({ extra: { b: "x y" }, limit: 5, from: early }, rules)).toEqual({
      query: `?limit=5&from=${encodeURIComponent(early)}&b=x+y`,
      issues: [],
    });
  });

  it.each<[object | undefined, Issue[]]>([
    [undefined, [missing]],
    [{ from: undefined }, [missing]],
    [{ limit: 5 }, [missing]],
    [{ limit: 5, from: early }, []],
    [
      { from: early, page: 1 },
      [{ path: "page", message: "is not a parameter of this operation. Expected one of limit, from, to" }],
    ],
    [
      { from: early, toString: "x" },
      [
        {
          path: "toString",
          message: "is not a parameter of this operation. Expected one of limit, from, to",
        },
      ],
    ],
    [{ from: early, extra: { toString: "x" } }, []],
    [{ from: late, to: early }, []],
    [{ from: early, to: early }, []],
    [{ from: early, extra: "a=b" }, [{ path: "extra", message: "must be an object of strings" }]],
    [{ from: early, extra: { a: 5 } }, [{ path: "extra.a", message: "must be a string" }]],
    [
      { from: early, extra: { limit: "5" } },
      [{ path: "extra.limit", message: "is a documented parameter: pass it as `limit`" }],
    ],
  ])("%j has the issues %j", (given, issues) => {
    expect(query(given, rules).issues).toEqual(issues);
  });

  it("lists no parameters for an operation without parameters", () => {
    expect(query({ limit: 5 }, {}).issues).toEqual([
      { path: "limit", message: "is not a parameter: this operation has no query parameters" },
    ]);
  });
});
