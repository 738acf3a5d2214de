import { expect } from "vitest";
import { type Check, stance } from "./gap.ts";
import { refusesProperties, storeRefuses } from "./outcomes.ts";
import { range, type World } from "./world.ts";

stance("stores.external-id-equality", {
  exact: async ({ store }) => {
    await storeRefuses(store.stores.get("s-1"), 404);
    expect(await store.stores.upsert(" New ", { name: "A" })).toHaveProperty("externalId", " New ");
  },
  "ignore-case": async ({ store }) => {
    expect(await store.stores.get("s-1")).toHaveProperty("externalId", "S-1");
    expect(await store.stores.upsert(" New ", { name: "A" })).toHaveProperty("externalId", " New ");
  },
  normalized: async ({ store }) => {
    expect(await store.stores.get("s-1 ")).toHaveProperty("externalId", "S-1");
    expect(await store.stores.upsert(" New ", { name: "A" })).toHaveProperty("externalId", "new");
  },
});

/** A write that must not be executed twice, with this status as the first response. */
function attemptsAfter(attempts: Record<429 | 503, number>): Check {
  return async ({ readings, storeWith, fleetWith, ref }) => {
    const options = { readings, retry: { limit: 1, maxDelay: 1 } };
    for (const status of [429, 503] as const) {
      const headers = { "retry-after": "0" };
      ref.on("putStore").once({ status, headers });
      ref.on("createVehicle").once({ status, headers });
      const before = ref.journal.all().length;
      const body = { externalId: "another", name: "A" };
      await storeWith(options as object)
        .stores.upsert("S-1", body)
        .catch(() => undefined);
      await fleetWith(options as object)
        .vehicles.create({})
        .catch(() => undefined);
      expect(ref.journal.all()).toHaveLength(before + attempts[status]);
    }
  };
}

/** The readings of both APIs, of which the reference server plays none. */
function withReading(gap: "store" | "fleet", reading: string, check: Check): Check {
  return (w) => check({ ...w, readings: { [`errors.${gap}-not-processed`]: reading } });
}

stance("errors.store-not-processed", {
  "only-429": withReading("store", "only-429", attemptsAfter({ 429: 4, 503: 2 })),
  "with-retry-after": withReading("store", "with-retry-after", attemptsAfter({ 429: 4, 503: 3 })),
  neither: withReading("store", "neither", attemptsAfter({ 429: 3, 503: 2 })),
});

stance("errors.fleet-not-processed", {
  "only-429": withReading("fleet", "only-429", attemptsAfter({ 429: 4, 503: 2 })),
  "with-retry-after": withReading("fleet", "with-retry-after", attemptsAfter({ 429: 4, 503: 3 })),
  neither: withReading("fleet", "neither", attemptsAfter({ 429: 3, 503: 2 })),
});

stance("writes.concurrent", {
  "last-wins": async ({ store }) => {
    const writes = ["A", "B"].map((name) => store.stores.upsert("S-1", { name }));
    expect((await Promise.all(writes)).map(({ name }) => name)).toEqual(["A", "B"]);
    expect(await store.stores.get("S-1")).toHaveProperty("name", "B");
  },
  "one-rejected": async ({ store, ref }) => {
    ref.on("putStore").once({ status: 409 });
    await storeRefuses(store.stores.upsert("S-1", { name: "A" }), 409, { attempts: 1 });
  },
});

const uuid = "11111111-1111-1111-1111-111111111111";

stance("stores.unknown-references", {
  stored: async ({ store }) => {
    expect(await store.stores.upsert("S-1", { regionId: uuid })).toHaveProperty("regionId", uuid);
  },
  invalid: ({ store }) => refusesProperties(store.stores.upsert("S-1", { regionId: uuid }), ["regionId"]),
  "not-found": ({ store }) => storeRefuses(store.stores.upsert("S-1", { regionId: uuid }), 404),
});

/** An upsert with the login code of another store. */
async function secondUse({ store }: World): Promise<unknown> {
  const { loginCode } = await store.stores.get("S-2");
  return store.stores.upsert("S-1", { loginCode });
}

stance("stores.login-code", {
  shared: async (w) => {
    expect(await secondUse(w)).toHaveProperty("loginCode");
  },
  unique: (w) => refusesProperties(secondUse(w), ["loginCode"]),
});

const openingTimes = [
  { weekday: 1, from: "08:00", to: "12:00" },
  { weekday: 1, from: "11:00", to: "10:00" },
];

stance("stores.opening-times", {
  stored: async ({ store }) => {
    expect(await store.stores.upsert("S-1", { openingTimes })).toMatchObject({ openingTimes });
  },
  rejected: ({ store }) =>
    refusesProperties(store.stores.upsert("S-1", { openingTimes }), ["openingTimes.1.to"]),
});

/** Sends an exposition of S-2 to S-1. Returns how many each of them has then. */
async function sendForeign({ store }: World): Promise<number[]> {
  await store.expositions.upsert("S-1", []);
  const count = async (id: string) => (await store.expositions.get(id)).items.length;
  const [before, other] = [await count("S-1"), await store.expositions.get("S-2")];
  const [exposition] = other.items;
  if (exposition === undefined) throw new Error("the seed has no exposition");
  await store.expositions.upsert("S-1", [exposition]);
  return [(await count("S-1")) - before, (await count("S-2")) - other.items.length];
}

stance("expositions.foreign-id", {
  unknown: async (w) => {
    expect(await sendForeign(w)).toEqual([1, 0]);
  },
  rejected: (w) => storeRefuses(sendForeign(w), 404),
  moved: async (w) => {
    expect(await sendForeign(w)).toEqual([1, -1]);
  },
});

/** Disables every exposition of a store. */
function disable({ ref }: World): number {
  const expositions = ref.state.store.expositions.get("S-1") ?? [];
  for (const exposition of expositions) exposition.status = "disabled";
  return expositions.length;
}

stance("expositions.disabled", {
  listed: async (w) => {
    const count = disable(w);
    expect((await w.store.expositions.get("S-1")).items).toHaveLength(count);
  },
  "left-out": async (w) => {
    disable(w);
    expect((await w.store.expositions.get("S-1")).items).toEqual([]);
  },
});

async function groupsOf({ store }: World): Promise<unknown[]> {
  const query = { ...range, groupBy: "exposition" } as const;
  return (await store.fillRates.forStore("S-1", query)).groups as unknown[];
}

stance("fill-rates.disabled-expositions", {
  counted: async (w) => {
    disable(w);
    expect(await groupsOf(w)).not.toEqual([]);
  },
  "left-out": async (w) => {
    disable(w);
    expect(await groupsOf(w)).toEqual([]);
  },
});

/** The groups of a store without photos have these rates; undefined for no groups. */
function ratesAre(rate: number | null | undefined): Check {
  return async (w) => {
    w.ref.state.store.photos.set("S-1", []);
    const count = w.ref.state.store.expositions.get("S-1")?.length ?? 0;
    const groups = await groupsOf(w);
    expect(groups).toHaveLength(rate === undefined ? 0 : count);
    for (const group of groups) expect(group).toMatchObject({ fillRate: rate, photoCount: 0 });
  };
}

stance("fill-rates.empty-groups", {
  "left-out": ratesAre(undefined),
  "null-rate": ratesAre(null),
  "zero-rate": ratesAre(0),
});

/** The client sends `false` as given; leaving it out has the same result under both readings. */
function falseCounts(isTrue: boolean): Check {
  return async ({ store, ref }) => {
    for (const key of ref.state.store.stores.keys()) ref.state.store.expectations.set(key, []);
    const all = (await store.fillRates.across(range)).groups as unknown[];
    expect(all).not.toEqual([]);
    const sent = await store.fillRates.across({ ...range, belowExpectationOnly: false });
    expect(sent.groups).toEqual(isTrue ? [] : all);
  };
}

stance("fill-rates.false-flag", { same: falseCounts(false), "counts-as-true": falseCounts(true) });
