import { FleetClient } from "../../src/index.ts";
import { createReferenceServer } from "../../src/mock/index.ts";

/** A fleet with this number of vehicles, the same each time. */
export function fleetOf(vehicles: number) {
  const ref = createReferenceServer({ fleet: { vehicles } });
  return { ref, fleet: new FleetClient({ ...ref.fleetOptions, retry: 0 }) };
}

/** The same fleet after one vehicle was changed, one deleted and one created. */
export function changedFleet(vehicles: number) {
  const { ref, fleet } = fleetOf(vehicles);
  const { vehicles: rows } = ref.state.fleet;
  const [first = "", second = ""] = rows.keys();
  rows.set(first, { ...rows.get(first), brand: "OTHER" });
  rows.delete(second);
  rows.set("vehicle-9", { id: "vehicle-9", plateNumber: "NEW 9" });
  return { ref, fleet };
}
