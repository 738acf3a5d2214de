import type { Budget } from "./budget.ts";
import { NoEvidence } from "./failures.ts";
import type { Sandbox } from "./sandbox.ts";
import type { ScratchStore } from "./scratch.ts";
import type { Service } from "./service.ts";

/** What experiments work with. */
export interface Lab {
  readonly store: Service | undefined;
  /** The fleet API with the main key. */
  readonly fleet: Service | undefined;
  readonly sandbox: Service | undefined;
  readonly narrow: readonly Service[];
  /** The store that writes may change. */
  readonly scratch: ScratchStore | undefined;
  /** Writes to the sandbox. */
  readonly sandboxWrites: Sandbox | undefined;
  readonly budget: Budget;
  /** A text that nobody else uses, for names and ids of this run. */
  readonly marker: string;
  /** A UUID that nobody else uses. */
  uuid(): string;
  /** The reading of a gap as far as it is known. */
  reading(gap: string): string | undefined;
}

/** The store API. @throws {NoEvidence} if the run has none */
export function storeOf({ store }: Lab): Service {
  if (store === undefined) throw new NoEvidence("no store API");
  return store;
}

/** The fleet API. @throws {NoEvidence} if the run has none */
export function fleetOf({ fleet }: Lab): Service {
  if (fleet === undefined) throw new NoEvidence("no fleet API");
  return fleet;
}
