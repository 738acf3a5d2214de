import { AsyncLocalStorage } from "node:async_hooks";
import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { Secret, type SecretContext } from "../../../../src/client/core/request/secret.ts";

const { signal } = new AbortController();
const unchecked = (): void => {};

function causes(levels: number, last: unknown): unknown {
  return levels === 0 ? last : new Error("outside", { cause: causes(levels - 1, last) });
}

/** Has a text only in a private property. */
class Foreign extends Error {
  readonly #text: string;
  constructor(text: string, name: PropertyKey) {
    super("x");
    this.#text = text;
    Object.setPrototypeOf(this, { __proto__: Foreign.prototype, [name]: () => this.#text });
  }
  static getter(text: string): Error {
    const error = new Foreign(text, "unused");
    return Object.setPrototypeOf(error, {
      __proto__: Error.prototype,
      get token() {
        return text;
      },
    }) as Error; // the argument
  }
}

const holding = (held: object): Error => Object.assign(new Error("x"), { held });

/** Errors that show a text without an own property that contains it. */
const foreign: [string, (quoted: string) => unknown][] = [
  ["a property of the class", Foreign.getter],
  ["the JSON", (quoted) => new Foreign(quoted, "toJSON")],
  ["the text", (quoted) => new Foreign(quoted, "toString")],
  ["the output of inspect", (quoted) => new Foreign(quoted, inspect.custom)],
  ["the URL of a request", (quoted) => holding(new Request(`https://a.example/?key=${quoted}`))],
  ["the reason of a response", (quoted) => holding(new Response("", { statusText: quoted }))],
  ["a pattern", (quoted) => holding(new RegExp(quoted))],
  ["an object of a text", (quoted) => holding(new String(quoted))],
  ["a property of a function", (quoted) => holding(Object.assign(() => "", { quoted }))],
];

describe("a secret", () => {
  it("that is a string is checked once and returned as it is", async () => {
    const check = vi.fn<(secret: string) => void>();
    const secret = new Secret("fixed-secret", check);
    expect(secret.fixed).toBe("fixed-secret");
    expect(await secret.get()).toBe("fixed-secret");
    expect(await secret.replace("fixed-secret", signal)).toBe("fixed-secret");
    expect(check).toHaveBeenCalledWith("fixed-secret");
  });

  it("that a function returns is asked for and checked each time", async () => {
    const check = vi.fn<(secret: string) => void>();
    let round = 0;
    const secret = new Secret(() => `secret-${++round}`, check);
    expect(secret.fixed).toBeUndefined();
    expect([await secret.get(), await secret.get()]).toEqual(["secret-1", "secret-2"]);
    expect(check.mock.calls).toEqual([["secret-1"], ["secret-2"]]);
  });
});

describe("a token function", () => {
  it("runs for each call, in the context of its caller", async () => {
    const caller = new AsyncLocalStorage<string>();
    const secret = new Secret(async () => Promise.resolve(caller.getStore() ?? ""), unchecked);
    const get = (tenant: string): Promise<string> => caller.run(tenant, () => secret.get());
    expect(await Promise.all([get("a"), get("b"), get("a")])).toEqual(["a", "b", "a"]);
  });

  it("runs in the context of the caller whose secret was rejected, also after another caller's run", async () => {
    const caller = new AsyncLocalStorage<string>();
    const secret = new Secret(({ refused }) => `${caller.getStore()} ${refused ?? "first"}`, unchecked);
    await caller.run("a", () => secret.get());
    await caller.run("b", () => secret.get());
    expect(await caller.run("a", () => secret.replace("a first", signal))).toBe("a a first");
    expect(await caller.run("b", () => secret.replace("b first", signal))).toBe("b b first");
  });

  it("runs once for all calls that wait for a replacement of the same secret", async () => {
    let resolveToken: (secret: string) => void = () => {};
    const source = vi.fn<() => Promise<string>>(
      () =>
        new Promise((resolve) => {
          resolveToken = resolve;
        }),
    );
    const secret = new Secret(source, unchecked);
    const waiting = [secret.replace("old", signal), secret.replace("old", signal)];
    resolveToken("one");
    expect(await Promise.all(waiting)).toEqual(["one", "one"]);
    expect(source).toHaveBeenCalledOnce();
  });

  it("runs again for a secret that it has returned again after its replacement", async () => {
    const given = ["old", "new", "old", "newest"];
    const secret = new Secret(() => given.shift() ?? "", unchecked);
    expect([await secret.get(), await secret.replace("old", signal)]).toEqual(["old", "new"]);
    expect([await secret.get(), await secret.replace("old", signal)]).toEqual(["old", "newest"]);
  });

  it("receives the rejected secret", async () => {
    const source = vi.fn<(context: SecretContext) => string>(({ refused }) =>
      refused === undefined ? "old" : "new",
    );
    const secret = new Secret(source, unchecked);
    expect(await secret.get()).toBe("old");
    expect(await secret.replace("old", signal)).toBe("new");
    expect(source.mock.calls).toEqual([[{ refused: undefined }], [{ refused: "old" }]]);
  });

  it("does not run again for a secret that another call has replaced", async () => {
    const source = vi.fn<(context: SecretContext) => string>(({ refused }) =>
      refused === undefined ? "old" : "new",
    );
    const secret = new Secret(source, unchecked);
    await secret.get();
    await secret.replace("old", signal);
    expect(await secret.replace("old", signal)).toBe("new");
    expect(source).toHaveBeenCalledTimes(2);
  });

  it("that never returns does not hold up calls that come after those that gave up", async () => {
    let calls = 0;
    const secret = new Secret(() => (++calls === 1 ? new Promise<string>(() => {}) : "second"), unchecked);
    const caller = new AbortController();
    void secret.replace("old", caller.signal);
    caller.abort();
    expect(await secret.replace("old", signal)).toBe("second");
  });

  it("keeps its run for the calls that still wait if one of them gives up", async () => {
    const source = vi.fn<() => Promise<string>>(() => new Promise(() => {}));
    const secret = new Secret(source, unchecked);
    const caller = new AbortController();
    void secret.replace("old", caller.signal);
    void secret.replace("old", signal);
    caller.abort();
    void secret.replace("old", signal);
    expect(source).toHaveBeenCalledOnce();
  });

  it("keeps its later run if an earlier run without callers returns", async () => {
    const runs: ((secret: string) => void)[] = [];
    const source = vi.fn<() => Promise<string>>(() => new Promise((resolve) => runs.push(resolve)));
    const secret = new Secret(source, unchecked);
    const caller = new AbortController();
    const abandoned = secret.replace("old", caller.signal);
    caller.abort();
    const waiting = secret.replace("old", signal);
    runs[0]?.("first");
    await abandoned;
    const joining = secret.replace("old", signal);
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
    ...foreign,
  ])("that fails shows no secret in %s of its error", async (_, errorWith) => {
    let calls = 0;
    const secret = new Secret(() => {
      calls += 1;
      if (calls > 1) throw errorWith("vault-token-1234567890");
      return "vault-token-1234567890";
    }, unchecked);
    await secret.get();
    const failure = await secret.get().catch((error: unknown) => error);
    const text = inspect(failure, { depth: Infinity, getters: true });
    expect(`${text} ${JSON.stringify(failure)} ${String(failure)}`).not.toContain("vault-token");
  });

  it.each([["an abort", () => new DOMException("x", "AbortError")] as const, ...foreign])(
    "that fails without a secret rejects with its own error: %s",
    async (_, errorWith) => {
      const error = errorWith("another");
      const fail = (): string => {
        throw error;
      };
      await expect(new Secret(fail, unchecked).get()).rejects.toBe(error);
    },
  );

  it("that failed runs again", async () => {
    let calls = 0;
    const source = async (): Promise<string> => {
      calls += 1;
      if (calls === 1) throw new Error("no");
      return "second";
    };
    const secret = new Secret(source, unchecked);
    await expect(secret.get()).rejects.toThrow("no");
    expect(await secret.get()).toBe("second");
  });
});
