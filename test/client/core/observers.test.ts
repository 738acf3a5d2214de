import { describe, expect, it, vi } from "vitest";
import { ConnectionError } from "../../../src/client/errors.ts";
import type { Hooks } from "../../../src/client/hooks.ts";
import { logTo } from "../../../src/client/log.ts";
import {
  baseUrl,
  byId,
  createSmallApi,
  json,
  route,
  store,
  stubFetch,
  token,
  virtualRuntime,
} from "./small-api.ts";

function logger() {
  const lines: string[] = [];
  const write = (level: string) => (line: string) => void lines.push(`${level} ${line}`);
  return { lines, info: write("info"), warn: write("warn"), error: write("error") };
}

describe("hooks", () => {
  it("see each request, each response, each retry and the end of a call; a copy for a log has no scope", async () => {
    const { runtime, pass } = virtualRuntime();
    const events: object[] = [];
    const see = (name: string) => (event: object) => void events.push({ name, ...event });
    const hooks: Hooks = {
      onRequest: see("request"),
      onResponse: see("response"),
      onRetry: see("retry"),
      onEnd: see("end"),
    };
    const busy = () => {
      pass(20);
      return json({}, 503, { "x-request-id": `r-${token}` });
    };
    const { fetch } = stubFetch(busy, new TypeError("reset"), json(store));
    const limiter = { acquire: () => pass(5) };
    await createSmallApi({ fetch, hooks: [{}, hooks], runtime, limiter }).http.GET(route, byId);
    const call = { operation: "getStore", call: 1, method: "GET", route };
    const request = (attempt: number) => ({ ...call, url: `${baseUrl}/v1/stores/S-1`, attempt });
    const none = { status: undefined, requestId: undefined, error: undefined, duration: 0, waited: 5 };
    const error = expect.any(ConnectionError) as Error;
    const requestId = "r-[redacted]";
    expect(events).toStrictEqual([
      { name: "request", ...request(1), headers: {} },
      { name: "response", ...request(1), ...none, status: 503, requestId, duration: 20 },
      { name: "retry", ...request(1), delay: 300, status: 503, error: undefined },
      { name: "request", ...request(2), headers: {} },
      { name: "response", ...request(2), ...none, error },
      { name: "retry", ...request(2), delay: 600, status: undefined, error },
      { name: "request", ...request(3), headers: {} },
      { name: "response", ...request(3), ...none, status: 200 },
      { name: "end", ...call, duration: 935, attempts: 3, error: undefined },
    ]);
  });

  it("see no end of a call that sent no request", async () => {
    const onEnd = vi.fn<() => void>();
    const { http } = createSmallApi(
      { hooks: { onEnd } },
      { credential: () => Promise.reject(new Error("no")) },
    );
    await expect(http.GET(route, byId)).rejects.toThrow("no");
    expect(onEnd).not.toHaveBeenCalled();
  });

  it("have one scope for each call", async () => {
    const scopes = new Set<object>();
    const hooks: Hooks = { onRequest: ({ scope }) => void scopes.add(scope) };
    const { fetch } = stubFetch(json({}, 503), json(store));
    const { http } = createSmallApi({ fetch, hooks, runtime: virtualRuntime().runtime });
    await http.GET(route, byId);
    await http.GET(route, byId);
    expect(scopes.size).toBe(2);
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

  it.each<[string, () => Hooks]>([
    ["onRequest", () => ({ onRequest: () => JSON.parse("broken") as undefined })],
    ["onResponse", () => ({ onResponse: () => Promise.reject(new Error("broken")) as never })],
    ["onRequest", () => ({ onRequest: ({ headers }) => void (headers["a b"] = "broken") })],
  ])("that fail change nothing, and the first failure is shown: %s", async (name, create) => {
    const hooks = create();
    const shown = vi.spyOn(console, "error").mockImplementation(() => {});
    const { fetch, requests } = stubFetch(json(store));
    const { http } = createSmallApi({ fetch, hooks });
    await http.GET(route, byId);
    await http.GET(route, byId);
    await new Promise((resolve) => setImmediate(resolve));
    expect(requests).toHaveLength(2);
    expect(shown.mock.calls).toEqual([
      [
        `shelfleet: ${name} failed; its further failures are not shown:`,
        expect.objectContaining({ message: expect.stringMatching(/broken|"a b"/) as string }),
      ],
    ]);
    shown.mockRestore();
  });
});

describe("logTo", () => {
  let controller = new AbortController();
  const prefix = "shelfleet: getStore GET /v1/stores/{externalId}:";

  it.each<[string, () => unknown, string[]]>([
    [
      "that succeeds",
      () => json(store, 200, { "request-id": "r-1" }),
      ["info 200 in 0 ms (call 1, request ID r-1)"],
    ],
    [
      "that fails",
      () => json({}, 503),
      [
        "info attempt 1: 503; the next one follows in 300 ms (call 1)",
        "error 503 failed (after 2 attempts) in 300 ms (call 1)",
      ],
    ],
    [
      "without a connection",
      () => Promise.reject(new TypeError(`reset ${token}\n`)),
      [
        `info attempt 1: no complete response: reset [redacted]\\u000a; the next one follows in 300 ms (call 1)`,
        "error no complete response: reset [redacted]\\u000a (after 2 attempts) in 300 ms (call 1)",
      ],
    ],
    ["of what does not exist", () => json({}, 404), ["info 404 failed in 0 ms (call 1)"]],
    ["that is aborted", () => controller.abort(), ["info This operation was aborted in 0 ms (call 1)"]],
    ["that is aborted by a text", () => controller.abort(token), ["info aborted in 0 ms (call 1)"]],
    [
      "that is aborted by an error",
      () => controller.abort(new Error(token)),
      ["info [redacted] in 0 ms (call 1)"],
    ],
  ])("writes one line for each retry and each call %s", async (_, respond, expected) => {
    controller = new AbortController();
    const log = logger();
    const { fetch } = stubFetch(respond);
    const { http } = createSmallApi({ fetch, log: logTo(log), retry: 1, runtime: virtualRuntime().runtime });
    await http.GET(route, { ...byId, signal: controller.signal }).catch(() => {});
    expect(log.lines).toEqual(expected.map((line) => line.replace(" ", ` ${prefix} `)));
  });

  it.each([
    ["error", 0],
    ["warn", 0],
    ["info", 1],
  ] as const)("at the level %s writes %i lines for a read", async (level, count) => {
    const log = logger();
    const { fetch } = stubFetch(json(store));
    await createSmallApi({ fetch, log: logTo(log, level) }).http.GET(route, byId);
    expect(log.lines).toHaveLength(count);
  });
});
