import type { JsonObject } from "../../../../../generated/fleet.ts";
import type { SeedPlan } from "../../../seed/seed-plan.ts";
import { type FleetData, fleetResources } from "../data.ts";
import { objectsIn } from "../members.ts";
import { damageSource, inspectionSource, templateSource } from "./inspections.ts";
import { ownRow } from "./own-rows.ts";
import { NOTHING, type Source, type Sources, joined, listed, remembered, sourceOf } from "./sources.ts";
import { assignmentSource, fieldSource, groupSource, vehicleSource } from "./vehicles.ts";

/** Fills one environment with its seed; both begin alike. Everything but the ids is made when it is looked at. */
export function seedFleet(data: FleetData, plan: SeedPlan): void {
  data.archived.clear();
  const sources = sourcesOf(plan);
  for (const resource of fleetResources) {
    const { ids, rowOf } = sources[resource];
    data[resource].seed(ids, rowOf);
  }
}

/** What refers to another resource comes after it, so that each reference leads somewhere. */
function sourcesOf(plan: SeedPlan): Sources {
  const vehicles = sourceOf("vehicles", plan, {}, (count) => vehicleSource(plan, count));
  const vehicleGroups = sourceOf("vehicleGroups", plan, {}, groupSource);
  const vehicleFields = sourceOf("vehicleFields", plan, {}, (count) =>
    fieldSource(plan, count, vehicleGroups),
  );
  const fields = remembered(vehicleFields);
  const inspectionTemplates = sourceOf("inspectionTemplates", plan, {}, (count) =>
    templateSource(plan, count, { vehicleGroups, vehicleFields: fields }),
  );
  const inspected = { vehicles, inspectionTemplates: remembered(inspectionTemplates) };
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
 * The damages that the caller's own inspections carry become rows of `damages`, as those of a submitted inspection do.
 * Damages that are made up belong to inspections that are made up alone.
 */
function inspectionsWithDamages(
  plan: SeedPlan,
  vehicles: Source,
  inspections: Source,
): Pick<Sources, "inspections" | "damages"> {
  const areOwn = Array.isArray(plan.options.fleet?.inspections);
  const reported = areOwn ? NOTHING : remembered(inspections);
  const damages = sourceOf("damages", plan, { vehicles }, (count) =>
    damageSource(plan, count, { vehicles, inspections: reported }),
  );
  if (!areOwn) return { inspections, damages };
  const own = inspections.ids.map(inspections.rowOf);
  return {
    inspections: listed(own.map(({ damages: _, ...row }) => row)),
    damages: joined(damages, listed(own.flatMap((row, index) => reportedDamages(row, index, plan)))),
  };
}

function reportedDamages(
  { id, performedAt, damages }: JsonObject,
  index: number,
  plan: SeedPlan,
): JsonObject[] {
  return objectsIn(damages).map((damage, at) => {
    const row = { reportedAt: performedAt, ...damage, inspectionId: id };
    return ownRow("damages", row, `fleet.inspections[${index}].damages[${at}]`, `${String(id)} ${at}`, plan);
  });
}
