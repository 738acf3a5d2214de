import { type Exchange, lineOf } from "./exchange.ts";
import { type Consent, type OpenGap, type ReadingOf, readingsOf } from "./gap.ts";
import type { Lab } from "./lab.ts";

/** An observation with its evidence. */
export interface Sighting<Seen> {
  readonly seen: Seen;
  /** A sentence for the report. */
  readonly because: string;
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
  readonly because: string;
  readonly evidence: readonly number[];
  readonly conclusive: boolean;
  readonly source: string;
}

/** The definition of an experiment, which decides one gap. */
export interface Definition<Gap extends OpenGap, Seen> {
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
  readonly notice?: (exchange: Exchange) => Sighting<Seen> | undefined;
  /** Sends requests; yields an observation, or nothing if `notice` examines the responses. */
  readonly observe?: (lab: Lab) => AsyncGenerator<Sighting<Seen> | undefined, void>;
  /** For each reading, whether the observation agrees with it. */
  readonly readings: { readonly [Reading in ReadingOf<Gap>]: (seen: Seen) => boolean };
}

/** A type-erased definition. */
export interface Experiment {
  readonly gap: OpenGap;
  readonly consent: Consent;
  readonly cost: number;
  readonly chance: number;
  readonly after: readonly OpenGap[];
  readonly needs: string;
  readonly notice: (exchange: Exchange) => Observation | undefined;
  readonly observe: (lab: Lab) => AsyncGenerator<Observation | undefined, void>;
}

/** Creates an experiment from a definition. */
export function experiment<Gap extends OpenGap, Seen>(definition: Definition<Gap, Seen>): Experiment {
  const { gap, consent, cost, chance = 1, after = [], needs, notice, observe } = definition;
  const predicates = definition.readings as Readonly<Record<string, (seen: Seen) => boolean>>;
  const judge = ({ seen, because, evidence, conclusive, source }: Sighting<Seen>): Observation => ({
    fits: readingsOf(gap).filter((reading) => predicates[reading]?.(seen) === true),
    because,
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
    notice: (exchange) => {
      const found = notice?.(exchange);
      return found && judge(found);
    },
    observe: async function* run(lab) {
      if (observe === undefined) return;
      for await (const found of observe(lab)) yield found && judge(found);
    },
  };
}

/** Creates an observation that others must confirm. */
export function sighting<Seen>(seen: Seen, because: string, ...evidence: Exchange[]): Sighting<Seen> {
  return { seen, because, evidence, conclusive: false, source: sourceOf(evidence) };
}

/** Creates an observation that cannot have another cause. */
export function proof<Seen>(seen: Seen, because: string, ...evidence: Exchange[]): Sighting<Seen> {
  return { ...sighting(seen, because, ...evidence), conclusive: true };
}

function sourceOf(evidence: readonly Exchange[]): string {
  return evidence.map((exchange) => `${exchange.as} ${lineOf(exchange)}`).join(", ");
}
