/** Runs a feature through all histories within a bound, and leaves those that come to a state that was seen before. */
import { hash } from "node:crypto";
import { fleetGaps, storeGaps } from "../../models/readings.ts";
import type { DirectedRequest, DirectedWorld, Director } from "../director.ts";
import { type HistoryResult, runHistory } from "../history.ts";
import type { RowCounts } from "../rules.ts";
import type { Change, Fault, Scenario, World } from "../scenario.ts";
import { kindOf } from "../shrink.ts";
import { compareTwins } from "../twins.ts";
import { type Tampering, tamperingsOf } from "../tamper.ts";
import { createRandom } from "../../models/random.ts";
import { boundOf, type Choices, DepthFirst, Sampled } from "./choices.ts";
import { type Draft, type Feature, pickWith } from "./feature.ts";
import { features } from "./features.ts";

const gaps: Readonly<Record<string, readonly string[]>> = { ...storeGaps, ...fleetGaps };

/** A reading that the client is configured with. Only random histories have it: it makes all of them twice as many. */
function configure(
  { gaps: asked }: Feature,
  choices: Choices,
  { readings, client }: Draft,
): Pick<Draft, "readings" | "client"> {
  const gap = asked[choices.depart("program", asked.length + 1) - 1];
  const known = gap === undefined ? [] : (gaps[gap] ?? []);
  const reading = known[choices.choose(known.length)];
  if (gap === undefined || reading === undefined || readings?.[gap] !== undefined)
    return { readings, client: client ?? {} };
  return { readings: { ...readings, [gap]: reading }, client: { ...client, configuredGaps: [gap] } };
}

/** Writes down what was chosen, so that the history can be run again from its scenario. */
interface OpenScenario extends Scenario {
  readonly readings: Record<string, string>;
  readonly faults: Record<number, Fault>;
  readonly changes: Record<number, Change>;
  tampering?: Tampering;
}

export class ExploringDirector implements Director {
  readonly scenario: OpenScenario;
  /** Another history came to this state with at least as many departures left. */
  isPruned = false;
  /** The choices of the beginning, as text. */
  readonly #begin: string;
  readonly #feature: Feature;
  readonly #changes: readonly Change[];
  readonly #choices: Choices;
  /** The states that were seen, each with the departures that were left. */
  readonly #seen: Map<string, number> | undefined;
  #world: DirectedWorld | undefined;

  /** @param isWatched the events of the client are compared, which takes as long as the history itself */
  constructor(
    feature: Feature,
    choices: Choices,
    data: number,
    isWatched: boolean,
    seen?: Map<string, number>,
  ) {
    this.#feature = feature;
    this.#choices = choices;
    this.#seen = seen;
    const none: World = { entities: 0, unnamed: 0, protocols: 0, spacing: 5000, pairs: false };
    const world = { ...none, ...feature.data[data] };
    const hooks = isWatched && feature.isUnwatched !== true ? ({ hooks: "watch" } as const) : {};
    const made = feature.make(pickWith(choices), world);
    const { programs, changes, faults } = made;
    const { readings, client } = choices.isRandom ? configure(feature, choices, made) : made;
    this.#begin = JSON.stringify([programs, client, faults, changes]);
    // contacts and expositions are in no response of programs that do not name them
    const used = JSON.stringify(programs).toLowerCase();
    this.#changes = feature.changes.filter(
      (one) =>
        one.kind === "revoke" ||
        !/contacts|expectations|expositions/.test(one.list) ||
        used.includes(one.list),
    );
    this.scenario = {
      api: feature.api,
      seed: 2,
      readings: { ...readings },
      world: { ...world, ...made.world },
      client: { via: "transport", token: "fixed", configuredGaps: [], ...hooks, ...client },
      faults: { ...faults },
      changes: { ...changes },
      programs,
    };
  }

  attach(world: DirectedWorld): void {
    this.#world = world;
  }

  reading(gap: string, planned: string): string {
    const readings = gaps[gap] ?? [planned];
    if (!this.#feature.gaps.includes(gap) || this.scenario.readings[gap] !== undefined) return planned;
    const reading = readings[this.#choices.depart("reading", readings.length)] ?? planned;
    if (reading !== planned) this.scenario.readings[gap] = reading;
    return reading;
  }

  tampering(text: string): Tampering | undefined {
    const possible = tamperingsOf(text);
    const chosen = possible[this.#choices.choose(possible.length)];
    if (chosen !== undefined) this.scenario.tampering = chosen;
    return chosen;
  }

  fault(request: DirectedRequest): Fault | undefined {
    const { number, url } = request;
    const planned = this.scenario.faults[number];
    if (planned !== undefined) return planned;
    if (this.#choices.left === 0) return undefined;
    const { faults } = this.#feature;
    const next = new URL(url);
    const changes = this.#changes.filter((one) => this.#isSeen(one, next));
    const change = changes[this.#choices.depart("change", changes.length + 1) - 1];
    if (change !== undefined) this.scenario.changes[number] = change;
    const possible = faults.filter(({ kind }) => this.#hasEffect(kind, request));
    const fault = possible[this.#choices.depart("fault", possible.length + 1) - 1];
    if (fault !== undefined) this.scenario.faults[number] = fault;
    return fault;
  }

  /** Whether a request can show a change. Otherwise it is the same as before the next request. */
  #isSeen(change: Change, next: URL): boolean {
    if (change.kind === "revoke") return true;
    if (this.#world?.service.placeOf(change, next) === undefined) return false;
    if (this.scenario.programs.length > 1) return true; // a request of another program may be on its way
    const part = /\/(contacts|expectations|expositions)/.exec(next.pathname)?.[1] ?? "stores";
    return change.kind !== "touch" || !parts.has(change.list) || change.list === part;
  }

  /** Whether a fault can change the response. */
  #hasEffect(kind: Fault["kind"], { method, url, mayRepeat }: DirectedRequest): boolean {
    if (method !== "GET") return !readOnly.has(kind);
    if (kind === "stale") return this.#world?.service.writers.length !== 0;
    if (kind === "repeat" || kind === "mixed") return mayRepeat;
    if (kind === "no-items") return this.scenario.world.signed !== true;
    return kind !== "page" || /[?&](cursor|page)=/.test(url);
  }

  change(number: number): Change | undefined {
    return this.scenario.changes[number];
  }

  respond(): void {
    const { left, isNew } = this.#choices;
    if (this.#world === undefined || this.#seen === undefined || !isNew) return;
    const { service, observer } = this.#world;
    const { tampering } = this.scenario;
    const state = JSON.stringify([service.state, service.readings, tampering]);
    const digest = hash("sha1", [state, this.#begin, ...observer.remembered].join("\0"), "base64");
    const before = this.#seen.get(digest) ?? -1;
    this.isPruned = before >= left;
    if (!this.isPruned) this.#seen.set(digest, left);
  }
}

/** A store and its lists, each of which is read by other requests. */
const parts: ReadonlySet<string> = new Set(["stores", "contacts", "expectations", "expositions"]);

/** A replica, another page and another store are faults of reads. */
const readOnly: ReadonlySet<string> = new Set(["stale", "page", "repeat", "mixed", "other"]);

/** The first history that breaks a rule, and how many do. */
export interface Finding {
  readonly violation: string;
  readonly scenario: Scenario;
  times: number;
}

/** The result for a feature with some data. */
export interface Explored {
  readonly feature: string;
  histories: number;
  /** Histories that came to a state which another one had continued. */
  pruned: number;
  states: number;
  /** Seconds of processor time. */
  seconds: number;
  readonly counts: RowCounts;
  /** By the kind of the violation. */
  readonly findings: Map<string, Finding>;
}

/** All histories of a bound, or as many random ones of them. */
export interface Extent {
  readonly bound: number;
  readonly samples?: number;
  readonly seed?: number;
  /** With all data of a feature, as many departures as with the first ones. */
  readonly isWide?: boolean;
}

/** With so many data of a feature, pairs of departures are explored; with the others, one departure less. */
const usualData = 2;

export async function explore(name: string, data: number, extent: Extent): Promise<Explored> {
  const feature = features[name];
  if (feature === undefined) throw new Error(`There is no feature "${name}"`);
  const { bound, seed = 1 } = extent;
  const samples = (extent.samples && Math.min(extent.samples, feature.enough ?? Infinity)) ?? feature.samples;
  const explored: Explored = {
    feature: name,
    histories: 0,
    pruned: 0,
    states: 0,
    seconds: 0,
    counts: {},
    findings: new Map(),
  };
  const cpu = process.cpuUsage();
  const { all: most, ...kinds } = boundOf(bound);
  const isUsual = data < usualData || extent.isWide === true;
  const all = new DepthFirst({ ...kinds, all: isUsual ? most : most - 1 });
  const seen = new Map<string, number>();
  for (let number = 0; number < (samples ?? Infinity); number += 1) {
    const isSampled = samples !== undefined;
    const choices = isSampled
      ? new Sampled(boundOf(bound), createRandom(seed + number * 97 + data), number)
      : all;
    const isWatched = number % each === each / 2;
    const director = new ExploringDirector(feature, choices, data, isWatched, isSampled ? undefined : seen);
    addHistory(explored, director, await runDirected(director, number % each === 0));
    if (samples === undefined && !all.advance()) break;
  }
  explored.states = seen.size;
  const { user, system } = process.cpuUsage(cpu);
  explored.seconds = (user + system) / 1e6;
  return explored;
}

/** Of so many histories, one is run with its twins, and one is watched by hooks. */
const each = 72;

/** Runs the history that a director decides about, and its twins. */
async function runDirected(director: ExploringDirector, hasTwins: boolean): Promise<HistoryResult> {
  const { scenario } = director;
  const result = await runHistory(scenario, director);
  if (!hasTwins || director.isPruned || result.violations.length > 0) return result;
  return { ...result, violations: await compareTwins(scenario, result) };
}

/** One random history of a feature. */
export async function sampleHistory(
  name: string,
  data: number,
  bound: number,
  seed: number,
  hasTwins = true,
): Promise<{ readonly director: ExploringDirector; readonly result: HistoryResult }> {
  const feature = features[name];
  if (feature === undefined) throw new Error(`There is no feature "${name}"`);
  const choices = new Sampled(boundOf(bound), createRandom(seed * 97 + data), seed);
  const director = new ExploringDirector(feature, choices, data, data % 2 === 0);
  return { director, result: await runDirected(director, hasTwins) };
}

function addHistory(
  explored: Explored,
  { isPruned, scenario }: ExploringDirector,
  result: HistoryResult,
): void {
  explored[isPruned ? "pruned" : "histories"] += 1;
  addCounts(explored.counts, result.counts);
  for (const violation of result.violations) {
    const kind = kindOf(violation);
    const finding = explored.findings.get(kind);
    if (finding === undefined)
      explored.findings.set(kind, { violation, scenario: structuredClone(scenario), times: 1 });
    else finding.times += 1;
  }
}

export function addCounts(sum: RowCounts, more: RowCounts): void {
  for (const [id, { held, failed }] of Object.entries(more)) {
    const count = (sum[id] ??= { held: 0, failed: 0 });
    count.held += held;
    count.failed += failed;
  }
}
