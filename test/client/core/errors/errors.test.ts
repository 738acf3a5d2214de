import { describe, expect, it } from "vitest";
import { InvalidRequestError } from "../../../../src/client/core/errors/errors.ts";
import { checkWith } from "../../../../src/client/core/request/schema-check.ts";
import * as z from "zod/mini";

describe("an InvalidRequestError", () => {
  const withIssues = (count: number): InvalidRequestError =>
    new InvalidRequestError(
      "GET /a",
      Array.from({ length: count }, (_, at) => ({ path: `p${at}`, message: "no" })),
    );
  const words = (count: number): string => Array.from({ length: count }, (_, at) => `p${at}: no`).join("; ");

  it("names twenty issues in its message, and counts the rest", () => {
    expect(withIssues(20).message).toBe(`GET /a: not sent: ${words(20)}`);
    expect(withIssues(21).message).toBe(`GET /a: not sent: ${words(20)} (and 1 more)`);
    expect(withIssues(25).message).toBe(`GET /a: not sent: ${words(20)} (and 5 more)`);
  });

  it("has every issue", () => {
    expect(withIssues(25).issues).toHaveLength(25);
  });
});

describe("a check against a schema", () => {
  const throwing = (error: Error) =>
    checkWith({
      zThing: z.custom(() => {
        throw error;
      }),
    });

  it("reports more issues than the engine's stack can hold", () => {
    expect(throwing(new RangeError("Maximum call stack size exceeded"))("zThing", 1)).toEqual([
      { path: "", message: "has more issues than can be listed" },
    ]);
  });

  it("throws other failures", () => {
    const failure = new TypeError("a defect");
    expect(() => throwing(failure)("zThing", 1)).toThrow(failure);
  });
});
