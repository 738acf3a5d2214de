import type { JsonObject } from "../../../../../generated/fleet.ts";
import type { FleetResource } from "../data.ts";

/** Rows of the fleet API by resource, each with its ID, in the order of the lists. */
export type ExportedRows = { [Resource in FleetResource]?: JsonObject[] };

/** The data of one environment of the fleet API as JSON. */
export type ExportedFleet = ExportedRows & {
  /** The deleted rows, which some readings still show. */
  archived?: ExportedRows;
};
