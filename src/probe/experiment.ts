import { type Exchange, lineOf } from "./exchange.ts";
import { type Consent, type OpenGap, type ReadingOf, readingsOf } from "./gap.ts";
import type { Lab } from "./lab.ts";

/** Something that was seen, with its evidence. */
export interface Sighting<Seen> {
  readonly seen: Seen;
  /** One sentence for the report. */
  readonly because: string;
  readonly evidence: readonly Exchange[];
  /** True where the sighting can have no other cause than the readings that it fits. */
  readonly conclusive: boolean;
  /** Two sightings of one source are not independent. */
  readonly source: string;
}

/** A sighting, judged by the predicates of its gap. */
export interface Observation {
  /** The readings that what was seen agrees with. */
  readonly fits: readonly string[];
  readonly because: string;
  readonly evidence: readonly number[];
  readonly conclusive: boolean;
  readonly source: string;
}

/** How one gap is told. */
export interface Definition<Gap extends OpenGap, Seen> {
  readonly gap: Gap;
  readonly consent: Consent;
  /** Requests that the first observation usually takes; the engine orders by it. */
  readonly cost: number;
  /** Roughly how many services have the data that an observation needs, from 0 to 1 (1). */
  readonly chance?: number;
  /** Gaps that have to be known first. */
  readonly after?: readonly OpenGap[];
  /** What the service must have for an observation; the report's `needs` where nothing else is said. */
  readonly needs: string;
  /** Looks at one response of any request. */
  readonly notice?: (exchange: Exchange) => Sighting<Seen> | undefined;
  /** Sends requests; yields a sighting, or nothing where `notice` sees what it sent. */
  readonly observe?: (lab: Lab) => AsyncGenerator<Sighting<Seen> | undefined, void>;
  /** Whether what was seen agrees with each reading. */
  readonly readings: { readonly [Reading in ReadingOf<Gap>]: (seen: Seen) => boolean };
}

/** A definition whose type of sightings is erased. */
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

/** Makes an experiment of a definition. */
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

/** A sighting that further ones have to confirm. */
export function sighting<Seen>(seen: Seen, because: string, ...evidence: Exchange[]): Sighting<Seen> {
  return { seen, because, evidence, conclusive: false, source: sourceOf(evidence) };
}

/** A sighting that cannot have another cause. */
export function proof<Seen>(seen: Seen, because: string, ...evidence: Exchange[]): Sighting<Seen> {
  return { ...sighting(seen, because, ...evidence), conclusive: true };
}

function sourceOf(evidence: readonly Exchange[]): string {
  return evidence.map((exchange) => `${exchange.as} ${lineOf(exchange)}`).join(", ");
}
