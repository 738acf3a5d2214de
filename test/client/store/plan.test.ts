import { describe, expect, it } from "vitest";
import { createReferenceServer } from "../../../src/mock/index.ts";
import {
  type ApplyResult,
  applyPlan,
  ConfigurationError,
  type DesiredStore,
  InvalidRequestError,
  planStores,
  ShelfleetError,
  type Store,
  StoreApiError,
  StoreClient,
  type StoreList,
  type StorePlan,
  type StoreReadings,
  WriteError,
} from "../../../src/client/store/index.ts";
import { json } from "../core/stub-fetch.ts";
import { store as stored, stubClient } from "./stub-client.ts";
import type { DesiredLists } from "../../../src/client/store/desired-stores.ts";

function setUp(readings = {}) {
  const ref = createReferenceServer({ store: { stores: 5 }, readings });
  const store = new StoreClient({ baseUrl: ref.storeUrl, token: ref.token, fetch: ref.fetch, retry: 0 });
  const all = () => store.stores.list();
  const writes = () => ref.journal.of("putStore").length;
  return { ref, store, all, writes };
}

/** A list with these stores. */
function listOf(stores: Iterable<unknown>): StoreList {
  return {
    isWhole: true,
    async *[Symbol.asyncIterator]() {
      yield* stores as Iterable<Store>; // some tests give other values
    },
  };
}

const none = listOf([]);

/** Returns the first update of a plan with other changes. */
const edit = ([update]: StorePlan["update"], changes: object): object => ({
  ...update,
  changes: { ...update?.changes, ...changes },
});

const expectation = {
  productCategory: null,
  displayType: "FRIDGE_DRINKS",
  weekday: 1,
  protocolTime: "08:00",
  expectedFillRatio: 5,
} as const;

const outcomes = (results: readonly ApplyResult[]): string[] =>
  results.map(({ externalId, action, outcome }) => `${action} ${externalId} ${outcome}`);

describe("planStores", () => {
  const other = { ...stored, externalId: "S-2" };
  const unnamed = { ...stored, externalId: null };

  it("reads each row of a source that uses one object for all rows", async () => {
    function* rows() {
      const row = { externalId: "", name: "" };
      for (const [externalId, name] of [
        ["S-1", "one"],
        ["S-2", "two"],
        ["S-9", "nine"],
      ])
        yield Object.assign(row, { externalId, name });
    }
    const plan = await planStores(rows(), listOf([stored, other]));
    expect(plan.create).toEqual([{ externalId: "S-9", name: "nine" }]);
    expect(plan.update.map(({ changes }) => changes.name)).toEqual(["one", "two"]);
  });

  it("compares what the toJSON of a desired store returns", async () => {
    const desired = { externalId: "S-9", name: "x", toJSON: () => ({ externalId: "S-1", name: "y" }) };
    const plan = await planStores([desired], listOf([stored]));
    expect(plan).toMatchObject({ create: [], update: [{ externalId: "S-1", changes: { name: "y" } }] });
    const text = { externalId: "S-9", toJSON: () => "S-9" };
    await expect(planStores([text], listOf([stored]))).rejects.toThrow("0: must be an object");
  });

  it("tells stores to create, to update, as they shall be, and not desired", async () => {
    const desired = [
      { externalId: "S-9", name: "New" },
      { externalId: "S-1", name: "Other", storeType: "Kiosk" },
      { externalId: "S-2", openingTimes: [], location: null },
    ];
    const extra = { ...stored, externalId: "S-3" };
    expect(await planStores(desired, listOf([stored, other, unnamed, extra]))).toEqual({
      create: [desired[0]],
      update: [{ externalId: "S-1", changes: { name: "Other" }, before: stored }],
      unchanged: ["S-2"],
      extra: [unnamed, extra],
      known: { externalId: "S-1", storeId: stored.storeId },
    });
  });

  it("takes whole stores, and any iterable", async () => {
    const plan = await planStores(new Set([{ ...stored, externalId: "S-1" }]), listOf([stored]));
    expect(plan).toMatchObject({ create: [], update: [], unchanged: ["S-1"], extra: [] });
  });

  it("names everything that is wrong at once", async () => {
    const desired = [
      { externalId: "S-1" },
      { externalId: "" },
      { externalId: "S-1" },
      { externalId: "S-2", nmae: "x" },
      null,
      { externalId: 5 },
      Object.create({ externalId: "S-3" }),
    ];
    const plan = planStores(desired as DesiredStore[], none);
    await expect(plan).rejects.toBeInstanceOf(InvalidRequestError);
    await expect(plan).rejects.toThrow(
      "planStores: not sent: 1.externalId: must be a non-empty string; 2.externalId: S-1 occurs twice, first at index 0; 3.nmae: is not a property of an upsert; 4: must be an object; 5.externalId: must be a non-empty string; 6: is a Object with hidden properties, which JSON cannot hold",
    );
  });

  it("ignores undefined properties", async () => {
    const desired = [{ externalId: "S-1", nmae: undefined } as DesiredStore];
    expect((await planStores(desired, none)).create).toHaveLength(1);
  });

  it("lists every existing store without an external ID as not desired", async () => {
    const nameless = { ...stored, externalId: null };
    const { extra } = await planStores([{ externalId: "S-9" }], listOf([nameless, nameless]));
    expect(extra).toEqual([nameless, nameless]);
  });

  it.each<[string, (client: StoreClient) => unknown]>([
    ["an array", () => []],
    ["a page", () => ({ items: [] })],
    ["a list that begins at a cursor", (client) => client.stores.list({ cursor: "S-2" })],
    ["a list that is resumed", (client) => client.stores.list({ resume: "x" })],
    ["a list with a filter", (client) => client.stores.list({ extra: { name: "A" } })],
  ])("rejects %s, which may lack stores", async (_, make) => {
    const { client, sent } = stubClient();
    const plan = planStores([{ externalId: "S-1" }], make(client) as StoreList);
    await expect(plan).rejects.toBeInstanceOf(InvalidRequestError);
    await expect(plan).rejects.toThrow("store.stores.list()");
    expect(sent).toEqual([]);
  });

  it("rejects existing stores that are not whole or have the external ID of another one", async () => {
    const desired = [{ externalId: "S-1", name: "New" }];
    const { loginCode: _, ...partial } = stored;
    const actual = listOf([
      partial,
      null,
      { ...stored, storeId: "other" },
      5,
      { ...partial, externalId: "S-5" },
    ]);
    await expect(planStores(desired, actual)).rejects.toMatchObject({
      reason: "malformed",
      issues: [
        { path: "actual.0.loginCode" },
        { path: "actual.1" },
        { path: "actual.2.externalId" },
        { path: "actual.3" },
      ],
    });
  });

  it.each(["desired", "existing"])("rejects %s stores nested 20 000 deep", async (which) => {
    const deep = JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`) as [];
    const [desired, actual] = [
      { externalId: "S-1", openingTimes: deep },
      { ...stored, openingTimes: deep },
    ];
    const plan = planStores(
      [which === "desired" ? desired : { externalId: "S-1", openingTimes: [] }],
      listOf([which === "desired" ? stored : actual]),
    );
    await expect(plan).rejects.toBeInstanceOf(ShelfleetError);
    await expect(plan).rejects.toThrow("nested more than 500 levels deep");
  });

  it("compares a null list of opening times as an empty one, and UUIDs without regard to case", async () => {
    const existing = { ...stored, regionId: "aaaaaaaa-1111-1111-1111-111111111111" };
    const desired = { externalId: "S-1", openingTimes: null, regionId: existing.regionId.toUpperCase() };
    expect((await planStores([desired], listOf([existing]))).unchanged).toEqual(["S-1"]);
  });

  it("compares many stores", async () => {
    const stores = Array.from({ length: 10_000 }, (_, at) => ({ ...stored, externalId: `S-${at}` }));
    const desired = stores.map(({ externalId }, at) => ({ externalId, name: at % 2 === 0 ? "One" : "New" }));
    const plan = await planStores(desired, listOf(stores));
    expect([plan.update.length, plan.unchanged.length]).toEqual([5000, 5000]);
  });
});

describe("applyPlan", () => {
  it.each(["keep", "reset", "reject"] as const)(
    "writes only what differs, and the second plan is empty, under stores.omitted-fields: %s",
    async (reading) => {
      const { store, all, writes } = setUp({ "stores.omitted-fields": reading });
      const before = await all().toArray();
      const desired = [
        ...before.flatMap(({ externalId, name }) => (externalId === null ? [] : [{ externalId, name }])),
        { externalId: "NEW", name: "New", location: "Poznań" },
      ];
      const changed = desired.map((one) => (one.externalId === "S-2" ? { ...one, name: "Changed" } : one));
      const results = await applyPlan(store, await planStores(changed, all()));
      expect(outcomes(results)).toEqual(["create NEW done", "update S-2 done"]);
      expect(writes()).toBe(2);
      const after = await all().toArray();
      expect(await planStores(changed, all())).toMatchObject({ create: [], update: [] });
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
    const plan = await planStores(
      [
        { externalId: "A", name: "A" },
        { externalId: "B", regionId: "no uuid" },
        { externalId: "C", name: "C" },
      ],
      none,
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
    const plan = await planStores([{ externalId: "A", name: "A" }], none);
    expect(outcomes(await applyPlan(store, plan, { dryRun: true }))).toEqual(["create A planned"]);
    expect(writes()).toBe(0);
  });

  it("skips the rest after an error of the configuration", async () => {
    const { client, sent } = stubClient(undefined, { token: () => "" });
    const plan = await planStores([{ externalId: "A" }, { externalId: "B" }], none);
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
    const plan = await planStores(
      ["A", "B", "C"].map((externalId) => ({ externalId })),
      none,
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
    const plan = await planStores(
      Array.from({ length: 20 }, (_, at) => ({ externalId: `S-${at}` })),
      none,
    );
    await applyPlan(client, plan, { concurrency: 3 });
    expect(maximum).toBe(3);
  });

  it("writes the lists of a plan as they were at its beginning", async () => {
    const { store, all, ref } = setUp();
    const names = ["S-1", "S-2"];
    const desired = names.map((externalId) => ({ externalId, contacts: [{ name: "Anna", phone: "1" }] }));
    const onResult = () => void desired[1]?.contacts.splice(0);
    await applyPlan(store, await planStores(desired, all(), { store }), { concurrency: 1, onResult });
    expect(names.map((name) => ref.state.store.contacts.get(name))).toMatchObject([
      [{ name: "Anna" }],
      [{ name: "Anna" }],
    ]);
  });

  it("ends with the signal's reason, and with what onResult throws", async () => {
    const caller = new AbortController();
    const { client, sent } = stubClient();
    const plan = await planStores(
      ["A", "B", "C"].map((externalId) => ({ externalId })),
      none,
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
    const later = async (): Promise<never> => broken();
    await expect(applyPlan(client, plan, { concurrency: 1, onResult: later })).rejects.toThrow("no paper");
    expect(sent).toHaveLength(3);
  });

  it.each([{ create: [{}] }, { update: [{ externalId: "A" }] }])(
    "rejects a plan with %j, and sends nothing",
    async (wrong) => {
      const { client, sent } = stubClient();
      const plan = { ...(await planStores([{ externalId: "A" }], none)), ...wrong };
      const failure = applyPlan(client, plan as never);
      await expect(failure).rejects.toThrow(
        new ConfigurationError("applyPlan: plan must be the result of planStores"),
      );
      expect(sent).toEqual([]);
    },
  );

  it("does nothing for an empty plan", async () => {
    expect(await applyPlan(stubClient().client, { create: [], update: [] })).toEqual([]);
  });
});

describe("plans and other services", () => {
  const elsewhere = () => {
    const { ref, store, writes } = setUp();
    return { other: store.withOptions({ baseUrl: "https://elsewhere.example" }), ref, store, writes };
  };

  it("applies a plan only to the service whose stores it compared, also after it was saved", async () => {
    const { other, store, writes } = elsewhere();
    const made = await planStores(
      [{ externalId: "NEW" }, { externalId: "S-1", name: "x" }],
      store.stores.list(),
    );
    for (const plan of [made, JSON.parse(JSON.stringify(made)) as typeof made]) {
      const run = applyPlan(other, plan);
      await expect(run).rejects.toBeInstanceOf(ConfigurationError);
      await expect(run).rejects.toThrow(
        "applyPlan: the plan is that of https://store.reference.test, and the client is one of https://elsewhere.example",
      );
    }
    expect(writes()).toBe(0);
    expect(outcomes(await applyPlan(store, made))).toEqual(["create NEW done", "update S-1 done"]);
  });

  it.each<[string, (plan: StorePlan) => unknown, string]>([
    [
      "an unknown property of an update",
      ({ update }) => ({ update: [edit(update, { colour: "red" })] }),
      "0.colour",
    ],
    [
      "another external ID",
      ({ update }) => ({ update: [edit(update, { externalId: "S-9" })] }),
      "0.externalId",
    ],
    ["another store ID", ({ update }) => ({ update: [edit(update, { storeId: "1" })] }), "0.storeId"],
    ["a list that is null", ({ update }) => ({ update: [edit(update, { contacts: null })] }), "0.contacts"],
    [
      "an unknown property of a creation",
      () => ({ create: [{ externalId: "N", colour: "red" }] }),
      "0.colour",
    ],
    ["a creation twice", () => ({ create: [{ externalId: "N" }, { externalId: "N" }] }), "1.externalId"],
    ["an update twice", ({ update: [one] }) => ({ update: [one, one] }), "1.externalId"],
    [
      "an update for another store",
      ({ update: [one] }) => ({ update: [{ ...one, externalId: "S-2" }] }),
      "0.before.externalId",
    ],
    ["a store to create and to update", () => ({ create: [{ externalId: "S-1" }] }), "0.externalId"],
    ["stores to delete", () => ({ delete: ["S-2"] }), '"delete"'],
    [
      "a list beside the changes",
      ({ update: [one] }) => ({ update: [{ ...one, contacts: [] }] }),
      '"contacts"',
    ],
  ])(
    "rejects a saved plan that was edited to have %s, instead of leaving it out",
    async (_, change, path) => {
      const { store, all, ref } = setUp();
      const plan = await planStores([{ externalId: "S-1", name: "x" }], all());
      const edited = { ...plan, ...(change(plan) as object) };
      const run = applyPlan(store, edited);
      await expect(run).rejects.toThrow(ShelfleetError);
      await expect(run).rejects.toThrow(path);
      expect(ref.journal.of("putStore")).toEqual([]);
    },
  );

  it.each(["S-1", "T-1"])(
    "creates nothing for the token of another tenant, whose first store is %s",
    async (first) => {
      const { store, all } = setUp();
      const plan = await planStores([{ externalId: "N-1" }, { externalId: "N-2" }], all());
      const other = createReferenceServer({ store: { stores: 0 } });
      const client = new StoreClient({ baseUrl: other.storeUrl, token: other.token, fetch: other.fetch });
      expect(client.baseUrl).toBe(store.baseUrl);
      await client.stores.upsert(first, { name: "Another" });
      const saved = JSON.parse(JSON.stringify(plan)) as typeof plan;
      await expect(applyPlan(client, saved)).rejects.toThrow(ConfigurationError);
      expect(other.journal.of("putStore")).toHaveLength(1);
      expect(outcomes(await applyPlan(store, saved))).toEqual(["create N-1 done", "create N-2 done"]);
    },
  );

  it.each([
    ["creation", { externalId: "N-1", name: "n" }],
    ["update", { externalId: "S-1", name: "n" }],
    [
      "update of contacts only",
      { externalId: "S-1", contacts: [{ name: "Anna", phone: "+48 600 100 200" }] },
    ],
  ])("writes no %s for the token of another tenant under check: false", async (_, wanted) => {
    const { store, all } = setUp();
    const plan = await planStores([wanted], all(), { store });
    const other = createReferenceServer({ seed: 7, store: { stores: 1 } });
    const run = applyPlan(new StoreClient(other.storeOptions), plan, { check: false });
    await expect(run).rejects.toThrow(ConfigurationError);
    expect(other.journal.all().map(({ method }) => method)).toEqual(["GET"]);
    expect(outcomes(await applyPlan(store, plan, { check: false }))).toHaveLength(1);
  });

  it("writes nothing if no response says whose token the client has", async () => {
    const { ref, store, all, writes } = setUp();
    const plan = await planStores([{ externalId: "N-1" }, { externalId: "S-1", name: "x" }], all());
    ref.on("getStore").once({ status: 500 });
    expect(outcomes(await applyPlan(store, plan))).toEqual(["create N-1 skipped", "update S-1 skipped"]);
    expect(writes()).toBe(0);
  });

  it("reads the lists of stores only from the service of the list", async () => {
    const { other, store } = elsewhere();
    const plan = planStores([{ externalId: "S-1", contacts: [] }], store.stores.list(), { store: other });
    await expect(plan).rejects.toThrow("planStores: the list is that of https://store.reference.test");
  });

  it.each([
    ["a gateway", "<h1>Not Found</h1>", "failed"],
    ["a gateway", { message: "no route matched" }, "failed"],
    ["a gateway", { error: "Not Found" }, "failed"],
    ["a gateway", {}, "failed"],
    ["the service", { error: { code: "not_found", message: "?" } }, "done"],
    ["the service", { error: { message: "without a code" } }, "done"],
  ])("creates a store only after the 404 of the service: that of %s, %j, is %s", async (_, body, outcome) => {
    const { client, sent } = stubClient(({ method }) =>
      method === "GET" ? json(body, { status: 404 }) : json({ ...stored, externalId: "NEW" }),
    );
    const [result] = await applyPlan(client, { create: [{ externalId: "NEW" }], update: [] });
    expect(result).toMatchObject({ outcome });
    expect(sent.map(({ method }) => method)).toEqual(outcome === "done" ? ["GET", "PUT"] : ["GET"]);
  });

  it.each(["ignore-case", "normalized"])(
    "keeps a store that it created if the service has another one of the plan under the same ID (%s)",
    async (reading) => {
      const { store, all } = setUp({ "stores.external-id-equality": reading });
      const names = { "new-1": "one", "NEW-1": "two" };
      const desired = Object.entries(names).map(([externalId, name]) => ({ externalId, name }));
      const results = await applyPlan(store, await planStores(desired, all()));
      expect(results).toMatchObject([
        { outcome: "done" },
        {
          outcome: "failed",
          error: { reason: "other-entity", message: expect.stringContaining("not sent") as string },
        },
      ]);
      expect((await store.stores.get("new-1")).name).toBe("one");
    },
  );
});

describe("applyPlan and other programs", () => {
  const desired = [{ externalId: "S-1", name: "Planned" }];

  it("changes only the listed properties, from a fresh read", async () => {
    const { store, all } = setUp({ "stores.omitted-fields": "reset" });
    const plan = await planStores(desired, all());
    await store.stores.modify("S-1", () => ({ location: "moved" }));
    expect(outcomes(await applyPlan(store, plan))).toEqual(["update S-1 done"]);
    expect(await store.stores.get("S-1")).toMatchObject({ name: "Planned", location: "moved" });
  });

  it("reports a conflict if a listed property changed, and does not write it", async () => {
    const { store, all } = setUp();
    const plan = await planStores(desired, all());
    await store.stores.modify("S-1", () => ({ name: "theirs" }));
    const [result] = await applyPlan(store, plan);
    expect(result).toMatchObject({ outcome: "conflict", error: { reason: "conflict" }, written: [] });
    expect((await store.stores.get("S-1")).name).toBe("theirs");
  });

  it("writes nothing if another program has made the change", async () => {
    const { store, all, writes } = setUp();
    const plan = await planStores(desired, all());
    await store.stores.modify("S-1", () => ({ name: "Planned" }));
    expect(outcomes(await applyPlan(store, plan))).toEqual(["update S-1 done"]);
    expect(writes()).toBe(1);
  });

  it("does not reset a store that was created since the plan", async () => {
    const { store, all } = setUp({ "stores.omitted-fields": "reset" });
    const plan = await planStores([{ externalId: "NEW", name: "Planned" }], all());
    await store.stores.upsert("NEW", { name: "theirs", location: "Poznań" });
    expect(outcomes(await applyPlan(store, plan))).toEqual(["create NEW conflict"]);
    expect(await store.stores.get("NEW")).toMatchObject({ name: "theirs", location: "Poznań" });
  });

  it("sends the values of the plan without another read of each store under check: false", async () => {
    const { ref, store, all } = setUp();
    const plan = await planStores([...desired, { externalId: "NEW", name: "New" }], all());
    await store.stores.modify("S-1", () => ({ name: "theirs", location: "moved" }));
    const { length } = ref.journal.all();
    expect(outcomes(await applyPlan(store, plan, { check: false }))).toEqual([
      "create NEW done",
      "update S-1 done",
    ]);
    const sent = ref.journal.all().slice(length);
    expect(sent.map(({ operation }) => operation)).toEqual(["getStore", "putStore", "putStore"]);
    expect(await store.stores.get("S-1")).toMatchObject(plan.update[0]?.changes ?? {});
    expect((await store.stores.get("S-1")).location).not.toBe("moved");
  });

  it.each<[string, object, DesiredStore, string, string]>([
    [
      "kept the opening times",
      { "stores.null-opening-times": "keeps" },
      { externalId: "S-1", openingTimes: null },
      "differs",
      "differs",
    ],
    [
      "cleared the opening times",
      { "stores.null-opening-times": "clears" },
      { externalId: "S-1", openingTimes: null },
      "done",
      "undefined",
    ],
  ])("tells whether the service %s", async (_, readings, wanted, outcome, reason) => {
    const { store, all } = setUp(readings);
    await store.stores.modify("S-1", () => ({ openingTimes: [{ weekday: 1, from: "8", to: "9" }] }));
    const [result] = await applyPlan(store, await planStores([wanted], all()));
    expect(result?.outcome).toBe(outcome);
    expect(String((result?.error as WriteError | undefined)?.reason)).toBe(reason);
  });

  it.each([true, false])(
    "is not done if the service wrote a store with another ID, under check: %j",
    async (check) => {
      const { client } = stubClient(({ method, body }) =>
        json({ ...stored, externalId: "s-1", ...(method === "PUT" && (body as object)) }),
      );
      const plan = { create: [{ externalId: "S-1", name: "One" }], update: [] };
      const [result] = await applyPlan(client, plan, { check });
      expect(result).toMatchObject({ outcome: "failed", error: { reason: "other-entity" } });
    },
  );

  it.each<[DesiredStore, string]>([
    [{ externalId: "S-1", regionId: "no uuid" }, "regionId: must be a UUID"],
    [{ externalId: "..", name: "A" }, "must not be a dot segment"],
    [{ externalId: "S-1", openingTimes: [{ weekday: 7, from: "", to: "" }] }, "openingTimes.0.weekday"],
    [{ externalId: "S-1", contacts: [{ name: "A" } as never] }, "contacts.0.phone: is required"],
    [{ externalId: "S-1", expectations: [{} as never] }, "expectations.0.weekday: is required"],
    [
      { externalId: "S-1", expositions: [{ label: "A" } as never] },
      "expositions.0.expositionType: is required",
    ],
  ])("fails in a dry run for %j", async (wanted, message) => {
    const { ref, store, all } = setUp();
    const plan = await planStores([wanted], all(), { store });
    const { length } = ref.journal.all();
    const [result] = await applyPlan(store, plan, { dryRun: true });
    expect(result?.outcome).toBe("failed");
    expect(result?.error).toBeInstanceOf(InvalidRequestError);
    expect(String(result?.error)).toContain(message);
    expect(ref.journal.all()).toHaveLength(length);
  });
});

describe("a plan for a store that was replaced since", () => {
  it.each([true, false])("reports it under check: %s", async (check) => {
    const before = { ...stored, storeId: "22222222-2222-2222-2222-222222222222" };
    const { client, sent } = stubClient(() => json(stored));
    const plan = await planStores([{ externalId: "S-1", name: "New" }], listOf([before]));
    const [result] = await applyPlan(client, { ...plan, known: undefined }, { check });
    expect(result?.outcome).toBe(check ? "conflict" : "differs");
    expect(sent.filter(({ method }) => method !== "GET")).toHaveLength(check ? 0 : 1);
  });

  it.each([
    { contacts: [{ name: "Anna", phone: "1" }] },
    { expectations: [expectation] },
    { expositions: [{ label: "A", productCategories: [], expositionType: "FRIDGE_DRINKS" }] },
  ])("writes none of its lists to the store that has its external ID now: %j", async (lists) => {
    const ref = createReferenceServer({
      store: { stores: [{ externalId: "S-1" }, { externalId: "S-2" }] },
      readings: { "stores.body-external-id": "renames" },
    });
    const store = new StoreClient(ref.storeOptions);
    const plan = await planStores([{ externalId: "S-1", ...lists }], store.stores.list(), { store });
    await store.stores.upsert("S-1", { externalId: "S-9" });
    await store.stores.upsert("S-2", { externalId: "S-1" });
    expect(outcomes(await applyPlan(store, plan))).toEqual(["update S-1 conflict"]);
  });

  it.each(["contacts", "expectations"] as const)(
    "reports a conflict if the saved plan lost its %s",
    async (list) => {
      const { store, all, ref } = setUp();
      await store.contacts.replace("S-1", [{ name: "Anna", phone: "1" }]);
      await store.expectations.replace("S-1", [expectation]);
      const { update, ...plan } = await planStores([{ externalId: "S-1", [list]: [] }], all(), { store });
      const edited = update.map(({ before, ...rest }) => ({
        ...rest,
        before: { ...before, [list]: undefined },
      }));
      expect(outcomes(await applyPlan(store, { ...plan, update: edited }))).toEqual(["update S-1 conflict"]);
      const lists = [ref.state.store.contacts, ref.state.store.expectations];
      expect(lists.map((rows) => rows.get("S-1"))).toMatchObject([[{ name: "Anna" }], [expectation]]);
    },
  );
});

it("keeps the properties that the contract does not name of elements that the plan does not change", async () => {
  const contacts: object[] = [
    {
      contactId: "1",
      createdAt: "2026-01-01T00:00:00Z",
      name: "Anna",
      phone: "1",
      email: null,
      note: "first",
    },
    {
      contactId: "2",
      createdAt: "2026-01-01T00:00:00Z",
      name: "Anna",
      phone: "1",
      email: null,
      note: "second",
    },
    { contactId: "3", createdAt: "2026-01-01T00:00:00Z", name: "Bo", phone: "2", email: null, note: "gone" },
  ].map((contact) => ({ contactType: "store", hasWhatsapp: false, ...contact }));
  const { client, sent } = stubClient(({ path, method, body }) => {
    if (path.endsWith("/stores")) return json({ items: [stored], nextCursor: null });
    if (path.endsWith("/S-1")) return json(stored);
    if (method === "PUT") contacts.splice(0, 3, ...(body as { contacts: object[] }).contacts);
    return json({ externalId: "S-1", items: contacts });
  });
  const anna = { name: "Anna", phone: "1" };
  const desired = [{ externalId: "S-1", contacts: [anna, { name: "Cleo", phone: "3" }, anna] }];
  const plan = await planStores(desired, client.stores.list(), { store: client });
  expect(outcomes(await applyPlan(client, plan))).toEqual(["update S-1 done"]);
  const { body } = sent.find(({ method }) => method === "PUT") ?? {};
  expect(body).toMatchObject({ contacts: [{ note: "first" }, { name: "Cleo" }, { note: "second" }] });
});

describe("a plan of stores whose storeId is not a string", () => {
  it.each([[5], [{}]])("writes nothing for %j", async (storeId) => {
    const { client, sent } = stubClient(() => json({ ...stored, storeId }));
    const desired = [{ externalId: "S-1", name: "New" }];
    const plan = await planStores(desired, listOf([stored]));
    const [result] = await applyPlan(client, plan);
    expect(result?.error).toBeInstanceOf(WriteError);
    const creating = { ...plan, create: [{ externalId: "S-9" }] };
    await expect(applyPlan(client, creating)).rejects.toBeInstanceOf(ConfigurationError);
    const odd = await planStores(desired, listOf([{ ...stored, storeId }]));
    const other = stubClient(() => json(stored));
    expect((await applyPlan(other.client, odd))[0]?.error).toBeInstanceOf(WriteError);
    expect([...sent, ...other.sent].filter(({ method }) => method !== "GET")).toEqual([]);
  });
});

describe("a plan for a store with an integer that JSON.parse has rounded", () => {
  it.each([true, false])("does not send it back under check: %s", async (check) => {
    const { client, sent } = stubClient(() => json({ ...stored, added: 2 ** 60 }));
    const plan = await planStores(
      [{ externalId: "S-1", name: "New" }],
      listOf([{ ...stored, added: 2 ** 60 }]),
    );
    const results = await applyPlan(client, plan, { check });
    expect(results).toMatchObject([{ outcome: "failed", error: { reason: "malformed" } }]);
    expect(sent.filter(({ method }) => method !== "GET")).toEqual([]);
  });
});

describe("a saved plan without a property of a store", () => {
  it.each(["location", "loginCode", "storeId"])(
    "does not reset it under check: false, and fails in a dry run: %s",
    async (name) => {
      const { ref, store, all } = setUp({ "stores.omitted-fields": "reset" });
      const plan = await planStores([{ externalId: "S-1", name: "New" }], all());
      const update = plan.update.map((one) => ({ ...one, before: { ...one.before, [name]: undefined } }));
      for (const dryRun of [true, false]) {
        const results = await applyPlan(store, { ...plan, update }, { check: false, dryRun });
        expect(results).toMatchObject([{ outcome: "failed", error: { reason: "malformed" } }]);
      }
      expect(ref.journal.of("putStore")).toEqual([]);
    },
  );
});

describe("a wrong option, although there is nothing to do,", () => {
  it.each<[object]>([
    [{ timeout: -1 }],
    [{ headers: { authorization: "x" } }],
    [{ dryrun: true }],
    [{ retry: { limits: 1 } }],
  ])("is an error of planStores and applyPlan: %j", async (options) => {
    const { store } = setUp();
    await expect(planStores([], none, options)).rejects.toThrow(ConfigurationError);
    await expect(applyPlan(store, { create: [], update: [] }, options)).rejects.toThrow(ConfigurationError);
  });
});

describe("a dry run of an update", () => {
  const known = { externalId: "S-1", storeId: "1", name: "A" };
  const run = async (before: object, changes: object): Promise<string[]> => {
    const update = [{ externalId: "S-1", changes, before: { ...known, ...before } as never }];
    return outcomes(await applyPlan(setUp().store, { create: [], update }, { dryRun: true, check: false }));
  };

  it("fails for a store that could not be sent back", async () => {
    expect(await run({ added: 2 ** 60 }, { name: "B" })).toEqual(["update S-1 failed"]);
  });

  it("does not check the properties of a store of which only a list is written", async () => {
    expect(await run({ location: 5 }, { contacts: [] })).toEqual(["update S-1 planned"]);
  });
});

describe("a plan with contacts, expectations and expositions", () => {
  const exposition = { productCategories: ["DRINKS"], expositionType: "FRIDGE_DRINKS" };
  const lists: Required<DesiredLists> = {
    contacts: [
      { name: "Anna", phone: "+48 1" },
      { name: "Jan", phone: "+48 2", contactType: "regional_manager" },
    ],
    expectations: [
      {
        productCategory: null,
        displayType: "FRIDGE_DRINKS",
        weekday: 1,
        protocolTime: "08:00",
        expectedFillRatio: 80,
      },
    ],
    expositions: [
      { ...exposition, label: "A" },
      { ...exposition, label: "B", expositionType: "FRIDGE_SALADS" },
    ],
  };
  const desired = [
    { externalId: "S-1", name: "Changed", ...lists },
    { externalId: "NEW", ...lists },
    { externalId: "S-2", contacts: [] },
  ];

  it.each([
    {},
    { "expositions.matching": "label", "expositions.absent": "delete", "lists.ids-after-replace": "kept" },
    { "expositions.matching": "type", "expositions.absent": "disable", "expositions.response": "sent" },
    { "expositions.matching": "label-and-type", "responses.nullable-properties": "absent" },
  ])("changes nothing in the second run under %j", async (readings) => {
    const { ref, store: client, all } = setUp(readings);
    const store = client.withOptions({ readings: readings as StoreReadings });
    const plan = await planStores(desired, all(), { store });
    expect(plan.update.map(({ changes }) => Object.keys(changes))).toEqual([
      ["name", "contacts", "expectations", "expositions"],
      ["contacts"],
    ]);
    const results = await applyPlan(store, plan);
    expect(results.map(({ outcome, written }) => [outcome, ...written])).toEqual([
      ["done", "store", "contacts", "expectations", "expositions"],
      ["done", "store", "contacts", "expectations", "expositions"],
      ["done", "contacts"],
    ]);
    const again = await planStores(desired, all(), { store });
    expect(again).toMatchObject({ create: [], update: [], unchanged: ["S-1", "NEW", "S-2"] });
    expect(ref.journal.violations()).toEqual([]);
  });

  it.each(["contacts", "expectations", "expositions"] as const)(
    "reports a conflict for %s that another program changed, after the parts before it",
    async (name) => {
      const { store, all } = setUp();
      const plan = await planStores(desired.slice(0, 1), all(), { store });
      const remove = (list: readonly unknown[]): never[] => list.slice(1) as never[];
      if (name === "expositions")
        await store.expositions.modify("S-1", (list) =>
          list.map((one) => ({ ...one, label: `${one.label}+` })),
        );
      else await store[name].modify("S-1", remove);
      const [result] = await applyPlan(store, plan);
      expect(result).toMatchObject({ outcome: "conflict", error: { reason: "conflict" } });
      expect(result?.written).toEqual([
        "store",
        ...Object.keys(lists).slice(0, Object.keys(lists).indexOf(name)),
      ]);
    },
  );
});
