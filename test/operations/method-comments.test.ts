import { describe, expect, it } from "vitest";
import { scopes } from "../../generated/fleet.enums.ts";
import { fleetQueryLimits } from "../../generated/fleet.limits.ts";
import { storeBodyLimits, storeQueryLimits } from "../../generated/store.limits.ts";
import { endpoints, readDocument } from "../../specs/generate/document.ts";
import { methodComments, queryComments } from "./method-comments.ts";
import { operationsOf } from "./operations.ts";

const cases = (["store", "fleet"] as const).flatMap((api) => {
  const comments = methodComments(api);
  return operationsOf(api).map(({ client, ...operation }) => {
    const name = `${client.resource}.${client.name}`;
    return { ...operation, name, comment: comments.get(name) ?? "" };
  });
});

const deprecated = new Set(
  ["store", "fleet"]
    .map((api) => readDocument(new URL(`../../specs/${api}.openapi.yaml`, import.meta.url)))
    .flatMap(endpoints)
    .flatMap(({ id, operation }) => (operation["deprecated"] === true ? id : [])),
);

/** The scopes that a comment names. */
function namedScopes(comment: string): Set<string> {
  const names = [...comment.matchAll(/`([a-z-]+:[a-z]+)`/g)].map(([, name = ""]) => name);
  return new Set(names);
}

describe.each(cases)("the JSDoc of $name", ({ id, comment, method, path, scopes: needed }) => {
  it("contains the route of the operation", () => {
    expect(comment).toContain(`\`${method} ${path}\``);
  });

  it("says that the operation is deprecated, if it is", () => {
    expect(comment.includes("@deprecated")).toBe(deprecated.has(id));
  });

  it("names the scopes of the operation and no others", () => {
    const expected = new Set([...(needed?.table ?? []), ...(needed?.prose ?? [])]);
    expect(namedScopes(comment)).toEqual(expected);
  });

  it("names the gap of the scopes, if they have one", () => {
    const gaps = [...comment.matchAll(/`(scopes\.[a-z-]+)`/g)].map(([, gap]) => gap);
    expect(gaps).toEqual(needed?.gap === undefined ? [] : [needed.gap]);
  });
});

it("the scopes in a JSDoc comment are found", () => {
  expect(namedScopes("without `damages:read` or `vehicles:read` (gap `scopes.get-damage`)")).toEqual(
    new Set(["damages:read", "vehicles:read"]),
  );
  expect(scopes.every((scope) => namedScopes(`\`${scope}\``).has(scope))).toBe(true);
});

const limits: Record<
  string,
  Record<string, { minimum?: number; maximum?: number; default?: string | number | boolean }>
> = {
  ...storeQueryLimits,
  ...fleetQueryLimits,
};

const limited = cases.flatMap(({ id, api, name }) =>
  Object.entries(limits[id] ?? {}).map(([parameter, limit]) => ({
    ...limit,
    parameter,
    name,
    comment: queryComments(api, name).get(parameter) ?? "",
  })),
);

describe.each(limited)("the JSDoc of $parameter in the query of $name", (row) => {
  const { minimum, maximum, comment } = row;

  it("contains the bounds of the contract", () => {
    const upper = maximum === undefined ? " or more" : `(?: to |–)${maximum}\\b`;
    expect(comment).toMatch(minimum === undefined ? /^\/\*\*\s/ : new RegExp(`\\b${minimum}${upper}`));
  });

  it("contains the default of the contract", () => {
    const value = row.default === undefined ? "" : `(default: ${row.default})`;
    expect(comment.replaceAll("`", "")).toContain(value);
  });
});

it("the JSDoc comments of bodies contain the bounds of the contract", () => {
  const { ExpositionUpsert, ExpectationInput } = storeBodyLimits;
  const comments = methodComments("store");
  expect(comments.get("expositions.upsert")).toContain(`at most ${ExpositionUpsert.expositions.maxItems}`);
  const { weekday, expectedFillRatio } = ExpectationInput;
  expect(comments.get("expectations.replace")).toContain(`${weekday.minimum} to ${weekday.maximum}`);
  expect(comments.get("expectations.replace")).toContain(
    `${expectedFillRatio.minimum} to ${expectedFillRatio.maximum}`,
  );
});
