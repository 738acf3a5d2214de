// Walks over the vehicles, several pages at a time, in their order, and tells of changes under the walk.
//
//   node examples/fleet-walk-concurrency.ts
import { FleetClient } from "../src/index.ts";
import { createReferenceServer } from "../src/mock/index.ts";

const ref = createReferenceServer({ fleet: { vehicles: 500 } });
ref.on("listVehicles").delay(20); // as if it were far away

let inFlight = 0;
let most = 0;
const fleet = new FleetClient({
  baseUrl: ref.fleetUrl,
  key: ref.keys[0]?.key ?? "",
  fetch: ref.fetch,
  hooks: {
    onRequest: () => {
      inFlight += 1;
      most = Math.max(most, inFlight);
    },
    onResponse: () => {
      inFlight -= 1;
    },
  },
});

for (const concurrency of [1, 8]) {
  most = 0;
  const began = performance.now();
  let vehicles = 0;
  for await (const { items, pagination, drift } of fleet.vehicles
    .list({ limit: 25 })
    .pages({ concurrency })) {
    vehicles += items.length;
    for (const change of drift) console.warn(`page ${pagination.currentPage}: ${change.kind} changed`);
  }
  const ms = Math.round(performance.now() - began);
  console.log(`${vehicles} vehicles, at most ${most} requests at a time: ${ms} ms`);
}
