import { describe, expect, it, vi } from "vitest";
import { Secret } from "../../src/core/request/secret.ts";

describe("a secret", () => {
  it("that is a text is checked once and given as it is", async () => {
    const check = vi.fn<(secret: string) => void>();
    const secret = new Secret("fixed-secret", check);
    expect(secret.fixed).toBe("fixed-secret");
    expect(await secret.reveal()).toBe("fixed-secret");
    expect(check.mock.calls).toEqual([["fixed-secret"]]);
  });

  it("that a function gives is asked for and checked each time", async () => {
    const check = vi.fn<(secret: string) => void>();
    let turn = 0;
    const secret = new Secret(() => `secret-${++turn}`, check);
    expect(secret.fixed).toBeUndefined();
    expect([await secret.reveal(), await secret.reveal()]).toEqual(["secret-1", "secret-2"]);
    expect(check.mock.calls).toEqual([["secret-1"], ["secret-2"]]);
  });
});
