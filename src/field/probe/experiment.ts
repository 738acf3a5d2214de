import { type Exchange, lineOf } from "./exchange.ts";
import { type Consent, type OpenGap, type ReadingOf, readingsOf } from "./gap.ts";
import type { ExperimentTools } from "./experiment-tools.ts";

/** An observation with its evidence. */
export interface ExperimentResult<Observed> {
  readonly observed: Observed;
  /** A sentence for the report. */
  readonly reason: string;
  readonly evidence: readonly Exchange[];
  /** True if the observation can have no other cause than the readings that it agrees with. */
  readonly conclusive: boolean;
  /** The source. Two observations with the same source are not independent. */
  readonly source: string;
}

/** An observation, evaluated by the predicates of its gap. */
export interface Observation {
  /** The readings that agree with the observation. */
  readonly fits: readonly string[];
  readonly reason: string;
  readonly evidence: readonly number[];
  readonly conclusive: boolean;
  readonly source: string;
}

/** The definition of an experiment, which decides one gap. */
export interface Definition<Gap extends OpenGap, Observed> {
  readonly gap: Gap;
  readonly consent: Consent;
  /** The usual number of requests of the first observation; the engine orders experiments by it. */
  readonly cost: number;
  /** The approximate share of services that have the data for an observation, from 0 to 1. Default: 1. */
  readonly chance?: number;
  /** The gaps that must be known first. */
  readonly after?: readonly OpenGap[];
  /** The data that the service must have for an observation; the default of the report's `needs`. */
  readonly needs: string;
  /** Examines one response of any request. */
  readonly examine?: (exchange: Exchange) => ExperimentResult<Observed> | undefined;
  /** Sends requests; yields an observation, or nothing if `examine` reads the responses. */
  readonly observe?: (tools: ExperimentTools) => AsyncGenerator<ExperimentResult<Observed> | undefined, void>;
  /** For each reading, whether the observation agrees with it. */
  readonly readings: { readonly [Reading in ReadingOf<Gap>]: (observed: Observed) => boolean };
}

/** A type-erased definition. */
export interface Experiment {
  readonly gap: OpenGap;
  readonly consent: Consent;
  readonly cost: number;
  readonly chance: number;
  readonly after: readonly OpenGap[];
  readonly needs: string;
  readonly examine: (exchange: Exchange) => Observation | undefined;
  readonly observe: (tools: ExperimentTools) => AsyncGenerator<Observation | undefined, void>;
}

/** Creates an experiment from a definition. */
export function experiment<Gap extends OpenGap, Observed>(definition: Definition<Gap, Observed>): Experiment {
  const { gap, consent, cost, chance = 1, after = [], needs, examine, observe } = definition;
  const predicates = definition.readings as Readonly<Record<string, (observed: Observed) => boolean>>;
  const evaluate = ({
    observed,
    reason,
    evidence,
    conclusive,
    source,
  }: ExperimentResult<Observed>): Observation => ({
    fits: readingsOf(gap).filter((reading) => predicates[reading]?.(observed) === true),
    reason,
    evidence: evidence.map(({ n }) => n),
    conclusive,
    source,
  });
  return {
    gap,
    consent,
    cost,
    chance,
    after,
    needs,
    examine: (exchange) => {
      const found = examine?.(exchange);
      return found && evaluate(found);
    },
    observe: async function* run(tools) {
      if (observe === undefined) return;
      for await (const found of observe(tools)) yield found && evaluate(found);
    },
  };
}

/** Creates an observation that others must confirm. */
export function tentativeResult<Observed>(
  observed: Observed,
  reason: string,
  ...evidence: Exchange[]
): ExperimentResult<Observed> {
  return { observed, reason, evidence, conclusive: false, source: sourceOf(evidence) };
}

/** Creates an observation that cannot have another cause. */
export function conclusiveResult<Observed>(
  observed: Observed,
  reason: string,
  ...evidence: Exchange[]
): ExperimentResult<Observed> {
  return { ...tentativeResult(observed, reason, ...evidence), conclusive: true };
}

function sourceOf(evidence: readonly Exchange[]): string {
  return evidence.map((exchange) => `${exchange.as} ${lineOf(exchange)}`).join(", ");
}
