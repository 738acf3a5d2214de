import type { Budget } from "./budget.ts";
import { NoEvidence } from "./failures.ts";
import type { Sandbox } from "./sandbox.ts";
import type { ScratchStore } from "./scratch.ts";
import type { Service } from "./service.ts";

/** The tools of an experiment. */
export interface ExperimentTools {
  readonly store: Service | undefined;
  /** The fleet API with the main key. */
  readonly fleet: Service | undefined;
  readonly sandbox: Service | undefined;
  readonly narrow: readonly Service[];
  /** The store that writes may change. */
  readonly scratch: ScratchStore | undefined;
  /** The writer to the sandbox. */
  readonly sandboxWrites: Sandbox | undefined;
  readonly budget: Budget;
  /** A unique string for names and IDs of this run. */
  readonly marker: string;
  /** Returns a unique UUID. */
  uuid(): string;
  /** Returns the reading of a gap if it is known. */
  reading(gap: string): string | undefined;
}

/** Returns the store API. @throws {NoEvidence} if the run has no store API */
export function storeOf({ store }: ExperimentTools): Service {
  if (store === undefined) throw new NoEvidence("no store API");
  return store;
}

/** Returns the fleet API. @throws {NoEvidence} if the run has no fleet API */
export function fleetOf({ fleet }: ExperimentTools): Service {
  if (fleet === undefined) throw new NoEvidence("no fleet API");
  return fleet;
}
