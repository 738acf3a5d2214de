import type { Shape } from "../core/request/shape.ts";

/** Schemas for what the contract leaves open, of any library that follows Standard Schema. */
export interface FleetShapes {
  vehicle?: Shape | undefined;
  vehicleGroup?: Shape | undefined;
  inspectionSummary?: Shape | undefined;
  damageSummary?: Shape | undefined;
  driverAssignment?: Shape | undefined;
  /** What it puts out is sent, here and in the shapes that follow. */
  vehicleInput?: Shape | undefined;
  vehicleGroupInput?: Shape | undefined;
  inspectionInput?: Shape | undefined;
  inspectionTemplateInput?: Shape | undefined;
  damageInput?: Shape | undefined;
  driverAssignmentInput?: Shape | undefined;
}
