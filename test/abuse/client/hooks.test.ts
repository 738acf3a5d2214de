// Finding 4: hooks and the limiter ran outside of the signal and the deadline, and could change the outcome of a call.
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { FleetClient } from "../../../src/index.ts";
import { clientOf, rejection, settle } from "./attack.ts";

const busy = async (): Promise<Response> =>
  new Response("", { status: 503, headers: { "retry-after": "0" } });
const never = (): Promise<never> => new Promise(() => {});
const acquire = (): void => {};

describe("a call whose onThrottled hook never returns", () => {
  it("ends with the call's signal", async () => {
    const caller = new AbortController();
    const limiter = { acquire, onThrottled: never };
    const call = rejection(clientOf({ fetch: busy, limiter }).stores.get("S", { signal: caller.signal }));
    await settle();
    caller.abort("enough");
    expect(await call).toBe("enough");
  });

  it("ends with totalTimeout, and the error contains the response received so far", async () => {
    const limiter = { acquire, onThrottled: never };
    const client = clientOf({ fetch: busy, limiter, totalTimeout: 20 });
    expect(await rejection(client.stores.get("S"))).toMatchObject({ status: 503 });
  });

  it("ends with the timeout of an attempt if it has no other limit", async () => {
    const limiter = { acquire, onThrottled: never };
    const client = clientOf({ fetch: busy, limiter, timeout: 20, retry: { limit: 1, maxDelay: 1 } });
    expect(await rejection(client.stores.get("S"))).toMatchObject({ status: 503, attempts: 2 });
  });
});

describe("a hook that fails", () => {
  const fails = {
    throws: (): never => {
      throw new Error("hook");
    },
    rejects: () => Promise.reject(new Error("hook")),
  };

  it.each(Object.entries(fails))("and %s does not reject a successful write", async (_, fail) => {
    const unhandled = vi.fn<() => void>();
    process.on("unhandledRejection", unhandled);
    onTestFinished(() => void process.off("unhandledRejection", unhandled));
    const onHookError = vi.fn<(error: unknown, hook: string) => void>();
    const hooks = {
      onSend: fail as () => void,
      onRequest: fail as () => void,
      onResponse: fail as () => void,
      onHookError,
    };
    const client = clientOf({ fetch: async () => Response.json({ storeId: "1" }), hooks });
    expect(await client.stores.upsert("S", {})).toEqual({ storeId: "1" });
    await settle();
    expect(onHookError.mock.calls.map(([, hook]) => hook).toSorted()).toEqual([
      "onRequest",
      "onResponse",
      "onSend",
    ]);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it.each(Object.entries(fails))("and %s in onDrift does not end a walk", async (_, fail) => {
    const onHookError = vi.fn<(error: unknown, hook: string) => void>();
    const pagination = (page: number) => ({
      currentPage: page,
      totalPages: 2,
      totalCount: page,
      hasNextPage: page < 2,
      hasPreviousPage: page > 1,
    });
    const hooks = { onDrift: fail as () => void, onHookError };
    const client = new FleetClient({
      hooks,
      baseUrl: "https://fleet.example.com/api/third-party/v1",
      key: `acme_${"0".repeat(64)}`,
      fetch: async (url) => {
        const page = Number(new URL(url).searchParams.get("page") ?? 1);
        return Response.json({ data: [{ id: `v-${page}` }], meta: { pagination: pagination(page) } });
      },
    });
    expect(await client.vehicles.list().take(9)).toHaveLength(2);
    await settle();
    expect(onHookError.mock.calls.map(([, hook]) => hook)).toContain("onDrift");
  });
});
