// Walks over the vehicles, fetches several pages at a time, and reports changes of the list during the walk.
//
//   node examples/fleet-walk-concurrency.ts
import { FleetClient } from "../src/index.ts";
import { createReferenceServer } from "../src/mock/index.ts";

const ref = createReferenceServer({ fleet: { vehicles: 500 } });
ref.on("listVehicles").delay(20); // the response time of a remote service

let inFlight = 0;
let maximum = 0;
const fleet = new FleetClient({
  ...ref.fleetOptions,
  hooks: {
    onRequest: () => {
      inFlight += 1;
      maximum = Math.max(maximum, inFlight);
    },
    onResponse: () => {
      inFlight -= 1;
    },
  },
});

for (const concurrency of [1, 8]) {
  maximum = 0;
  const began = performance.now();
  let vehicles = 0;
  for await (const { items, pagination, drift } of fleet.vehicles
    .list({ limit: 25 })
    .pages({ concurrency })) {
    vehicles += items.length;
    for (const change of drift) console.warn(`page ${pagination.currentPage}: ${change.kind} changed`);
  }
  const ms = Math.round(performance.now() - began);
  console.log(`${vehicles} vehicles, at most ${maximum} requests at a time: ${ms} ms`);
}
