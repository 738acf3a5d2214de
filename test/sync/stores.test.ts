import { describe, expect, it } from "vitest";
import { createReferenceServer } from "../../src/mock/index.ts";
import { InvalidRequestError, type WriteError } from "../../src/index.ts";
import { applyPlan, modify, planStores, type StorePlan, upsertExpositions } from "../../src/sync/index.ts";
import { clientsOf, contactRow, notFound, rejection, serve, storeRow, settle } from "./service.ts";

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
    const { items } = await store.expositions.get("S-1");
    expect(items.every(({ status }) => status === "disabled")).toBe(true);
  });

  it("runs the changes of one store one after the other", async () => {
    const { store } = world();
    const names = Array.from({ length: 9 }, (_, n) => `Contact ${n}`);
    const add = (name: string) =>
      modify(store.contacts, "S-1", async (all) => [...all, { name, phone: "1" }]);
    const [first, ...others] = names.slice(1).map(add);
    await first;
    await Promise.all([...others, add("Contact 0")]); // while the second one runs
    const { items } = await store.contacts.get("S-1");
    expect(items.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  });

  it("is aborted while it waits for another change, and the next one still waits", async () => {
    const { store } = world();
    const order: string[] = [];
    const change = (name: string, signal?: AbortSignal, wait?: Promise<void>) =>
      modify(
        store.contacts,
        "S-1",
        async (all) => {
          await wait;
          order.push(name);
          return all;
        },
        { signal },
      );
    let resolve = (): void => {};
    const promise = new Promise<void>((done) => (resolve = done));
    const abort = new AbortController();
    const first = change("first", undefined, promise);
    const second = rejection(change("second", abort.signal));
    const third = change("third");
    abort.abort(new Error("stop"));
    expect((await second).message).toBe("stop");
    resolve();
    await Promise.all([first, third]);
    expect(order).toEqual(["first", "third"]);
  });

  it("sends the properties of the contract and what the function sets, not the service's own", async () => {
    const sent: object[] = [];
    const own = { updatedAt: "2026-01-01T00:00:00Z", color: "red" };
    const row = storeRow(1, own);
    const { storeId: _, externalId, loginCode, ...rest } = storeRow(1);
    const contact = contactRow(0, { ...anna, ...own, email: "a@example.com" });
    const item = { expectationId: storeRow(1).storeId, displayType: "A", weekday: 1, protocolTime: "08:00" };
    const expectation = { ...item, expectedFillRatio: 1, ...own };
    const { store } = serve(({ method, path, body }) => {
      if (method === "PUT") sent.push(body);
      if (path === `/stores/${externalId}`) return [200, { ...row, ...body }];
      const [part, read] = path.endsWith("contacts") ? ["contacts", contact] : ["expectations", expectation];
      const items = ((body[part] ?? [{}]) as object[]).map((input, n) => ({
        ...read,
        contactId: storeRow(n).storeId,
        ...input,
      }));
      return [200, { externalId, items }];
    });
    await modify(store.stores, externalId, (all) => ({ ...all, name: "x", loginCode: undefined }) as never);
    await modify(store.contacts, externalId, ([one]) => [
      { ...one, email: undefined, createdAt: "now" } as never,
      { ...anna, color: "blue" } as never,
    ]);
    await modify(store.expectations, externalId, ([one]) => [{ ...one, weekday: 2, color: "blue" } as never]);
    const contacts = [
      { ...anna, contactType: "store", email: null, hasWhatsapp: false },
      { ...anna, email: null, color: "blue" },
    ];
    const { expectationId: __, ...changed } = { ...item, expectedFillRatio: 1, weekday: 2, color: "blue" };
    const expectations = [{ productCategory: null, ...changed }];
    expect(sent).toEqual([{ ...rest, loginCode, name: "x" }, { contacts }, { expectations }]);
  });

  it("removes every contact, and creates no store", async () => {
    const { store, writes } = world();
    await store.contacts.replace("S-1", [anna]);
    expect((await modify(store.contacts, "S-1", () => [])).items).toEqual([]);
    const before = writes.length;
    const run = modify(store.stores, "NEW", () => ({ name: "x" }));
    expect(await rejection(run)).toMatchObject({ code: "not_found" });
    expect(writes).toHaveLength(before);
  });

  it.each<[string, object, string[] | undefined]>([
    ["another store has the ID meanwhile", { storeId: storeRow(2).storeId }, ["storeId"]],
    ["only a property of the service's own differs", { updatedAt: 2 }, undefined],
    ["only the case of a UUID differs", { regionId: "7F1B0C2E-0000-4000-8000-0000000000AB" }, undefined],
  ])("reads again before it writes, and %s", async (_, second, conflict) => {
    const row = storeRow(1, { updatedAt: 1, regionId: "7f1b0c2e-0000-4000-8000-0000000000ab" });
    let reads = 0;
    const { store } = serve(({ method, body }) => {
      if (method === "PUT") return [200, { ...row, ...body }];
      reads += 1;
      return [200, reads === 1 ? row : { ...row, ...second }];
    });
    const run = modify(store.stores, "S-001", async () => ({ name: "x" }));
    const paths = await run.then(
      () => undefined,
      (error: unknown) => (error as WriteError).issues.map(({ path }) => path),
    );
    expect(paths).toEqual(conflict);
  });

  it("takes contacts whose response has no external ID", async () => {
    const { store } = serve(({ method }) => [
      200,
      { externalId: null, items: method === "PUT" ? [contactRow(1, anna)] : [] },
    ]);
    expect((await modify(store.contacts, "S-1", () => [anna])).items).toHaveLength(1);
    const run = modify(store.expositions, "S-1", () => [{ label: "R", ...drinks }]);
    expect(await rejection(run)).toMatchObject({ reason: "other-entity" });
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
    const results = await settle(applyPlan(store, JSON.parse(JSON.stringify(plan)) as StorePlan));
    expect(results.map(({ externalId, outcome, written }) => [externalId, outcome, written])).toEqual([
      ["S-2", "done", ["store", "contacts"]],
      ["NEW", "done", ["store", "contacts", "expositions"]],
      ["S-3", "unchanged", []],
    ]);
    expect((await planStores(rows, store)).unchanged).toHaveLength(3);
    const again = await settle(applyPlan(store, plan));
    expect(again.map(({ outcome }) => outcome)).toEqual(["done", "done", "unchanged"]);
  });

  it("has what differs and what was read; a result has the parts that were written", async () => {
    const row = storeRow(1);
    const contacts = [contactRow(1, anna)];
    const exposition = { expositionId: storeRow(5).storeId, label: "R", friendlyTitle: null, ...drinks };
    const items = { contacts, expectations: [], expositions: [{ ...exposition, status: "active" }] };
    let created: object | undefined;
    const { store, sent } = serve(({ method, path, body }) => {
      const [, , id, part] = path.split("/") as [string, string, string?, (keyof typeof items)?];
      if (id === undefined) return [200, { items: [row], nextCursor: null }];
      const read = method === "PUT" ? body : items;
      if (part !== undefined) return [200, { externalId: id, storeId: row.storeId, items: read[part] }];
      if (id === row.externalId) return [200, row];
      if (method === "PUT") created = storeRow(2, { ...body, externalId: id });
      return created ? [200, created] : notFound;
    });
    const openingTimes = null;
    const plan = await planStores(
      [
        { externalId: row.externalId, openingTimes, contacts: [], expositions: [{ label: "R", ...drinks }] },
        { externalId: "NEW" },
      ],
      store,
    );
    const before = { ...row, contacts, expositions: items.expositions };
    const place = { row: 0, externalId: row.externalId };
    const { baseUrl } = store;
    const update = [{ ...place, changes: { contacts: [] }, before }];
    const create = [{ row: 1, externalId: "NEW", changes: {} }];
    expect(plan).toEqual({ baseUrl, create, update, unchanged: [], failed: [], extra: [] });
    const results = await settle(applyPlan(store, plan, { concurrency: 1 }));
    const [first, second] = results.map(({ action, outcome, written }) => ({ action, outcome, written }));
    expect(first).toEqual({ action: "update", outcome: "done", written: ["contacts"] });
    expect(second).toEqual({ action: "create", outcome: "done", written: ["store"] });
    expect(sent.filter(({ method }) => method === "PUT").map(({ path, body }) => [path, body])).toEqual([
      ["/stores/S-001/contacts", { contacts: [] }],
      ["/stores/NEW", {}],
    ]);
  });

  it("is failed for a store that another program has deleted since", async () => {
    const { store } = serve(({ path }) =>
      path === "/stores" ? [200, { items: [storeRow(1)], nextCursor: null }] : notFound,
    );
    const plan = await planStores([{ externalId: "S-001", name: "x" }], store);
    const [result] = await settle(applyPlan(store, plan));
    expect(result).toMatchObject({ outcome: "failed", error: { code: "not_found" } });
  });

  it.each<[string, object, object]>([
    ["contactType", { contactType: "manager" }, {}],
    ["email", { email: "a@example.com" }, {}],
    ["hasWhatsapp", { hasWhatsapp: true }, {}],
    ["a text that is no e-mail address", { email: "none" }, {}],
    ["a second contact", {}, { name: "Ewa" }],
  ])("updates contacts of which %s is not desired", async (_, more, second) => {
    const items = [contactRow(1, { ...anna, ...more }), contactRow(2, { ...anna, ...second })];
    const contacts = "name" in second ? [anna] : [anna, anna];
    const { store } = serve(({ path }) => [
      200,
      path === "/stores" ? { items: [storeRow(1)], nextCursor: null } : { externalId: "S-001", items },
    ]);
    const plan = await planStores([{ externalId: "S-001", contacts }], store);
    expect(plan.update.map(({ changes }) => changes)).toEqual([{ contacts }]);
  });

  it("is a conflict where another program changed a store since, and the others are written", async () => {
    const { store } = world();
    const plan = await planStores(
      [1, 2, 3].map((n) => ({ externalId: `S-${n}`, name: "new", contacts: [anna] })),
      store,
    );
    await store.stores.upsert("S-1", { name: "other" });
    await store.contacts.replace("S-2", [{ name: "Ewa", phone: "1" }]);
    const results = await settle(applyPlan(store, plan, { concurrency: 1 }));
    expect(results.map(({ outcome, written }) => [outcome, written])).toEqual([
      ["conflict", []],
      ["conflict", ["store"]],
      ["done", ["store", "contacts"]],
    ]);
    expect(results[1]?.error).toMatchObject({ key: "S-2", part: "contacts" });
  });

  it.each([
    ["K-003 ", "K-003 "],
    [" K-003", " K-003"],
    ["\u00a0K-003", String.raw`\u00a0K-003`],
    ["\ufeffK-003", String.raw`\ufeffK-003`],
    ["K-003\r", String.raw`K-003\r`],
    ["K-\u200b003", String.raw`K-\u200b003`],
    ["K-\u0000003", String.raw`K-\u0000003`],
  ])("refuses the external ID %j, names the row and shows the character", async (externalId, shown) => {
    const { ref, store } = world();
    const plan = await planStores(
      [
        { externalId: "A", name: "x" },
        { externalId, name: "Galeria" },
      ],
      store,
    );
    expect(plan.failed.map(({ message }) => message)).toEqual([
      `row 1, store: planStores: not sent: externalId: has a blank at an end, or a character that nobody sees: "${shown}"`,
    ]);
    await rejection(applyPlan(store, plan));
    expect(ref.state.store.stores.size).toBe(4);
  });

  it("writes nothing because of the order of opening times", async () => {
    const hours = { from: "08:00", to: "18:00" };
    const openingTimes = [1, 0].map((weekday) => ({ weekday, ...hours }));
    let row = storeRow(1);
    const { store, sent } = serve(({ method, path, body }) => {
      if (method === "PUT") row = { ...row, ...body, openingTimes: openingTimes.toReversed() as never };
      return [200, path === "/stores" ? { items: [row], nextCursor: null } : row];
    });
    for (let night = 0; night < 3; night += 1)
      await applyPlan(store, await planStores([{ externalId: "S-001", openingTimes }], store));
    expect(sent.filter(({ method }) => method === "PUT")).toHaveLength(1);
  });

  it("names the rows without an external ID", async () => {
    const { store } = world();
    const rows = [
      { externalId: "A", name: "x" },
      { externalId: "", name: "y" },
      { name: "z" },
      { externalId: "" },
    ];
    const { failed } = await planStores(rows as never, store);
    expect(failed.map(({ message }) => message.split(",")[0])).toEqual(["row 1", "row 2", "row 3"]);
  });

  it("ends with a rejected token, as itself", async () => {
    const { ref, store } = world();
    const plan = await planStores(
      [1, 2, 3].map((n) => ({ externalId: `S-${n}`, name: "new" })),
      store,
    );
    ref.on("getContacts").once({ status: 401 });
    const wanted = [{ externalId: "S-1", contacts: [anna] }];
    expect(await rejection(planStores(wanted, store))).toMatchObject({ status: 401 });
    ref.on("getStore").once({ status: 401 });
    expect(await rejection(applyPlan(store, plan, { concurrency: 1 }))).toMatchObject({ status: 401 });
    expect(ref.journal.of("putStore")).toEqual([]);
  });
});

/** A store with these expositions; each request replaces them. */
function expositionService(items: object[]) {
  const given = (one: object, n: number) => ({
    expositionId: storeRow(n).storeId,
    friendlyTitle: null,
    status: "active",
    ...one,
  });
  let stored = items.map(given);
  const served = serve(({ method, body }) => {
    if (method === "PUT") stored = (body["expositions"] as object[]).map(given);
    return [200, { externalId: "S-1", storeId: storeRow(1).storeId, items: stored }];
  });
  const writes = () =>
    served.sent.filter(({ method }) => method === "PUT").map(({ body }) => body["expositions"]);
  return { ...served, before: stored, writes };
}

describe("upsertExpositions", () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ label: `Rack ${n}`, ...drinks }));

  it("gives an exposition another label by its ID in either case; 500 are one request", async () => {
    const expositionId = "7f1b0c2e-0000-4000-8000-0000000000ab";
    const { store, writes } = expositionService([{ expositionId, label: "A", ...drinks }]);
    const renamed = { expositionId: expositionId.toUpperCase(), label: "B", ...drinks };
    const { items } = await upsertExpositions(store, "S-1", [renamed, ...many(499)]);
    expect(items[0]).toMatchObject({ expositionId, label: "B" });
    expect(writes()).toEqual([expect.objectContaining({ length: 500 })]);
  });

  it.each<[string, object[]]>([
    ["two with one unknown ID", many(2).map((one) => ({ ...one, expositionId: storeRow(7).storeId }))],
    ["more than 500", many(501)],
    ["two that are the same", [...many(1), ...many(1)]],
    ["a wrong one", [{ label: 7, ...drinks }]],
  ])("refuses %s, and sends nothing", async (_, expositions) => {
    const { store, writes } = world();
    const run = upsertExpositions(store, "S-1", expositions as ReturnType<typeof many>);
    expect(await rejection(run)).toBeInstanceOf(InvalidRequestError);
    expect(writes).toEqual([]);
  });

  it("rejects if the service has dropped an exposition of the request", async () => {
    const stored = many(2).map((one, n) => ({
      expositionId: storeRow(n).storeId,
      friendlyTitle: null,
      status: "active",
      ...one,
    }));
    let isWritten = false;
    const { store } = serve(({ method }) => {
      isWritten ||= method === "PUT";
      const items = isWritten ? stored.slice(0, 1) : stored;
      return [200, { externalId: "S-1", storeId: storeRow(1).storeId, items }];
    });
    const run = upsertExpositions(store, "S-1", [
      { label: "Rack 0", friendlyTitle: null, ...drinks },
      { label: "Rack 2", ...drinks },
    ]);
    const error = await rejection(run);
    expect(error).toMatchObject({
      name: "JobError",
      job: "upsertExpositions",
      results: { items: [{ label: "Rack 0" }] },
    });
    expect(error).toMatchObject({ failed: [{ id: "1" }, { id: "2" }] });
  });
});
