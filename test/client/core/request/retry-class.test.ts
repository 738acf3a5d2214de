import { describe, expect, it } from "vitest";
import { retryClassifier } from "../../../../src/client/core/request/retry-class.ts";

const operation = { retry: "idempotent", retryGaps: ["after-put"] } as const;
const repeatable = { "after-put": ["stays"] };

describe("an operation with a gap", () => {
  it.each([
    ["stays", "idempotent"],
    ["increases", "only-if-rejected"],
    [undefined, "only-if-rejected"],
  ])("that has the reading %j is %s", (reading, expected) => {
    expect(retryClassifier({ "after-put": reading }, repeatable)(operation, {})).toBe(expected);
  });

  it("that has no reading for repetition is sent once", () => {
    expect(retryClassifier({ "after-put": "stays" }, {})(operation, {})).toBe("only-if-rejected");
  });
});
