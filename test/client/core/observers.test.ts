import { describe, expect, it, vi } from "vitest";
import type { Hooks } from "../../../src/client/hooks.ts";
import { logTo } from "../../../src/client/log.ts";
import { byId, createSmallApi, json, route, store, stubFetch, token, virtualRuntime } from "./small-api.ts";

function logger() {
  const lines: string[] = [];
  const write = (level: string) => (line: string) => void lines.push(`${level} ${line}`);
  return { lines, debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}

describe("hooks", () => {
  it("see each request, each response, each retry and the end of a call", async () => {
    const events: string[] = [];
    const hooks: Hooks = {
      onRequest: ({ attempt, operation }) => events.push(`request ${operation} ${attempt}`),
      onResponse: ({ status, attempt }) => events.push(`response ${status} ${attempt}`),
      onRetry: ({ delay, status }) => events.push(`retry ${status} ${delay}`),
      onEnd: ({ attempts, error }) => events.push(`end ${attempts} ${String(error)}`),
    };
    const { fetch } = stubFetch(json({}, 503), json(store));
    await createSmallApi({ fetch, hooks, runtime: virtualRuntime().runtime }).http.GET(route, byId);
    expect(events).toEqual([
      "request getStore 1",
      "response 503 1",
      "retry 503 300",
      "request getStore 2",
      "response 200 2",
      "end 2 undefined",
    ]);
  });

  it("have one scope for each call, which is not written to logs", async () => {
    const scopes = new Set<object>();
    const names: string[] = [];
    const hooks: Hooks = {
      onRequest(event) {
        scopes.add(event.scope);
        names.push(...Object.keys(event));
      },
    };
    const { fetch } = stubFetch(json({}, 503), json(store));
    const { http } = createSmallApi({ fetch, hooks, runtime: virtualRuntime().runtime });
    await http.GET(route, byId);
    await http.GET(route, byId);
    expect(scopes.size).toBe(2);
    expect(names).not.toContain("scope");
  });

  it("may add headers, but no token", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { fetch, requests } = stubFetch(json(store));
    const hooks: Hooks[] = [
      { onRequest: ({ headers }) => void (headers["traceparent"] = "00-1") },
      { onRequest: ({ headers }) => void (headers["authorization"] = "mine") },
    ];
    await createSmallApi({ fetch, hooks }).http.GET(route, byId);
    expect(requests[0]?.headers).toMatchObject({ traceparent: "00-1", authorization: `Bearer ${token}` });
    vi.restoreAllMocks();
  });

  it("that fail change nothing, and the first failure is shown", async () => {
    const shown = vi.spyOn(console, "error").mockImplementation(() => {});
    const hooks: Hooks = {
      onRequest() {
        throw new Error("broken");
      },
      onResponse: () => Promise.reject(new Error("broken")) as never,
    };
    const { fetch } = stubFetch(json(store));
    const { http } = createSmallApi({ fetch, hooks });
    await http.GET(route, byId);
    await http.GET(route, byId);
    await new Promise((resolve) => setImmediate(resolve));
    expect(shown).toHaveBeenCalledTimes(1);
    shown.mockRestore();
  });
});

describe("logTo", () => {
  it("writes one line for a call, info for a retry, and one error for a call that fails", async () => {
    const log = logger();
    const { fetch } = stubFetch(json({}, 503));
    const { http } = createSmallApi({ fetch, log: logTo(log), retry: 1, runtime: virtualRuntime().runtime });
    await http.GET(route, byId).catch(() => {});
    expect(log.lines).toEqual([
      "info shelfleet: getStore GET /v1/stores/{externalId}: attempt 1: 503; the next one follows in 300 ms (call 1)",
      "error shelfleet: getStore GET /v1/stores/{externalId}: 503 failed (after 2 attempts) in 300 ms (call 1)",
    ]);
  });

  it("writes an expected 404 as info", async () => {
    const log = logger();
    const { fetch } = stubFetch(json({}, 404));
    await createSmallApi({ fetch, log: logTo(log) })
      .http.GET(route, byId)
      .catch(() => {});
    expect(log.lines).toMatchObject([expect.stringMatching(/^info .* 404 /)]);
  });

  it("writes bodies at the level debug, without tokens and login codes", async () => {
    const log = logger();
    const { fetch } = stubFetch(() => json({ ...store, loginCode: "4711", name: token }));
    await createSmallApi({ fetch, log: logTo(log, "debug") }).http.PUT(route, {
      ...byId,
      body: { name: "A" },
    });
    const text = log.lines.join("\n");
    expect(text).toContain('request body {"name":"A"}');
    expect(text).toContain('"storeId":"1"');
    expect(text).not.toContain("4711");
    expect(text).not.toContain(token);
  });
});
