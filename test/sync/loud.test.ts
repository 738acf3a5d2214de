// A documented line that is not completely done rejects.
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { FleetClient, StoreClient } from "../../src/index.ts";
import { createReferenceServer } from "../../src/mock/index.ts";
import {
  applyPlan,
  ensure,
  JobError,
  mirror,
  planStores,
  pull,
  pullStores,
  RowError,
  sqliteSink,
  upsertExpositions,
} from "../../src/sync/index.ts";
import { rejection } from "./service.ts";

function world() {
  const ref = createReferenceServer({ store: { stores: 3, protocolsPerStore: 9 }, fleet: { vehicles: 3 } });
  const store = new StoreClient({ ...ref.storeOptions, retry: 0 });
  const fleet = new FleetClient({ ...ref.fleetOptions, retry: 0 });
  const sink = sqliteSink<unknown, unknown>(new DatabaseSync(":memory:"), "entries");
  return { ref, store, fleet, sink };
}

type World = ReturnType<typeof world>;

const rows = [
  { externalId: "S-2", name: "Kiosk 2" },
  { externalId: "NEW", name: "Kiosk 3" },
];
const rack = { label: "R", productCategories: ["DRINKS" as const], expositionType: "FRIDGE_DRINKS" as const };
const vehicles = ["WX 1", "WX 2"].map((plateNumber) => ({ plateNumber, brand: "MAN" }));

/** The documented line of each job. */
const lines = {
  applyPlan: async ({ store }: World) => applyPlan(store, await planStores(rows, store)),
  ensure: ({ fleet }: World) =>
    ensure(fleet.vehicles, vehicles, { sink: "none", key: "plateNumber", wait: 0 }),
  mirror: ({ fleet, sink }: World) => mirror(fleet.vehicles, sink, { details: true }),
  async pull({ ref, store, sink }: World) {
    const until = () => ref.clock.now();
    const options = {
      since: "2025-11-01T00:00:00Z",
      allowedLateness: 3_600_000,
      until,
      details: true,
    } as const;
    for await (const batch of pull(store.protocols, "S-1", options)) await sink.saveBatch("S-1", batch);
  },
  pullStores({ store, sink }: World) {
    const options = { since: "2025-11-01T00:00:00Z", allowedLateness: 3_600_000, onWarning() {} };
    return pullStores(store, "protocols", sink, { ...options, details: true });
  },
  upsertExpositions: ({ store }: World) => upsertExpositions(store, "S-1", [rack]),
};

type Job = keyof typeof lines;

describe("a documented line", () => {
  it.each<[Job, (world: World) => void, number]>([
    ["applyPlan", ({ ref }) => ref.on("putStore").once({ status: 400 }), 1],
    ["applyPlan", ({ ref }) => ref.on("putStore").always({ status: 400 }), 2],
    ["ensure", ({ ref }) => ref.on("createVehicle").once({ status: 400 }), 1],
    ["mirror", ({ ref }) => ref.on("getVehicle").always({ status: 500 }), 3],
    ["pull", ({ ref }) => ref.on("getProtocol").once({ status: 500 }), 1],
    ["pullStores", ({ ref }) => ref.on("getProtocol").always({ status: 500 }), 3],
  ])("of %s rejects with what has failed, and with the results", async (job, fail, failed) => {
    const its = world();
    fail(its);
    const error = (await rejection(lines[job](its))) as JobError;
    expect(error).toBeInstanceOf(JobError);
    expect(error).toMatchObject({ name: "JobError", job });
    expect(error.failed).toHaveLength(failed);
    expect(error.failed.every((one) => one.error instanceof RowError)).toBe(true);
    expect(error.message).toContain(error.failed[0]?.error.message);
    expect(error.cause).toBe(error.failed[0]?.error);
  });

  it.each(Object.keys(lines) as Job[])("of %s rejects with a revoked secret, as itself", async (job) => {
    const its = world();
    const all = ["listStores", "getStore", "putStore", "listProtocols", "getExpositions"] as const;
    for (const operation of [...all, "listVehicles", "createVehicle"] as const)
      its.ref.on(operation).always({ status: 401 });
    expect(await rejection(lines[job](its))).toMatchObject({ status: 401 });
  });

  it.each(Object.keys(lines) as Job[])("of %s rejects in an outage", async (job) => {
    const its = world();
    const all = ["listStores", "getStore", "putStore", "listProtocols", "getExpositions"] as const;
    for (const operation of [...all, "listVehicles", "createVehicle"] as const)
      its.ref.on(operation).always({ status: 503 });
    expect(await rejection(lines[job](its))).toMatchObject({ status: 503, retryable: true });
  });
});

describe("twelve rows in a row whose writes the service answers with 500", () => {
  const names = Array.from({ length: 15 }, (_, n) => `P-${n + 10}`);
  const wrong = names.slice(0, 12);

  it.each<["applyPlan" | "ensure", (world: World) => Promise<unknown>]>([
    [
      "applyPlan",
      async ({ ref, store }) => {
        for (const externalId of wrong) ref.on("putStore", { path: { externalId } }).always({ status: 500 });
        const plan = await planStores(
          names.map((externalId) => ({ externalId, name: externalId })),
          store,
        );
        return applyPlan(store, plan, { concurrency: 1 });
      },
    ],
    [
      "ensure",
      ({ ref, fleet }) => {
        for (const plateNumber of wrong)
          ref.on("createVehicle", { body: { plateNumber } }).always({ status: 500 });
        const wanted = names.map((plateNumber) => ({ plateNumber }));
        return ensure(fleet.vehicles, wanted, { key: "plateNumber", sink: "none", wait: 0, concurrency: 1 });
      },
    ],
  ])("are failures of %s, which writes the others", async (_, run) => {
    const error = (await rejection(run(world()))) as JobError<{ outcome: string }[]>;
    expect(error.failed.map(({ id }) => id)).toEqual(wrong);
    expect(error.results.slice(12)).toMatchObject(names.slice(12).map(() => ({ outcome: "done" })));
  });
});

describe("a JobError", () => {
  const run = async (status: number) => {
    const its = world();
    its.ref.on("putStore").always({ status }, { at: "after" });
    return (await rejection(lines.applyPlan(its))) as JobError<unknown[]>;
  };

  it("is retryable if each failure is, and says whether a write may have been processed", async () => {
    expect(await run(400)).toMatchObject({ retryable: false, mayHaveBeenProcessed: false });
    const lost = await run(500);
    expect(lost.retryable).toBe(lost.failed.every(({ error }) => error.retryable));
    expect(lost.mayHaveBeenProcessed).toBe(lost.failed.some(({ error }) => error.mayHaveBeenProcessed));
    expect(lost.mayHaveBeenProcessed).toBe(true);
  });

  it("has the results of all rows, which its JSON leaves out", async () => {
    const error = await run(400);
    expect(error.results).toHaveLength(2);
    expect(Object.keys(JSON.parse(JSON.stringify(error)) as object)).not.toContain("results");
  });

  it("names the first failures in words, and the number of the others", async () => {
    const its = world();
    its.ref.on("createVehicle").always({ status: 400 });
    const many = Array.from({ length: 8 }, (_, n) => ({ plateNumber: `WX ${n}` }));
    const { message } = await rejection(
      ensure(its.fleet.vehicles, many, { sink: "none", key: "plateNumber" }),
    );
    expect(message).toMatch(/^ensure: 8 failed: WX 0, create: .*; and 3 more$/);
  });
});

describe("a loop of pull that is left", () => {
  const withFailure = () => {
    const its = world();
    its.ref.on("getProtocol").always({ status: 500 });
    const until = () => its.ref.clock.now();
    const options = { since: "2025-11-01T00:00:00Z", allowedLateness: 0, until, details: true } as const;
    return pull(its.store.protocols, "S-1", { ...options, limit: 2 });
  };

  it("by break throws nothing", async () => {
    let failed = 0;
    for await (const batch of withFailure()) {
      failed += batch.failed.length;
      if (failed > 0) break;
    }
    expect(failed).toBeGreaterThan(0);
  });

  it("by an error of its body throws that error", async () => {
    const run = async () => {
      for await (const _ of withFailure()) throw new Error("disk full");
    };
    expect((await rejection(run())).message).toBe("disk full");
  });
});
