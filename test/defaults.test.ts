import { describe, expect, it } from "vitest";
import { storeQueryLimits } from "../generated/store.limits.ts";
import { fleetQueryLimits } from "../generated/fleet.limits.ts";
import { codeDefaults, documentedDefaults, guideDefaults } from "./defaults.ts";

/** The parameters whose defaults are those of the contract (test/operations/method-comments.test.ts). */
const parameters = new Set(
  [...Object.values(storeQueryLimits), ...Object.values(fleetQueryLimits)].flatMap((limits) =>
    Object.keys(limits),
  ),
);

const comments = documentedDefaults().filter(({ name }) => !parameters.has(name));
const guides = guideDefaults();

/** The names in code of options with another name. */
const inCode: Readonly<Record<string, string>> = { retry: "retries" };

/** An option that is false by default needs no code. */
function isDefault(name: string, value: string): boolean {
  const values = codeDefaults.get(inCode[name] ?? name) ?? new Set();
  return values.has(value) || (value === "false" && !values.has("true"));
}

describe("a default that a comment states", () => {
  it.each(comments)("is that of the code: $name is $value in $place", ({ name, value }) => {
    expect(isDefault(name, value)).toBe(true);
  });

  it("is found in many places", () => {
    expect(comments.length).toBeGreaterThan(20);
  });
});

describe("a default that a guide states", () => {
  it.each(guides)("is that of the code: $name is $value in $place", ({ name, value }) => {
    expect(isDefault(name, value)).toBe(true);
  });

  it("is found in several guides", () => {
    expect(new Set(guides.map(({ place }) => place)).size).toBeGreaterThan(2);
  });
});
