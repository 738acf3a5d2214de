import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { Secret, type SecretContext } from "../../../../src/client/core/request/secret.ts";

const { signal } = new AbortController();
const unchecked = (): void => {};

function causes(levels: number, last: unknown): unknown {
  return levels === 0 ? last : new Error("outside", { cause: causes(levels - 1, last) });
}

describe("a secret", () => {
  it("that is a string is checked once and returned as it is", async () => {
    const check = vi.fn<(secret: string) => void>();
    const secret = new Secret("fixed-secret", check);
    expect(secret.fixed).toBe("fixed-secret");
    expect(await secret.get(signal)).toBe("fixed-secret");
    expect(await secret.replace("fixed-secret", signal)).toBe("fixed-secret");
    expect(check).toHaveBeenCalledWith("fixed-secret");
  });

  it("that a function returns is asked for and checked each time", async () => {
    const check = vi.fn<(secret: string) => void>();
    let round = 0;
    const secret = new Secret(() => `secret-${++round}`, check);
    expect(secret.fixed).toBeUndefined();
    expect([await secret.get(signal), await secret.get(signal)]).toEqual(["secret-1", "secret-2"]);
    expect(check.mock.calls).toEqual([["secret-1"], ["secret-2"]]);
  });
});

describe("a token function", () => {
  it("runs once for all calls that wait for it", async () => {
    let resolveToken: (secret: string) => void = () => {};
    const source = vi.fn<() => Promise<string>>(
      () =>
        new Promise((resolve) => {
          resolveToken = resolve;
        }),
    );
    const secret = new Secret(source, unchecked);
    const waiting = [secret.get(signal), secret.get(signal), secret.get(signal)];
    resolveToken("one");
    expect(await Promise.all(waiting)).toEqual(["one", "one", "one"]);
    expect(source).toHaveBeenCalledOnce();
  });

  it("receives the rejected secret", async () => {
    const source = vi.fn<(context: SecretContext) => string>(({ refused }) =>
      refused === undefined ? "old" : "new",
    );
    const secret = new Secret(source, unchecked);
    expect(await secret.get(signal)).toBe("old");
    expect(await secret.replace("old", signal)).toBe("new");
    expect(source.mock.calls).toEqual([[{ refused: undefined }], [{ refused: "old" }]]);
  });

  it("does not run again for a secret that another call has replaced", async () => {
    const source = vi.fn<(context: SecretContext) => string>(({ refused }) =>
      refused === undefined ? "old" : "new",
    );
    const secret = new Secret(source, unchecked);
    await secret.get(signal);
    await secret.replace("old", signal);
    expect(await secret.replace("old", signal)).toBe("new");
    expect(source).toHaveBeenCalledTimes(2);
  });

  it("that never returns does not hold up calls that come after those that gave up", async () => {
    let calls = 0;
    const secret = new Secret(() => (++calls === 1 ? new Promise<string>(() => {}) : "second"), unchecked);
    const caller = new AbortController();
    void secret.get(caller.signal);
    caller.abort();
    expect(await secret.get(signal)).toBe("second");
  });

  it("keeps its run for the calls that still wait if one of them gives up", async () => {
    const source = vi.fn<() => Promise<string>>(() => new Promise(() => {}));
    const secret = new Secret(source, unchecked);
    const caller = new AbortController();
    void secret.get(caller.signal);
    void secret.get(signal);
    caller.abort();
    void secret.get(signal);
    expect(source).toHaveBeenCalledOnce();
  });

  it("keeps its later run if an earlier run without callers returns", async () => {
    const runs: ((secret: string) => void)[] = [];
    const source = vi.fn<() => Promise<string>>(() => new Promise((resolve) => runs.push(resolve)));
    const secret = new Secret(source, unchecked);
    const caller = new AbortController();
    const abandoned = secret.get(caller.signal);
    caller.abort();
    const waiting = secret.get(signal);
    runs[0]?.("first");
    await abandoned;
    const joining = secret.get(signal);
    expect(source).toHaveBeenCalledTimes(2);
    runs[1]?.("second");
    expect(await Promise.all([waiting, joining])).toEqual(["second", "second"]);
  });

  it.each<[string, (quoted: string) => unknown]>([
    ["the sixth cause", (quoted) => causes(6, quoted)],
    ["an object of the sixth level", (quoted) => causes(6, { config: { headers: { a: quoted } } })],
    [
      "a property with a symbol",
      (quoted) => Object.assign(new Error("x"), { [Symbol("request")]: [quoted] }),
    ],
  ])("that fails shows no secret in %s of its error", async (_, errorWith) => {
    let calls = 0;
    const secret = new Secret(() => {
      calls += 1;
      if (calls > 1) throw errorWith("vault-token-1234567890");
      return "vault-token-1234567890";
    }, unchecked);
    await secret.get(signal);
    const failure = await secret.get(signal).catch((error: unknown) => error);
    expect(inspect(failure, { depth: Infinity })).not.toContain("vault-token");
  });

  it("that failed runs again", async () => {
    let calls = 0;
    const source = async (): Promise<string> => {
      calls += 1;
      if (calls === 1) throw new Error("no");
      return "second";
    };
    const secret = new Secret(source, unchecked);
    await expect(secret.get(signal)).rejects.toThrow("no");
    expect(await secret.get(signal)).toBe("second");
  });
});
