/**
 * Rules about the promises of docs/guarantees.md: whether a row is about a step, whether its assumption held, and whether a
 * client can notice if it does not. A step that breaks its promise is a violation unless an assumption failed that no
 * client can notice, and so is an error without a failed assumption and without a fault.
 */
import {
  ApiError,
  ConfigurationError,
  InvalidRequestError,
  PaginationError,
  WriteError,
} from "../../src/index.ts";
import { rows } from "./rows.ts";
import type { SimulatedWorld } from "./client.ts";
import type { Change, Fault, Scenario, Step } from "./scenario.ts";
import type { Truth } from "./truth.ts";

/** The facts about a step that has ended. */
export interface Facts {
  readonly step: Step;
  readonly scenario: Scenario;
  readonly readings: Readonly<Record<string, string>>;
  /** The changes by other writers during the step. */
  readonly changes: readonly Change[];
  /** The faults of its requests. */
  readonly faults: readonly Fault["kind"][];
  /** Somebody else than the service responded with 404. */
  readonly isGateway: boolean;
  /** Its list: the number of items at the start, and whether the list gained or lost some. */
  readonly list: Pick<Truth, "size" | "added" | "removed"> | undefined;
}

export interface Row {
  /** Whether the row promises something about the step. */
  readonly applies: (facts: Facts) => boolean;
  /** Whether its assumption held. */
  readonly holds: (facts: Facts) => boolean;
  /** Whether a client cannot notice that it did not hold. */
  readonly isSilent?: (facts: Facts) => boolean;
}

/** The number of times that the assumption of each row held and failed. */
export type RowCounts = Record<string, { held: number; failed: number }>;

export interface BegunStep {
  readonly step: Step;
  readonly name: string;
  readonly changes: number;
  readonly list?: Truth;
}

export function beginStep({ service }: SimulatedWorld, step: Step, name: string): BegunStep {
  return { step, name, changes: service.changes.length };
}

export function factsOf(world: SimulatedWorld, { step, name, changes, list }: BegunStep): Facts {
  const { scenario, service, observer } = world;
  const exchanges = observer.exchanges.filter(
    ({ call }) => call === name || call.startsWith(`${name}.`) || call.startsWith(`${name}-`),
  );
  return {
    step,
    list,
    isGateway: exchanges.some(({ fault }) => fault?.kind === "status" && fault.status === 404),
    scenario,
    readings: service.readings,
    changes: service.changes.slice(changes),
    faults: exchanges.flatMap(({ fault }) => (fault === undefined ? [] : [fault.kind])),
  };
}

/** Counts the rows about a step, and compares how it ended with what they promise. */
export function judge(
  world: SimulatedWorld,
  begun: BegunStep,
  problems: readonly string[],
  error: unknown,
): void {
  const { observer } = world;
  const facts = factsOf(world, begun);
  const about = Object.entries(rows).filter(([, { applies }]) => applies(facts));
  const failed = about.filter(([, { holds }]) => !holds(facts));
  for (const [id, { holds }] of about) {
    const count = (world.counts[id] ??= { held: 0, failed: 0 });
    count[holds(facts) ? "held" : "failed"] += 1;
  }
  if (observer.isGarbled) return;
  const isExcused = failed.some(([, { isSilent }]) => isSilent?.(facts) ?? false);
  const ids = about.map(([id]) => id).join(", ");
  if (!isExcused) for (const problem of problems) observer.violate(`${begun.name} ${problem} (rows ${ids})`);
  if (error !== undefined && failed.length === 0 && isUnfounded(world, facts, error))
    observer.violate(`${begun.name} rejected without a reason (rows ${ids}): ${describeError(error)}`);
  const isAboutInput = error instanceof InvalidRequestError || error instanceof ConfigurationError;
  if (isAboutInput && !hasWrongInput(facts))
    observer.violate(`${begun.name} refuses right input: ${describeError(error)}`);
}

/** Whether a client may refuse what the program gave it. */
function hasWrongInput({ step, scenario, readings }: Facts): boolean {
  if (scenario.client.token === "switched") return true;
  switch (step.do) {
    case "walk":
      return [step.changed, step.otherPath, step.elsewhere, step.isTampered].some(
        (wrong) => wrong !== undefined,
      );
    case "pull":
      return step.runs.some(
        ({ other, isTampered, until }) =>
          other !== undefined || isTampered !== undefined || until < step.since,
      );
    case "plan":
      return step.source !== undefined;
    case "write":
      return (
        JSON.stringify(step.desired).includes("[".repeat(500)) ||
        (step.method === "expositions.modify" && step.how === "remove") ||
        (step.method === "upsertExpositions" && readings["lists.duplicates"] === "kept") ||
        (step.method === "upsertExpositions" &&
          scenario.client.configuredGaps.includes("expositions.matching"))
      );
    case "mirror":
      return step.runs.some(({ other }) => other === true);
    default:
      return false;
  }
}

/** Nothing went wrong, and nothing is ambiguous. */
function isUnfounded({ scenario, network }: SimulatedWorld, facts: Facts, error: unknown): boolean {
  const isOwn =
    error instanceof PaginationError || error instanceof WriteError || error instanceof InvalidRequestError;
  if (!isOwn && !(error instanceof ApiError)) return false;
  const isPlayed = (reading: string): boolean => Object.values(facts.readings).includes(reading);
  const isRefused = ["reject", "rejected", "invalid", "not-found"].some(isPlayed);
  if (error instanceof ApiError && (isRefused || error.status === 429)) return false;
  return scenario.programs.length === 1 && facts.faults.length + network.changes === 0;
}

function describeError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : "not an error";
}
