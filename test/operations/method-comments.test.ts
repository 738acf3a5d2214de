import { describe, expect, it } from "vitest";
import { scopes } from "../../generated/fleet.enums.ts";
import { methodComments } from "./method-comments.ts";
import { operationsOf } from "./operations.ts";

const cases = (["store", "fleet"] as const).flatMap((api) => {
  const comments = methodComments(api);
  return operationsOf(api).map(({ client, ...operation }) => {
    const name = `${client.resource}.${client.name}`;
    return { ...operation, name, comment: comments.get(name) ?? "" };
  });
});

/** The scopes that a comment names. */
function namedScopes(comment: string): Set<string> {
  const names = [...comment.matchAll(/`([a-z-]+:[a-z]+)`/g)].map(([, name = ""]) => name);
  return new Set(names);
}

describe.each(cases)("the comment of $name", ({ comment, method, path, scopes: needed }) => {
  it("contains the route of the operation", () => {
    expect(comment).toContain(`\`${method} ${path}\``);
  });

  it("names the scopes of the operation and no others", () => {
    const expected = new Set([...(needed?.table ?? []), ...(needed?.prose ?? [])]);
    expect(namedScopes(comment)).toEqual(expected);
  });

  it("names the gap of the scopes, where they have one", () => {
    const gaps = [...comment.matchAll(/`(scopes\.[a-z-]+)`/g)].map(([, gap]) => gap);
    expect(gaps).toEqual(needed?.gap === undefined ? [] : [needed.gap]);
  });
});

it("finds the scopes in a comment", () => {
  expect(namedScopes("without `damages:read` or `vehicles:read` (gap `scopes.get-damage`)")).toEqual(
    new Set(["damages:read", "vehicles:read"]),
  );
  expect(scopes.every((scope) => namedScopes(`\`${scope}\``).has(scope))).toBe(true);
});
