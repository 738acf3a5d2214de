// A write that fails and may have been processed: the jobs read what the service has.
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { type ExpositionInput, FleetClient, StoreClient } from "../../src/index.ts";
import { createReferenceServer, type OperationId } from "../../src/mock/index.ts";
import {
  applyPlan,
  ensure,
  modify,
  planStores,
  sqliteSink,
  upsertExpositions,
} from "../../src/sync/index.ts";
import { rejection } from "./service.ts";

const rack: ExpositionInput = {
  label: "Rack 4",
  expositionType: "BREADS_BREAD_RACK",
  productCategories: ["BREADS"],
};

function world() {
  const ref = createReferenceServer({
    store: { stores: [{ externalId: "S-1", name: "x" }] },
    fleet: { vehicles: 1, inspections: 1 },
  });
  const [vehicle = ""] = ref.state.fleet.vehicles.keys();
  const [inspection = ""] = ref.state.fleet.inspections.keys();
  const sent = (operation: OperationId) => ref.journal.all().filter((one) => one.operation === operation);
  return {
    ref,
    store: new StoreClient({ ...ref.storeOptions, retry: 0 }),
    fleet: new FleetClient({ ...ref.fleetOptions, retry: 0 }),
    vehicle,
    inspection,
    sent,
  };
}

type World = ReturnType<typeof world>;

const jobs: [name: string, operation: OperationId, run: (of: World) => Promise<unknown>][] = [
  [
    "applyPlan, of a store",
    "putStore",
    async ({ store }) => applyPlan(store, await planStores([{ externalId: "S-1", name: "New" }], store)),
  ],
  ["modify, of a store", "putStore", ({ store }) => modify(store.stores, "S-1", () => ({ name: "New" }))],
  [
    "modify, of contacts",
    "putContacts",
    ({ store }) => modify(store.contacts, "S-1", () => [{ name: "Cleo", phone: "1" }]),
  ],
  [
    "modify, of expectations",
    "putExpectations",
    ({ store }) =>
      modify(store.expectations, "S-1", () => [
        {
          productCategory: "DRINKS" as const,
          displayType: "FRIDGE_DRINKS" as const,
          weekday: 1,
          protocolTime: "08:00",
          expectedFillRatio: 80,
        },
      ]),
  ],
  ["upsertExpositions", "putExpositions", ({ store }) => upsertExpositions(store, "S-1", [rack])],
  [
    "ensure, of a vehicle",
    "updateVehicle",
    ({ fleet, vehicle }) => ensure(fleet.vehicles, [{ id: vehicle, brand: "New" }], { key: "id" }),
  ],
  [
    "ensure, of an inspection",
    "updateInspection",
    ({ fleet, inspection }) => ensure(fleet.inspections, [{ id: inspection, notes: "New" }], { key: "id" }),
  ],
];

describe.each(jobs)("%s: a write that the service has processed", (_, operation, run) => {
  it.each([
    ["with 204 is done", { status: 204 }],
    ["with 202 is done", { status: 202, body: {} }],
  ])("%s", async (__, response) => {
    const at = world();
    at.ref.on(operation).once(response, { at: "after" });
    await run(at);
    expect(at.sent(operation)).toHaveLength(1);
  });

  it("and that the service has not processed is an error, and is not sent again", async () => {
    const at = world();
    at.ref.on(operation).fault("html", { at: "before" });
    expect(await rejection(run(at))).toMatchObject({ mayHaveBeenProcessed: true });
    expect(at.sent(operation)).toHaveLength(1);
  });

  it("is the error of the write if the entity cannot be read afterwards", async () => {
    const at = world();
    at.ref.on(operation).once({ status: 204 }, { at: "after" });
    const read = operation.replace("put", "get").replace("update", "get") as OperationId;
    at.ref.on(read, { when: () => at.sent(operation).length > 0 }).always({ status: 500 });
    expect(await rejection(run(at))).toMatchObject({ mayHaveBeenProcessed: true });
  });
});

describe("a change that may not be repeated and whose response was lost", () => {
  it.each(jobs.filter(([, operation]) => ["putExpositions", "updateInspection"].includes(operation)))(
    "is done if the service has it: %s",
    async (_, operation, run) => {
      const at = world();
      at.ref.on(operation).once({ status: 500 }, { at: "after" });
      await run(at);
      expect(at.sent(operation)).toHaveLength(1);
    },
  );
});

it("a signal ends the read after a write, with its reason", async () => {
  const at = world();
  const end = new AbortController();
  at.ref.on("putStore").once({ status: 204 }, { at: "after" });
  at.ref.on("getStore", { when: () => at.sent("putStore").length > 0 }).change(() => {
    end.abort(new Error("enough"));
    return undefined;
  });
  const run = modify(at.store.stores, "S-1", () => ({ name: "New" }), { signal: end.signal });
  expect(await rejection(run)).toBe(end.signal.reason);
});

it("a POST is looked for by ensure in the list", async () => {
  const { ref, fleet, sent } = world();
  ref.on("createDamage").once({ status: 204 }, { at: "after" });
  const sink = sqliteSink(new DatabaseSync(":memory:"), "reported");
  await ensure(fleet.damages, [{ description: "D-1" }], { key: "description", sink });
  expect(sent("createDamage")).toHaveLength(1);
});
