import { describe, expect, test } from "vitest";
import { createReferenceServer } from "../../src/mock/index.ts";
import { parseQuery } from "../../src/mock/server/exchange.ts";
import { Caller } from "./caller.ts";

const DEPTH = 8_000;

const WRITES = [
  "PUT /v1/stores/S-1",
  "PUT /v1/stores/N-1",
  "PUT /v1/stores/S-1/contacts",
  "PUT /v1/stores/S-1/expectations",
  "PUT /v1/stores/S-1/expositions",
  "POST /vehicles",
  "PUT /vehicles/vehicle-1",
  "POST /vehicle-groups",
  "PUT /vehicle-groups/group-1",
  "POST /inspections",
  "POST /inspection-templates",
  "PUT /inspection-templates/template-1",
  "POST /damages",
  "PUT /damages/damage-1",
  "POST /driver-assignments",
  "PATCH /driver-assignments/assignment-1",
];

describe.for(WRITES)("a body of 8 000 levels of %s", (operation) => {
  test.for([
    ["in a property", `{"deep":${"[".repeat(DEPTH)}${"]".repeat(DEPTH)}}`],
    ["as an array", `${"[".repeat(DEPTH)}${"]".repeat(DEPTH)}`],
    ["of objects", `${'{"a":'.repeat(DEPTH)}1${"}".repeat(DEPTH)}`],
    ["that is cut", "[".repeat(DEPTH)],
  ])("%s is a 400 and leaves nothing behind", async ([, body]) => {
    const caller = new Caller({ store: { stores: 1 }, fleet: { vehicles: 1, inspections: 1, damages: 1 } });
    const before = caller.ref.exportState();
    const [method = "", path = ""] = operation.split(" ");
    expect((await caller.send(method, path, body)).status).toBe(400);
    expect(caller.ref.exportState()).toEqual(before);
    expect(caller.ref.journal.violations()).toMatchObject([{ status: 400, body }]);
  });
});

test("a state of 8 000 levels is refused and leaves the data as they are", () => {
  const ref = createReferenceServer({ fleet: { vehicles: 1 } });
  const before = ref.exportState();
  const deep: unknown = JSON.parse(`${"[".repeat(DEPTH)}${"]".repeat(DEPTH)}`);
  expect(() => ref.importState({ version: 1, fleet: { vehicles: [{ id: "v-1", deep }] } })).toThrow(
    "nested less deeply",
  );
  expect(ref.exportState()).toEqual(before);
});

test("a query with one name 200 000 times is read in linear time", () => {
  expect(parseQuery("a&".repeat(200_000)).a).toHaveLength(200_000);
});

test("a request with 50 000 unknown names has at most 100 issues, also without strict", async () => {
  const caller = new Caller();
  const names = Array.from({ length: 50_000 }, (_, index) => `x${index}`);
  await caller.get(`/v1/stores?${names.join("&")}`);
  await caller.send("POST", "/vehicles", JSON.stringify(Object.fromEntries(names.map((name) => [name, 1]))));
  await caller.put("/v1/stores/S-1", { [`x${"y".repeat(100_000)}`]: 1 });
  const issues = caller.ref.journal.violations().map((entry) => entry.issues);
  expect(issues.map(({ length }) => length)).toEqual([100, 100, 1]);
  expect(JSON.stringify(issues).length).toBeLessThan(200_000);
});

test.for([
  ["targets", (text: string) => ({ target: `/v1/stores?cursor=${text}` })],
  ["unknown paths", (text: string) => ({ target: `/${text}` })],
  ["headers", (text: string) => ({ target: "/v1/stores", headers: { "x-text": text } })],
  ["bodies", (text: string) => ({ target: "/v1/stores", body: text })],
] as const)("the journal bounds the bytes of %s", ([, request]) => {
  const ref = createReferenceServer({ journal: { maxBytes: 1_000_000 } });
  for (let round = 0; round < 100; round++)
    ref.respond({ base: "store", method: "GET", ...request("x".repeat(50_000)) });
  const entries = ref.journal.all();
  expect(entries.length).toBeGreaterThan(5);
  expect(JSON.stringify(entries).length).toBeLessThan(1_100_000);
  ref.respond({ base: "store", method: "GET", ...request("x".repeat(5_000_000)) });
  ref.respond({ base: "store", method: "GET", target: "/v1/last" });
  expect(ref.journal.all().at(-1)).toMatchObject({ path: "/v1/last" });
});
