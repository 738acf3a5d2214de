import { expect } from "vitest";
import type { StoreSeed } from "../../src/mock/index.ts";
import { InvalidRequestError } from "../../src/client/store/index.ts";
import { all, eitherWay } from "./every-protocol.ts";
import { type Check, stance } from "./gap.ts";
import { failureOf, storeRefuses } from "./outcomes.ts";
import { range, type World, world } from "./world.ts";

/** Whether the range has its ends; each protocol is delivered once in any case. */
function withEnds(hasFrom: boolean, hasTo: boolean): Check {
  return async (w) => {
    await eitherWay(w);
    const times = (w.ref.state.store.protocols.get("S-1") ?? []).map(({ createdAt }) => createdAt);
    const [from = "", to = ""] = [times.at(0), times.at(-1)];
    for (const strategy of ["cursor", "window"] as const) {
      const store = w.storeWith({ strategies: { "protocols.next-page": strategy } });
      const items = await store.protocols.list("S-1", { ...all, from, to }).toArray();
      const expected = times.slice(hasFrom ? 0 : 1, hasTo ? undefined : -1);
      expect(items.map(({ createdAt }) => String(createdAt)).toSorted()).toEqual(expected.toSorted());
    }
  };
}

stance("time-range.ends", {
  "half-open": withEnds(true, false),
  inclusive: withEnds(true, true),
  exclusive: withEnds(false, false),
  "left-open": withEnds(false, true),
});

const inverted = { from: range.to, to: range.from };

stance("time-range.inverted", {
  reject: async ({ store }) => {
    const issues = [expect.objectContaining({ path: "from" }) as unknown];
    await storeRefuses(store.protocols.list("S-1", inverted), 400, { issues });
    await storeRefuses(store.photos.list("S-1", inverted), 400, { issues });
    await storeRefuses(store.fillRates.forStore("S-1", inverted), 400, { issues });
  },
  empty: async ({ store, ref }) => {
    expect(await store.protocols.list("S-1", inverted).toArray()).toEqual([]);
    expect(await store.photos.list("S-1", inverted).toArray()).toEqual([]);
    expect(await store.fillRates.forStore("S-1", inverted)).toHaveProperty("groups", []);
    expect(ref.journal.all()).toHaveLength(3);
  },
});

const day = (number: number): string => `2025-12-0${number}T00:00:00.000Z`;

const instants: StoreSeed = {
  externalId: "S-1",
  protocols: [
    { protocolId: "P-1", status: "completed", createdAt: day(1), submittedAt: day(5) },
    { protocolId: "P-2", status: "awaiting_submission", createdAt: day(2), submittedAt: null },
    { protocolId: "P-3", status: "completed", createdAt: day(3), submittedAt: day(4) },
    { protocolId: "P-4", status: "completed", createdAt: day(5), submittedAt: day(2) },
    { protocolId: "P-5", status: "completed", createdAt: day(6), submittedAt: day(3) },
  ],
  photos: [
    { photoId: "I-1", protocolId: "P-1", status: "completed", createdAt: day(6) },
    { photoId: "I-2", protocolId: "P-3", status: "completed", createdAt: day(1) },
    { photoId: "I-3", protocolId: "P-4", status: "completed", createdAt: day(7) },
  ],
};

/** The items whose instant lies in the range, by every strategy. */
function inRange(protocols: string[], photos: string[]): Check {
  return async ({ readings }) => {
    const w = world(readings, { server: { store: { stores: [instants] } } });
    const query = { from: day(1), to: day(4), limit: 1 };
    for (const strategy of ["auto", "cursor", "window"] as const) {
      const store = w.storeWith({ strategies: { "protocols.next-page": strategy } });
      const items = await store.protocols.list("S-1", query).toArray();
      expect(items.map(({ protocolId }) => String(protocolId)).toSorted()).toEqual(protocols);
    }
    const found = await w.store.photos.list("S-1", query).toArray();
    expect(found.map(({ photoId }) => String(photoId)).toSorted()).toEqual(photos);
  };
}

stance("time-range.instant", {
  creation: inRange(["P-1", "P-2", "P-3"], ["I-1", "I-2"]),
  "own-instant": inRange(["P-1", "P-2", "P-3"], ["I-2"]),
  submission: inRange(["P-4", "P-5"], ["I-3"]),
});

/** Sends every form of an instant as RFC 3339 in UTC, and returns the times of a response as they came. */
function timesAre(form: RegExp): Check {
  return async (w) => {
    const { ref } = w;
    const forms = [
      "2025-12-01T00:00Z",
      "2025-12-01T01:30:00+0130",
      "2025-12-01t01:00:00,000+01",
      new Date(range.from),
    ];
    for (const from of forms) {
      const { items } = await w.storeWith({ validate: "full" }).protocols.list("S-1", { ...range, from });
      expect(items).toHaveLength(5);
      for (const { createdAt } of items) expect(createdAt).toMatch(form);
    }
    const sent = ref.journal.of("listProtocols").map(({ query }) => query.from);
    expect(sent).toHaveLength(forms.length);
    for (const from of sent) expect(from).toMatch(/^2025-12-01T00:00:00(\.000)?Z$/);
    const bare = w.store.protocols.list("S-1", { ...range, from: "2025-12-01T00:00:00" });
    expect(await failureOf(bare)).toBeInstanceOf(InvalidRequestError);
    await eitherWay(w);
  };
}

const withOffset = /^[\d-]{10}T[\d:.]+Z$/;

stance("date-times.forms", {
  rfc3339: timesAre(withOffset),
  "iso-utc": timesAre(withOffset),
  "responses-without-offset": timesAre(/^[\d-]{10}T[\d:.]+$/),
});

/** The day of a photo from shortly before midnight in UTC, as the response names it. */
async function namedDay({ readings }: World): Promise<unknown> {
  const createdAt = "2025-12-07T23:30:00Z";
  const evening: StoreSeed = {
    externalId: "S-1",
    protocols: [{ protocolId: "P", status: "completed", createdAt }],
    photos: [{ photoId: "I", protocolId: "P", fillRate: 50, createdAt }],
  };
  const { store } = world(readings, { server: { store: { stores: [evening] } } });
  return store.fillRates.across({ ...range, groupBy: "day" });
}

stance("time-zones.meaning", {
  utc: async (w) => {
    expect(await namedDay(w)).toMatchObject({ groups: [{ day: "2025-12-07" }] });
  },
  local: async (w) => {
    expect(await namedDay(w)).toMatchObject({ groups: [{ day: "2025-12-08" }] });
  },
});
