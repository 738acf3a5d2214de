// Finding 5: requests were sent after a call had settled.
import { describe, expect, it } from "vitest";
import type { CallOptions, StoreClientOptions } from "../../../src/client/store/index.ts";
import { clientOf, rejection, settle, token } from "./attack.ts";

/** A client that counts its requests and the events of its hooks. */
function countingClient(options: Partial<StoreClientOptions>) {
  const seen = { sent: 0, reported: 0 };
  const { fetch = async () => Response.json({ storeId: "1" }), hooks = [] } = options;
  const client = clientOf({
    ...options,
    fetch: (url, init) => {
      seen.sent += 1;
      return fetch(url, init);
    },
    hooks: [hooks, { onRequest: () => void (seen.reported += 1) }].flat(),
  });
  return { client, seen };
}

const status = (code: number, headers = {}) => new Response("{}", { status: code, headers });

describe("nothing is sent after a call has settled", () => {
  /** Options that hold the call until `held` resolves, and the number of requests that were sent before. */
  const holding: [string, (held: Promise<void>) => Partial<StoreClientOptions>, sent: number][] = [
    ["a token function is slow", (held) => ({ token: () => held.then(() => token) }), 0],
    ["the limiter holds it", (held) => ({ limiter: { acquire: () => held } }), 0],
    [
      "the token function looks for another token",
      (held) => ({
        token: ({ refused }) => (refused === undefined ? token : held.then(() => "another-token")),
        fetch: async () => status(401),
      }),
      1,
    ],
    [
      "a redirect is handled by a `fetch` that ignores signals",
      (held) => ({ fetch: () => held.then(() => status(302, { location: "/elsewhere" })) }),
      1,
    ],
  ];
  const deadlines: Record<string, CallOptions> = {
    "its deadline": { timeout: 10 },
    "its total deadline": { totalTimeout: 10 },
  };
  const endings = holding
    .flatMap(([name, hold, sent]) =>
      ["its signal", ...Object.keys(deadlines)].map((end) => ({ name, hold, sent, end })),
    )
    // the wait for a limiter is not a part of an attempt
    .filter(({ name, end }) => name !== "the limiter holds it" || end !== "its deadline");

  it.each(endings)("by $end, while $name", async ({ hold, sent, end }) => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const caller = new AbortController();
    const { client, seen } = countingClient(hold(held));
    const retry = { limit: 3, maxDelay: 1 };
    const call = rejection(client.stores.get("S", { signal: caller.signal, retry, ...deadlines[end] }));
    await settle();
    if (end === "its signal") caller.abort("enough");
    const timeout = expect.objectContaining({ name: "TimeoutError" }) as Error;
    const timedOut = { error: timeout, sent: expect.any(Number) as number };
    const outcome = end === "its signal" ? { error: "enough", sent } : timedOut;
    expect({ error: await call, sent: seen.sent }).toEqual(outcome);
    const before = { ...seen };
    release();
    await settle();
    expect(seen).toEqual(before);
  });

  it.each(["acquire", "token", "onSend", "onRequest", "onResponse", "onRetry"])(
    "by %s, which aborts its signal",
    async (place) => {
      const caller = new AbortController();
      const abort = (at: string): void => {
        if (at === place) caller.abort("enough");
      };
      const { client, seen } = countingClient({
        token: () => {
          abort("token");
          return token;
        },
        limiter: { acquire: () => abort("acquire") },
        hooks: Object.fromEntries(
          ["onSend", "onRequest", "onResponse", "onRetry"].map((hook) => [hook, () => abort(hook)]),
        ),
        fetch: async () => status(503),
      });
      expect(await rejection(client.stores.get("S", { signal: caller.signal }))).toBe("enough");
      await settle();
      expect(seen.sent).toBe(["onResponse", "onRetry"].includes(place) ? 1 : 0);
    },
  );

  it("by its signal, while `client.fetch` reads a request body that never ends", async () => {
    const caller = new AbortController();
    const { client, seen } = countingClient({});
    const init: RequestInit & { duplex: "half" } = {
      method: "POST",
      body: new ReadableStream(),
      duplex: "half",
      signal: caller.signal,
    };
    const call = rejection(client.fetch("https://stores.example.com/v1/x", init));
    await settle();
    caller.abort("enough");
    expect(await call).toBe("enough");
    expect(seen.sent).toBe(0);
  });
});
