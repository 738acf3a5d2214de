import { expect, test } from "vitest";
import type { ReadingsOption, StoreSeed } from "../../../src/mock/index.ts";
import { Caller, issuePaths, items } from "../caller.ts";

const at = (second: number) => `2025-12-01T00:00:0${second}.000Z`;

const SEED: StoreSeed = {
  externalId: "S-1",
  contacts: [{ name: "Anna", phone: "1", createdAt: at(0) }],
  expectations: [{ displayType: "FRIDGE_DRINKS", updatedAt: at(0) }],
  protocols: [
    { protocolId: "P-1", status: "completed", createdAt: at(1), submittedAt: at(5) },
    { protocolId: "P-2", status: "completed", createdAt: at(2), submittedAt: null },
    { protocolId: "P-3", status: "completed", createdAt: at(3), submittedAt: at(4) },
  ],
  photos: [
    { photoId: "I-1", protocolId: "P-1", status: "completed", fillRate: 10, createdAt: at(6) },
    { photoId: "I-2", protocolId: "P-3", status: "completed", fillRate: 20, createdAt: at(1) },
  ],
};

const caller = (readings: ReadingsOption = {}, seed: StoreSeed = SEED) =>
  new Caller({ store: { stores: [seed] }, readings });

async function listed(path: string, readings: ReadingsOption, from: string, to: string): Promise<unknown[]> {
  const query = `from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`;
  const rows = items(await caller(readings).get(`/v1/stores/S-1/${path}?${query}`));
  return rows.map(({ protocolId, photoId }) => photoId ?? protocolId);
}

test.each([
  ["half-open", ["P-1", "P-2"]],
  ["inclusive", ["P-1", "P-2", "P-3"]],
  ["exclusive", ["P-2"]],
  ["left-open", ["P-2", "P-3"]],
] as const)("time-range.ends: %s decides which ends belong to a range", async (reading, expected) => {
  expect(await listed("protocols", { "time-range.ends": reading }, at(1), at(3))).toEqual(expected);
});

test.each([
  ["creation", ["P-1", "P-2"], ["I-1"]],
  ["own-instant", ["P-1", "P-2"], ["I-2"]],
  ["submission", [], []],
] as const)(
  "time-range.instant: %s decides which protocols and photos are in a range",
  async (reading, protocols, photos) => {
    const readings = { "time-range.instant": reading } as const;
    expect(await listed("protocols", readings, at(1), at(3))).toEqual(protocols);
    expect(await listed("photos", readings, at(1), at(3))).toEqual(photos);
  },
);

test("time-range.instant: submission excludes a protocol that was not submitted from every range", async () => {
  const readings = { "time-range.instant": "submission" } as const;
  expect(await listed("protocols", readings, at(0), at(9))).toEqual(["P-1", "P-3"]);
});

test.each([
  ["creation", 1],
  ["own-instant", 0],
  ["submission", 0],
] as const)("time-range.instant: %s decides which fill rates are in a range", async (reading, count) => {
  const { body } = await caller({ "time-range.instant": reading }).get(
    `/v1/stores/S-1/fill-rates?from=${at(3)}&to=${at(4)}`,
  );
  expect(body.groups).toHaveLength(count);
});

const FORMS = ["2025-12-01T00:00Z", "2025-12-01T01:00:00+0100", "2025-12-01T00:00:00"];

test.each(FORMS)("date-times.forms: rfc3339 rejects %s, iso-utc accepts it", async (from) => {
  const path = `/v1/stores/S-1/protocols?from=${encodeURIComponent(from)}&to=${at(9)}`;
  expect(issuePaths(await caller().get(path))).toEqual(["from"]);
  expect(items(await caller({ "date-times.forms": "iso-utc" }).get(path))).toHaveLength(3);
});

test("date-times.forms: responses-without-offset removes the offset from every date-time", async () => {
  const bare = caller({ "date-times.forms": "responses-without-offset" });
  const range = `from=${at(0)}&to=${at(9)}`;
  const texts: string[] = [];
  for (const path of ["contacts", "expectations", `protocols?${range}`, `photos?${range}`, "protocols/P-1"]) {
    texts.push(JSON.stringify((await bare.get(`/v1/stores/S-1/${path}`)).body));
  }
  const times = texts.join().match(/2025-12-01T[\d:.]+[^"]*/g) ?? [];
  expect(times.length).toBeGreaterThan(8);
  expect(times.filter((time) => !/^[\d:.T-]+$/.test(time))).toEqual([]);
});

test("a time without an offset in the options is UTC in every time zone of the machine", () => {
  const own = caller({}, { ...SEED, protocols: [{ protocolId: "P", createdAt: "2025-12-01T00:00:00" }] });
  expect(own.ref.state.store.protocols.get("S-1")?.[0]?.createdAt).toBe("2025-12-01T00:00:00");
  expect(new Caller({ now: "2026-01-01T00:00:00" }).ref.clock.now().toISOString()).toBe(
    "2026-01-01T00:00:00.000Z",
  );
});

const EVENING: StoreSeed = {
  externalId: "S-1",
  protocols: [{ protocolId: "P", status: "completed", createdAt: "2025-12-07T23:30:00Z" }],
  photos: [{ photoId: "I", protocolId: "P", fillRate: 50, createdAt: "2025-12-07T23:30:00Z" }],
};

test.each([
  ["utc", "2025-12-07", "2025-12-01"],
  ["local", "2025-12-08", "2025-12-08"],
] as const)("time-zones.meaning: %s decides the limits of days and weeks", async (reading, day, week) => {
  const zoned = caller({ "time-zones.meaning": reading }, EVENING);
  const groups = async (groupBy: string) => {
    const path = `/v1/fill-rate?from=2025-12-01T00:00:00Z&to=2026-01-01T00:00:00Z&groupBy=${groupBy}`;
    return (await zoned.get(path)).body.groups as Record<string, unknown>[];
  };
  expect((await groups("day")).map((group) => group.day)).toEqual([day]);
  expect((await groups("week")).map((group) => group.week)).toEqual([week]);
});
