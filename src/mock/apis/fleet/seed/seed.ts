import type { FleetSeedPlan } from "../options.ts";
import { type FleetData, type FleetRow, fleetResources } from "../data.ts";
import { objectsIn } from "../../../../wire/json.ts";
import { damageSource, inspectionSource, templateSource } from "./inspections.ts";
import { completeRow } from "./own-rows.ts";
import {
  EMPTY_SOURCE,
  type Source,
  type Sources,
  joinSources,
  listSource,
  cacheSource,
  sourceOf,
} from "./sources.ts";
import { assignmentSource, fieldSource, groupSource, vehicleSource } from "./vehicles.ts";

/**
 * Fills one environment with its seed; both begin with the same rows. Everything except the IDs is created on first
 * access.
 */
export function seedFleet(data: FleetData, plan: FleetSeedPlan): void {
  data.archived.clear();
  const sources = sourcesOf(plan);
  for (const resource of fleetResources) {
    const { ids, rowOf } = sources[resource];
    data[resource].seed(ids, (id) => ({ ...rowOf(id), id }));
  }
}

/** A resource comes after the resources that it refers to, so that each reference has a target. */
function sourcesOf(plan: FleetSeedPlan): Sources {
  const vehicles = sourceOf("vehicles", plan, {}, (count) => vehicleSource(plan, count));
  const vehicleGroups = sourceOf("vehicleGroups", plan, {}, groupSource);
  const vehicleFields = sourceOf("vehicleFields", plan, {}, (count) =>
    fieldSource(plan, count, vehicleGroups),
  );
  const fields = cacheSource(vehicleFields);
  const inspectionTemplates = sourceOf("inspectionTemplates", plan, {}, (count) =>
    templateSource(plan, count, { vehicleGroups, vehicleFields: fields }),
  );
  const inspected = { vehicles, inspectionTemplates: cacheSource(inspectionTemplates) };
  const inspections = sourceOf("inspections", plan, inspected, (count) =>
    inspectionSource(plan, count, inspected),
  );
  const driverAssignments = sourceOf("driverAssignments", plan, { vehicles }, (count) =>
    assignmentSource(plan, count, { vehicles }),
  );
  return {
    vehicles,
    vehicleGroups,
    vehicleFields,
    inspectionTemplates,
    driverAssignments,
    ...inspectionsWithDamages(plan, vehicles, inspections),
  };
}

/**
 * The damages of given inspections become rows of `damages`, like those of a submitted inspection. Generated
 * damages belong only to generated inspections.
 */
function inspectionsWithDamages(
  plan: FleetSeedPlan,
  vehicles: Source,
  inspections: Source,
): Pick<Sources, "inspections" | "damages"> {
  const areOwn = Array.isArray(plan.options.inspections);
  const reported = areOwn ? EMPTY_SOURCE : cacheSource(inspections);
  const damages = sourceOf("damages", plan, { vehicles }, (count) =>
    damageSource(plan, count, { vehicles, inspections: reported }),
  );
  if (!areOwn) return { inspections, damages };
  const own = inspections.ids.map(inspections.rowOf);
  return {
    inspections: listSource(own.map(({ damages: _, ...row }) => row)),
    damages: joinSources(damages, listSource(own.flatMap((row, index) => reportedDamages(row, index, plan)))),
  };
}

function reportedDamages(
  { id, performedAt, damages }: FleetRow,
  index: number,
  plan: FleetSeedPlan,
): FleetRow[] {
  return objectsIn(damages).map((damage, damageIndex) => {
    const row = { reportedAt: performedAt, ...damage, inspectionId: id };
    return completeRow(
      "damages",
      row,
      `fleet.inspections[${index}].damages[${damageIndex}]`,
      `${id} ${damageIndex}`,
      plan,
    );
  });
}
