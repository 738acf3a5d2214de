import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { Expression, literal } from "../../examples/playground/src/literal.ts";

describe("the code of the playground", () => {
  it.each([
    '{"__proto__": {"name": "A"}, "b": [{"__proto__": 1}]}',
    '{"true": true, "false": false, "null": null, "1000": 1000, "1_000": 1000}',
    `{"a": "${"long ".repeat(20)}", "__proto__": {"__proto__": null}, "true": true}`,
  ])("has the value of the JSON %s", (json) => {
    const value: unknown = runInNewContext(`(${literal(JSON.parse(json))})`);
    expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(json)));
  });

  it("names a variable once that has the name of its property", () => {
    expect(literal({ key: new Expression("key"), fetch: new Expression("ref.fetch") })).toBe(
      "{ key, fetch: ref.fetch }",
    );
  });
});
