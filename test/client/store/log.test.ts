import { describe, expect, it } from "vitest";
import { createReferenceServer } from "../../../src/mock/index.ts";
import {
  ConfigurationError,
  type Log,
  type Logger,
  logTo,
  StoreClient,
} from "../../../src/client/store/index.ts";
import { json } from "../core/stub-fetch.ts";
import { store, stubClient, token } from "./stub-client.ts";
import type { LogLevel } from "../../../src/client/core/options/logger.ts";

function keep(level?: LogLevel): { log: Log; logger: Logger; lines: string[] } {
  const lines: string[] = [];
  const at = (name: string) => (message: string) => void lines.push(`${name} ${message}`);
  const logger = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
  return { log: logTo(logger, level), logger, lines };
}

const quick = { retry: { maxDelay: 1 } };

describe("a log", () => {
  it("has one line for each attempt", async () => {
    const { log, lines } = keep();
    const { client } = stubClient(
      (_, index) =>
        index === 0 ? json({}, { status: 503 }) : json(store, { headers: { "x-request-id": "r-7" } }),
      { log, ...quick },
    );
    await client.stores.get("S-1");
    expect(lines.map((line) => line.replace(/\d+ ms/, "5 ms"))).toEqual([
      "error shelfleet: getStore GET /v1/stores/{externalId}: 503 in 5 ms (call 1, attempt 1)",
      "info shelfleet: getStore GET /v1/stores/{externalId}: 200 in 5 ms (call 1, attempt 2, request ID r-7)",
    ]);
  });

  it("tells a refusal from a lost connection and an abort", async () => {
    const { log, lines } = keep();
    const reset = (): never => {
      throw Object.assign(new TypeError("fetch failed"), { cause: new Error("read ECONNRESET") });
    };
    const responses = [() => json({}, { status: 400 }), reset, () => new Promise<Response>(() => {})];
    const { client } = stubClient((_, index) => responses[index]?.() ?? json(store), { log, retry: 0 });
    await client.stores.get("S-1").catch(() => {});
    await client.stores.get("S-1").catch(() => {});
    const stalled = client.withOptions({ timeout: 5, fetch: untilAborted });
    await stalled.stores.get("S-1").catch(() => {});
    const caller = new AbortController();
    const call = client.withOptions({ fetch: untilAborted }).stores.get("S-1", { signal: caller.signal });
    setTimeout(() => caller.abort("enough"), 1);
    await call.catch(() => {});
    await new Promise((resolve) => setImmediate(resolve));
    expect(lines.map((line) => line.split(" ")[0])).toEqual(["warn", "error", "error", "info"]);
    expect(lines[1]).toContain("ECONNRESET");
    expect(lines[2]).toContain("no complete response within 5 ms");
    expect(lines[3]).toMatch(/: aborted in \d+ ms/);
  });

  it("names no operation for a path that the contract does not have", async () => {
    const { log, lines } = keep();
    const { client } = stubClient(() => json({}), { log });
    await client.fetch("https://store.example/base/v1/new");
    expect(lines[0]).toMatch(/^info shelfleet: GET \/v1\/new: 200 in/);
  });

  it("has no line for an empty body, and no white space twice", async () => {
    const { log, lines } = keep("debug");
    const { client } = stubClient(() => new Response(""), { log });
    await client.fetch("https://store.example/base/v1/new", { method: "POST", body: "[1, \n\t 2]" });
    expect(lines.filter((line) => line.startsWith("debug"))).toEqual([
      "debug shelfleet: POST /v1/new: request body [1,2]",
    ]);
  });

  it.each([
    [2048, `"${"b".repeat(2046)}"`],
    [2049, `"${"b".repeat(2047)}… (2049 characters)`],
  ])("has the first 2 048 characters of a body: %i", async (length, logged) => {
    const { log, lines } = keep("debug");
    const { client } = stubClient(() => json({}), { log });
    await client.fetch("https://store.example/base/v1/new", {
      method: "POST",
      body: JSON.stringify("b".repeat(length - 2)),
    });
    expect(lines).toContain(`debug shelfleet: POST /v1/new: request body ${logged}`);
  });

  it("may be a function with the methods of a logger, as that of debug or bunyan", async () => {
    const { logger, lines } = keep();
    const log = logTo(Object.assign(() => {}, logger));
    const { client } = stubClient(() => json(store), { log });
    await client.stores.get("S-1");
    expect(lines).toHaveLength(1);
  });

  it("leaves out what is below its level", async () => {
    const { log, lines } = keep("warn");
    const { client } = stubClient((_, index) => json(store, { status: [200, 404, 500][index] ?? 200 }), {
      log,
      retry: 0,
    });
    for (const id of ["A", "B", "C"]) await client.stores.get(id).catch(() => {});
    expect(lines.map((line) => line.split(" ")[0])).toEqual(["warn", "error"]);
  });

  it("shows the beginning of bodies at debug only, without login codes, and on one line", async () => {
    const { log, lines } = keep("debug");
    const { client } = stubClient(() => json({ ...store, location: "x".repeat(5000) }), {
      log,
    });
    await client.stores.upsert("S-1", { name: "two\nlines", loginCode: 'q"9876' });
    expect(lines).toHaveLength(3);
    expect(lines[1]).toBe(
      'debug shelfleet: putStore PUT /v1/stores/{externalId}: request body {"name":"two\\nlines","loginCode":"[redacted]"}',
    );
    expect(lines[2]).toMatch(/response body \{"storeId".*… \(\d+ characters\)$/);
    expect(lines.join("\n")).not.toContain("1234");
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(2300);
    const info = keep();
    await stubClient(undefined, { log: info.log }).client.stores.upsert("S-1", { name: "A" });
    expect(info.lines).toHaveLength(1);
  });

  it("never has the token, wherever the server or the caller put it", async () => {
    const { log, lines } = keep("debug");
    const response = json(
      { error: { code: token, message: token } },
      { status: 400, headers: { "x-request-id": token } },
    );
    const { client } = stubClient(() => response.clone(), { log, retry: 0 });
    await client.stores.upsert(token, { name: `${"y".repeat(2040)}${token}` }).catch(() => {});
    const broken = (): never => {
      throw new Error(`no route for ${token}`);
    };
    await client
      .withOptions({ fetch: broken })
      .stores.get("S")
      .catch(() => {});
    expect(lines.length).toBeGreaterThanOrEqual(4);
    for (let length = 8; length <= token.length; length += 1)
      expect(lines.join("\n")).not.toContain(token.slice(0, length));
  });

  it("keeps a line for each request of a walk, and its bodies never fail the call", async () => {
    const ref = createReferenceServer({ store: { stores: 30 } });
    const { log, lines } = keep();
    const client = new StoreClient({ baseUrl: ref.storeUrl, token: ref.token, fetch: ref.fetch, log });
    await client.stores.list({ limit: 10 }).toArray();
    expect(lines).toHaveLength(ref.journal.all().length);
  });

  it("that throws does not change the outcome", async () => {
    const errors: string[] = [];
    const broken = (): never => {
      throw new Error("disk full");
    };
    const { client } = stubClient(undefined, {
      log: logTo({ debug: broken, info: broken, warn: broken, error: broken }),
      hooks: { onHookError: (_, hook) => void errors.push(hook) },
    });
    expect(await client.stores.get("S-1")).toHaveProperty("storeId");
    expect(errors).toEqual(["log"]);
  });

  it.each([
    [[{}], "the logger must be console, or an object with debug, info, warn and error"],
    [[true], "the logger must be console"],
    [[{ debug() {}, info() {}, warn() {} }], "the logger must be console"],
    [[console, "trace"], "the level must be one of debug, info, warn, error"],
  ])("has a valid logger and level: %j", ([logger, level], message) => {
    const create = (): Log => logTo(logger as Logger, level as LogLevel);
    expect(create).toThrow(ConfigurationError);
    expect(create).toThrow(message);
  });
});

it.each([
  ["a number", { loginCode: 483_920 }],
  ["nested JSON", { payload: JSON.stringify({ loginCode: "483920" }) }],
  ["JSON within nested JSON", { a: JSON.stringify({ b: JSON.stringify([{ login_code: 483_920 }]) }) }],
  ["a list", { loginCode: ["483920"] }],
  ["an escaped name", '{"login\\u0043ode":"483920"}'],
  ["JSON that is cut", '{"x":1,"loginCode":483920,'],
])("a login code is not logged as %s", async (_, given) => {
  const { log, lines } = keep("debug");
  const body = typeof given === "string" ? given : JSON.stringify(given);
  const { client } = stubClient(undefined, { log, fetch: async () => new Response(body) });
  await client.fetch("https://store.example/base/v1/stores/S", { method: "PUT", body });
  expect(lines.length).toBe(3);
  expect(lines.join("\n")).not.toContain("483920");
});

it("commands of a service reach no line of the log, and no message of an error", async () => {
  const commands = "\u001b[2J\r\nok\u202e\u2028";
  const { log, lines } = keep("debug");
  const body = { [commands]: 1, error: { code: commands, message: commands } };
  const { client } = stubClient(() => json(body, { status: 400 }), { log });
  const error: unknown = await client.stores.get("S").catch((reason: unknown) => reason);
  const { message, stack = "" } = error as Error; // it rejects
  for (const text of [...lines, message, stack.split("\n", 1)[0]])
    expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
});

/** A `fetch` that never responds and rejects when it is aborted. */
function untilAborted(_: string, { signal }: RequestInit): Promise<Response> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason as Error));
  });
}
