import type { Shape } from "../shape.ts";

/** Schemas for the objects that the contract leaves open, of any library that implements Standard Schema. */
export interface FleetShapes {
  vehicle?: Shape | undefined;
  vehicleGroup?: Shape | undefined;
  inspectionSummary?: Shape | undefined;
  damageSummary?: Shape | undefined;
  driverAssignment?: Shape | undefined;
  /** The output of this shape and of the input shapes below is sent. */
  vehicleInput?: Shape | undefined;
  vehicleGroupInput?: Shape | undefined;
  inspectionInput?: Shape | undefined;
  inspectionTemplateInput?: Shape | undefined;
  damageInput?: Shape | undefined;
  driverAssignmentInput?: Shape | undefined;
}
