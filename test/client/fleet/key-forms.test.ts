import { describe, expect, it } from "vitest";
import { ConfigurationError } from "../../../src/client/fleet/index.ts";
import { environmentOf } from "../../../src/client/fleet/keys.ts";

const hex = "0123456789abcdef".repeat(4);

// fleet 5: a prefix, `_` or `_test_`, 64 hexadecimal digits, and nothing around them
describe("a key has the documented form as a whole", () => {
  it.each<[key: string, prefix: string | undefined]>([
    [`acme_x${hex}`, "acme"],
    [`acme_${hex}0`, "acme"],
    [`acme_${hex}x`, "acme"],
    [`acme_${hex}x`, undefined],
    [`!acme_${hex}`, undefined],
    [`-acme_${hex}`, undefined],
  ])("a key has the documented form as a whole: %s with the prefix %j is rejected", (key, prefix) => {
    expect(() => environmentOf(key, prefix)).toThrow(ConfigurationError);
  });

  it("a key may begin with a digit", () => {
    expect(environmentOf(`1acme_${hex}`, undefined)).toBe("production");
  });
});
