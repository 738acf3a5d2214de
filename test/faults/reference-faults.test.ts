import { describe, expect, test } from "vitest";
import { FleetClient, ShelfleetError, StoreClient } from "../../src/index.ts";
import type { FaultKind, FaultPlace, OperationId, ReferenceServer } from "../../src/mock/index.ts";
import { runtimeWith, timeout, untilNext } from "./limits.ts";
import { serveReference, type Served } from "../mock/node/served.ts";

interface Write {
  operation: OperationId;
  call: (clients: { store: StoreClient; fleet: FleetClient }) => PromiseLike<unknown>;
  /** The number of resources that the writes created. */
  countEffects: (served: Served) => number;
  /** The server's readings, which the client also has. */
  readings?: { "expositions.matching": "label"; "expositions.unknown-id": "created" };
  repeatable: boolean;
}

const exposition = { label: "fault", productCategories: [], expositionType: "FRIDGE_DRINKS" as const };
const own = "33333333-3333-3333-3333-333333333333";

const expositionsOf = ({ ref }: Served): number =>
  (ref.state.store.expositions.get("S-1") ?? []).filter(({ label }) => label === "fault").length;

const writes: Write[] = [
  {
    operation: "putStore",
    call: ({ store }) => store.stores.upsert("fault", {}),
    countEffects: ({ ref }) => Number(ref.state.store.stores.has("fault")),
    repeatable: true,
  },
  {
    operation: "putExpositions",
    call: ({ store }) => store.expositions.upsert("S-1", [{ ...exposition, expositionId: own }]),
    countEffects: expositionsOf,
    repeatable: false,
  },
  {
    operation: "putExpositions",
    call: ({ store }) => store.expositions.upsert("S-1", [exposition]),
    countEffects: expositionsOf,
    readings: { "expositions.matching": "label", "expositions.unknown-id": "created" },
    repeatable: true,
  },
  {
    operation: "createVehicle",
    call: ({ fleet }) => fleet.vehicles.create({ model: "fault" }),
    countEffects: ({ ref }) =>
      [...ref.state.fleet.vehicles.values()].filter(({ model }) => model === "fault").length,
    repeatable: false,
  },
  {
    operation: "submitInspection",
    call: ({ fleet }) => fleet.inspections.submit({ notes: "fault" }),
    countEffects: ({ ref }) =>
      [...ref.state.fleet.inspections.values()].filter(({ notes }) => notes === "fault").length,
    repeatable: false,
  },
];

const faults: FaultKind[] = ["reset", "close", "truncate", "malformed", "html", "stall"];
const places: FaultPlace[] = ["before", "after"];

/** Whether the response counts as lost, so that the client may repeat the request. A complete response that is not JSON does not. */
const isLost = (fault: FaultKind): boolean => fault !== "malformed" && fault !== "html";

/** The time limit of a request ends when its response stalls. */
function limitsOf(ref: ReferenceServer) {
  const stalls = (): number => ref.journal.all().filter(({ fault }) => fault === "stall").length;
  return { timeout, runtime: runtimeWith(untilNext(stalls)) };
}

const rows = writes.flatMap((write) =>
  faults.flatMap((fault) =>
    places.map((at) => ({
      ...write,
      fault,
      at,
      outcome: write.repeatable && isLost(fault) ? "is" : "is not",
    })),
  ),
);

describe("a write to the served reference server", () => {
  test.for(rows)(
    "$operation (readings $readings) $outcome sent again after the fault $fault $at its execution",
    async (row) => {
      const place = await serveReference({
        store: { stores: 2 },
        fleet: { vehicles: 2, inspections: 2 },
        readings: row.readings ?? {},
      });
      const options = { ...limitsOf(place.ref), retry: { limit: 2, maxDelay: 2 } };
      const { readings } = row;
      const store = new StoreClient({
        ...options,
        readings,
        baseUrl: place.storeUrl,
        token: place.ref.token,
      });
      const fleet = new FleetClient({
        ...options,
        baseUrl: place.fleetUrl,
        key: place.ref.keys[0]?.key ?? "",
      });
      place.ref.on(row.operation).fault(row.fault, { at: row.at }).times(1);
      const outcome = await Promise.resolve(row.call({ store, fleet })).then(
        () => "ok",
        (error: unknown) => (error instanceof ShelfleetError ? "refused" : error),
      );
      const again = row.repeatable && isLost(row.fault);
      expect(place.ref.journal.of(row.operation)).toHaveLength(again ? 2 : 1);
      expect(row.countEffects(place)).toBe(again || row.at === "after" ? 1 : 0);
      expect(outcome).toBe(again ? "ok" : "refused");
    },
  );
});

test.each(["reset", "close", "truncate", "stall"] as const)(
  "a walk loses no item and repeats none under the fault %s",
  async (fault) => {
    const { ref, storeUrl, fleetUrl } = await serveReference({
      store: { stores: 23 },
      fleet: { vehicles: 23 },
      readings: { "stores.null-external-id": "never-listed" },
    });
    const options = { ...limitsOf(ref), retry: { limit: 9, maxDelay: 2 } };
    const store = new StoreClient({ ...options, baseUrl: storeUrl, token: ref.token ?? "" });
    const fleet = new FleetClient({ ...options, baseUrl: fleetUrl, key: ref.keys[0]?.key ?? "" });
    const broken = (operation: OperationId): void => void ref.on(operation).fault(fault).times(1);
    const stores: unknown[] = [];
    for await (const page of store.stores.list({ limit: 5 }).pages()) {
      stores.push(...page.items.map(({ externalId }) => externalId));
      broken("listStores");
    }
    const vehicles: unknown[] = [];
    broken("listVehicles");
    for await (const page of fleet.vehicles.list({ limit: 5 }).pages({ concurrency: 3 })) {
      vehicles.push(...page.items.map(({ id }) => id));
      broken("listVehicles");
    }
    expect(stores).toEqual([...ref.state.store.stores.keys()].toSorted());
    expect(vehicles).toEqual([...ref.state.fleet.vehicles.keys()]);
  },
);
