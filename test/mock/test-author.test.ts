import { describe, expect, test } from "vitest";
import { StoreClient } from "../../src/index.ts";
import { Caller } from "./caller.ts";

const KEY = `acme_${"1".repeat(64)}`;
const OPTIONS = { store: { stores: 2 }, fleet: { vehicles: 2, keys: [{ key: KEY }] } };
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

/** Requests with the mistakes that authors of tests make most often, and what the response and the journal say. */
const MISTAKES: readonly (readonly [
  mistake: string,
  request: readonly [
    method: string,
    path: string,
    body?: string | undefined,
    headers?: Record<string, string>,
  ],
  status: number,
  message: string,
])[] = [
  ["a typo in a property", ["PUT", "/v1/stores/S-1", '{"naem":"x"}'], 400, 'Did you mean "name"?'],
  [
    "a typo below the top level",
    ["PUT", "/v1/stores/S-1", '{"openingTimes":[{"weekday":1,"form":"6","to":"7"}]}'],
    400,
    'Did you mean "from"?',
  ],
  ["a typo in a query", ["GET", "/v1/stores?limt=5"], 400, 'Did you mean "limit"?'],
  [
    "a query where there is none",
    ["GET", "/v1/stores/S-1?limit=5"],
    400,
    "this operation has no query parameters",
  ],
  ["a wrong method", ["PATCH", "/v1/stores/S-1", "{}"], 404, "This path supports only GET, PUT, not PATCH"],
  [
    "a wrong method of the fleet API",
    ["PATCH", "/damages/damage-1", "{}"],
    405,
    "supports only GET, PUT, DELETE, not PATCH",
  ],
  [
    "a wrong token",
    ["GET", "/v1/stores", undefined, bearer("other-token-9")],
    401,
    "Send ref.token, or give the server this one with store.token",
  ],
  [
    "a wrong key",
    ["GET", "/vehicles", undefined, bearer(KEY.replaceAll("1", "2"))],
    401,
    "Send ref.key, or give the server this one with fleet.keys",
  ],
  [
    "a key of the other environment",
    ["GET", "/vehicles", undefined, bearer(`acme_test_${"1".repeat(64)}`)],
    401,
    "it is a sandbox key, and this is the production environment",
  ],
  [
    "a scheme that is left out",
    ["GET", "/v1/stores", undefined, { authorization: KEY }],
    401,
    "expected the header Authorization: Bearer <token>",
  ],
  ["an ID with a slash", ["GET", "/v1/stores/a/b"], 404, "each ID is encoded with encodeURIComponent"],
  ["a path of the other API", ["GET", "/v1/vehicles"], 404, "Check the base URL"],
  [
    "an ID in other letters",
    ["GET", "/v1/stores/s-1"],
    404,
    'No store has the external ID "s-1". Did you mean "S-1"?',
  ],
  [
    "a fleet ID in other letters",
    ["GET", "/vehicles/vehicle1"],
    404,
    'Vehicle not found: "vehicle1". Did you mean "vehicle-1"?',
  ],
  [
    "an object that is not serialized",
    ["PUT", "/v1/stores/S-1", "[object Object]"],
    400,
    'must be JSON, not "[object Object]": send JSON.stringify(body)',
  ],
  ["a form", ["POST", "/vehicles", "plateNumber=WX"], 400, 'must be JSON, not "plateNumber=WX"'],
  ["no body", ["PUT", "/v1/stores/S-1"], 400, "is required"],
  [
    "no content type",
    ["POST", "/vehicles", "{}", { "content-type": "text/plain;charset=UTF-8" }],
    400,
    'must be application/json, not "text/plain;charset=UTF-8": set this header',
  ],
  ["a value of another type", ["POST", "/damages", '{"vehicleId":5}'], 400, "must be a string, not 5"],
  [
    "a value outside an enum",
    ["PUT", "/v1/stores/S-1", '{"storeType":"Kiosek"}'],
    400,
    'not "Kiosek". Did you mean "Kiosk"?',
  ],
  [
    "an entity that does not exist",
    ["POST", "/damages", '{"vehicleId":"Vehicle-1"}'],
    400,
    'no vehicle has the ID "Vehicle-1". Did you mean "vehicle-1"?',
  ],
  [
    "a version that does not exist",
    ["GET", "/vehicles", undefined, { "x-service-api-version": "v2" }],
    400,
    'must be v1, not "v2"',
  ],
  [
    "an ID that the service chooses",
    ["POST", "/vehicles", '{"id":"mine"}'],
    400,
    "the service chooses the ID",
  ],
  [
    "the ID of another row",
    ["PUT", "/vehicles/vehicle-1", '{"id":"vehicle-2"}'],
    400,
    'must be the ID in the path, not "vehicle-2"',
  ],
  [
    "two names of one reference",
    ["POST", "/damages", '{"vehicleId":"vehicle-1","vehicle":{"id":"vehicle-2"}}'],
    400,
    'must be "vehicle-1" as in vehicleId',
  ],
  [
    "a body of an operation without one",
    ["DELETE", "/vehicles/vehicle-1", '{"reason":"sold"}'],
    400,
    "this operation has no body",
  ],
  [
    "a time that does not exist",
    ["POST", "/damages", '{"reportedAt":"2025-02-30"}'],
    400,
    "must be an ISO 8601 date-time",
  ],
  [
    "choices of a text",
    ["POST", "/inspection-templates", '{"items":[{"inputType":"TEXT","options":["a"]}]}'],
    400,
    'only the inputType "SELECT" has choices',
  ],
  [
    "another external ID in the body",
    ["PUT", "/v1/stores/S-1", '{"externalId":"S-2"}'],
    400,
    'must be the external ID in the path, not "S-2"',
  ],
  [
    "a store that does not exist in a query",
    ["GET", "/v1/fill-rate?from=2025-12-01T00:00:00Z&to=2026-01-01T00:00:00Z&externalIds=S-1,s-2"],
    400,
    'no store has the external ID "s-2"',
  ],
  [
    "a protocol that does not exist in a query",
    ["GET", "/v1/stores/S-1/photos?from=2025-12-01T00:00:00Z&to=2026-01-01T00:00:00Z&protocolId=P-1"],
    400,
    'no protocol of this store has the ID "P-1"',
  ],
];

describe.for(MISTAKES)("%s", ([, [method, path, body, headers], status, message]) => {
  test("ends in a response that names the fix, with strict", async () => {
    const caller = new Caller({ ...OPTIONS, strict: true });
    const response = await caller.send(method, path, body, headers);
    expect([response.status, JSON.stringify(response.body).replaceAll(String.raw`\"`, '"')]).toEqual([
      status,
      expect.stringContaining(message),
    ]);
  });

  test("is in violations() without strict, except for an ID that nobody has", async () => {
    const caller = new Caller(OPTIONS);
    await caller.send(method, path, body, headers);
    const violations = caller.ref.journal.violations();
    const messages = violations.flatMap(({ issues }) => issues.map((issue) => issue.message));
    const isUnknownId = status === 404 && /No store has|not found:/.test(message);
    expect(messages.join()).toContain(isUnknownId ? "" : message);
    expect(messages.length > 0).toBe(!isUnknownId);
  });
});

test("no mistake is found in a request without one, with strict", async () => {
  const caller = new Caller({ ...OPTIONS, strict: true });
  const range = "from=2025-12-01T00:00:00Z&to=2026-01-01T00:00:00Z";
  const photo = caller.ref.state.store.photos.get("S-1")?.[0];
  for (const path of [
    `/v1/stores/S-1/photos?${range}&protocolId=${photo?.protocolId}&expositionId=${photo?.expositionId?.toUpperCase()}`,
    `/v1/fill-rate?${range}&externalIds=S-1,S-2`,
  ])
    expect((await caller.get(path)).status).toBe(200);
});

describe("a wrong host", () => {
  const { ref } = new Caller(OPTIONS);

  test.for(["https://store.refrence.test/v1/stores/S-1", "https://fleet.reference.test/vehicles"])(
    "is an error of fetch that names the base URLs, not a response: %s",
    async (url) => {
      const error = await ref.fetch(url).catch((reason: unknown) => reason);
      const { cause } = error as TypeError;
      expect(error).toBeInstanceOf(TypeError);
      expect(cause).toMatchObject({ code: "ENOTFOUND" });
      expect((cause as Error).message).toBe(
        `${url} is not below a base URL of the reference server: ${ref.storeUrl}, ${ref.fleetUrl}, ${ref.sandboxUrl}`,
      );
    },
  );

  test("ends a call at once, and is no unknown store", async () => {
    const store = new StoreClient({ ...ref.storeOptions, baseUrl: "https://store.refrence.test" });
    await expect(store.stores.get("S-1")).rejects.toMatchObject({
      name: "ConnectionError",
      retryable: false,
    });
    await expect(store.stores.get("S-1")).rejects.toThrow("is not below a base URL of the reference server");
  });
});

test("a call that nobody awaits is named where the journal is empty", () => {
  const { ref } = new Caller(OPTIONS);
  void new StoreClient(ref.storeOptions).stores.upsert("S-1", { name: "New" }).catch(() => undefined);
  expect(() => ref.journal.expect({ operation: "putStore" })).toThrow("Is the call awaited");
});
