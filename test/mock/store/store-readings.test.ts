import { expect, test } from "vitest";
import { Caller, type ParsedResponse, issuePaths, items } from "../caller.ts";

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

test("stores.create-requirements: none-required creates a store from an empty body", async () => {
  const { status, body } = await new Caller().put("/v1/stores/N-1", {});
  expect(status).toBe(200);
  expect(body).toMatchObject({ externalId: "N-1", name: "N-1", openingTimes: [], onboardingComplete: false });
});

test("stores.create-requirements: non-null-fields requires the fields that are never null", async () => {
  const caller = new Caller({ readings: { "stores.create-requirements": "non-null-fields" } });
  expect(issuePaths(await caller.put("/v1/stores/N-1", {}))).toEqual(NON_NULL);
  expect((await caller.get("/v1/stores/N-1")).status).toBe(404);
  expect((await caller.put("/v1/stores/N-1", WHOLE)).body).toMatchObject(WHOLE);
  expect((await caller.put("/v1/stores/N-1", {})).status).toBe(200);
});

test("stores.create-requirements: name-only requires the name", async () => {
  const caller = new Caller({ readings: { "stores.create-requirements": "name-only" } });
  expect(issuePaths(await caller.put("/v1/stores/N-1", {}))).toEqual(["name"]);
  expect((await caller.put("/v1/stores/N-1", { name: "N" })).status).toBe(200);
});

test("stores.omitted-fields decides whether omitted fields are kept, reset or rejected", async () => {
  const updateUnder = async (reading: "keep" | "reset" | "reject") => {
    const caller = new Caller({ readings: { "stores.omitted-fields": reading } });
    const before = await caller.put("/v1/stores/N-1", WHOLE);
    return [before, await caller.put("/v1/stores/N-1", { name: "New" })] as const;
  };
  const [whole, kept] = await updateUnder("keep");
  expect(kept.body).toEqual({ ...whole.body, name: "New" });
  const [before, reset] = await updateUnder("reset");
  expect(reset.body).toMatchObject({
    name: "New",
    location: null,
    regionId: null,
    storeType: null,
    openingTimes: [],
  });
  expect(reset.body.storeId).toBe(before.body.storeId);
  const [, refused] = await updateUnder("reject");
  expect(issuePaths(refused)).toEqual(Object.keys(WHOLE).filter((field) => field !== "name"));
});

test("stores.null-opening-times decides whether null clears or keeps the opening times", async () => {
  for (const [reading, expected] of [
    ["clears", []],
    ["keeps", WHOLE.openingTimes],
  ] as const) {
    const caller = new Caller({ readings: { "stores.null-opening-times": reading } });
    await caller.put("/v1/stores/N-1", WHOLE);
    expect((await caller.put("/v1/stores/N-1", { openingTimes: null })).body.openingTimes).toEqual(expected);
  }
});

test("stores.body-external-id: path-wins ignores the external ID in the body", async () => {
  const caller = new Caller();
  expect((await caller.put("/v1/stores/S-1", { externalId: "X" })).body.externalId).toBe("S-1");
});

test("stores.body-external-id: renames moves the store with all its lists", async () => {
  const caller = new Caller({ readings: { "stores.body-external-id": "renames" } });
  const contacts = items(await caller.get("/v1/stores/S-1/contacts"));
  expect((await caller.put("/v1/stores/S-1", { externalId: "X" })).body.externalId).toBe("X");
  expect((await caller.get("/v1/stores/S-1")).status).toBe(404);
  expect((await caller.get("/v1/stores/X/contacts")).body).toEqual({ externalId: "X", items: contacts });
  expect(issuePaths(await caller.put("/v1/stores/X", { externalId: "S-2" }))).toEqual(["externalId"]);
  expect(issuePaths(await caller.put("/v1/stores/X", { externalId: "" }))).toEqual(["externalId"]);
});

test("stores.body-external-id: rejected responds with 400 to a different external ID and accepts the same", async () => {
  const caller = new Caller({ readings: { "stores.body-external-id": "rejected" } });
  expect(issuePaths(await caller.put("/v1/stores/S-1", { externalId: "X" }))).toEqual(["externalId"]);
  expect((await caller.put("/v1/stores/S-1", { externalId: "S-1" })).status).toBe(200);
});

test("stores.null-store-type decides whether null is accepted or rejected", async () => {
  expect((await new Caller().put("/v1/stores/S-1", { storeType: null })).body.storeType).toBeNull();
  const strict = new Caller({ readings: { "stores.null-store-type": "rejected" } });
  expect(issuePaths(await strict.put("/v1/stores/S-1", { storeType: null }))).toEqual(["storeType"]);
});

const externalIds = (page: ParsedResponse) => items(page).map(({ externalId }) => externalId);

test("stores.null-external-id decides whether stores without an external ID are listed", async () => {
  const caller = new Caller({ store: { stores: 2, storesWithoutId: 1 } });
  const all = items(await caller.get("/v1/stores"));
  expect(all.map(({ externalId }) => externalId)).toEqual(["S-1", "S-2", null]);
  expect((await caller.get(`/v1/stores/${String(all[2]?.storeId)}`)).status).toBe(404);
  caller.ref.switchReadings({ "stores.null-external-id": "never-listed" });
  expect(items(await caller.get("/v1/stores"))).toHaveLength(2);
});

test("the default seed has stores without an external ID, and a seed of a given size has no such stores", async () => {
  const byDefault = new Caller().ref.state.store;
  expect([byDefault.stores.size, byDefault.storesWithoutId.size]).toEqual([250, 2]);
  expect(new Caller({ store: { stores: 3 } }).ref.state.store.storesWithoutId.size).toBe(0);
});

/** Walks the list with a limit and returns the external IDs of each page. */
async function walk(caller: Caller, limit: number): Promise<unknown[][]> {
  const pages: unknown[][] = [];
  let cursor: string | null = "";
  while (cursor !== null && pages.length < 10) {
    const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await caller.get(`/v1/stores?limit=${limit}${query}`);
    pages.push(externalIds(page));
    cursor = page.body.nextCursor as string | null;
  }
  return pages;
}

const FOUR_AND_TWO = { stores: 4, storesWithoutId: 2 };

test.each(["after", "at"] as const)(
  "stores.null-cursor: last-page delivers stores without an external ID last (cursor %s)",
  async (start) => {
    const readings = { "stores.cursor-start": start };
    expect(await walk(new Caller({ store: FOUR_AND_TWO, readings }), 2)).toEqual([
      ["S-1", "S-2"],
      ["S-3", "S-4", null, null],
    ]);
  },
);

test("stores.null-cursor: last-not-null continues after the last external ID of the page", async () => {
  const readings = { "stores.null-cursor": "last-not-null" } as const;
  const pages = await walk(new Caller({ store: FOUR_AND_TWO, readings }), 2);
  expect(pages[0]).toEqual(["S-1", null]);
  expect(new Set(pages.flat())).toEqual(new Set(["S-1", "S-2", "S-3", "S-4", null]));
});

test("stores.null-cursor: null-early ends the list at a page whose last store has no external ID", async () => {
  const readings = { "stores.null-cursor": "null-early" } as const;
  expect(await walk(new Caller({ store: FOUR_AND_TWO, readings }), 2)).toEqual([["S-1", null]]);
});

test("a cursor is always an external ID, regardless of the key under which the server stores a row", async () => {
  for (const reading of ["last-page", "last-not-null", "null-early"] as const) {
    const readings = { "stores.null-cursor": reading, "stores.cursor-start": "at" } as const;
    const caller = new Caller({ store: FOUR_AND_TWO, readings });
    for (const limit of [1, 2, 3, 4, 5]) {
      const { nextCursor } = (await caller.get(`/v1/stores?limit=${limit}`)).body;
      expect(["S-1", "S-2", "S-3", "S-4", null]).toContain(nextCursor);
    }
  }
});

test("a store is listed with any external ID", async () => {
  const caller = new Caller({ store: { stores: 1, storesWithoutId: 1 } });
  const odd = "\uffffstore without external ID";
  await caller.put(`/v1/stores/${encodeURIComponent(odd)}`, { name: "odd" });
  expect(externalIds(await caller.get("/v1/stores"))).toEqual(["S-1", odd, null]);
});

test("stores.cursor-start: at gives the first ID of the next page as cursor", async () => {
  const caller = new Caller({ store: { stores: 4 }, readings: { "stores.cursor-start": "at" } });
  const first = await caller.get("/v1/stores?limit=2");
  expect(first.body.nextCursor).toBe("S-3");
  const second = await caller.get("/v1/stores?limit=2&cursor=S-3");
  expect(items(second).map(({ externalId }) => externalId)).toEqual(["S-3", "S-4"]);
  expect(second.body.nextCursor).toBeNull();
});

test("stores.unknown-cursor: next-greater continues after it, reject rejects it, empty ends the list", async () => {
  const listed = (reading: "next-greater" | "reject" | "empty") =>
    new Caller({ store: { stores: 3 }, readings: { "stores.unknown-cursor": reading } }).get(
      "/v1/stores?cursor=S-1x",
    );
  expect(items(await listed("next-greater")).map(({ externalId }) => externalId)).toEqual(["S-2", "S-3"]);
  expect(issuePaths(await listed("reject"))).toEqual(["cursor"]);
  expect((await listed("empty")).body).toEqual({ items: [], nextCursor: null });
});
