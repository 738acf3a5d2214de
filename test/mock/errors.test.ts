import { expect, test } from "vitest";
import { contactTypes } from "../../generated/store.enums.ts";
import { zStoreErrorBody } from "../../generated/store.schemas.ts";
import { createReferenceServer } from "../../src/mock/index.ts";
import { ALL_TIME, Caller, code, issuePaths, parseResponse } from "./caller.ts";

test.for([[undefined], ["Bearer wrong"], ["Bearer"], ["Basic abc"], ["bearer-token"]] as const)(
  "the store API responds with 401 unauthorized for the header %s (store 5)",
  async ([authorization]) => {
    const ref = createReferenceServer();
    const response = await ref.fetch(`${ref.storeUrl}/v1/stores`, {
      headers: authorization ? { authorization } : {},
    });
    const parsed = await parseResponse(response);
    expect([parsed.status, code(parsed)]).toEqual([401, "unauthorized"]);
  },
);

test("the store API responds with 503 not_configured to every request if no token is configured (store 5)", async () => {
  const caller = new Caller({ store: { token: null } });
  for (const path of ["/v1/stores", "/v1/stores/none", "/v1/stores?limit=0"]) {
    const parsed = await caller.get(path);
    expect([parsed.status, code(parsed)]).toEqual([503, "not_configured"]);
  }
});

test.for([
  "/",
  "",
  "/v1",
  "/v1/stores/",
  "/v1/stores//contacts",
  "/v1/stores/S-1/contacts/",
  "/v1/stores/S-1/nothing",
  "/v1/stores/%E0%A4%A",
  "/v1/stores/..",
  "/v1/stores/%2e",
  "/v1/stores/.%2E/contacts",
  "/v2/stores",
])("the store API responds with 404 for the unknown path %j", (path) => {
  const { status, body } = new Caller().ref.respond({
    base: "store",
    method: "GET",
    target: path,
  });
  expect(status).toBe(404);
  const parsed: unknown = JSON.parse(body ?? "");
  expect(zStoreErrorBody.parse(parsed).error.code).toBe("not_found");
});

test.for(["POST", "DELETE", "PATCH", "OPTIONS"])(
  "the store API responds with 404 for %s, and lists the methods",
  async (method) => {
    const { ref } = new Caller();
    const response = await ref.fetch(`${ref.storeUrl}/v1/stores/S-1`, { method });
    expect([response.status, response.headers.get("allow")]).toEqual([404, "GET, PUT"]);
    expect(await response.text()).toMatch(/not_found/);
  },
);

test.for([
  ["storeUrl", "/vehicles", "No operation of the store API has this path. Check the base URL"],
  ["fleetUrl", "/v1/stores", "No operation of the fleet API has this path. Check the base URL"],
] as const)(
  "the 404 of a path that belongs to the other API names the API: %s%s",
  async ([url, path, message]) => {
    const { ref } = new Caller();
    expect(await (await ref.fetch(ref[url] + path)).text()).toContain(message);
  },
);

test.for(["{", "", '{"contacts":[{"name":"x","phone":"1"}]}x', "null"])(
  "the store API responds with 400 for the body %j",
  async (body) => {
    const refused = await new Caller().send("PUT", "/v1/stores/S-1/contacts", body);
    expect([refused.status, code(refused), issuePaths(refused)]).toEqual([400, "validation_failed", [""]]);
  },
);

test("a body above 10 MB is a 413 (gap limits.body-size)", async () => {
  const caller = new Caller({ store: { stores: 1 } });
  const send = (length: number) => caller.send("PUT", "/v1/stores/S-1", `{"name":"${"ż".repeat(length)}"}`);
  const maximum = (10_000_000 - '{"name":""}'.length) / 2;
  expect((await send(Math.floor(maximum))).status).toBe(200);
  const refused = await send(Math.ceil(maximum) + 1);
  expect([refused.status, code(refused)]).toEqual([413, "validation_failed"]);
});

test("the store API describes an invalid value in words", async () => {
  const caller = new Caller();
  const { body } = await caller.put("/v1/stores/S-1/contacts", {
    contacts: [{ phone: 1, name: "x", email: "x", contactType: "y", hasWhatsapp: "no" }],
  });
  const { issues } = body.error as { issues: { path: string; message: string }[] };
  expect(Object.fromEntries(issues.map(({ path, message }) => [path, message]))).toEqual({
    "contacts.0.contactType": `must be one of ${contactTypes.join(", ")}, not "y"`,
    "contacts.0.email": 'must be an e-mail address, not "x"',
    "contacts.0.hasWhatsapp": 'must be a boolean, not "no"',
    "contacts.0.phone": "must be a string, not 1",
  });
});

test("the store API responds with 501 and the reason if its state is invalid, and continues", async () => {
  const caller = new Caller();
  caller.ref.state.store.protocols.set("S-1", 1 as never);
  caller.ref.state.store.contacts.set("S-1", [{ name: 1n } as never]);
  for (const [path, reason] of [
    [`/v1/stores/S-1/protocols?${ALL_TIME}`, /TypeError/],
    ["/v1/stores/S-1/contacts", /BigInt/],
  ] as const) {
    const { status, body } = await caller.get(path);
    expect([status, (body.error as { message: string }).message]).toEqual([
      501,
      expect.stringMatching(reason),
    ]);
  }
  expect((await caller.get("/v1/stores/S-1")).status).toBe(200);
  expect(caller.ref.journal.all().map(({ status }) => status)).toEqual([501, 501, 200]);
});
