/** A model of the runs of a pull, from docs/sync.md: the time ranges that they read, and the items of their batches. */
import { isDeepStrictEqual } from "node:util";
import type { Exchange } from "./observer.ts";
import type { PullRun, PullStep } from "./scenario.ts";
import { keyOf } from "./truth.ts";
import { pageOf, queryOf } from "./walk-model.ts";

/** The precision that a client assumes without a reading, in ms. */
const precision = 1000;

export interface PulledRun {
  readonly run: PullRun;
  /** The requests of the run. */
  readonly exchanges: readonly Exchange[];
  readonly batches: readonly (readonly object[])[];
  /** The end of the last run that was read to its end. */
  readonly before: number | undefined;
  /** The run continues one that was not finished, which ends there. */
  readonly unfinished: number | undefined;
  /** The items that were saved before the run. */
  readonly saved: readonly object[];
  /** The run was read to its end. */
  readonly isComplete: boolean;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

function rangeOf(exchange: Exchange): Range {
  const query = queryOf(exchange);
  return { from: Date.parse(query.get("from") ?? ""), to: Date.parse(query.get("to") ?? "") };
}

/** The time ranges of a run: from the end of the last one to its own, without a gap. */
export function checkRanges({ since, lateness, limit }: PullStep, pulled: PulledRun): string[] {
  const { run, exchanges, before, unfinished, isComplete } = pulled;
  const ranges = exchanges.map(rangeOf);
  const [first] = ranges;
  if (first === undefined) return [];
  const problems = [];
  const end = unfinished ?? Math.max(run.until, before ?? -Infinity);
  if (ranges.some(({ to }) => to > end)) problems.push(`reads later than ${end}`);
  if (exchanges.some((one) => queryOf(one).get("limit") !== (limit === undefined ? null : String(limit))))
    problems.push("sends another limit");
  if (unfinished !== undefined) return problems;
  if (first.to !== end) problems.push("does not begin with the end of its range");
  const start = before === undefined ? since - precision : before - Math.max(lateness, precision) - precision;
  const earliest = Math.min(...ranges.map(({ from }) => from));
  if (earliest < start || (isComplete && earliest > start))
    problems.push(`begins at ${earliest}, expected ${start}`);
  if (!isComplete) return problems;
  let reached = -Infinity;
  for (const { from, to } of ranges.toSorted((one, other) => one.from - other.from)) {
    if (reached !== -Infinity && from > reached - 2 * precision && reached < end)
      problems.push(`leaves out the time between ${reached} and ${from}`);
    reached = Math.max(reached, to);
  }
  if (reached !== end) problems.push(`ends at ${reached}, expected ${end}`);
  return problems;
}

/** Each batch has the items of a page that were not delivered before in the same form. */
export function checkBatches({ exchanges, batches, saved }: PulledRun): string[] {
  const known = new Map(saved.map((item) => [keyOf(item), JSON.stringify(item)]));
  const pages = exchanges.flatMap((exchange) => pageOf(exchange) ?? []);
  return batches.flatMap((items, index) => {
    const page = pages[index];
    if (page === undefined) return [`has more batches than pages`];
    const fresh = page.items.filter((item) => known.get(keyOf(item)) !== JSON.stringify(item));
    for (const item of page.items) known.set(keyOf(item), JSON.stringify(item));
    return isDeepStrictEqual(items, fresh)
      ? []
      : [`has the batch ${JSON.stringify(items)}, expected ${JSON.stringify(fresh)}`];
  });
}
