import { expect, test } from "vitest";
import { Caller, issuePaths, items } from "../caller.ts";

const NON_NULL = ["name", "protocolScheduleId", "protocolCronEnabled", "onboardingComplete", "loginCode"];
const GUID = "11111111-1111-1111-1111-111111111111";
const WHOLE = {
  name: "Whole",
  location: "There",
  regionId: GUID,
  storeType: "Ulica",
  openingTimes: [{ weekday: 1, from: "a", to: "b" }],
  protocolScheduleId: GUID,
  protocolCronEnabled: true,
  onboardingComplete: true,
  loginCode: "1",
};

test("stores.create-requirements: an empty body creates a store under none-required", async () => {
  const { status, body } = await new Caller().put("/v1/stores/N-1", {});
  expect(status).toBe(200);
  expect(body).toMatchObject({ externalId: "N-1", name: "N-1", openingTimes: [], onboardingComplete: false });
});

test("stores.create-requirements: non-null-fields asks for the fields that are never null", async () => {
  const caller = new Caller({ readings: { "stores.create-requirements": "non-null-fields" } });
  expect(issuePaths(await caller.put("/v1/stores/N-1", {}))).toEqual(NON_NULL);
  expect((await caller.get("/v1/stores/N-1")).status).toBe(404);
  expect((await caller.put("/v1/stores/N-1", WHOLE)).body).toMatchObject(WHOLE);
  expect((await caller.put("/v1/stores/N-1", {})).status).toBe(200);
});

test("stores.create-requirements: name-only asks for the name", async () => {
  const caller = new Caller({ readings: { "stores.create-requirements": "name-only" } });
  expect(issuePaths(await caller.put("/v1/stores/N-1", {}))).toEqual(["name"]);
  expect((await caller.put("/v1/stores/N-1", { name: "N" })).status).toBe(200);
});

test("stores.omitted-fields: keep leaves them, reset takes them back, reject refuses", async () => {
  const updated = async (reading: "keep" | "reset" | "reject") => {
    const caller = new Caller({ readings: { "stores.omitted-fields": reading } });
    const before = await caller.put("/v1/stores/N-1", WHOLE);
    return [before, await caller.put("/v1/stores/N-1", { name: "New" })] as const;
  };
  const [whole, kept] = await updated("keep");
  expect(kept.body).toEqual({ ...whole.body, name: "New" });
  const [before, reset] = await updated("reset");
  expect(reset.body).toMatchObject({
    name: "New",
    location: null,
    regionId: null,
    storeType: null,
    openingTimes: [],
  });
  expect(reset.body.storeId).toBe(before.body.storeId);
  const [, refused] = await updated("reject");
  expect(issuePaths(refused)).toEqual(Object.keys(WHOLE).filter((field) => field !== "name"));
});

test("stores.null-opening-times: clears empties the list, keeps leaves it", async () => {
  for (const [reading, expected] of [
    ["clears", []],
    ["keeps", WHOLE.openingTimes],
  ] as const) {
    const caller = new Caller({ readings: { "stores.null-opening-times": reading } });
    await caller.put("/v1/stores/N-1", WHOLE);
    expect((await caller.put("/v1/stores/N-1", { openingTimes: null })).body.openingTimes).toEqual(expected);
  }
});

test("stores.body-external-id: path-wins ignores the one in the body", async () => {
  const caller = new Caller();
  expect((await caller.put("/v1/stores/S-1", { externalId: "X" })).body.externalId).toBe("S-1");
});

test("stores.body-external-id: renames moves the store with all that it has", async () => {
  const caller = new Caller({ readings: { "stores.body-external-id": "renames" } });
  const contacts = items(await caller.get("/v1/stores/S-1/contacts"));
  expect((await caller.put("/v1/stores/S-1", { externalId: "X" })).body.externalId).toBe("X");
  expect((await caller.get("/v1/stores/S-1")).status).toBe(404);
  expect((await caller.get("/v1/stores/X/contacts")).body).toEqual({ externalId: "X", items: contacts });
  expect(issuePaths(await caller.put("/v1/stores/X", { externalId: "S-2" }))).toEqual(["externalId"]);
  expect(issuePaths(await caller.put("/v1/stores/X", { externalId: "" }))).toEqual(["externalId"]);
});

test("stores.body-external-id: rejected refuses another one and takes the same", async () => {
  const caller = new Caller({ readings: { "stores.body-external-id": "rejected" } });
  expect(issuePaths(await caller.put("/v1/stores/S-1", { externalId: "X" }))).toEqual(["externalId"]);
  expect((await caller.put("/v1/stores/S-1", { externalId: "S-1" })).status).toBe(200);
});

test("stores.null-store-type: accepted takes null, rejected refuses it", async () => {
  expect((await new Caller().put("/v1/stores/S-1", { storeType: null })).body.storeType).toBeNull();
  const strict = new Caller({ readings: { "stores.null-store-type": "rejected" } });
  expect(issuePaths(await strict.put("/v1/stores/S-1", { storeType: null }))).toEqual(["storeType"]);
});

test("stores.null-external-id: listed ends the list with a store that no path reaches", async () => {
  const caller = new Caller({ store: { stores: 2 }, readings: { "stores.null-external-id": "listed" } });
  const all = items(await caller.get("/v1/stores"));
  expect(all.map(({ externalId }) => externalId)).toEqual(["S-1", "S-2", null]);
  const alone = await caller.get("/v1/stores?limit=2");
  expect(alone.body.nextCursor).toBe("S-2");
  expect(items(await caller.get("/v1/stores?cursor=S-2"))).toHaveLength(1);
  expect((await caller.get(`/v1/stores/${String(all[2]?.storeId)}`)).status).toBe(404);
  caller.ref.switchReadings({ "stores.null-external-id": "never-listed" });
  expect(items(await caller.get("/v1/stores"))).toHaveLength(2);
});

test("stores.cursor-start: at gives the first ID of the next page as cursor", async () => {
  const caller = new Caller({ store: { stores: 4 }, readings: { "stores.cursor-start": "at" } });
  const first = await caller.get("/v1/stores?limit=2");
  expect(first.body.nextCursor).toBe("S-3");
  const second = await caller.get("/v1/stores?limit=2&cursor=S-3");
  expect(items(second).map(({ externalId }) => externalId)).toEqual(["S-3", "S-4"]);
  expect(second.body.nextCursor).toBeNull();
});

test("stores.unknown-cursor: next-greater goes on behind it, reject refuses, empty ends", async () => {
  const listed = (reading: "next-greater" | "reject" | "empty") =>
    new Caller({ store: { stores: 3 }, readings: { "stores.unknown-cursor": reading } }).get(
      "/v1/stores?cursor=S-1x",
    );
  expect(items(await listed("next-greater")).map(({ externalId }) => externalId)).toEqual(["S-2", "S-3"]);
  expect(issuePaths(await listed("reject"))).toEqual(["cursor"]);
  expect((await listed("empty")).body).toEqual({ items: [], nextCursor: null });
});
