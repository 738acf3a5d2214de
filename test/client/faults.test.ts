import { describe, expect, it, onTestFinished } from "vitest";
import {
  type ConnectionError,
  FleetClient,
  type Runtime,
  StoreClient,
  type Transport,
} from "../../src/index.ts";
import { nodeTransport } from "../../src/client/node.ts";
import type { FaultKind, FaultPlace, OperationId, ReferenceServer } from "../../src/mock/index.ts";
import { serveReference } from "../mock/node/served.ts";

interface Clients {
  store: StoreClient;
  fleet: FleetClient;
}

/** A class of operations: one of them, and the number of resources that it has created. */
interface OperationClass {
  operation: OperationId;
  call: (clients: Clients) => PromiseLike<unknown>;
  countCreated?: (ref: ReferenceServer) => number;
}

const added = { label: "added", productCategories: [], expositionType: "FRIDGE_DRINKS" as const };

const classes: Record<string, OperationClass> = {
  GET: { operation: "getStore", call: ({ store }) => store.stores.get("S-1") },
  list: {
    operation: "listVehicles",
    call: async ({ fleet }) => expect(await fleet.vehicles.list({ limit: 2 }).toArray()).toHaveLength(5),
  },
  PUT: { operation: "putStore", call: ({ store }) => store.stores.upsert("S-1", { name: "new" }) },
  "PUT that adds": {
    operation: "putExpositions",
    call: ({ store }) => store.expositions.upsert("S-1", [added]),
    countCreated: ({ state }) =>
      (state.store.expositions.get("S-1") ?? []).filter(({ label }) => label === "added").length,
  },
  POST: {
    operation: "createVehicle",
    call: ({ fleet }) => fleet.vehicles.create({ model: "new" }),
    countCreated: ({ state }) => state.fleet.vehicles.size - 5,
  },
  PATCH: {
    operation: "updateDriverAssignment",
    call: ({ fleet }) => fleet.driverAssignments.update("assignment-1", { note: "new" }),
  },
  DELETE: { operation: "deleteVehicle", call: ({ fleet }) => fleet.vehicles.delete("vehicle-1") },
};

/** The faults of a first response; the second one has none. */
const faults: Record<string, (ref: ReferenceServer, operation: OperationId) => unknown> = {
  ...Object.fromEntries(
    (["reset", "close", "truncate", "stall", "malformed", "html"] satisfies FaultKind[]).flatMap((kind) =>
      (["before", "after"] satisfies FaultPlace[]).map((at) => [
        `${kind} ${at}`,
        (ref: ReferenceServer, operation: OperationId) => ref.on(operation).fault(kind, { at }).times(1),
      ]),
    ),
  ),
  ...Object.fromEntries(
    [400, 401, 408, 429, 500, 502, 503, 504].map((status) => [
      String(status),
      (ref: ReferenceServer, operation: OperationId) => ref.on(operation).once({ status }),
    ]),
  ),
};

/** A time limit of 60 s ends at the next response that stalls: a busy machine cannot exceed it. */
function runtimeOf({ journal }: ReferenceServer): Runtime {
  const countStalls = () => journal.all().filter(({ fault }) => fault === "stall").length;
  return {
    performance,
    Date,
    Math,
    setTimeout(run, delay) {
      if (delay < 60_000) return setTimeout(run, 0); // the wait before a retry
      const before = countStalls();
      const timer = setInterval(() => {
        if (countStalls() === before) return;
        clearInterval(timer);
        run();
      }, 5);
      return timer;
    },
    clearTimeout: (timer) => clearInterval(timer as NodeJS.Timeout), // of one of the two
  };
}

async function open(transport: Transport | undefined) {
  const served = await serveReference({
    store: { stores: 1 },
    fleet: { vehicles: 5, driverAssignments: 1 },
  });
  const { ref } = served;
  const options = { transport, timeout: 60_000, runtime: runtimeOf(ref) };
  const store = new StoreClient({ ...options, baseUrl: served.storeUrl, token: ref.token });
  const fleet = new FleetClient({ ...options, baseUrl: served.fleetUrl, key: ref.keys[0]?.key ?? "" });
  return { ref, store, fleet };
}

/** The number of requests, the error, `?` if the service may have processed a write, and what was created. */
async function cell(fault: string, { operation, call, countCreated }: OperationClass, transport?: Transport) {
  const { ref, ...clients } = await open(transport);
  faults[fault]?.(ref, operation);
  const outcome = await Promise.resolve(call(clients)).then(
    () => "ok",
    (error: unknown) => {
      const { name, mayHaveBeenProcessed } = error as ConnectionError; // or another error
      return name.replace(/Error|Response|Store|Fleet/g, "") + (mayHaveBeenProcessed ? "?" : "");
    },
  );
  const created = countCreated === undefined ? "" : ` +${countCreated(ref)}`;
  return `${ref.journal.of(operation).length} ${outcome}${created}`;
}

/** Each class of operations by the fault of its first response. */
const table = `
                 | GET   | list  | PUT   | PUT that adds    | POST             | PATCH         | DELETE
400              | 1 Api | 1 Api | 1 Api | 1 Api +0         | 1 Api +0         | 1 Api         | 1 Api
401              | 1 Api | 1 Api | 1 Api | 1 Api +0         | 1 Api +0         | 1 Api         | 1 Api
408              | 2 ok  | 4 ok  | 2 ok  | 1 Api? +0        | 1 Api? +0        | 1 Api?        | 2 ok
429              | 2 ok  | 4 ok  | 2 ok  | 2 ok +1          | 2 ok +1          | 2 ok          | 2 ok
500              | 2 ok  | 4 ok  | 2 ok  | 1 Api? +0        | 1 Api? +0        | 1 Api?        | 2 ok
502              | 2 ok  | 4 ok  | 2 ok  | 1 Api? +0        | 1 Api? +0        | 1 Api?        | 2 ok
503              | 2 ok  | 4 ok  | 2 ok  | 1 Api? +0        | 1 Api? +0        | 1 Api?        | 2 ok
504              | 2 ok  | 4 ok  | 2 ok  | 1 Api? +0        | 1 Api? +0        | 1 Api?        | 2 ok
reset before     | 2 ok  | 4 ok  | 2 ok  | 1 Connection? +0 | 1 Connection? +0 | 1 Connection? | 2 ok
reset after      | 2 ok  | 4 ok  | 2 ok  | 1 Connection? +1 | 1 Connection? +1 | 1 Connection? | 2 Api?
close before     | 2 ok  | 4 ok  | 2 ok  | 1 Connection? +0 | 1 Connection? +0 | 1 Connection? | 2 ok
close after      | 2 ok  | 4 ok  | 2 ok  | 1 Connection? +1 | 1 Connection? +1 | 1 Connection? | 2 Api?
truncate before  | 2 ok  | 4 ok  | 2 ok  | 1 Connection? +0 | 1 Connection? +0 | 1 Connection? | 2 ok
truncate after   | 2 ok  | 4 ok  | 2 ok  | 1 Connection? +1 | 1 Connection? +1 | 1 Connection? | 2 Api?
stall before     | 2 ok  | 4 ok  | 2 ok  | 1 Timeout? +0    | 1 Timeout? +0    | 1 Timeout?    | 2 ok
stall after      | 2 ok  | 4 ok  | 2 ok  | 1 Timeout? +1    | 1 Timeout? +1    | 1 Timeout?    | 2 Api?
malformed before | 2 ok  | 4 ok  | 2 ok  | 1 Unexpected? +0 | 1 Unexpected? +0 | 1 Unexpected? | 2 ok
malformed after  | 2 ok  | 4 ok  | 2 ok  | 1 Unexpected? +1 | 1 Unexpected? +1 | 1 Unexpected? | 2 Api?
html before      | 2 ok  | 4 ok  | 2 ok  | 1 Unexpected? +0 | 1 Unexpected? +0 | 1 Unexpected? | 2 ok
html after       | 2 ok  | 4 ok  | 2 ok  | 1 Unexpected? +1 | 1 Unexpected? +1 | 1 Unexpected? | 2 Api?
`;

describe.each([
  ["fetch", undefined],
  ["undici", nodeTransport],
])("over %s", (_, makeTransport) => {
  it("each class of operations has the documented outcome in each fault", async () => {
    const transport = makeTransport?.();
    onTestFinished(() => transport?.close());
    const rows = [["", ...Object.keys(classes)]];
    for (const fault of Object.keys(faults))
      rows.push([
        fault,
        ...(await Promise.all(Object.values(classes).map((one) => cell(fault, one, transport)))),
      ]);
    const widths = (rows[0] ?? []).map((_name, column) =>
      Math.max(...rows.map((row) => row[column]?.length ?? 0)),
    );
    const lines = rows.map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join(" | ")
        .trimEnd(),
    );
    expect(`\n${lines.join("\n")}\n`).toBe(table);
  });
});
