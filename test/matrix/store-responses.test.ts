import { expect } from "vitest";
import { InvalidRequestError, type StoreApiError } from "../../src/client/store/index.ts";
import { type Check, stance } from "./gap.ts";
import { failureOf, storeRefuses } from "./outcomes.ts";
import { contact, expectation } from "./store-steps.ts";
import { range, type World, world } from "./world.ts";
import { raw } from "../../src/client/raw/index.ts";

interface Group {
  fillRate: number;
}

async function groupsOf({ store }: World, query: object = {}): Promise<Group[]> {
  const response = await store.fillRates.across({ ...range, groupBy: "store", ...query });
  return (response.groups ?? response.items) as Group[];
}

/** The response is returned unchanged. */
function ratesWithin(minimum: number, maximum: number): Check {
  return async (w) => {
    const rates = (await groupsOf(w)).map(({ fillRate }) => fillRate);
    expect(rates.length).toBeGreaterThan(0);
    expect(rates.every((rate) => rate >= minimum && rate <= maximum)).toBe(true);
  };
}

stance("fill-rates.calculation", { percent: ratesWithin(1.5, 100), fraction: ratesWithin(0, 1) });

stance("fill-rates.shape", {
  groups: async ({ store }) => {
    expect(await store.fillRates.forStore("S-1", range)).toHaveProperty("groups");
  },
  items: async ({ store }) => {
    expect(await store.fillRates.forStore("S-1", range)).toHaveProperty("items");
  },
});

/** The number of groups with the flag and without; the client sends the flag and filters nothing. */
const belowOnly: Check = async (w) => {
  const [all, below] = [await groupsOf(w), await groupsOf(w, { belowExpectationOnly: true })];
  const ignored = w.ref.readings["fill-rates.below-expectation"] === "ignored";
  expect(below.length).toBeLessThanOrEqual(all.length);
  if (ignored) expect(below).toEqual(all);
  expect(w.ref.journal.of("getFillRates")[1]?.query).toHaveProperty("belowExpectationOnly", "true");
};

stance("fill-rates.below-expectation", { groups: belowOnly, stores: belowOnly, ignored: belowOnly });
stance("expectations.null-category", { "whole-display": nullIsNull, "no-meaning": nullIsNull });

async function nullIsNull(w: World): Promise<void> {
  const { items } = await w.store.expectations.replace("S-1", [expectation]);
  expect(items[0]?.productCategory).toBeNull();
  expect(w.ref.journal.of("putExpectations")[0]?.body).toEqual({ expectations: [expectation] });
  await belowOnly({ ...w, ref: w.ref });
}

/** Bounds that equal the rate of a group. */
function boundIncludes(left: "one" | "none" | "all"): Check {
  return async (w) => {
    for (const photo of w.ref.state.store.photos.get("S-1") ?? []) photo.fillRate &&= 12.5;
    const all = await groupsOf(w);
    const within = await groupsOf(w, { minFillRate: 12.5, maxFillRate: 12.5 });
    expect(within).toHaveLength({ one: 1, none: 0, all: all.length }[left]);
  };
}

stance("fill-rates.bounds", {
  inclusive: boundIncludes("one"),
  exclusive: boundIncludes("none"),
  ignored: boundIncludes("all"),
});

const inverted = { minFillRate: 80, maxFillRate: 20 };

stance("fill-rates.inverted-bounds", {
  reject: (w) => storeRefuses(groupsOf(w, inverted), 400),
  empty: async (w) => {
    expect(await groupsOf(w, inverted)).toEqual([]);
  },
});

const unknownStores = { ...range, externalIds: ["S-1", "nobody"] };

stance("fill-rates.unknown-stores", {
  skipped: async (w) => {
    expect(await groupsOf(w, unknownStores)).toHaveLength(1);
  },
  rejected: ({ store }) => storeRefuses(store.fillRates.across(unknownStores), 400),
});

/**
 * A string that is not a UUID is rejected before sending. One that only looks like a UUID is rejected by the server.
 */
const anyExposition: Check = async ({ store, ref }) => {
  expect(await failureOf(store.fillRates.forExposition("S-1", "E-1", range))).toBeInstanceOf(
    InvalidRequestError,
  );
  expect(ref.journal.all()).toEqual([]);
  const unknownId = "22222222-2222-2222-2222-222222222222";
  await storeRefuses(store.fillRates.forExposition("S-1", unknownId, range), 404);
};

stance("fill-rates.exposition-id", { invalid: anyExposition, "not-found": anyExposition });

const anyWeekday: Check = async ({ store, ref }) => {
  const sent = [0, 6].map((weekday) => ({ ...expectation, weekday }));
  const { items } = await store.expectations.replace("S-1", sent);
  expect(items.map(({ weekday }) => weekday)).toEqual([0, 6]);
  await expect(store.expectations.replace("S-1", [{ ...expectation, weekday: 7 }])).rejects.toThrow(
    "weekday",
  );
  expect(ref.journal.all()).toHaveLength(1);
};

stance("weekdays.first", { monday: anyWeekday, sunday: anyWeekday });

/** Null or absent; both pass `validate: "full"`. */
function nullEmail(expected: Record<string, unknown>): Check {
  return async (w) => {
    const strict = w.storeWith({ validate: "full" });
    const { items } = await strict.contacts.replace("S-1", [{ ...contact, email: null }]);
    const [{ contactId: _, createdAt: _at, ...rest } = {}] = items as unknown as Record<string, unknown>[];
    expect(rest).toEqual({ contactType: "store", name: "Ada", phone: "1", hasWhatsapp: false, ...expected });
  };
}

stance("responses.nullable-properties", { present: nullEmail({ email: null }), absent: nullEmail({}) });

/** A query that only the server rejects. */
const refusal = (w: World): Promise<unknown> => failureOf(groupsOf(w, inverted));

stance("errors.issue-codes", {
  given: async (w) => {
    expect(await refusal(w)).toMatchObject({
      issues: [{ path: "minFillRate", code: expect.any(String) as string }],
    });
  },
  absent: async (w) => {
    const { issues } = (await refusal(w)) as StoreApiError;
    expect(issues.map((issue) => Object.keys(issue))).toEqual([["path", "message"]]);
  },
});

/** The code of a 404; and the code of the 503 of a service without a token, with the number of requests. */
async function codes(w: World): Promise<{ missing: unknown; closed: unknown; sent: number }> {
  const missing = (await failureOf(w.store.stores.get("nobody"))) as StoreApiError;
  const { store } = world(w.readings, { server: { store: { token: null } } });
  const closed = (await failureOf(store.stores.list())) as StoreApiError;
  expect(closed.status).toBe(503);
  return { missing: missing.code, closed: closed.code, sent: closed.attempts };
}

stance("errors.code-presence", {
  present: async (w) => {
    expect(await codes(w)).toEqual({ missing: "not_found", closed: "not_configured", sent: 1 });
  },
  absent: async (w) => {
    // without the code the client cannot know that the error is permanent
    expect(await codes(w)).toEqual({ missing: undefined, closed: undefined, sent: 3 });
  },
});

stance("errors.other-statuses", {
  listed: async ({ store }) => {
    await storeRefuses(store.stores.get("nobody"), 404, { code: "not_found" });
  },
  any: async ({ store, ref }) => {
    for (const status of [402, 403, 405, 409, 413, 415, 418, 422, 429, 451, 500, 502, 504, 599]) {
      for (const body of [undefined, "text", ["x"], { error: "text" }, { error: { code: "mine" } }]) {
        ref.on("getStore").once({ status, body });
        await storeRefuses(store.stores.get("S-1", { retry: 0 }), status);
      }
    }
  },
});

stance("limits.store-rate", {
  none: async ({ store }) => {
    const responses = await Promise.all(Array.from({ length: 50 }, () => store.stores.get("S-1")));
    expect(responses).toHaveLength(50);
  },
  "too-many-requests": async ({ store, ref }) => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => store.stores.get("S-1")));
    expect(responses).toHaveLength(20);
    expect(ref.journal.all().map(({ status }) => status)).toContain(429);
    const write = () => store.expositions.upsert("S-1", []);
    for (const headers of [{ "retry-after": "0" }, {} as Record<string, string>]) {
      ref.on("putExpositions").once({ status: 429, headers });
      await expect(write()).resolves.toHaveProperty("items");
    }
    ref.on("putExpositions").always({ status: 429, headers: { "retry-after": "3600" } });
    await storeRefuses(write(), 429, { attempts: 1 });
  },
});

const big = { ...contact, name: "x".repeat(11_000_000) };

stance("limits.body-size", {
  "ten-megabytes": ({ store }) => storeRefuses(store.contacts.replace("S-1", [big]), 413, { attempts: 1 }),
  unlimited: async ({ store }) => {
    expect((await store.contacts.replace("S-1", [big])).items[0]?.name).toHaveLength(11_000_000);
  },
});

/** An invalid exposition of a store that does not exist, sent through `raw`, which does not validate it. */
function unknownAndInvalid(status: number, code: string): Check {
  return async ({ store }) => {
    const { error, response } = await raw(store).PUT("/v1/stores/{externalId}/contacts", {
      params: { path: { externalId: "nobody" } },
      body: { contacts: [{ name: "x" } as typeof contact] },
    });
    expect(response.status).toBe(status);
    expect(error).toHaveProperty("error.code", code);
    await storeRefuses(store.contacts.replace("nobody", []), 404, { code: "not_found" });
    expect(
      await failureOf(store.contacts.replace("nobody", [{ name: "x" } as typeof contact])),
    ).toBeInstanceOf(InvalidRequestError);
  };
}

stance("requests.check-order", {
  "not-found-first": unknownAndInvalid(404, "not_found"),
  "invalid-first": unknownAndInvalid(400, "validation_failed"),
});

const encoded: Check = async ({ store, ref }) => {
  for (const id of ["a/b", "a b", "%2e", "ż?#", "...", "a\\b", "+&="]) {
    expect(await store.stores.upsert(id, {})).toHaveProperty("externalId", id);
    expect(await store.stores.get(id)).toHaveProperty("externalId", id);
  }
  for (const id of ["", ".", "..", "\ud800"])
    expect(await failureOf(store.stores.get(id))).toBeInstanceOf(InvalidRequestError);
  expect(ref.journal.all()).toHaveLength(14);
};

stance("stores.external-id-characters", {
  any: encoded,
  plain: async (w) => {
    await encoded(w);
    w.ref.on("getStore").once({ status: 400 });
    await storeRefuses(w.store.stores.get("a/b"), 400);
  },
});
