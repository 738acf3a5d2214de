import { describe, expect, it } from "vitest";
import { controlRoutes } from "../../src/mock/control/routes.ts";
import { startControlled } from "./control-server.ts";

const override = { operation: "getStore", response: { status: 500 } };

/** Invalid bodies of each route, with the message for each. */
const bodies: Record<string, [body: unknown, message: string][]> = {
  "POST /overrides": [
    [{}, "body.operation is required"],
    [{ ...override, delay: 5 }, "exactly one of response, fault, delay, paging"],
    [{ response: {} }, "body.operation is required"],
    [{ ...override, operation: 5 }, "body.operation must be a string"],
    [
      { ...override, operation: "getShop" },
      'Unknown operation "getShop". Did you mean "getStore"? Expected one of',
    ],
    [{ ...override, when: "x" }, 'body: unknown property "when". Expected one of operation, matcher'],
    [{ ...override, matcher: [] }, "matcher must be an object"],
    [{ ...override, matcher: { when: "true" } }, "matcher.when must be a function"],
    [{ ...override, matcher: { path: 5 } }, "matcher.path must be a record"],
    [{ ...override, matcher: { path: { id: "1" } } }, 'Unknown path parameter "id" of getStore'],
    [{ ...override, matcher: { path: { externalId: 1 } } }, "path.externalId must be a string"],
    [{ ...override, matcher: { headers: { "x y": "" } } }, "matcher.headers.x y is invalid"],
    [{ ...override, matcher: { body: {} } }, "body: getStore has no request body"],
    [{ ...override, response: null }, "response must be an object"],
    [
      { ...override, response: { code: 1 } },
      'response: unknown property "code". Expected one of status, body',
    ],
    [{ ...override, response: { headers: 5 } }, "response.headers must be an object"],
    [
      { ...override, response: { headers: { a: "b\r\nc: d" } } },
      'response.headers: Headers.append: "b\r\nc: d" is an invalid header value.',
    ],
    [
      { ...override, response: { headers: { "a b": "" } } },
      'response.headers: Headers.append: "a b" is an invalid header name.',
    ],
    [{ ...override, at: "head" }, "a forced response.at must be one of before, after"],
    [{ operation: "getStore", fault: 5 }, "fault.kind must be one of reset, close"],
    [{ operation: "getStore", fault: "reset", at: 5 }, "fault.at must be one of before, after"],
    [{ operation: "listStores", paging: 5 }, "paging must be one of repeat-cursor, cycle"],
    [{ operation: "getStore", delay: "5" }, "delay must be milliseconds"],
    [{ operation: "getStore", delay: null }, "delay must be milliseconds"],
    [{ operation: "getStore", delay: { min: 5, max: 1 } }, "delay must have min at most max"],
    [{ operation: "getStore", delay: { median: 5 } }, "delay must be milliseconds"],
    [{ ...override, times: 0 }, "times must be a positive integer"],
    [{ ...override, rate: 1.5 }, "rate must be at most 1"],
    [{ ...override, skip: -1 }, "skip must be at least 0"],
  ],
  "POST /journal/find": [
    [{ operations: "getStore" }, 'matcher: unknown property "operations". Expected one of path, query'],
    [{ operation: 5 }, "given.toLowerCase is not a function"],
    [{ operation: "getShop" }, 'Unknown operation "getShop"'],
    [{ status: "200" }, "matcher.status must be a number"],
    [{ headers: { authorization: "x" } }, "does not keep the value of this header"],
    [{ times: 1 }, 'matcher: unknown property "times". Expected one of path, query'],
  ],
  "POST /journal/expect": [
    [{ times: -1 }, "expect.times must be at least 0"],
    [{ path: [] }, "matcher.path must be a record"],
  ],
  "POST /clock": [
    [{}, 'the body must have either "advance" or "set"'],
    [
      { advance: { fortnights: 1 } },
      'clock.advance: unknown property "fortnights". Expected one of milliseconds, seconds',
    ],
    [{ advance: { hours: "1" } }, "clock.advance.hours must be a number"],
    [{ set: "soon" }, "ISO 8601 string"],
    [{ set: 5 }, 'now: must be a Date or an ISO 8601 string such as "2026-01-01T00:00:00Z"'],
    [{ advance: [] }, "clock.advance must be an object"],
    [
      { advance: { toString: 1 } },
      'clock.advance: unknown property "toString". Expected one of milliseconds, seconds',
    ],
    [{ set: "2026-13-01" }, "must be a Date or an ISO 8601 string"],
    [{ set: "2026-01-01", to: 1 }, 'body: unknown property "to". Expected one of advance, set'],
  ],
  "POST /readings": [
    [{ "no.gap": "x" }, 'unknown gap "no.gap"'],
    [
      { "stores.omitted-fields": "x" },
      'unknown reading "x" of "stores.omitted-fields". Expected one of keep,',
    ],
    [{ "stores.omitted-fields": 5 }, 'unknown reading "5" of "stores.omitted-fields"'],
    [
      { version: 2, readings: {} },
      'readings: unknown gap "version" of the reference server. Expected one of fill-rates.calculation, stores.create-requirements',
    ],
    [{ version: 1 }, 'readings: unknown gap "version" of the reference server'],
    [
      { version: 1, readings: { "stores.order": 5 } },
      'readings: unknown gap "version" of the reference server. Expected one of fill-rates.calculation, stores.create-requirements',
    ],
    [
      { version: 1, readings: { "stores.x": "y" } },
      'readings: unknown gap "version" of the reference server. Expected one of fill-rates.calculation, stores.create-requirements',
    ],
  ],
  "PUT /limits": [
    [{ perSecond: "5" }, "limits.perSecond must be a number"],
    [{ burst: 0.5 }, "limits.burst must be an integer"],
    [{ retryAfter: "later" }, "limits.retryAfter must be one of seconds, date, none"],
    [{ perMinute: 5 }, 'limits: unknown property "perMinute". Expected one of perSecond, burst'],
  ],
  "PUT /state": [
    [{}, "state.version must be 1"],
    [{ version: 1, store: { stores: [{ store: { name: 5 } }] } }, "state.store.stores[0].store"],
  ],
  "POST /seed": [
    [{ stores: 5 }, 'body: unknown property "stores". Did you mean "store"? Expected one of seed, store'],
    [{ seed: "1" }, "options.seed must be a number"],
    [{ store: 5 }, "body.store must be an object"],
    [{ store: { token: "x" } }, 'body.store: unknown property "token"'],
    [
      { store: { stores: "5" } },
      "options.store.stores must be an integer of at least 0, or an array of rows",
    ],
    [{ store: { stores: [5] } }, "store.stores[0].externalId is required"],
    [{ store: { stores: [{}] } }, "store.stores[0]"],
    [{ fleet: { keys: [] } }, 'body.fleet: unknown property "keys"'],
    [{ fleet: { vehicles: -1 } }, "options.fleet.vehicles must be at least 0"],
  ],
  "POST /credentials/tokens": [
    [{ secret: "x" }, 'token: unknown property "secret". Expected one of token, expiresAt'],
    [{ token: 5 }, "token.token must be a string"],
    [{ expiresAt: 5 }, "token.expiresAt must be a string"],
  ],
  "POST /credentials/keys": [
    [{ key: "short" }, "key.key must have the form <prefix>_"],
    [{ key: 5 }, "key.key must be a string"],
    [{ environment: "test" }, "key.environment must be one of production, sandbox"],
    [{ scopes: "all" }, "key.scopes must be an array"],
    [{ scopes: [5] }, "key.scopes[0] must be one of"],
    [{ scopes: ["fly"] }, "key.scopes[0] must be one of vehicles:read, vehicles:write"],
    [{ expiresAt: "soon" }, "key.expiresAt must be an ISO 8601 date-time"],
  ],
  "POST /credentials/key-1/expire": [
    [{ at: 5 }, "at must be a string"],
    [{ at: "soon" }, "at must be an ISO 8601 date-time"],
  ],
  "POST /credentials/key-1/revoke": [[{ at: "now" }, 'body: unknown property "at". Expected one of ']],
  "POST /reset": [[{ hard: true }, 'reset: unknown property "hard". Expected one of to']],
};

const invalid = Object.entries(bodies).flatMap(([route, rows]) =>
  rows.map(([body, message]) => [route, body, message] as const),
);

describe("the control API", () => {
  it.each(invalid)("rejects %s %j and changes nothing", async (route, body, message) => {
    const [method = "", path = ""] = route.split(" ");
    const client = await startControlled({ store: { stores: 2 } });
    const before = await snapshotOf(client);
    const response = await client.send(method, path, { body });
    expect([response.status, (response.body as { error: string }).error]).toEqual([
      400,
      expect.stringContaining(message),
    ]);
    expect(await snapshotOf(client)).toEqual(before);
  });

  it.each<[string, string]>([
    ["an array", "[]"],
    ["null", "null"],
    ["a string", '"x"'],
    ["invalid JSON", "{"],
    ["brackets", "[".repeat(100_000)],
    ["a body that is nested too deeply", `{"a":${"[".repeat(300)}${"]".repeat(300)}}`],
  ])("rejects %s as the body of every route with a body", async (_name, text) => {
    const client = await startControlled();
    for (const { method, path } of Object.values(controlRoutes)) {
      if (method === "GET" || method === "DELETE") continue;
      const { status, body } = await client.send(method, path.replace("{id}", "key-1"), { text });
      expect([path, status]).toEqual([path, 400]);
      expect((body as { error: string }).error).toMatch(
        /^The body must be (a JSON object|JSON|nested at most 200 levels deep)/,
      );
    }
  });

  it("rejects a body for routes without one", async () => {
    const client = await startControlled();
    for (const method of ["GET", "DELETE"])
      expect((await client.send(method, "/journal", { body: {} })).body).toEqual({
        error: `A ${method} takes no body`,
      });
  });

  it.each([
    ["", "Unknown route"],
    ["/", "Unknown route"],
    ["/restart", "Unknown route. Expected one of health, reset, "],
    ["/overrides/1/2", "Unknown route"],
    ["/overrides/", "Unknown route"],
    ["/overrides/%ff", "Unknown route"],
    ["/toString", "Unknown route"],
    ["/overrides/one", 'No override with the ID "one" is in force'],
    ["/overrides/1e3", 'No override with the ID "1e3" is in force'],
    ["/overrides/%7Bid%7D", 'No override with the ID "{id}" is in force'],
  ])("responds to GET %s with 404", async (path, message) => {
    const client = await startControlled();
    const { status, body } = await client.get(path);
    expect([status, (body as { error: string }).error]).toEqual([404, expect.stringContaining(message)]);
  });

  it("lists the methods of a route in a 405", async () => {
    const client = await startControlled();
    for (const path of new Set(Object.values(controlRoutes).map((route) => route.path))) {
      const methods = Object.values(controlRoutes).flatMap((route) =>
        route.path === path ? route.method : [],
      );
      for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH"]) {
        if (methods.some((one) => one === method)) continue;
        // a method that the document does not have either
        const { status, headers, body } = await client.send(method, path.replace("{id}", "1"));
        expect([path, method, status, headers["allow"]]).toEqual([path, method, 405, methods.join(", ")]);
        expect(body).toEqual({ error: `Expected ${methods.join(", ")}` });
      }
    }
  });

  it("accepts a POST without a body as one without properties, regardless of its content type", async () => {
    const client = await startControlled();
    expect((await client.send("POST", "/credentials/tokens")).status).toBe(201);
    expect(
      (await client.send("POST", "/reset", { text: "", headers: { "content-type": "text/plain" } })).status,
    ).toBe(204);
  });

  it("responds to health checks without a token, and does not record them", async () => {
    const client = await startControlled();
    const response = await client.send("GET", "/health", { anonymous: true });
    expect([response.status, response.body]).toEqual([200, { status: "ok" }]);
    expect((await client.send("POST", "/health", { anonymous: true })).status).toBe(401);
    expect(client.ref.journal.all()).toEqual([]);
  });
});

/** Everything that a request could have changed. */
async function snapshotOf(client: Awaited<ReturnType<typeof startControlled>>): Promise<unknown[]> {
  const paths = ["/state", "/overrides", "/journal", "/clock", "/readings", "/limits", "/credentials"];
  return Promise.all(paths.map(async (path) => (await client.get(path)).body));
}
