import { expect } from "vitest";
import type { ExpositionInput, StoreClient } from "../../src/client/store/index.ts";
import { type Check, stance } from "./gap.ts";
import { refusesProperties, storeRefuses } from "./outcomes.ts";
import type { World } from "./world.ts";

const exposition = {
  label: "A",
  productCategories: ["DRINKS" as const],
  expositionType: "FRIDGE_DRINKS" as const,
};
const unknownId = "22222222-2222-2222-2222-222222222222";

/**
 * An upsert of new expositions whose response is lost: the number of expositions added, the number of requests, and
 * the error.
 */
async function loseResponseOfUpsert(
  { ref }: World,
  store: StoreClient,
  sent: ExpositionInput[],
): Promise<{ created: number; sent: number; failed: unknown }> {
  const count = (): number => ref.state.store.expositions.get("S-2")?.length ?? 0;
  const requests = (): number => ref.journal.of("putExpositions").length;
  ref.state.store.expositions.set("S-2", []);
  const before = requests();
  ref.on("putExpositions").fault("reset", { at: "after" }).times(1);
  const failed = await store.expositions.upsert("S-2", sent).then(
    () => undefined,
    (error: unknown) => (error as Error).name,
  );
  return { created: count(), sent: requests() - before, failed };
}

const sentOnce = { created: 1, sent: 1, failed: "ConnectionError" };

/** No retry creates an exposition twice. A client that knows that elements are matched sends the upsert again. */
function creates(expected: { created: number; sent: number; failed: string | undefined }): Check {
  return async (w) => {
    expect(await loseResponseOfUpsert(w, w.store, [exposition])).toEqual(expected);
    expect(await loseResponseOfUpsert(w, w.storeWith({ readings: {} }), [exposition])).toEqual(sentOnce);
    // two elements that mean the same exposition: the first request creates two, the second one would change one twice
    expect(await loseResponseOfUpsert(w, w.store, [exposition, exposition])).toEqual({
      ...sentOnce,
      created: 2,
    });
  };
}

const sentAgain = { created: 1, sent: 2, failed: undefined };

stance("expositions.matching", {
  "always-new": creates(sentOnce),
  label: creates(sentAgain),
  type: creates(sentAgain),
  "label-and-type": creates(sentAgain),
});

/** The labels of an upsert's response and of a later read. */
async function labels({ store }: World): Promise<[string[], string[]]> {
  const upserted = await store.expositions.upsert("S-1", [exposition]);
  const read = await store.expositions.get("S-1");
  return [upserted.items.map(({ label }) => label), read.items.map(({ label }) => label)];
}

stance("expositions.response", {
  all: async (w) => {
    const [returned, stored] = await labels(w);
    expect(stored.length).toBeGreaterThan(1);
    expect(returned).toEqual(stored);
  },
  sent: async (w) => {
    const [returned, stored] = await labels(w);
    expect(returned).toEqual(["A"]);
    expect(stored.length).toBeGreaterThan(1);
  },
});

/** The expositions of a store in a form that can be sent; the seeds contain only known values. */
async function sendable({ store }: World): Promise<ExpositionInput[]> {
  return (await store.expositions.get("S-1")).items;
}

/** The other expositions after an upsert of only the first one. */
async function others(w: World): Promise<(string | undefined)[]> {
  const { store } = w;
  const [one, ...rest] = await sendable(w);
  if (one === undefined || rest.length === 0) throw new Error("the seed has too few expositions");
  const { items } = await store.expositions.upsert("S-1", [one]);
  return rest.map(({ expositionId }) => items.find((item) => item.expositionId === expositionId)?.status);
}

stance("expositions.absent", {
  keep: async (w) => {
    const before = (await w.store.expositions.get("S-1")).items.slice(1).map(({ status }) => status);
    expect(await others(w)).toEqual(before);
  },
  disable: async (w) => {
    expect(new Set(await others(w))).toEqual(new Set(["disabled"]));
  },
  delete: async (w) => {
    expect(new Set(await others(w))).toEqual(new Set([undefined]));
  },
});

/** The title of an exposition after an upsert whose element has no title. */
async function titleLeftOut(w: World): Promise<string | null | undefined> {
  const { store } = w;
  const [one] = await sendable(w);
  if (one === undefined) throw new Error("the seed has no exposition");
  await store.expositions.upsert("S-1", [{ ...one, friendlyTitle: "Before" }]);
  const { friendlyTitle: _, ...untitled } = one;
  return (await store.expositions.upsert("S-1", [untitled])).items[0]?.friendlyTitle;
}

stance("expositions.omitted-title", {
  cleared: async (w) => {
    expect(await titleLeftOut(w)).toBeNull();
  },
  kept: async (w) => {
    expect(await titleLeftOut(w)).toBe("Before");
  },
});

const unknown = [{ ...exposition, expositionId: unknownId }];

stance("expositions.unknown-id", {
  created: async ({ store }) => {
    const { items } = await store.expositions.upsert("S-1", unknown);
    expect(items.at(-1)?.expositionId).toBe(unknownId);
  },
  "created-with-new-id": async ({ store, ref }) => {
    // twice at most, as the gap's entry warns; `retry: 0` makes it once
    const before = ref.state.store.expositions.get("S-1")?.length ?? 0;
    ref.on("putExpositions").fault("reset", { at: "after" }).times(1);
    await store.expositions.upsert("S-1", unknown, { retry: 0 }).catch(() => {});
    expect(ref.state.store.expositions.get("S-1")).toHaveLength(before + 1);
    const { items } = await store.expositions.upsert("S-1", unknown);
    expect(items.at(-1)?.expositionId).not.toBe(unknownId);
  },
  "not-found": ({ store }) => storeRefuses(store.expositions.upsert("S-1", unknown), 404),
  invalid: ({ store }) =>
    refusesProperties(store.expositions.upsert("S-1", unknown), ["expositions.0.expositionId"]),
});
