import { type Kind, kinds } from "../kinds.ts";
import type { RunKind } from "./tables.ts";

/** The subject of a job. */
export interface Task {
  runId: number;
  /** `stores`: the list of stores, of which a run has one. `fleet`: a resource of the fleet API. */
  kind: Kind | "stores" | "fleet";
  /** An external ID, or the name of a fleet resource; empty for the list of stores. */
  externalId: string;
}

/** The job that lists the stores and adds all others. */
export function listTask(runId: number): Task {
  return { runId, kind: "stores", externalId: "" };
}

/** The lists of the fleet API that are copied, with the tables' names of their rows. */
export const fleetResources = [
  "vehicles",
  "vehicleGroups",
  "inspections",
  "inspectionTemplates",
  "damages",
  "driverAssignments",
] as const;

export type FleetResource = (typeof fleetResources)[number];

/** One job for each list of the fleet API. */
export function fleetTasks(runId: number): Task[] {
  return fleetResources.map((externalId) => ({ runId, kind: "fleet", externalId }));
}

/** The jobs of a store at the start of a run. Fill rates follow when a pull has found something new. */
export function tasksOf(runId: number, runKind: RunKind, externalId: string): Task[] {
  const first = runKind === "sync" ? (["protocols", "photos"] as const) : kinds;
  return first.map((kind) => ({ runId, kind, externalId }));
}
