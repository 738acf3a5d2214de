import { createReferenceServer, type ReferenceServer } from "shelfleet/mock";

/** The damages that each program reports, once each. */
export const damages = Array.from({ length: 12 }, (_, index) => ({
  vehicleId: `vehicle-${index + 1}`,
  description: `D-${index + 1}: scratch on the left door`,
}));

/** Starts a service with data of its own, in the weather that both programs meet. */
export function startService(): ReferenceServer {
  const ref = createReferenceServer({
    now: "system",
    store: { stores: 300, storesWithoutId: 0 },
    fleet: { vehicles: 500, inspections: 250, damages: [] },
    journal: { limit: 0 },
  });
  loseResponses(ref);
  // between the pages of the stores are empty ones; the list continues after them
  ref.on("listStores").paging("empty-page");
  sendCachedPage(ref);
  // somebody deletes a vehicle while the list is read: all later ones move up
  ref
    .on("listVehicles", { query: { page: "2" } })
    .change(() => void ref.state.fleet.vehicles.delete("vehicle-7"))
    .times(1);
  return ref;
}

/** Two damages are created, and the connection breaks before the response; so does one of twenty reads. */
function loseResponses(ref: ReferenceServer): void {
  for (const { description } of [damages[2], damages[7]].filter((damage) => damage !== undefined))
    ref.on("createDamage", { body: { description } }).fault("reset", { at: "after" }).times(1);
  for (const operation of ["listStores", "listVehicles"] as const)
    ref.on(operation).fault("reset", { at: "after" }).rate(0.05);
}

/** A cache on the way answers the request of the third page of inspections with the second page. */
function sendCachedPage(ref: ReferenceServer): void {
  let second: unknown;
  const read = ref.on("listInspections", { query: { page: "2" } });
  read.change(({ body }) => {
    second = body;
    return undefined;
  });
  ref
    .on("listInspections", { query: { page: "3" }, when: () => second !== undefined })
    .change(() => ({ status: 200, body: second }))
    .times(1);
}
