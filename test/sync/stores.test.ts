import { describe, expect, it } from "vitest";
import { createReferenceServer } from "../../src/mock/index.ts";
import { InvalidRequestError } from "../../src/index.ts";
import { applyPlan, modify, planStores, type StorePlan, upsertExpositions } from "../../src/sync/index.ts";
import { clientsOf, notFound, rejection, serve, storeRow } from "./service.ts";

function world() {
  const ref = createReferenceServer({ store: { stores: 3 } });
  return { ref, ...clientsOf(ref) };
}

const anna = { name: "Anna", phone: "+48 600 100 200" };
const drinks = { productCategories: ["DRINKS" as const], expositionType: "FRIDGE_DRINKS" as const };

describe("modify", () => {
  it("changes a store, its contacts, expectations and expositions, and sends nothing the second time", async () => {
    const { store, writes } = world();
    const expectation = {
      productCategory: null,
      displayType: "FRIDGE_DRINKS",
      weekday: 1,
      protocolTime: "08:00",
      expectedFillRatio: 50,
    } as const;
    const run = async () => {
      await modify(store.stores, "S-1", ({ name }) => ({ name: name.toUpperCase() }));
      await modify(store.contacts, "S-1", (all) =>
        all.some(({ name }) => name === "Anna") ? all : [...all, anna],
      );
      await modify(store.expectations, "S-1", () => [expectation]);
      await modify(store.expositions, "S-1", (all) =>
        all.map((one) => ({ ...one, status: "disabled" as const })),
      );
    };
    await run();
    const count = writes.length;
    await run();
    expect(writes).toHaveLength(count);
    expect((await store.contacts.get("S-1")).items.map(({ name }) => name)).toContain("Anna");
    expect((await store.expositions.get("S-1")).items.every(({ status }) => status === "disabled")).toBe(
      true,
    );
  });

  it("runs the changes of one store one after the other", async () => {
    const { store } = world();
    const names = Array.from({ length: 8 }, (_, n) => `Contact ${n}`);
    await Promise.all(
      names.map((name) => modify(store.contacts, "S-1", async (all) => [...all, { name, phone: "1" }])),
    );
    const { items } = await store.contacts.get("S-1");
    expect(items.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  });

  it("refuses to write if another program changed the store while the function ran", async () => {
    const { store } = world();
    const change = modify(store.stores, "S-1", async () => {
      await store.stores.upsert("S-1", { name: "other" });
      return { name: "mine" };
    });
    expect(await rejection(change)).toMatchObject({ reason: "conflict", issues: [{ path: "name" }] });
  });

  it.each<[string, object, string]>([
    ["is not whole", { loginCode: undefined }, "malformed"],
    ["is about another store", { externalId: "S-999" }, "other-entity"],
  ])("sends nothing if the response %s", async (_, changes, reason) => {
    const { store, sent } = serve(() => [200, storeRow(1, changes)]);
    expect(await rejection(modify(store.stores, "S-001", () => ({ name: "x" })))).toMatchObject({ reason });
    expect(sent).toHaveLength(1);
  });

  it.each<[string, object]>([
    ["another name", { name: "kept" }],
    ["another ID", { storeId: storeRow(8).storeId }],
  ])("rejects if the response to a write has %s", async (_, changes) => {
    const { store } = serve(({ method, body }) => [
      200,
      storeRow(1, method === "PUT" ? { ...body, ...changes } : {}),
    ]);
    expect(await rejection(modify(store.stores, "S-001", () => ({ name: "x" })))).toMatchObject({
      name: "WriteError",
    });
  });

  it("refuses to leave out an exposition, and to change a storeId", async () => {
    const { store } = world();
    const { storeId } = storeRow(5);
    expect(await rejection(modify(store.expositions, "S-1", () => []))).toBeInstanceOf(InvalidRequestError);
    expect(await rejection(modify(store.stores, "S-1", () => ({ storeId })))).toBeInstanceOf(
      InvalidRequestError,
    );
    expect(await rejection(modify(store.stores, "..", () => ({ name: "x" })))).toBeInstanceOf(
      InvalidRequestError,
    );
  });
});

describe("a plan", () => {
  it("creates and updates stores with their lists; the next one is empty", async () => {
    const { store } = world();
    const rows = [
      { externalId: "S-2", name: "Two", contacts: [anna] },
      { externalId: "NEW", location: "Poznań", contacts: [anna], expositions: [{ label: "R", ...drinks }] },
      { externalId: "S-3" },
    ];
    const plan = await planStores(rows, store);
    expect(
      [plan.create, plan.update, plan.unchanged].map((list) => list.map(({ externalId }) => externalId)),
    ).toEqual([["NEW"], ["S-2"], ["S-3"]]);
    expect(plan.extra.map(({ externalId }) => externalId)).toEqual(["S-1"]);
    const results = await applyPlan(store, JSON.parse(JSON.stringify(plan)) as StorePlan);
    expect(results.map(({ externalId, outcome, written }) => [externalId, outcome, written])).toEqual([
      ["S-2", "done", ["store", "contacts"]],
      ["NEW", "done", ["store", "contacts", "expositions"]],
      ["S-3", "unchanged", []],
    ]);
    expect((await planStores(rows, store)).unchanged).toHaveLength(3);
    expect((await applyPlan(store, plan)).map(({ outcome }) => outcome)).toEqual([
      "done",
      "done",
      "unchanged",
    ]);
  });

  it("is a conflict where another program changed a store since, and the others are written", async () => {
    const { store } = world();
    const plan = await planStores(
      [1, 2, 3].map((n) => ({ externalId: `S-${n}`, name: "new", contacts: [anna] })),
      store,
    );
    await store.stores.upsert("S-1", { name: "other" });
    await store.contacts.replace("S-2", [{ name: "Ewa", phone: "1" }]);
    const results = await applyPlan(store, plan, { concurrency: 1 });
    expect(results.map(({ outcome, written }) => [outcome, written])).toEqual([
      ["conflict", []],
      ["conflict", ["store"]],
      ["done", ["store", "contacts"]],
    ]);
    expect(results[1]?.error).toMatchObject({ key: "S-2", part: "contacts" });
  });

  it("does not overwrite a store that another program created since", async () => {
    const { store } = world();
    const plan = await planStores([{ externalId: "NEW", name: "mine" }], store);
    await store.stores.upsert("NEW", { name: "other" });
    expect((await applyPlan(store, plan))[0]?.outcome).toBe("conflict");
    expect((await store.stores.get("NEW")).name).toBe("other");
  });

  it("ends with a rejected token: the other rows are skipped", async () => {
    const { ref, store } = world();
    const plan = await planStores(
      [1, 2, 3].map((n) => ({ externalId: `S-${n}`, name: "new" })),
      store,
    );
    ref.on("getContacts").once({ status: 401 });
    const wanted = [{ externalId: "S-1", contacts: [anna] }];
    expect(await rejection(planStores(wanted, store))).toMatchObject({ status: 401 });
    ref.on("getStore").once({ status: 401 });
    const results = await applyPlan(store, plan, { concurrency: 1 });
    expect(results.map(({ outcome }) => outcome)).toEqual(["failed", "skipped", "skipped"]);
  });

  it("is refused by the client of another service, and so is a value that is not a plan", async () => {
    const { store } = world();
    const plan = await planStores([{ externalId: "NEW" }], store);
    const other = serve(({ path }) =>
      path === "/stores" ? [200, { items: [], nextCursor: null }] : notFound,
    );
    await expect(applyPlan(other.store, plan)).rejects.toThrow("the client is one of");
    await expect(applyPlan(store, { ...plan, update: undefined } as never)).rejects.toThrow(
      "result of planStores",
    );
    expect(other.sent.every(({ method }) => method === "GET")).toBe(true);
  });

  it("has the row of a store that was read in part, and of one that the list has twice, among the failed", async () => {
    const items = [
      storeRow(1, { name: undefined }),
      storeRow(2),
      storeRow(2, { storeId: storeRow(9).storeId }),
      storeRow(3),
    ];
    const { store } = serve(() => [200, { items, nextCursor: null }]);
    const plan = await planStores(
      [1, 2, 3].map((n) => ({ externalId: `S-00${n}`, name: "x" })),
      store,
    );
    expect(plan.failed.map(({ externalId, issues }) => [externalId, issues[0]?.path])).toEqual([
      ["S-001", "name"],
      ["S-002", "externalId"],
    ]);
    expect(plan.update).toHaveLength(1);
  });
});

describe("upsertExpositions", () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ label: `Rack ${n}`, ...drinks }));

  it("writes 700 in two requests, and nothing the second time", async () => {
    const { store, writes } = world();
    const { items } = await upsertExpositions(store, "S-1", many(700), { absent: "keep" });
    expect(items.filter(({ label }) => label.startsWith("Rack"))).toHaveLength(700);
    await upsertExpositions(store, "S-1", many(700), { absent: "keep" });
    expect(writes).toHaveLength(2);
  });

  it.each<[string, object[]]>([
    ["more than 500 without absent", many(501)],
    ["two that are the same", [...many(1), ...many(1)]],
    ["a wrong one", [{ label: 7, ...drinks }]],
    ["an unknown property", [{ ...many(1)[0], color: "red" }]],
  ])("refuses %s, and sends nothing", async (_, expositions) => {
    const { store, writes } = world();
    const run = upsertExpositions(store, "S-1", expositions as ReturnType<typeof many>);
    expect(await rejection(run)).toBeInstanceOf(InvalidRequestError);
    expect(writes).toEqual([]);
  });

  it("rejects if the service has dropped what a request omitted", async () => {
    let stored = [0, 1].map((n) => ({
      expositionId: storeRow(n).storeId,
      label: `R${n}`,
      friendlyTitle: null,
      status: "active",
      ...drinks,
    }));
    const { store } = serve(({ method, body }) => {
      if (method === "PUT") stored = body["expositions"] as typeof stored;
      return [200, { externalId: "S-1", storeId: storeRow(1).storeId, items: stored }];
    });
    const run = upsertExpositions(store, "S-1", [{ label: "R0", friendlyTitle: "new", ...drinks }], {
      absent: "keep",
    });
    expect(await rejection(run)).toMatchObject({
      reason: "differs",
      issues: [{ path: `expositions.${storeRow(1).storeId}` }],
    });
  });
});
