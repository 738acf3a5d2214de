// Finding 5: requests were sent after a call had settled.
import { describe, expect, it } from "vitest";
import type { StoreClientOptions } from "../../../src/client/store/index.ts";
import { clientOf, rejection, settle, token } from "./attack.ts";

/** A client that counts its requests and the events of its hooks. */
function countingClient(options: Partial<StoreClientOptions>) {
  const seen = { sent: 0, reported: 0 };
  const client = clientOf({
    fetch: async () => {
      seen.sent += 1;
      return Response.json({ storeId: "1" });
    },
    ...options,
    hooks: [options.hooks ?? [], { onRequest: () => void (seen.reported += 1) }].flat(),
  });
  return { client, seen };
}

/** A promise that the test settles. */
function createDeferred<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

describe("nothing is sent after a call has settled", () => {
  it("by its signal, while a token function is slow", async () => {
    const slow = createDeferred<string>();
    const caller = new AbortController();
    const { client, seen } = countingClient({ token: () => slow.promise });
    const call = rejection(client.stores.upsert("S", {}, { signal: caller.signal }));
    await settle();
    caller.abort("enough");
    expect(await call).toBe("enough");
    slow.resolve(token);
    await settle();
    expect(seen).toEqual({ sent: 0, reported: 0 });
  });

  it("by its deadline, while a token function is slow", async () => {
    const slow = createDeferred<string>();
    const { client, seen } = countingClient({
      token: () => slow.promise,
      timeout: 10,
      retry: { limit: 3, maxDelay: 1 },
    });
    expect(await rejection(client.stores.upsert("S", {}))).toMatchObject({ name: "TimeoutError" });
    slow.resolve(token);
    await settle();
    expect(seen).toEqual({ sent: 0, reported: 0 });
  });

  it("by its signal, while the token function looks for another token", async () => {
    const slow = createDeferred<string>();
    const caller = new AbortController();
    let sent = 0;
    const client = clientOf({
      token: ({ refused }) => (refused === undefined ? token : slow.promise),
      fetch: async () => {
        sent += 1;
        return new Response("{}", { status: 401 });
      },
    });
    const call = rejection(client.stores.get("S", { signal: caller.signal }));
    await settle();
    caller.abort("enough");
    expect(await call).toBe("enough");
    slow.resolve("another-token");
    await settle();
    expect(sent).toBe(1);
  });

  it("by its signal, while the limiter holds it", async () => {
    const slow = createDeferred<void>();
    const caller = new AbortController();
    const { client, seen } = countingClient({ limiter: { acquire: () => slow.promise } });
    const call = rejection(client.stores.get("S", { signal: caller.signal }));
    await settle();
    caller.abort("enough");
    expect(await call).toBe("enough");
    slow.resolve();
    await settle();
    expect(seen).toEqual({ sent: 0, reported: 0 });
  });

  it("by its total deadline, while the limiter holds it", async () => {
    const slow = createDeferred<void>();
    const { client, seen } = countingClient({ limiter: { acquire: () => slow.promise }, totalTimeout: 10 });
    expect(await rejection(client.stores.get("S"))).toMatchObject({ name: "TimeoutError", kind: "total" });
    slow.resolve();
    await settle();
    expect(seen).toEqual({ sent: 0, reported: 0 });
  });

  it("by a limiter, a token function or a hook that aborts its signal", async () => {
    for (const place of ["acquire", "token", "onSend", "onRequest"] as const) {
      const caller = new AbortController();
      const abort = (at: string): void => {
        if (at === place) caller.abort("enough");
      };
      let sent = 0;
      const client = clientOf({
        token: () => {
          abort("token");
          return token;
        },
        limiter: { acquire: () => abort("acquire") },
        hooks: { onSend: () => abort("onSend"), onRequest: () => abort("onRequest") },
        fetch: async () => {
          sent += 1;
          return Response.json({ storeId: "1" });
        },
      });
      expect(await rejection(client.stores.get("S", { signal: caller.signal }))).toBe("enough");
      await settle();
      expect([place, sent]).toEqual([place, 0]);
    }
  });

  it("by a hook that aborts between two attempts", async () => {
    for (const hook of ["onRetry", "onResponse"] as const) {
      const caller = new AbortController();
      let sent = 0;
      const client = clientOf({
        hooks: { [hook]: () => caller.abort("enough") },
        fetch: async () => {
          sent += 1;
          return new Response("", { status: 503 });
        },
      });
      expect(await rejection(client.stores.get("S", { signal: caller.signal }))).toBe("enough");
      await settle();
      expect([hook, sent]).toEqual([hook, 1]);
    }
  });

  it("by its signal, while a redirect is handled by a `fetch` that ignores signals", async () => {
    const slow = createDeferred<Response>();
    const caller = new AbortController();
    let sent = 0;
    const client = clientOf({
      fetch: () => {
        sent += 1;
        return slow.promise;
      },
    });
    const call = rejection(client.stores.get("S", { signal: caller.signal }));
    await settle();
    caller.abort("enough");
    expect(await call).toBe("enough");
    slow.resolve(new Response("", { status: 302, headers: { location: "/elsewhere" } }));
    await settle();
    expect(sent).toBe(1);
  });

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
