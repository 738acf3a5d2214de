import { type Control, isShown } from "./controls.ts";
import { type Exchange, isOk } from "./exchange.ts";
import {
  type Consent,
  type ObservedGap,
  type OpenGap,
  type ReadingOf,
  consentOf,
  readingsOf,
} from "./gap.ts";
import type { ExperimentTools } from "./experiment-tools.ts";
import { isObject, objectOf } from "../../wire/json.ts";
import type { Observation } from "./verdict.ts";
import { type OperationId } from "../routes.ts";

export type { Control };

/** An observation with its evidence and its controls. */
export interface ExperimentResult<Observed> {
  readonly observed: Observed;
  /** A sentence for the report. */
  readonly reason: string;
  readonly evidence: readonly Exchange[];
  /** The entity or the operation that was observed. */
  readonly subject: string;
  readonly controls: readonly [Control, ...Control[]];
}

/** An observation of one response. By default, its subject is the path, and its control is that it is evidence. */
export type Shown<Observed> = Pick<ExperimentResult<Observed>, "observed" | "reason"> &
  Partial<ExperimentResult<Observed>>;

/** The prediction of a reading: the observation, some of its properties, or a function of it. */
export type Prediction<Observed> = Observed | Partial<Observed> | ((observed: Observed) => boolean);

/** An observation of an experiment, or the claim of the control that failed. */
export type Judgment = Observation | { readonly failed: string };

/** The definition of an experiment, which decides one gap. */
export interface Definition<Gap extends ObservedGap, Observed> {
  readonly gap: Gap;
  /** The usual number of requests of the first observation; the engine orders experiments by it. */
  readonly cost: number;
  /** The approximate share of services that have the data for an observation, from 0 to 1. Default: 1. */
  readonly chance?: number;
  /** The gaps that must be known first. */
  readonly after?: readonly OpenGap[];
  /** The data that the service must have for an observation; the default of the report's `needs`. */
  readonly needs: string;
  /** One sentence: the conclusion takes it for granted. */
  readonly assumes: string;
  /** Whether the reading is about all entities, so that it is decided only by observations of two of them. */
  readonly everyEntity?: boolean;
  /** The parts of the question: subjects of which each must be observed before the gap is decided. */
  readonly parts?: readonly string[];
  /**
   * Whether the parts of one service may differ in it: its own errors and those of a gateway, or two lists. A contradiction
   * then does not show several servers.
   */
  readonly mayVary?: boolean;
  /** The operations whose successful responses `examine` reads. Default: it reads every response. */
  readonly shownBy?: readonly OperationId[];
  /** Examines one response of any request. */
  readonly examine?: (exchange: Exchange) => Shown<Observed> | undefined;
  /** Sends requests; yields an observation, or nothing if `examine` reads the responses. */
  readonly observe?: (tools: ExperimentTools) => AsyncGenerator<ExperimentResult<Observed> | undefined, void>;
  /** The prediction of each reading. */
  readonly readings: { readonly [Reading in ReadingOf<Gap>]: Prediction<NoInfer<Observed>> };
}

/** A type-erased definition. */
export interface Experiment<Gap extends ObservedGap = ObservedGap> {
  readonly gap: Gap;
  readonly consent: Consent;
  readonly cost: number;
  readonly chance: number;
  readonly after: readonly OpenGap[];
  readonly needs: string;
  readonly assumes: string;
  readonly everyEntity: boolean;
  readonly parts: readonly string[];
  readonly mayVary: boolean;
  readonly examine: (exchange: Exchange) => Judgment | undefined;
  readonly observe: (tools: ExperimentTools) => AsyncGenerator<Judgment | undefined, void>;
}

/** Creates an experiment from a definition. */
export function experiment<Gap extends ObservedGap, Observed>(
  definition: Definition<Gap, Observed>,
): Experiment<Gap> {
  const {
    chance = 1,
    after = [],
    everyEntity = false,
    parts = [],
    mayVary = false,
    shownBy,
    examine,
    observe,
    readings,
    ...facts
  } = definition;
  const predictions: Readonly<Record<string, Prediction<Observed>>> = readings;
  const judge = ({
    controls,
    observed,
    reason,
    subject,
    ...result
  }: ExperimentResult<Observed>): Judgment => {
    const failed = controls.find(({ holds }) => !holds);
    if (failed !== undefined) return { failed: failed.claim };
    const evidence = result.evidence.map(({ n }) => n);
    const fits = readingsOf(facts.gap).filter((reading) => agrees(predictions[reading], observed));
    const decisive = result.evidence
      .slice(-1)
      .map(({ n, failures, connection }) => ({ n, failures, connection }));
    return { fits, reason, evidence, subject, decisive };
  };
  return {
    ...facts,
    consent: consentOf(facts.gap),
    chance,
    after,
    everyEntity,
    parts,
    mayVary,
    examine: (exchange) => {
      if (shownBy !== undefined && !(isOk(exchange) && shownBy.some((id) => id === exchange.operation)))
        return undefined;
      const found = examine?.(exchange);
      if (found === undefined) return undefined;
      return judge({
        subject: exchange.path,
        controls: [isShown(exchange)],
        evidence: [exchange],
        ...found,
      });
    },
    observe: async function* run(tools) {
      if (observe === undefined) return;
      for await (const found of observe(tools)) yield found && judge(found);
    },
  };
}

function agrees<Observed>(prediction: Prediction<Observed> | undefined, observed: Observed): boolean {
  if (typeof prediction === "function") return (prediction as (value: Observed) => boolean)(observed); // no observation is a function
  if (!isObject(prediction)) return prediction === observed;
  return Object.entries(prediction).every(([name, value]) => objectOf(observed)[name] === value);
}

/**
 * Creates an observation. Its evidence are the exchanges of its controls, unless others are given; the last one is the
 * decisive request.
 */
export function observation<Observed>(
  subject: string,
  observed: Observed,
  reason: string,
  controls: readonly [Control, ...Control[]],
  ...evidence: Exchange[]
): ExperimentResult<Observed> {
  const shown = controls.flatMap(({ exchange }) => exchange ?? []);
  return { subject, observed, reason, controls, evidence: evidence.length > 0 ? evidence : shown };
}
