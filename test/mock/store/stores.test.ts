import { expect, test } from "vitest";
import { storeQueryLimits } from "../../../generated/store.limits.ts";
import { growth } from "../../proof/growth.ts";
import { Caller, code, issuePaths, items } from "../caller.ts";

const { limit } = storeQueryLimits.listStores;

const ids = (rows: { externalId?: unknown }[]) => rows.map(({ externalId }) => externalId);

test("GET /v1/stores lists stores in order of their external IDs, each page beginning after its cursor", async () => {
  const caller = new Caller({ store: { stores: 12 } });
  const first = await caller.get("/v1/stores?limit=3");
  expect(ids(items(first))).toEqual(["S-1", "S-10", "S-11"]);
  expect(first.body.nextCursor).toBe("S-11");
  const second = await caller.get("/v1/stores?limit=3&cursor=S-11");
  expect(ids(items(second))).toEqual(["S-12", "S-2", "S-3"]);
});

test("GET /v1/stores ends with nextCursor null, even if the last page is full", async () => {
  const caller = new Caller({ store: { stores: 4 } });
  const full = await caller.get("/v1/stores?limit=2&cursor=S-2");
  expect(ids(items(full))).toEqual(["S-3", "S-4"]);
  expect(full.body.nextCursor).toBeNull();
});

test("GET /v1/stores returns a default page without a limit (store 8)", async () => {
  const page = await new Caller({ store: { stores: limit.default + 1 } }).get("/v1/stores");
  expect(items(page)).toHaveLength(limit.default);
});

test.for([
  [limit.minimum - 1, 400],
  [limit.minimum, 200],
  [limit.maximum, 200],
  [limit.maximum + 1, 400],
  ["1.5", 400],
  ["ten", 400],
  ["", 400],
] as const)("GET /v1/stores checks both bounds of the limit: %s is %i (store 8)", async ([value, status]) => {
  const page = await new Caller().get(`/v1/stores?limit=${value}`);
  expect([page.status, issuePaths(page)]).toEqual([status, status === 400 ? ["limit"] : []]);
});

test("GET /v1/stores rejects a limit that is given twice", async () => {
  expect((await new Caller().get("/v1/stores?limit=1&limit=2")).status).toBe(400);
});

test("GET /v1/stores/{externalId} returns a store with every field (store 2)", async () => {
  const { status, body } = await new Caller().get("/v1/stores/S-1");
  expect(status).toBe(200);
  expect(Object.keys(body).toSorted()).toEqual(
    [
      "storeId",
      "externalId",
      "name",
      "location",
      "regionId",
      "storeType",
      "openingTimes",
      "protocolScheduleId",
      "protocolCronEnabled",
      "onboardingComplete",
      "loginCode",
    ].toSorted(),
  );
});

test("GET /v1/stores/{externalId} responds with 404 not_found for an unknown store", async () => {
  const seen = await new Caller().get("/v1/stores/none");
  expect([seen.status, code(seen)]).toEqual([404, "not_found"]);
});

test("PUT /v1/stores/{externalId} creates a store, which is then read and listed", async () => {
  const caller = new Caller({ store: { stores: 2 } });
  const created = await caller.put("/v1/stores/A-1", { name: "New", storeType: "Kiosk" });
  expect(created.status).toBe(200);
  expect(created.body).toMatchObject({ externalId: "A-1", name: "New", storeType: "Kiosk", location: null });
  expect((await caller.get("/v1/stores/A-1")).body).toEqual(created.body);
  expect(ids(items(await caller.get("/v1/stores")))).toEqual(["A-1", "S-1", "S-2"]);
  expect((await caller.get("/v1/stores/A-1/contacts")).body).toEqual({ externalId: "A-1", items: [] });
});

test("PUT /v1/stores/{externalId} accepts any string as external ID, percent-encoded", async () => {
  const caller = new Caller({ store: { stores: 0 } });
  for (const id of ["a/b", "ł ä?#", "100%", "..."]) {
    const path = `/v1/stores/${encodeURIComponent(id)}`;
    expect((await caller.put(path, {})).body.externalId).toBe(id);
    expect((await caller.get(path)).body.externalId).toBe(id);
  }
});

test("PUT /v1/stores/{externalId} updates a store and keeps its ID", async () => {
  const caller = new Caller();
  const before = await caller.get("/v1/stores/S-1");
  const after = await caller.put("/v1/stores/S-1", { name: "Renamed", location: null });
  expect(after.body).toEqual({ ...before.body, name: "Renamed", location: null });
});

test.for([
  [{ name: 1 }, "name"],
  [{ storeType: "Supermarket" }, "storeType"],
  [{ regionId: "x" }, "regionId"],
  [{ openingTimes: [{ weekday: 7, from: "", to: "" }] }, "openingTimes.0.weekday"],
  [{ openingTimes: [{ weekday: -1, from: "", to: "" }] }, "openingTimes.0.weekday"],
  [{ openingTimes: [{ weekday: 0, from: "" }] }, "openingTimes.0.to"],
  [[], ""],
  ["text", ""],
] as const)("PUT /v1/stores/{externalId} rejects the body %j and names %s", async ([body, path]) => {
  const caller = new Caller();
  const before = await caller.get("/v1/stores/S-1");
  const refused = await caller.put("/v1/stores/S-1", body);
  expect([refused.status, code(refused), issuePaths(refused)]).toEqual([400, "validation_failed", [path]]);
  expect((await caller.get("/v1/stores/S-1")).body).toEqual(before.body);
});

test("PUT /v1/stores/{externalId} accepts weekdays 0 and 6, and any string as time (store 2, OpeningTime)", async () => {
  const openingTimes = [
    { weekday: 0, from: "", to: "after the last train" },
    { weekday: 6, from: "08:00", to: "24:00" },
  ];
  const { body } = await new Caller().put("/v1/stores/S-1", { openingTimes });
  expect(body.openingTimes).toEqual(openingTimes);
});

test("GET /v1/stores returns the last page of 100 000 stores as fast as the first", async () => {
  const { ref } = new Caller({ store: { stores: 100_000 } });
  const request = (target: string) =>
    ref.respond({ base: "store", method: "GET", target, authorization: `Bearer ${ref.token}` });
  const [first, last] = ["/v1/stores?limit=100", "/v1/stores?limit=100&cursor=S-99908"];
  expect(JSON.parse(request(last).body ?? "")).toMatchObject({ nextCursor: null });
  const work = (factor: number): void => {
    for (let round = 0; round < 20; round++) request(factor === 1 ? first : last);
  };
  expect(await growth(work, 0.5)).toBeLessThan(0.5);
});
