/**
 * Random histories of the features and of the simulation, and what is recorded of each: a digest of its requests with headers
 * and bodies, of the pages, items, tokens, errors, events and lines of the log. A change of any of these makes another digest:
 * it is intended, or it is a fault.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { generate } from "../generate.ts";
import { type HistoryResult, runHistory } from "../history.ts";
import type { Scenario } from "../scenario.ts";
import { runWithTwins } from "../twins.ts";
import { sampleHistory } from "./explore.ts";
import type { Feature } from "./feature.ts";
import { features } from "./features.ts";

/** A random history of a feature, or of the simulation. */
interface SampledHistory {
  readonly feature: string;
  readonly data: number;
  readonly seed: number;
}

const random = "random histories";
const randomHistories = 600;
const inputs = /^(wrong input|requests|redirects|a crowd|attempts|changed)/;

function samplesOf(name: string, { enough, samples }: Feature): number {
  if (enough !== undefined) return enough;
  if (samples !== undefined) return 3 * samples;
  if (name.startsWith("changed")) return 3000;
  // many choices, of which few matter to each change
  if (/^(?:redirects$|calls that wait|attempts)/.test(name)) return 2400;
  if (/^(?:any response|malformed|(?:modify|pull|plan and apply|upsertExpositions|ensure)$)/.test(name))
    return 2400;
  return 600;
}

/** The features of single inputs come first. */
const ordered = Object.entries(features).toSorted(
  ([one], [other]) => Number(inputs.test(other)) - Number(inputs.test(one)),
);

/** The same ones in each process. */
export const histories: readonly SampledHistory[] = [
  ...ordered.flatMap(([name, feature]) =>
    Array.from({ length: samplesOf(name, feature) }, (_, number) => ({
      feature: name,
      data: number % feature.data.length,
      seed: Math.floor(number / feature.data.length),
    })),
  ),
  ...Array.from({ length: randomHistories }, (_, number) => ({ feature: random, data: 0, seed: number + 1 })),
];

/** The number of histories of single inputs. */
export const inputCount = histories.filter(({ feature }) => inputs.test(feature)).length;

export interface Run {
  readonly scenario: Scenario;
  readonly result: HistoryResult;
}

export async function runNumber(number: number, hasTwins: boolean): Promise<Run> {
  const { feature, data, seed } = histories[number] as SampledHistory; // callers have the numbers of histories
  if (feature !== random) {
    const { director, result } = await sampleHistory(feature, data, 1 + (seed % 2), seed, hasTwins);
    return { scenario: director.scenario, result };
  }
  const scenario = generate(seed);
  return { scenario, result: await (hasTwins ? runWithTwins : runHistory)(scenario) };
}

/** The rule that a history breaks, or that it is not as recorded. */
export function findProblem(
  number: number,
  { violations, ...result }: HistoryResult,
  digests: Readonly<Record<number, string | undefined>>,
): { readonly kind: "rule" | "record"; readonly text: string } | undefined {
  const { feature } = histories[number] as SampledHistory; // callers have the numbers of histories
  if (violations.length > 0) return { kind: "rule", text: `${feature}: ${violations[0]}` };
  if (digestOf(result) === digests[number]) return undefined;
  return { kind: "record", text: `${feature}: history ${number} is not as recorded` };
}

type Facts = Pick<HistoryResult, "trace" | "exchanges">;

export function digestOf({ trace, exchanges }: Facts): string {
  const sent = exchanges.map(({ request, headers, body, response }) => [request, headers, body, response]);
  return createHash("sha1")
    .update(JSON.stringify([trace, sent]))
    .digest("base64url")
    .slice(0, 4);
}

export function readDigests(file: string): string[] {
  return readFileSync(file, "utf8").split("\n");
}

/** Runs all histories and writes their digests. */
export async function record(file: string): Promise<void> {
  const digests: string[] = [];
  for (const number of histories.keys()) digests.push(digestOf((await runNumber(number, false)).result));
  writeFileSync(file, digests.join("\n"));
}
