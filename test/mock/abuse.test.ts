import { expect, test } from "vitest";
import { createReferenceServer } from "../../src/mock/index.ts";
import { Caller, issuePaths } from "./caller.ts";

const server = createReferenceServer({ store: { stores: 1 } });
const authorization = `Bearer ${server.token}`;
const headers = { authorization, contentType: "application/json", apiVersion: "v1" };
const get = (target: string) => server.respond({ base: "store", method: "GET", target, ...headers });
const put = (body: string) =>
  server.respond({ base: "store", method: "PUT", target: "/v1/stores/S-1/contacts", body, ...headers });
const bearer = (secret: string) =>
  server.respond({ base: "fleet", method: "GET", target: "/vehicles", authorization: `Bearer ${secret}` });

/** Inputs so large that code which takes quadratic time for one does not end within minutes. */
const inputs: [name: string, send: (size: number) => { status: number }, size: number, status: number][] = [
  ["equal query parameters", (size) => get(`/v1/stores?${"a&".repeat(size)}`), 1_000_000, 200],
  ["different query parameters", (size) => get(`/v1/stores?${"a=%20&b&".repeat(size)}`), 1_000_000, 200],
  ["one long query parameter", (size) => get(`/v1/stores?cursor=${"%41".repeat(size)}`), 1_000_000, 200],
  ["a path of many segments", (size) => get("/a".repeat(size)), 1_000_000, 404],
  [
    "external IDs in a query",
    (size) =>
      get(`/v1/fill-rate?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z&externalIds=${"x,".repeat(size)}`),
    1_000_000,
    200,
  ],
  ["a secret of dashes", (size) => bearer("-".repeat(size)), 1_000_000, 401],
  ["a secret of underscores", (size) => bearer("_".repeat(size)), 1_000_000, 401],
  ["blanks before a secret", (size) => bearer(" ".repeat(size)), 1_000_000, 401],
  ["open brackets", (size) => put("[".repeat(size)), 1_000_000, 400],
  ["quotes and backslashes", (size) => put(`{"a":"${'\\\\\\"'.repeat(size)}"}`), 1_000_000, 400],
  ["invalid elements", (size) => put(`{"contacts":[${"1,".repeat(size)}1]}`), 1_000_000, 400],
  [
    "unknown properties",
    (size) => put(`{"contacts":[],${Array.from({ length: size }, (_, at) => `"m${at}":1`).join()}}`),
    200_000,
    200,
  ],
];

test.each(inputs)("the mock reads %s in linear time", (_name, send, size, status) => {
  expect(send(size).status).toBe(status);
});

test("the mock reads the journal in linear time for any content", () => {
  server.reset();
  bearer("%2d-".repeat(40_000));
  put(`{"a":"${"\\u0041%41".repeat(40_000)}"}`);
  get(`/v1/stores?${"%2d-&".repeat(40_000)}`);
  expect(server.journal.all()).toHaveLength(3);
  expect(server.journal.violations()).toHaveLength(3);
});

test("a body with 126 000 invalid elements is a 400 with at most 100 issues", async () => {
  const caller = new Caller();
  const { status, body } = await caller.put("/v1/stores/S-1/contacts", {
    contacts: Array.from({ length: 126_000 }, () => 1),
  });
  expect(status).toBe(400);
  expect(issuePaths({ status, body, headers: new Headers() })).toHaveLength(100);
  expect(caller.ref.journal.violations()[0]?.issues).toHaveLength(100);
});

test("an invalid element at the end of a large list is reported with its index", async () => {
  const contacts: unknown[] = Array.from({ length: 25_000 }, () => ({ name: "A", phone: "1" }));
  contacts[20_123] = { name: "A" };
  const seen = await new Caller().put("/v1/stores/S-1/contacts", { contacts });
  expect(issuePaths(seen)).toEqual(["contacts.20123.phone"]);
});

test.each(["-7", "+-271821", "+12026-01-01T00:00:00Z", "+275760-09-13T00:00:00.000Z"])(
  "the clock rejects %s, whose dates have no RFC 3339 form",
  (time) => {
    const { clock } = createReferenceServer();
    expect(() => clock.set(time)).toThrow("ISO 8601");
    expect(() => clock.advance({ weeks: 520_000 })).toThrow("ISO 8601");
    expect(() => clock.advance({ weeks: -520_000 })).toThrow("ISO 8601");
  },
);

test.each(["name", "value", "body"])("the journal shows no secret in a query or body: %s", async (place) => {
  const caller = new Caller({ readings: { "requests.unknown-properties": "rejected" } });
  const { token } = caller.ref;
  if (place === "name") await caller.get(`/v1/stores?${token}=1`);
  else if (place === "value") await caller.get(`/v1/stores?cursor=${token}`);
  else await caller.put("/v1/stores/S-1", { [token]: token });
  const printed = JSON.stringify([caller.ref.journal.all(), caller.ref.journal.violations()]);
  expect(printed).toContain("[redacted]");
  expect(decodeURIComponent(printed)).not.toContain(token);
});
