import type { Budget } from "../sender/budget.ts";
import type { Exchange } from "./exchange.ts";
import { NoEvidence } from "../sender/failures.ts";
import type { Query } from "../sender/sender.ts";
import type { OpenGap, ReadingOf } from "./gap.ts";
import type { Sandbox } from "./sandbox.ts";
import type { ScratchStore } from "./scratch.ts";
import type { ReadOptions, Service } from "./service.ts";
import type { Evaluation } from "./verdict.ts";

/** The knowledge of a run about a gap. */
export interface KnownGap {
  readonly gap: OpenGap;
  /** Whether its experiment can find nothing more. */
  readonly isDone: boolean;
  readonly evaluation: Evaluation;
}

/** A time range as a query has it. */
export type Range = Readonly<Record<"from" | "to", string>>;

/** Requests a range and returns the keys of what it contains. */
export type RangeReader = (
  from: string,
  to: string,
) => Promise<{ exchange: Exchange; keys: readonly string[] }>;

/** The tools of all experiments of a run. */
export interface RunTools {
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
  /** The longest range that each operation accepted. */
  readonly ranges: Map<string, Range>;
  /** Returns a unique UUID. */
  uuid(): string;
  /** Returns the investigation of a gap. */
  find(gap: string): KnownGap | undefined;
}

/** Returns the service of each API and key. */
export function servicesOf({ store, fleet, sandbox, narrow }: RunTools): Service[] {
  return [store, fleet, sandbox, ...narrow].filter((service) => service !== undefined);
}

/** The tools of one experiment. */
export interface ExperimentTools extends RunTools {
  /** Readings are found in round 1 and confirmed in the later ones. */
  readonly round: number;
  /** Sends the request that decides. */
  ask(service: Service, path: string, query?: Query, options?: ReadOptions): Promise<Exchange>;
  /** Returns the reading of a gap, which the conclusion then depends on. */
  premise<Gap extends OpenGap>(gap: Gap): ReadingOf<Gap> | undefined;
  /** Whether an earlier observation of this experiment has this subject. */
  isSeen(subject: string): boolean;
  /** Makes something once in each round, for all experiments that need it. */
  once<Made>(name: string, make: () => Promise<Made>): Promise<Made>;
}

/** Returns the reading of a gap as a hint: the conclusion must hold under every reading of it. */
export function hintOf<Gap extends OpenGap>(tools: RunTools, gap: Gap): ReadingOf<Gap> | undefined {
  return readingIn(tools.find(gap), gap);
}

/** Returns the reading that an investigation of a gap found. */
export function readingIn<Gap extends OpenGap>(
  found: KnownGap | undefined,
  _gap: Gap,
): ReadingOf<Gap> | undefined {
  return found?.evaluation.reading as ReadingOf<Gap> | undefined; // a reading of the investigation's gap
}

/** Returns the store API. @throws {NoEvidence} if the run has no store API */
export function storeOf({ store }: RunTools): Service {
  if (store === undefined) throw new NoEvidence("no store API");
  return store;
}

/** Returns the fleet API. @throws {NoEvidence} if the run has no fleet API */
export function fleetOf({ fleet }: RunTools): Service {
  if (fleet === undefined) throw new NoEvidence("no fleet API");
  return fleet;
}

/** Returns entities in their order, those without an observation first. */
export function unseenFirst<Subject extends string>(
  tools: ExperimentTools,
  subjects: readonly Subject[],
): Subject[] {
  return subjects.toSorted((a, b) => Number(tools.isSeen(a)) - Number(tools.isSeen(b)));
}

/** Returns the parts of a question without an observation; the later rounds repeat all of them. */
export function openParts<Part extends string>(tools: ExperimentTools, parts: readonly Part[]): Part[] {
  return parts.filter((part) => !tools.isSeen(part));
}

/** Returns the parts of a question without an observation, with what is sent for each. */
export function openEntries<Sent>(
  tools: ExperimentTools,
  parts: Readonly<Record<string, Sent>>,
): [part: string, sent: Sent][] {
  return Object.entries(parts).filter(([part]) => !tools.isSeen(part));
}
