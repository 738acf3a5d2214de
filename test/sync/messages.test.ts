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
import {
  contactRow,
  fleetNotFound,
  memorySink,
  pageOf,
  rejection,
  serve,
  storeRow,
  settle,
} from "./service.ts";

const anna = { name: "Anna", phone: "1" };
const rack = (n: number, more: object = {}) => ({
  label: `R${n}`,
  productCategories: ["DRINKS" as const],
  expositionType: "FRIDGE_DRINKS" as const,
  ...more,
});
const expectation = { displayType: "A", weekday: 1, protocolTime: "08:00", expectedFillRatio: 1 };
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

const put = "PUT /v1/stores/{externalId}";
const until = () => new Date("2026-02-01T00:00:00Z");
const range = { since: "2026-01-01T00:00:00Z", allowedLateness: 0, until, details: false } as const;
const { store: empty } = serve(() => [200, { externalId: "S-1", items: [], nextCursor: null }]);
const pullWith = (options: Partial<PullOptions>, id = "S-1") =>
  pull(empty.protocols, id, { ...range, ...options, details: false }).next();
/** Runs a second pull with the state of the first one. */
const pullAgain = async (options: Partial<PullOptions>, id?: string) =>
  pullWith({ state: (await pullWith({})).value?.state, ...options }, id);
const mirrorOf = (rows: object[], sink = memorySink().sink, options = {}) =>
  mirror(vehicles(rows).fleet.vehicles, sink, options);
const badId = "externalId: must be a string other than the empty one, . and ..";
const noState = "not sent: state: must be a state that was saved before; omit it in the first run";

/** Tests that each function rejects with its message, up to a number in brackets. */
function expectMessages(table: Record<string, () => unknown>) {
  it.each(Object.entries(table))("%s", async (message, run) => {
    const error = await rejection((async () => run())());
    expect(error.message).toBe(message.replace(/ \(\d\)$/, ""));
  });
}

describe("an option or a state", () => {
  const latenessMessage = "pull: allowedLateness must be a number of ms of at least 0";
  const name =
    "sqliteSink: the table must be a name without a dot, such as vehicles, or fleet.vehicles for a schema";
  const key = "ensure: key must be the name of a property, names, or a function";
  const share = "mirror: maxDeleted must be a number from 0 to 1";
  const count = "concurrency must be a positive integer";
  const ensureBy = (by: never, options = {}) =>
    settle(ensure(vehicles([]).fleet.vehicles, [{}], { sink: "none", key: by, ...options }));
  const rows = "the rows must be iterable, such as an array: they are";
  const planOf = (desired: unknown) => planStores(desired as never, stores({}).store);
  const ensureRows = (desired: unknown) =>
    ensure(vehicles([]).fleet.vehicles, desired as never, { sink: "none", key: "id" });
  expectMessages({
    [`planStores: ${rows} a promise`]: () => planOf(Promise.resolve([])),
    [`planStores: ${rows} a value of the type object (1)`]: () => planOf({ stores: [] }),
    [`planStores: ${rows} undefined`]: () => planOf(undefined),
    [`ensure: ${rows} a promise`]: () => ensureRows(Promise.resolve([])),
    [`ensure: ${rows} a value of the type object (1)`]: () => ensureRows({ damages: [] }),
    [latenessMessage]: () => pullWith({ allowedLateness: -1 }),
    "pull: not sent: since: must be a Date, or an ISO 8601 date-time with an offset or Z": () =>
      pullWith({ since: "yesterday" }),
    "pull: not sent: since: is after the end of the range, 2026-01-02T00:00:00.000Z: nothing would be read":
      () => pullWith({ since: "2030-01-01T00:00:00Z", until: () => new Date("2026-01-02T00:00:00Z") }),
    "pull: until must return a Date (1)": () => pullWith({ until: () => new Date(Number.NaN) }),
    "pull: until must return a Date (2)": () => pullWith({ until: (async () => new Date()) as never }),
    "pull: only protocols have details": () =>
      pull(empty.photos as never, "S-1", { ...range, details: true }),
    [`pull of listProtocols: ${noState} (1)`]: () => pullWith({ state: '{"list":{},"v":3}' }),
    [`pull of listProtocols: ${noState} (2)`]: () => pullWith({ state: 5 as never }),
    [`pull of listProtocols: ${noState} (3)`]: () => pullWith({ state: '{"v":2}' }),
    "pull of listProtocols: not sent: state: belongs to a list with another externalId, status, color": () =>
      pullAgain({ status: "completed", extra: { color: "red" } }, "S-2"),
    "pull of listPhotos: not sent: state: belongs to a list with another operation": async () => {
      const { value } = await pullWith({});
      return pull(empty.photos, "S-1", { ...range, state: value?.state }).next();
    },
    "pull of listProtocols: not sent: since: is before that of the first run, 2026-01-01T00:00:00.000Z: what is between the two would not be read":
      () => pullAgain({ since: "2025-12-31T00:00:00Z" }),
    [`mirror of listVehicles: ${noState}`]: () => mirrorOf([], { ...memorySink().sink, load: () => "{}" }),
    [`${share} (1)`]: () => mirrorOf([], memorySink().sink, { maxDeleted: 1.5 }),
    ...Object.fromEntries(
      ["page", "resume", "cursor", "verify"].map((place) => [
        `mirror: query.${place} cannot be given: a mirror reads the whole list itself`,
        () => mirrorOf([], memorySink().sink, { query: { [place]: 1 } }),
      ]),
    ),
    "mirror: details: true needs a resource with `get`": () =>
      mirror(vehicles([]).fleet.vehicleFields, memorySink().sink, { details: true }),
    "mirror of listVehicles: an entry has no ID: set `identify`": () => mirrorOf([{ name: "x" }]),
    "mirror of listVehicles: the list lacks 1 of 1 saved entries, more than `maxDeleted` allows: nothing was deleted":
      async () => {
        const { sink } = memorySink();
        await mirrorOf([{ id: "v1" }], sink);
        await mirrorOf([], sink, { maxDeleted: 0 });
      },
    "mirror of listVehicles: the sink has entries that are newer than its state: drop both, or neither":
      async () => {
        const { sink, db } = memorySink();
        await mirrorOf([{ id: "v1" }], sink);
        db.exec("UPDATE entries SET pass = 9");
        await mirrorOf([{ id: "v1" }], sink);
      },
    "another program writes to the table entries": async () => {
      const { sink } = memorySink();
      await mirrorOf([{ id: "v1" }], sink);
      await mirrorOf([{ id: "v2" }], { ...sink, load: () => undefined });
    },
    [`${name} (1)`]: () => sqliteSink(memorySink().db, "a.b.c"),
    [`${name} (2)`]: () => sqliteSink(memorySink().db, ""),
    [count]: () => mirrorOf([{ id: "v1" }], memorySink().sink, { concurrency: 0 }),
    [key]: () => ensureBy([] as never),
    "applyPlan: the plan must be the result of planStores": () =>
      settle(applyPlan(empty, { create: [] } as never)),
    "applyPlan: the plan is that of https://other.example, and the client is one of https://stores.example":
      async () =>
        settle(applyPlan(empty, { ...(await planStores([], empty)), baseUrl: "https://other.example" })),
    [`modify: not sent: ${badId} (1)`]: () => modify(empty.stores, "", () => ({})),
    [`modify: not sent: ${badId} (2)`]: () => modify(empty.stores, "..", () => ({})),
  });
});

describe("a row of a plan", () => {
  const { storeId } = storeRow(1);
  const services = {
    "/stores/S-001": storeRow(1),
    "/stores/S-002": storeRow(2),
    "/stores/S-003": storeRow(3, { externalId: "S-002" }),
    "/stores/S-004": storeRow(4, { name: null, loginCode: undefined }),
    "/stores/S-001/contacts": { externalId: "S-009", items: [] },
    "/stores/S-001/expectations": { externalId: "S-001", items: [{ weekday: 1 }] },
    "/stores/S-001/expositions": {
      externalId: "S-001",
      storeId,
      items: [stored(1), stored(2, { label: "R1" })],
    },
  };
  const weekday = { ...expectation, productCategory: null, weekday: 9 };
  const wrong = rack(1, { productCategories: [7] });
  const isMissing = (name: string) => `${name}: is missing in the response`;

  it.each<[string, string, object]>([
    ["store", `externalId: must be a string other than the empty one, . and ..`, { externalId: "." }],
    ["store", "color: is not a property of this input", { externalId: "N", color: 1 }],
    ["store", "name: must be a string", { externalId: "N", name: 7 }],
    ["store", "externalId: is that of several stores", { externalId: "S-002", name: "x" }],
    ["contacts", "contacts: must be an array", { externalId: "N", contacts: {} }],
    [
      "expectations",
      "expectations.0.weekday: must be at most 6",
      { externalId: "N", expectations: [weekday] },
    ],
    [
      "expositions",
      "expositions.0.productCategories.0: must be a string",
      { externalId: "N", expositions: [wrong, rack(1), rack(1)] },
    ],
  ])("%s: %s", async (part, message, row) => {
    const { failed } = await planStores([row as DesiredStore], stores(services).store);
    const { externalId } = row as DesiredStore;
    expect(failed.map((one) => one.message)).toEqual([
      `${externalId}, ${part}: planStores: not sent: ${message}`,
    ]);
  });

  it.each<[string, string, object]>([
    [
      "/expositions: not sent: expositions.2: refers to the same exposition as element 0",
      "N",
      [0, 1, 0].map((n) => rack(n)),
    ],
    [
      "/expositions: not sent: expositions.0: fits several expositions: give its expositionId",
      "S-001",
      [rack(1)],
    ],
    [
      '/contacts: the response is about another store: externalId: is "S-009" instead of "S-001"',
      "S-001",
      [anna],
    ],
    [
      `/expectations: not sent: the response is not a whole entity: ${["displayType", "protocolTime", "expectedFillRatio"].map((name) => isMissing(`items.0.${name}`)).join("; ")}`,
      "S-001",
      [],
    ],
  ])("PUT %s", async (message, externalId, elements) => {
    const part = message.slice(1, message.indexOf(":"));
    const { failed } = await planStores([{ externalId, [part]: elements }], stores(services).store);
    expect(failed.map((one) => one.message)).toEqual([`${externalId}, ${part}: ${put}${message}`]);
  });

  it("is named if it is no store, lacks an external ID, has that of others, or its store was not read whole", async () => {
    const rows = [
      null,
      undefined,
      { name: "x" },
      { externalId: "A" },
      { externalId: "A" },
      { externalId: "S-004", name: "x" },
    ];
    const { failed } = await planStores(rows as DesiredStore[], stores(services).store);
    const twice = "A, store: planStores: not sent: externalId: occurs in several rows: 3, 4";
    expect(failed.map(({ message }) => message)).toEqual([
      "row 0, store: planStores: not sent: the body: must be an object",
      "row 1, store: planStores: not sent: the body: must be an object",
      `row 2, store: planStores: not sent: ${badId}`,
      twice,
      twice,
      `S-004, store: ${put}: not sent: the response is not a whole entity: ${isMissing("name")}; ${isMissing("loginCode")}`,
    ]);
    const { externalId, part, name, code, issues } = failed[3] ?? {};
    expect([externalId, part, name, code, issues]).toEqual([
      "A",
      "store",
      "InvalidRequestError",
      undefined,
      [{ path: "externalId", message: "occurs in several rows: 3, 4" }],
    ]);
  });
});

describe("a result of applyPlan", () => {
  const before = { ...storeRow(1), contacts: [] };
  const ewa = contactRow(1, { name: "Ewa", phone: "2" });
  const changed = "was changed by another program since the plan";
  const apply = (changes: object, now: object, update?: object, contacts: object[] = []) => {
    const { store } = serve(({ method, path }) => {
      if (method === "PUT") return [500, {}]; // nothing is written
      return [200, path.endsWith("/contacts") ? { externalId: "S-001", items: contacts } : now];
    });
    const row = { row: 0, externalId: "S-001", changes, ...(update && { before: update }) };
    const [create, updates] = update === undefined ? [[row], []] : [[], [row]];
    return settle(
      applyPlan(store, { create, update: updates, unchanged: [], failed: [], extra: [] } as never),
    );
  };

  it.each<[string, string, () => ReturnType<typeof apply>]>([
    ["store", `name: ${changed}`, () => apply({ name: "mine" }, storeRow(1, { name: "other" }), before)],
    [
      "store",
      "storeId: is that of another store than in the plan",
      () => apply({ name: "mine" }, storeRow(1, { storeId: storeRow(2).storeId }), before),
    ],
    [
      "store",
      "name: is that of a store that another program has created",
      () => apply({ name: "mine" }, storeRow(1)),
    ],
    ["contacts", `contacts: ${changed}`, () => apply({ contacts: [anna] }, storeRow(1), before, [ewa])],
    [
      "contacts",
      `contacts: ${changed}`,
      () => apply({ contacts: [anna] }, storeRow(1), { ...before, contacts: [ewa] }),
    ],
  ])("is a conflict in %s: %s", async (part, message, run) => {
    const [result] = await run();
    const path = part === "store" ? put : `${put}/${part}`;
    expect([result?.outcome, result?.error?.name, result?.error?.message]).toEqual([
      "conflict",
      "RowError",
      `S-001, ${part}: ${path}: not sent: there is a conflict: ${message}`,
    ]);
  });

  it("is failed for what the client refuses", async () => {
    const results = await apply({ color: 1 }, storeRow(1), before);
    expect(results.map(({ error }) => error?.message)).toEqual([
      "S-001, store: applyPlan: not sent: color: is not a property of this input",
    ]);
  });
});

describe("a change", () => {
  const { storeId } = storeRow(1);
  const lists = (items: object[], externalId = "S-1") =>
    serve(() => [200, { externalId, storeId, items }]).store;
  const kept = "was sent, and the service returned other values";
  const { store: one } = serve(() => [200, storeRow(1)]);
  const { store: partial } = serve(() => [200, storeRow(1, { loginCode: undefined })]);
  const { store: renamed } = serve(({ method }) => [
    200,
    method === "GET" ? storeRow(1) : storeRow(1, { name: "x", storeId: storeRow(2).storeId }),
  ]);
  let reads = 0;
  const { store: changing } = serve(() => [
    200,
    { externalId: "S-1", items: [contactRow(1, { ...anna, phone: String((reads += 1)) })] },
  ]);
  expectMessages({
    [`${put}: not sent: the response is not a whole entity: loginCode: is missing in the response`]: () =>
      modify(partial.stores, "S-001", () => ({ name: "x" })),
    [`${put}: not sent: storeId: cannot be changed`]: () =>
      modify(one.stores, "S-001", () => ({ storeId: storeRow(2).storeId })),
    [`${put}/expositions: not sent: ${storeId}: is missing: an upsert cannot delete an exposition; set status: "disabled"`]:
      () => modify(lists([stored(1), stored(2)]).expositions, "S-1", (all) => all.slice(1)),
    [`${put}/expectations: the response is about another store: externalId: is "S-2" instead of "S-1"`]: () =>
      modify(lists([expectation], "S-2").expectations, "S-1", () => []),
    [`${put}/contacts: ${kept}: contacts.0: is not in the response as it was sent; contacts: has 0 elements instead of 1`]:
      () => modify(lists([]).contacts, "S-1", () => [anna], { equals: {} }),
    [`${put}/contacts: ${kept}: contacts: has 1 elements instead of 0`]: () =>
      modify(lists([contactRow(1, anna)]).contacts, "S-1", () => [], { equals: {} }),
    [`${put}: ${kept}: name: has another value`]: () =>
      modify(one.stores, "S-001", () => ({ name: "x" }), { equals: {} }),
    [`${put}: ${kept}: storeId: has another value`]: () =>
      modify(renamed.stores, "S-001", () => ({ name: "x" }), { equals: {} }),
    [`${put}/contacts: not sent: there is a conflict: contacts: was changed after it was read`]: () =>
      modify(changing.contacts, "S-1", async () => []),
    [`${put}/expositions: not sent: expositions.0.color: is not a property of this input`]: () =>
      upsertExpositions(lists([]), "S-1", [rack(1, { color: 1 })]),
  });
});

describe("a result of ensure", () => {
  const wanted = { plateNumber: "A", brand: "MAN" };
  const daf = { id: "1", plateNumber: "A", brand: "DAF" };
  const other = "the response is about another entity";
  const kept = "was sent, and the service returned other values";

  /** The vehicles of the list, what a write returns, what a read returns, and the desired vehicle. */
  const table: Record<string, [object[], (object | undefined)?, (object | undefined)?, object?]> = {
    "failed: row 0, key: ensure: not sent: key: is missing": [[], undefined, undefined, { brand: "x" }],
    "conflict: A, update: ensure: the entity is not unique: key: is that of 2 entities": [
      [daf, { ...daf, id: "2" }],
    ],
    "conflict: A, create: ensure: the entity is not unique: key: is similar to a., which exists: write it so, or set `allowSimilar`":
      [[{ id: "1", plateNumber: "a." }]],
    [`differs: A, create: ensure: ${kept}: key: the service has written A1: another run would create it again`]:
      [[], { ...daf, plateNumber: "A1" }, { ...daf, plateNumber: "A1" }],
    [`differs: A, update: ensure: ${kept}: brand: has another value`]: [[daf], {}, daf],
    [`failed: A, update: ensure: ${other}: id: is missing`]: [[{ ...daf, id: undefined }]],
    [`failed: A, update: ensure: ${other}: id: is not that of the entity with this key`]: [
      [daf],
      undefined,
      undefined,
      { id: "2", ...wanted },
    ],
    [`failed: A, update: ensure: ${other}: id: is not the requested one`]: [[daf], {}, { ...daf, id: "2" }],
    [`failed: A, update: ensure: ${other}: key: is not that of the list any more`]: [
      [daf],
      {},
      { ...daf, plateNumber: "B" },
    ],
  };
  it.each(Object.entries(table))("%s", async (text, [rows, written, read, row = wanted]) => {
    const { fleet, sent } = vehicles(rows, written, read);
    const options = { sink: "none" as const, key: "plateNumber", wait: 0 } as const;
    const [result] = await settle(ensure(fleet.vehicles, [row as typeof wanted], options));
    expect(`${result?.outcome}: ${result?.error?.message}`).toBe(text);
    expect(sent.some(({ method }) => method !== "GET")).toBe(text.startsWith("differs"));
  });

  it("names the rows that have one key", async () => {
    const results = await settle(
      ensure(vehicles([]).fleet.vehicles, [wanted, wanted], { sink: "none", key: "plateNumber" }),
    );
    const message = "A, key: ensure: not sent: key: occurs in several rows: 0, 1";
    expect(results.map(({ error }) => error?.message)).toEqual([message, message]);
  });
});
