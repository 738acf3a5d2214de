import { expect, test } from "vitest";
import type { ReadingsOption, StoreSeed } from "../../../src/mock/index.ts";
import { Caller } from "../caller.ts";

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
