import { describe, expect, it } from "vitest";
import { createReferenceServer } from "../../../src/mock/index.ts";
import {
  type ApplyResult,
  applyPlan,
  ConfigurationError,
  type DesiredStore,
  type ExpositionInput,
  InvalidRequestError,
  planStores,
  StoreApiError,
  StoreClient,
  upsertExpositions,
} from "../../../src/client/store/index.ts";
import { json } from "../core/stub-fetch.ts";
import { store as stored, stubClient } from "./stub-client.ts";

function setUp(readings = {}) {
  const ref = createReferenceServer({ store: { stores: 5 }, readings });
  const store = new StoreClient({ baseUrl: ref.storeUrl, token: ref.token, fetch: ref.fetch, retry: 0 });
  const all = () => store.stores.list().toArray();
  const writes = () => ref.journal.of("putStore").length;
  return { ref, store, all, writes };
}

const outcomes = (results: readonly ApplyResult[]): string[] =>
  results.map(({ externalId, action, outcome }) => `${action} ${externalId} ${outcome}`);

describe("planStores", () => {
  const other = { ...stored, externalId: "S-2" };
  const unnamed = { ...stored, externalId: null };

  it("tells stores to create, to update, as they shall be, and not desired", () => {
    const desired = [
      { externalId: "S-9", name: "New" },
      { externalId: "S-1", name: "Other", storeType: "Kiosk" },
      { externalId: "S-2", openingTimes: [], location: null },
    ];
    const extra = { ...stored, externalId: "S-3" };
    expect(planStores(desired, [stored, other, unnamed, extra])).toEqual({
      create: [desired[0]],
      update: [{ externalId: "S-1", changes: { name: "Other" }, before: stored }],
      unchanged: ["S-2"],
      extra: [unnamed, extra],
    });
  });

  it("takes whole stores, and any iterable", () => {
    const plan = planStores(new Set([{ ...stored, externalId: "S-1" }]), new Set([stored]));
    expect(plan).toMatchObject({ create: [], update: [], unchanged: ["S-1"], extra: [] });
  });

  it("names everything that is wrong at once", () => {
    const desired = [
      { externalId: "S-1" },
      { externalId: "" },
      { externalId: "S-1" },
      { externalId: "S-2", nmae: "x" },
      null,
      { externalId: 5 },
    ];
    const plan = (): unknown => planStores(desired as DesiredStore[], []);
    expect(plan).toThrow(InvalidRequestError);
    expect(plan).toThrow(
      "planStores: not sent: 1.externalId: must be a non-empty string; 2.externalId: S-1 occurs twice, first at index 0; 3.nmae: is not a property of an upsert; 4: must be an object; 5.externalId: must be a non-empty string",
    );
  });

  it("ignores undefined properties", () => {
    const desired = [{ externalId: "S-1", nmae: undefined } as DesiredStore];
    expect(planStores(desired, []).create).toHaveLength(1);
  });

  it("lists every existing store without an external ID as not desired", () => {
    const nameless = { ...stored, externalId: null };
    expect(planStores([{ externalId: "S-9" }], [nameless, nameless] as never).extra).toEqual([
      nameless,
      nameless,
    ]);
  });
});

describe("planStores and unusual existing stores", () => {
  it("planStores rejects existing stores that are not objects or have the external ID of another one", () => {
    const desired = [{ externalId: "S-1", name: "New" }];
    const actual = [stored, null, { ...stored, storeId: "other" }, 5];
    expect(() => planStores(desired, actual as never)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining("planStores: not sent: actual.1: must be an object") as string,
        issues: [
          { path: "actual.1", message: "must be an object" },
          { path: "actual.2.externalId", message: "S-1 occurs twice, first at index 0" },
          { path: "actual.3", message: "must be an object" },
        ],
      }),
    );
  });
});

describe("applyPlan", () => {
  it.each(["keep", "reset", "reject"] as const)(
    "writes only what differs, and the second plan is empty, under stores.omitted-fields: %s",
    async (reading) => {
      const { store, all, writes } = setUp({ "stores.omitted-fields": reading });
      const before = await all();
      const desired = [
        ...before.flatMap(({ externalId, name }) => (externalId === null ? [] : [{ externalId, name }])),
        { externalId: "NEW", name: "New", location: "Poznań" },
      ];
      const changed = desired.map((one) => (one.externalId === "S-2" ? { ...one, name: "Changed" } : one));
      const results = await applyPlan(store, planStores(changed, before));
      expect(outcomes(results)).toEqual(["create NEW done", "update S-2 done"]);
      expect(writes()).toBe(2);
      const after = await all();
      expect(planStores(changed, after)).toMatchObject({ create: [], update: [] });
      const unchanged = (externalId: string) => after.find((one) => one.externalId === externalId);
      expect(unchanged("S-2")).toEqual({
        ...before.find((one) => one.externalId === "S-2"),
        name: "Changed",
      });
    },
  );

  it("does not stop at a refusal, and reports each outcome with its progress", async () => {
    const { ref, store, writes } = setUp();
    ref.on("putStore").once({ status: 400 });
    const plan = planStores(
      [
        { externalId: "A", name: "A" },
        { externalId: "B", regionId: "no uuid" },
        { externalId: "C", name: "C" },
      ],
      [],
    );
    const reported: string[] = [];
    const results = await applyPlan(store, plan, {
      concurrency: 1,
      onResult: ({ externalId, outcome }, { done, total }) =>
        reported.push(`${externalId} ${outcome} ${done}/${total}`),
    });
    expect(reported).toEqual(["A failed 1/3", "B failed 2/3", "C done 3/3"]);
    expect(results[0]?.error).toBeInstanceOf(StoreApiError);
    expect(results[1]?.error).toBeInstanceOf(InvalidRequestError);
    expect(results[2]?.store?.name).toBe("C");
    expect(writes()).toBe(2);
  });

  it("sends nothing in a dry run", async () => {
    const { store, writes } = setUp();
    const plan = planStores([{ externalId: "A", name: "A" }], []);
    expect(outcomes(await applyPlan(store, plan, { dryRun: true }))).toEqual(["create A planned"]);
    expect(writes()).toBe(0);
  });

  it("skips the rest after an error of the configuration", async () => {
    const { client, sent } = stubClient(undefined, { token: () => "" });
    const plan = planStores([{ externalId: "A" }, { externalId: "B" }], []);
    const results = await applyPlan(client, plan, { concurrency: 1 });
    expect(outcomes(results)).toEqual(["create A failed", "create B skipped"]);
    expect(results[1]?.error).toBeInstanceOf(ConfigurationError);
    expect(sent).toEqual([]);
  });

  it.each([
    ["a refused token", 401, "unauthorized"],
    ["a service without a token", 503, "not_configured"],
  ])("skips the rest after %s", async (_, status, code) => {
    const { client, sent } = stubClient(() => json({ error: { code } }, { status }));
    const plan = planStores(
      ["A", "B", "C"].map((externalId) => ({ externalId })),
      [],
    );
    const results = await applyPlan(client, plan, { concurrency: 1 });
    expect(outcomes(results)).toEqual(["create A failed", "create B skipped", "create C skipped"]);
    expect(results[2]?.error).toBe(results[0]?.error);
    expect(sent).toHaveLength(1);
  });

  it("writes as many at the same time as it may", async () => {
    let open = 0;
    let maximum = 0;
    const { client } = stubClient(async () => {
      maximum = Math.max(maximum, (open += 1));
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      return json(stored);
    });
    const plan = planStores(
      Array.from({ length: 20 }, (_, at) => ({ externalId: `S-${at}` })),
      [],
    );
    await applyPlan(client, plan, { concurrency: 3 });
    expect(maximum).toBe(3);
  });

  it("ends with the signal's reason, and with what onResult throws", async () => {
    const caller = new AbortController();
    const { client, sent } = stubClient();
    const plan = planStores(
      ["A", "B", "C"].map((externalId) => ({ externalId })),
      [],
    );
    const stop = (): void => caller.abort("enough");
    const options = { concurrency: 1, signal: caller.signal, onResult: stop };
    await expect(applyPlan(client, plan, options)).rejects.toBe("enough");
    expect(sent).toHaveLength(1);
    const broken = (): never => {
      throw new Error("no paper");
    };
    await expect(applyPlan(client, plan, { concurrency: 1, onResult: broken })).rejects.toThrow("no paper");
    expect(sent).toHaveLength(2);
  });

  it.each([
    [{ concurrency: 0 }, "concurrency must be a positive integer"],
    [{ dryRun: "yes" }, "dryRun must be true or false"],
    [{ onResult: 1 }, "onResult must be a function"],
    [null, "the options must be an object"],
  ])("rejects %j, and sends nothing", async (options, message) => {
    const { client, sent } = stubClient();
    const failure = applyPlan(client, planStores([{ externalId: "A" }], []), options as object);
    await expect(failure).rejects.toBeInstanceOf(ConfigurationError);
    await expect(failure).rejects.toThrow(message);
    expect(sent).toEqual([]);
  });

  it("does nothing for an empty plan, and fails each store for an unknown call option", async () => {
    const { client, sent } = stubClient();
    expect(await applyPlan(client, { create: [], update: [] })).toEqual([]);
    const options = { tiemout: 1 } as object;
    const [result] = await applyPlan(client, planStores([{ externalId: "A" }], []), options);
    expect(String(result?.error)).toContain('Unknown call option "tiemout"');
    expect(sent).toEqual([]);
  });
});

describe("upsertExpositions", () => {
  const make = (count: number): ExpositionInput[] =>
    Array.from({ length: count }, (_, at) => ({
      label: `E-${at}`,
      productCategories: ["DRINKS"],
      expositionType: "FRIDGE_DRINKS",
    }));

  it("sends 500 in a request and returns all that the store has", async () => {
    const { ref, store } = setUp();
    const before = (await store.expositions.get("S-1")).items.length;
    const progress: string[] = [];
    const { items } = await upsertExpositions(store, "S-1", make(1100), {
      absent: "keep",
      onChunk: ({ done, total }) => progress.push(`${done}/${total}`),
    });
    expect(progress).toEqual(["500/1100", "1000/1100", "1100/1100"]);
    expect(items).toHaveLength(before + 1100);
    expect(ref.journal.violations()).toEqual([]);
  });

  it("sends nothing if it would take several requests and the service may drop what one leaves out", async () => {
    const { ref, store } = setUp();
    const failure = upsertExpositions(store, "S-1", make(501));
    await expect(failure).rejects.toBeInstanceOf(InvalidRequestError);
    await expect(failure).rejects.toThrow('set absent: "keep"');
    await expect(failure).rejects.toMatchObject({ issues: [{ path: "expositions" }] });
    expect(ref.journal.all()).toEqual([]);
    expect((await upsertExpositions(store, "S-1", make(500))).items.length).toBeGreaterThanOrEqual(500);
    const operations = ref.journal.all().map(({ operation }) => operation);
    expect(operations).toEqual(["putExpositions", "getExpositions"]);
  });

  it("rejects with the error of a request, and does not send the ones after it", async () => {
    const { client, sent } = stubClient((_, index) =>
      json({ items: [] }, { status: index === 1 ? 400 : 200 }),
    );
    await expect(upsertExpositions(client, "S-1", make(1500), { absent: "keep" })).rejects.toBeInstanceOf(
      StoreApiError,
    );
    expect(sent).toHaveLength(2);
  });

  it.each([
    [[], { absent: "drop" }, 'absent must be "keep", or be omitted'],
    [[], { onChunk: 1 }, "onChunk must be a function"],
    [[], [], "upsertExpositions: the options must be an object"],
    ["x", {}, "PUT /v1/stores/{externalId}/expositions: not sent: expositions: must be an array"],
  ])("rejects %j with %j", async (expositions, options, message) => {
    const { client, sent } = stubClient();
    await expect(upsertExpositions(client, "S-1", expositions as never, options as never)).rejects.toThrow(
      message,
    );
    expect(sent).toEqual([]);
  });
});
