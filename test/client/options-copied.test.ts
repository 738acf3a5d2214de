import { describe, expect, it } from "vitest";
import {
  applyPlan,
  type CallOptions,
  ensure,
  FleetClient,
  mirror,
  type MirrorSink,
  planStores,
  StoreClient,
  type StoreReadings,
  upsertExpositions,
} from "../../src/index.ts";
import { createReferenceServer } from "../../src/mock/index.ts";

const ref = createReferenceServer({ store: { stores: 2 }, fleet: { vehicles: 3 } });
const store = new StoreClient({ ...ref.storeOptions, retry: 0 });
const fleet = new FleetClient({ ...ref.fleetOptions, retry: 0 });
const desired = [{ externalId: "S-9", name: "New", location: "Łódź" }];
const exposition = { label: "E", productCategories: ["DRINKS"], expositionType: "FRIDGE_DRINKS" };

const firstHeaders = { "x-run": "first" };
const plan = await planStores(desired, store.stores.list(undefined, { headers: firstHeaders }));

/** Each function beside the clients, with options besides those of a call. */
const functions: Record<string, (options: CallOptions) => Promise<unknown>> = {
  planStores: (options) =>
    planStores(desired, store.stores.list(undefined, options), Object.assign(options, { store })),
  applyPlan: (options) => applyPlan(store, plan, Object.assign(options, { check: false })),
  upsertExpositions: (options) =>
    upsertExpositions(store, "S-1", [exposition], Object.assign(options, { absent: "keep" as const })),
  ensure: (options) => {
    const key = ["plateNumber" as const];
    const ensured = ensure(
      fleet.vehicles,
      [{ plateNumber: "WX 1" }],
      Object.assign(options, { key, dryRun: true }),
    );
    key.pop();
    return ensured;
  },
  "stores.modify": (options) => store.stores.modify("S-1", ({ name }) => ({ name: `${name}.` }), options),
  "contacts.modify": (options) => store.contacts.modify("S-1", () => [], options),
  "expectations.modify": (options) => store.expectations.modify("S-1", () => [], options),
  "expositions.modify": (options) =>
    store.expositions.modify(
      "S-1",
      (items) => items.map((item) => ({ ...item, label: `${item.label}.` })),
      options,
    ),
  "mirror of a numbered list": (options) => mirror(fleet.vehicles.list(undefined, options), ...discarded()),
  "mirror of a list with cursors": (options) => mirror(store.stores.list(undefined, options), ...discarded()),
};

/** A sink that saves nothing, and options that become wrong after the call. */
function discarded(): [MirrorSink<object>, { maxPasses: number }] {
  const sink = {
    load: () => undefined,
    find: () => new Map(),
    save: () => {},
    countUnseen: () => 0,
    remove: () => {},
  };
  const options = { maxPasses: 2 };
  queueMicrotask(() => Object.assign(options, { maxPasses: 0 }));
  return [sink, options];
}

function change(options: CallOptions): void {
  Object.assign(options.headers ?? {}, { "x-run": "second" });
  Object.assign(options, { signal: AbortSignal.abort(), dryRun: false, absent: undefined, store: undefined });
}

describe.each(Object.entries(functions))("%s takes the options of its call", (_, call) => {
  it("whatever the program does to their object after it", async () => {
    ref.journal.clear();
    const options = { headers: { "x-run": "first" } };
    const running = call(options);
    change(options);
    await running;
    const sent = ref.journal.all();
    expect(sent.length).toBeGreaterThan(0);
    expect(new Set(sent.map(({ headers }) => headers["x-run"]))).toEqual(new Set(["first"]));
    expect(ref.journal.find({ operation: "createVehicle" })).toEqual([]);
  });
});

describe("withOptions copies the options that its client was created with,", () => {
  it("whatever the program does to their headers, readings and token afterwards", async () => {
    ref.journal.clear();
    const readings: StoreReadings = { "expositions.matching": "label" };
    const options = { ...ref.storeOptions, headers: { "x-run": "first" }, readings };
    const client = new StoreClient(options);
    options.token = "another token";
    options.headers["x-run"] = "second";
    Object.assign(readings, { "expositions.matching": "type" });
    const copy = client.withOptions({ timeout: 5000 });
    await copy.stores.get("S-1");
    expect(ref.journal.all().map(({ headers }) => headers["x-run"])).toEqual(["first"]);
    expect(copy.readings).toEqual({ "expositions.matching": "label" });
  });

  it("and the URLs of the fleet API", async () => {
    const url = new URL(ref.fleetOptions.environments.production);
    const baseUrl = new URL(url);
    const environments = { production: new URL(url) };
    const { key, fetch } = ref.fleetOptions;
    const clients = [new FleetClient({ baseUrl, key, fetch }), new FleetClient({ environments, key, fetch })];
    baseUrl.hostname = "other.example";
    environments.production = baseUrl;
    ref.journal.clear();
    for (const client of clients) await client.withOptions({ retry: 0 }).vehicles.list();
    expect(ref.journal.all()).toHaveLength(2);
  });
});
