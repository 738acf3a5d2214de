import { Random } from "../random.ts";
import { type FleetData, type FleetResource, fleetResources } from "./data.ts";
import type { SeedPlan } from "../seed-plan.ts";

/** Fills one environment with its seed; both environments begin alike. */
export function seedFleet(data: FleetData, plan: SeedPlan): void {
  data.archived.clear();
  for (const resource of fleetResources) seedResource(data, resource, plan);
}

function seedResource(data: FleetData, resource: FleetResource, { seed, options }: SeedPlan): void {
  const wanted = options.fleet?.[resource];
  if (Array.isArray(wanted)) {
    data[resource].seed([], () => ({}));
    for (const row of wanted) data[resource].set(String(row.id), structuredClone(row));
    return;
  }
  const count = wanted ?? 10;
  const ids = Array.from({ length: count }, (_, index) => new Random(seed, resource, index).uuid());
  data[resource].seed(ids, (id) => ({ id }));
}
