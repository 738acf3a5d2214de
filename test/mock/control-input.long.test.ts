import { describe, expect, it } from "vitest";
import { controlRoutes } from "../../src/mock/control/routes.ts";
import { startControlled } from "./control-server.ts";

const override = { operation: "getStore", response: { status: 500 } };

/** Invalid bodies of each route, with the message for each. */
const bodies: Record<string, [body: unknown, message: string][]> = {
  "POST /overrides": [
    [{}, "the body must have exactly one of response, fault, delay, paging"],
    [{ ...override, delay: 5 }, "exactly one of response, fault, delay, paging"],
    [{ response: {} }, '"operation" must be a string, not nothing'],
    [{ ...override, operation: 5 }, '"operation" must be a string, not 5'],
    [
      { ...override, operation: "getShop" },
      'Unknown operation "getShop". Did you mean "getStore"? Expected one of',
    ],
    [{ ...override, when: "x" }, 'Unknown property "when". Expected operation, matcher'],
    [{ ...override, matcher: [] }, '"matcher" must be an object, not an array'],
    [
      { ...override, matcher: { when: "true" } },
      'Unknown property "when" of "matcher". Expected path, query, headers, body',
    ],
    [{ ...override, matcher: { path: 5 } }, "path must be an object, not 5"],
    [{ ...override, matcher: { path: { id: "1" } } }, 'Unknown path parameter "id" of getStore'],
    [{ ...override, matcher: { path: { externalId: 1 } } }, "path.externalId must be a string"],
    [{ ...override, matcher: { headers: { "x y": "" } } }, "is not the name of a header"],
    [{ ...override, matcher: { body: {} } }, "body: getStore has no request body"],
    [{ ...override, response: null }, '"response" must be an object, not null'],
    [{ ...override, response: { code: 1 } }, 'Unknown property "code" of "response"'],
    [{ ...override, response: { headers: 5 } }, '"response.headers" must be an object, not 5'],
    [
      { ...override, response: { headers: { "retry-after": 5 } } },
      '"response.headers.retry-after" must be a string, not 5',
    ],
    [
      { ...override, response: { headers: { a: "b\r\nc: d" } } },
      '"response.headers.a" must be text that a header can carry',
    ],
    [{ ...override, response: { headers: { "a b": "" } } }, '"a b" is not the name of a header'],
    [{ ...override, at: "head" }, "at must be before or after"],
    [{ operation: "getStore", fault: 5 }, '"fault" must be a string, not 5'],
    [{ operation: "getStore", fault: "reset", at: 5 }, '"at" must be a string, not 5'],
    [{ operation: "listStores", paging: 5 }, '"paging" must be a string, not 5'],
    [{ operation: "getStore", delay: "5" }, "delay must be milliseconds"],
    [{ operation: "getStore", delay: null }, "delay must be milliseconds"],
    [{ operation: "getStore", delay: { min: 5, max: 1 } }, "delay.min must be at most"],
    [{ operation: "getStore", delay: { median: 5 } }, "delay must be milliseconds"],
    [{ ...override, times: 0 }, "times must be a positive integer, not 0"],
    [{ ...override, rate: 1.5 }, "rate must be a number from 0 to 1, not 1.5"],
    [{ ...override, skip: -1 }, "skip must be a non-negative integer, not -1"],
  ],
  "POST /journal/find": [
    [{ operations: "getStore" }, 'Unknown property "operations". Expected operation, status'],
    [{ operation: 5 }, '"operation" must be a string, not 5'],
    [{ operation: "getShop" }, 'Unknown operation "getShop"'],
    [{ status: "200" }, "status must be an integer"],
    [{ headers: { authorization: "x" } }, "does not keep the value of this header"],
    [{ times: 1 }, 'Unknown property "times"'],
  ],
  "POST /journal/expect": [
    [{ times: -1 }, '"times" must be an integer of at least 0, not -1'],
    [{ path: [] }, "path must be an object"],
  ],
  "POST /clock": [
    [{}, 'the body must have either "advance" or "set"'],
    [{ advance: { fortnights: 1 } }, 'unknown unit "fortnights"'],
    [{ advance: { hours: "1" } }, "hours must be a finite number"],
    [{ set: "soon" }, "ISO 8601 string"],
    [{ set: 5 }, '"set" must be an ISO 8601 string'],
    [{ advance: [] }, '"advance" must be an object, not an array'],
    [{ advance: { toString: 1 } }, 'unknown unit "toString"'],
    [{ set: "2026-13-01" }, "must be a Date or an ISO 8601 string"],
    [{ set: "2026-01-01", to: 1 }, 'Unknown property "to". Expected advance, set'],
  ],
  "POST /readings": [
    [{ "no.gap": "x" }, 'unknown gap "no.gap"'],
    [
      { "stores.omitted-fields": "x" },
      'unknown reading "x" of "stores.omitted-fields". Expected one of keep,',
    ],
    [{ "stores.omitted-fields": 5 }, 'unknown reading "5" of "stores.omitted-fields"'],
    [{ version: 2, readings: {} }, "not a readings file of version 1"],
    [{ version: 1 }, "not a readings file of version 1"],
    [{ version: 1, readings: { "stores.order": 5 } }, 'unknown gap "stores.order"'],
    [{ version: 1, readings: { "stores.x": "y" } }, 'unknown gap "stores.x"'],
  ],
  "PUT /limits": [
    [{ perSecond: "5" }, 'limits.perSecond must be a positive number, not "5"'],
    [{ burst: 0.5 }, "limits.burst must be a positive integer"],
    [{ retryAfter: "later" }, "limits.retryAfter must be one of seconds, date, none"],
    [{ perMinute: 5 }, 'limits: unknown option "perMinute"'],
  ],
  "PUT /state": [
    [{}, "state.version must be 1"],
    [{ version: 1, store: { stores: [{ store: { name: 5 } }] } }, "state.store.stores[0].store"],
  ],
  "POST /seed": [
    [{ stores: 5 }, 'Unknown property "stores". Expected seed, store, fleet'],
    [{ seed: "1" }, '"seed" must be an integer of at least'],
    [{ store: 5 }, '"store" must be an object, not 5'],
    [{ store: { token: "x" } }, 'Unknown property "token" of "store"'],
    [{ store: { stores: "5" } }, '"store.stores" must be an integer of at least 0, not "5"'],
    [{ store: { stores: 1_000_001 } }, '"store.stores" must be at most 1000000'],
    [{ store: { stores: [5] } }, '"store.stores[0]" must be an object, not 5'],
    [{ store: { stores: [{}] } }, "store.stores[0]"],
    [{ fleet: { keys: [] } }, 'Unknown property "keys" of "fleet"'],
    [{ fleet: { vehicles: -1 } }, '"fleet.vehicles" must be an integer of at least 0, not -1'],
  ],
  "POST /credentials/tokens": [
    [{ secret: "x" }, 'addToken: unknown option "secret". Expected one of token, expiresAt'],
    [{ token: 5 }, "token must be a string of visible characters"],
    [{ expiresAt: 5 }, "token.expiresAt must be an ISO 8601 date-time"],
  ],
  "POST /credentials/keys": [
    [{ key: "short" }, "key.key must have the form <prefix>_"],
    [{ key: 5 }, "key.key must have the form <prefix>_"],
    [{ environment: "test" }, "key.environment must be production or sandbox"],
    [{ scopes: "all" }, "key.scopes must be an array of scopes"],
    [{ scopes: [5] }, 'unknown scope "5"'],
    [{ scopes: ["fly"] }, 'unknown scope "fly"'],
    [{ expiresAt: "soon" }, "key.expiresAt must be an ISO 8601 date-time"],
  ],
  "POST /credentials/key-1/expire": [
    [{ at: 5 }, '"at" must be a string, not 5'],
    [{ at: "soon" }, "at must be an ISO 8601 date-time"],
  ],
  "POST /credentials/key-1/revoke": [[{ at: "now" }, 'Unknown property "at". Expected no properties']],
  "POST /reset": [[{ hard: true }, 'reset: unknown option "hard". Expected one of to']],
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
    ["/restart", "Unknown route. Expected one of reset, state, "],
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
