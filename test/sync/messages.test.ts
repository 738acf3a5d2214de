// The whole text of each error and issue of the jobs.
import { describe, expect, it } from "vitest";
import {
  applyPlan,
  ensure,
  mirror,
  modify,
  planStores,
  pull,
  sqliteSink,
  upsertExpositions,
  type DesiredStore,
  type PullOptions,
} from "../../src/sync/index.ts";
import { contactRow, fleetNotFound, memorySink, pageOf, rejection, serve, storeRow } from "./service.ts";

const anna = { name: "Anna", phone: "1" };
const rack = (n: number, more: object = {}) => ({
  label: `R${n}`,
  productCategories: ["DRINKS" as const],
  expositionType: "FRIDGE_DRINKS" as const,
  ...more,
});
const stored = (n: number, more: object = {}) => ({ ...rack(n), expositionId: storeRow(n).storeId, ...more });

/** A store service whose GET responses a test gives by their paths; a PUT returns the same. */
function stores(responses: Record<string, object>) {
  const items = Object.values(responses).filter((response) => "loginCode" in response);
  return serve(({ path }) => [200, path === "/stores" ? { items, nextCursor: null } : responses[path]]);
}

/** A fleet with these vehicles, which nothing changes. */
function vehicles(rows: object[], sentBack?: object, read?: object) {
  return serve(({ method, path, query }) => {
    if (path === "/vehicles" && method === "GET") return pageOf(rows, query);
    const found = method === "GET" ? read : sentBack;
    return found === undefined ? fleetNotFound : [200, { data: found, meta: {} }];
  });
}

const since = "2026-01-01T00:00:00Z";
const range = { since, allowedLateness: 0, until: () => new Date("2026-02-01T00:00:00Z") };
const empty = serve(() => [200, { externalId: "S-1", items: [], nextCursor: null }]).store;
const pullWith = (options: Partial<PullOptions>, id = "S-1") =>
  pull(empty.protocols, id, { ...range, ...options, details: false }).next();
const notSaved = "state: must be a state that was saved before; omit it in the first run";

it.each<[string, () => unknown]>([
  [
    "pull: allowedLateness must be a number of ms of at least 0",
    async () => pullWith({ allowedLateness: -1 }),
  ],
  ["pull: since and until must be instants", async () => pullWith({ since: "yesterday" })],
  [`pull of listProtocols: not sent: ${notSaved}`, async () => pullWith({ state: '{"list":{},"v":2}' })],
  [`pull of listProtocols: not sent: ${notSaved}`, async () => pullWith({ state: 5 as never })],
  [
    "pull of listProtocols: not sent: state: belongs to a list with another externalId, status, color",
    async () => {
      const { value } = await pullWith({});
      const extra = { color: "red" };
      return pullWith({ state: value?.state, status: "completed", extra }, "S-2");
    },
  ],
  [
    "pull of listProtocols: not sent: since: is before that of the first run, 2026-01-01T00:00:00.000Z: " +
      "what is between the two would not be read",
    async () => {
      const { value } = await pullWith({});
      return pullWith({ state: value?.state, since: "2025-12-31T00:00:00Z" });
    },
  ],
  [
    `mirror of listVehicles: not sent: ${notSaved}`,
    () => mirror(vehicles([]).fleet.vehicles, { ...memorySink().sink, load: () => "{}" }),
  ],
  [
    "mirror of listVehicles: an entry has no ID: set `identify`",
    () => mirror(vehicles([{ name: "x" }]).fleet.vehicles, memorySink().sink),
  ],
  [
    "mirror of listVehicles: the list lacks 1 of 1 saved entries, more than `maxDeleted` allows: nothing was deleted",
    async () => {
      const { sink } = memorySink();
      await mirror(vehicles([{ id: "v1" }]).fleet.vehicles, sink);
      await mirror(vehicles([]).fleet.vehicles, sink, { maxDeleted: 0 });
    },
  ],
  [
    "mirror of listVehicles: the sink has entries that are newer than its state: drop both, or neither",
    async () => {
      const { sink } = memorySink();
      const source = vehicles([{ id: "v1" }]).fleet.vehicles;
      const { state } = await new Promise<{ state: string }>((resolve) => {
        void mirror(source, { ...sink, save: (changes) => (resolve(changes), sink.save(changes)) });
      });
      await mirror(source, sink);
      await mirror(source, sink);
      await mirror(source, { ...sink, load: () => state });
    },
  ],
  ...["a-b", "1a", "a b"].map((name): [string, () => unknown] => [
    "sqliteSink: the name of the table must have letters, digits and _ only",
    async () => sqliteSink(memorySink().db, name),
  ]),
  [
    "concurrency must be a positive integer",
    () => mirror(vehicles([{ id: "v1" }]).fleet.vehicles, memorySink().sink, { concurrency: 0 }),
  ],
  ["concurrency must be a positive integer", () => planStores([], stores({}).store, { concurrency: 0.5 })],
  [
    "ensure: key must be the name of a property, names, or a function",
    () => ensure(vehicles([]).fleet.vehicles, [], { key: [] }),
  ],
  [
    "modify: not sent: externalId: must be a string other than the empty one, . and ..",
    () => modify(empty.stores, "", () => ({})),
  ],
])("%s", async (message, run) => {
  expect((await rejection((async () => run())())).message).toBe(message);
});

describe("a row of a plan", () => {
  const put = "PUT /v1/stores/{externalId}";
  const services = {
    "/stores/S-001": storeRow(1),
    "/stores/S-002": storeRow(2),
    "/stores/S-003": storeRow(3, { externalId: "S-002" }),
    "/stores/S-004": storeRow(4, { name: null, loginCode: undefined }),
    "/stores/S-001/contacts": { externalId: "S-009", items: [] },
    "/stores/S-001/expectations": { externalId: "S-001", items: [{ weekday: 1 }] },
    "/stores/S-001/expositions": {
      externalId: "S-001",
      storeId: storeRow(1).storeId,
      items: [stored(1), stored(2, { label: "R1" })],
    },
  };
  const expectation = {
    productCategory: null,
    displayType: "A",
    weekday: 1,
    protocolTime: "08:00",
    expectedFillRatio: 1,
  };

  it.each<[unknown, string]>([
    [null, "row 0, store: planStores: not sent: the body: must be an object"],
    [
      { name: "x" },
      "row 0, store: planStores: not sent: externalId: must be a string other than the empty one, . and ..",
    ],
    [
      { externalId: "." },
      "., store: planStores: not sent: externalId: must be a string other than the empty one, . and ..",
    ],
    [{ externalId: "N", color: 1 }, "N, store: planStores: not sent: color: is not a property of this input"],
    [{ externalId: "N", name: 7 }, "N, store: planStores: not sent: name: must be a string"],
    [{ externalId: "N", contacts: {} }, "N, contacts: planStores: not sent: contacts: must be an array"],
    [
      { externalId: "N", expectations: [{ ...expectation, weekday: 9 }] },
      "N, expectations: planStores: not sent: expectations.0.weekday: must be at most 6",
    ],
    [
      { externalId: "N", expositions: [rack(1, { productCategories: [7] }), rack(1), rack(1)] },
      "N, expositions: planStores: not sent: expositions.0.productCategories.0: must be a string",
    ],
    [
      { externalId: "N", expositions: [rack(0), rack(1), rack(0)] },
      `N, expositions: ${put}/expositions: not sent: expositions.2: refers to the same exposition as element 0`,
    ],
    [
      { externalId: "S-001", expositions: [rack(1)] },
      `S-001, expositions: ${put}/expositions: not sent: expositions.0: fits several expositions: give its expositionId`,
    ],
    [
      { externalId: "S-001", contacts: [anna] },
      `S-001, contacts: ${put}/contacts: the response is about another store: externalId: is "S-009" instead of "S-001"`,
    ],
    [
      { externalId: "S-001", expectations: [] },
      `S-001, expectations: ${put}/expectations: not sent: the response is not a whole entity: ` +
        ["displayType", "protocolTime", "expectedFillRatio"]
          .map((name) => `items.0.${name}: is missing in the response`)
          .join("; "),
    ],
    [
      { externalId: "S-002", name: "x" },
      "S-002, store: planStores: not sent: externalId: is that of several stores",
    ],
    [
      { externalId: "S-004", location: "x" },
      `S-004, store: ${put}: not sent: the response is not a whole entity: name: is missing in the response; ` +
        "loginCode: is missing in the response",
    ],
  ])("%j", async (row, message) => {
    const { failed } = await planStores([row as DesiredStore], stores(services).store);
    expect(failed.map((one) => one.message)).toEqual([message]);
  });

  it("that occurs twice names the rows", async () => {
    const twice = ["A", "B", "A"].map((externalId) => ({ externalId }));
    const { failed } = await planStores(twice, stores({}).store);
    const message = "A, store: planStores: not sent: externalId: occurs in several rows: 0, 2";
    expect(failed).toEqual(
      [0, 2].map((row) => ({
        row,
        externalId: "A",
        part: "store",
        message,
        name: "InvalidRequestError",
        code: undefined,
        issues: [{ path: "externalId", message: "occurs in several rows: 0, 2" }],
      })),
    );
  });
});

describe("a result of applyPlan", () => {
  const put = "PUT /v1/stores/{externalId}";
  const before = { ...storeRow(1), contacts: [] };
  const conflict = "not sent: there is a conflict";
  const apply = async (changes: object, now: object, update?: object, contacts: object[] = []) => {
    const { store } = serve(({ path }) =>
      path.endsWith("/contacts") ? [200, { externalId: "S-001", items: contacts }] : [200, now],
    );
    const row = { row: 0, externalId: "S-001", changes };
    const plan = { create: [] as object[], update: [] as object[], unchanged: [], failed: [], extra: [] };
    (update === undefined ? plan.create : plan.update).push({ ...row, ...(update && { before: update }) });
    return (await applyPlan(store, plan as never))[0];
  };

  it.each<[string, string, () => ReturnType<typeof apply>]>([
    [
      "conflict",
      `S-001, store: ${put}: ${conflict}: name: was changed by another program since the plan`,
      () => apply({ name: "mine" }, storeRow(1, { name: "other" }), before),
    ],
    [
      "conflict",
      `S-001, store: ${put}: ${conflict}: storeId: is that of another store than in the plan`,
      () => apply({ name: "mine" }, storeRow(1, { storeId: storeRow(2).storeId }), before),
    ],
    [
      "conflict",
      `S-001, store: ${put}: ${conflict}: name: is that of a store that another program has created`,
      () => apply({ name: "mine" }, storeRow(1)),
    ],
    [
      "conflict",
      `S-001, contacts: ${put}/contacts: ${conflict}: contacts: was changed by another program since the plan`,
      () => apply({ contacts: [anna] }, storeRow(1), before, [contactRow(1, { name: "Ewa", phone: "2" })]),
    ],
    [
      "conflict", // another program has emptied the list
      `S-001, contacts: ${put}/contacts: ${conflict}: contacts: was changed by another program since the plan`,
      () => apply({ contacts: [anna] }, storeRow(1), { ...before, contacts: [contactRow(1, anna)] }),
    ],
    [
      "failed",
      "S-001, store: applyPlan: not sent: color: is not a property of this input",
      () => apply({ color: 1 }, storeRow(1), before),
    ],
    [
      "failed",
      `S-001, expositions: ${put}/expositions: not sent: expositions: 501 elements need several requests, each of ` +
        'which omits the others: set absent: "keep" if the service keeps omitted expositions',
      () => apply({ expositions: Array.from({ length: 501 }, (_, n) => rack(n)) }, storeRow(1)),
    ],
  ])("%s: %s", async (outcome, message, run) => {
    const result = await run();
    expect([result?.outcome, result?.error?.name, result?.error?.message]).toEqual([
      outcome,
      "RowError",
      message,
    ]);
  });

  it("refuses what is not a plan, and the client of another service", async () => {
    const { store } = stores({});
    const plan = { ...(await planStores([], store)), baseUrl: "https://other.example" };
    expect((await rejection(applyPlan(store, plan))).message).toBe(
      "applyPlan: the plan is that of https://other.example, and the client is one of https://stores.example",
    );
    expect((await rejection(applyPlan(store, undefined as never))).message).toBe(
      "applyPlan: the plan must be the result of planStores",
    );
  });
});

describe("a change", () => {
  const put = "PUT /v1/stores/{externalId}";
  const lists = (items: object[], changes: object = {}) =>
    stores(
      Object.fromEntries(
        ["contacts", "expectations", "expositions"].map((name) => [
          `/stores/S-1/${name}`,
          { externalId: "S-1", storeId: storeRow(1).storeId, items, ...changes },
        ]),
      ),
    ).store;
  const expectation = { displayType: "A", weekday: 1, protocolTime: "08:00", expectedFillRatio: 1 };

  it.each<[string, () => Promise<unknown>]>([
    [
      `${put}: not sent: storeId: cannot be changed`,
      () => {
        const { store } = serve(() => [200, storeRow(1)]);
        return modify(store.stores, "S-001", () => ({ storeId: storeRow(2).storeId }));
      },
    ],
    [
      `${put}/expositions: not sent: ${storeRow(1).storeId}: is missing: an upsert cannot delete an exposition; ` +
        'set status: "disabled"',
      () => modify(lists([stored(1), stored(2)]).expositions, "S-1", (all) => all.slice(1)),
    ],
    [
      `${put}/expectations: the response is about another store: externalId: is "S-2" instead of "S-1"`,
      () => modify(lists([expectation], { externalId: "S-2" }).expectations, "S-1", () => []),
    ],
    [
      `${put}/contacts: was sent, and the service returned other values: contacts.0: is not in the response as it was ` +
        "sent; contacts: has 0 elements instead of 1",
      () => modify(lists([]).contacts, "S-1", () => [anna], { equals: {} }),
    ],
    [
      `${put}/contacts: was sent, and the service returned other values: contacts: has 1 elements instead of 0`,
      () => modify(lists([contactRow(1, anna)]).contacts, "S-1", () => [], { equals: {} }),
    ],
    [
      `${put}: was sent, and the service returned other values: name: has another value`,
      () => {
        const { store } = serve(() => [200, storeRow(1)]);
        return modify(store.stores, "S-001", () => ({ name: "x" }), { equals: {} });
      },
    ],
    [
      `${put}/contacts: not sent: there is a conflict: contacts: was changed after it was read`,
      () => {
        let reads = 0;
        const { store } = serve(() => [
          200,
          { externalId: "S-1", items: [contactRow(1, { ...anna, phone: String((reads += 1)) })] },
        ]);
        return modify(store.contacts, "S-1", async () => []);
      },
    ],
    [
      `${put}/expositions: not sent: expositions.0.color: is not a property of this input`,
      () => upsertExpositions(lists([]), "S-1", [rack(1, { color: 1 })]),
    ],
  ])("%s", async (message, run) => {
    expect((await rejection(run())).message).toBe(message);
  });
});

describe("a result of ensure", () => {
  const wanted = { plateNumber: "A", brand: "MAN" };
  const key = "plateNumber" as const;

  it.each<[string, string, object, ReturnType<typeof serve>]>([
    ["failed", "row 0, key: ensure: not sent: key: is missing", { brand: "x" }, vehicles([])],
    [
      "conflict",
      "A, update: ensure: the entity is not unique: key: is that of 2 entities",
      wanted,
      vehicles([1, 2].map((id) => ({ id, ...wanted }))),
    ],
    [
      "conflict",
      "A, create: ensure: the entity is not unique: key: is similar to a., which exists: write it so, or set `allowSimilar`",
      wanted,
      vehicles([{ id: "1", plateNumber: "a." }]),
    ],
    [
      "differs",
      "A, create: ensure: was sent, and the service returned other values: key: the service has written A1: another run " +
        "would create it again",
      wanted,
      vehicles([], { id: "1", ...wanted, plateNumber: "A1" }, { id: "1", ...wanted, plateNumber: "A1" }),
    ],
    [
      "differs",
      "A, update: ensure: was sent, and the service returned other values: brand: has another value",
      wanted,
      vehicles([{ id: 1, ...wanted, brand: "DAF" }], {}, { id: 1, ...wanted, brand: "DAF" }),
    ],
    [
      "failed",
      "A, update: ensure: the response is about another entity: id: is missing",
      wanted,
      vehicles([{ ...wanted, brand: "DAF" }]),
    ],
    [
      "failed",
      "A, update: ensure: the response is about another entity: id: is not that of the entity with this key",
      { id: "2", ...wanted },
      vehicles([{ id: "1", ...wanted, brand: "DAF" }]),
    ],
    [
      "failed",
      "A, update: ensure: the response is about another entity: id: is not the requested one",
      wanted,
      vehicles([{ id: "1", ...wanted, brand: "DAF" }], {}, { id: "2", ...wanted }),
    ],
    [
      "failed",
      "A, update: ensure: the response is about another entity: key: is not that of the list any more",
      wanted,
      vehicles([{ id: "1", ...wanted, brand: "DAF" }], {}, { id: "1", plateNumber: "B" }),
    ],
  ])("%s: %s", async (outcome, message, row, { fleet }) => {
    const [result] = await ensure(fleet.vehicles, [row as typeof wanted], { key, wait: 0 });
    expect([result?.outcome, result?.error?.message]).toEqual([outcome, message]);
  });

  it("names the rows that have one key", async () => {
    const results = await ensure(vehicles([]).fleet.vehicles, [wanted, wanted], { key });
    const message = "A, key: ensure: not sent: key: occurs in several rows: 0, 1";
    expect(results.map(({ error }) => error?.message)).toEqual([message, message]);
  });
});
