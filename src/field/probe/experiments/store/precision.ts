import { control } from "../../controls.ts";
import { type Exchange, isOk } from "../../exchange.ts";
import { type ExperimentResult, experiment, observation } from "../../experiment.ts";
import type { ExperimentTools, RangeReader } from "../../experiment-tools.ts";
import type { ReadingOf } from "../../gap.ts";
import { instantOf } from "./identity.ts";
import { readerOf, simplestRow, timesIn } from "./range-reader.ts";
import { instantsOfRates } from "./ranges.ts";
import { RATED } from "./store-times.ts";
import { TIMED, timedLists } from "./timed-lists.ts";

type Precision = ReadingOf<"time-range.precision">;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/** The instants that a precision does not tell apart: those of one cell. */
const CELLS: Readonly<Record<Precision, { readonly size: number; readonly offset: number }>> = {
  millisecond: { size: 1, offset: 0 },
  second: { size: SECOND, offset: 0 },
  "rounded-second": { size: SECOND, offset: SECOND / 2 },
  minute: { size: MINUTE, offset: 0 },
  day: { size: DAY, offset: 0 },
};

/** Returns the number of the cell of an instant. */
function cellOf(precision: Precision, time: number): number {
  const { size, offset } = CELLS[precision];
  return Math.floor((time + offset) / size);
}

/** Returns the first instant of the cell that contains another one. */
function cellStart(precision: Precision, time: number): number {
  const { size, offset } = CELLS[precision];
  return cellOf(precision, time) * size - offset;
}

type Range = readonly [from: number, to: number];

/** A range, and whether it contains the instant. */
interface Asked {
  readonly from: number;
  readonly to: number;
  readonly isFound: boolean;
}

interface Observed {
  /** The times that a protocol shows; the service compares one of them. */
  readonly times: readonly number[];
  readonly asked: readonly Asked[];
}

const PRECISIONS = Object.keys(CELLS) as Precision[]; // its own keys

/** A time that is compared with a precision, and a reading of `time-range.ends`. */
interface Rule {
  readonly time: number;
  readonly precision: Precision;
  readonly hasFrom: boolean;
  readonly hasTo: boolean;
}

/** Whether a range contains the time of a rule. */
function finds({ time, precision, hasFrom, hasTo }: Rule, [from, to]: Range): boolean {
  const [own, first, last] = [cellOf(precision, time), cellOf(precision, from), cellOf(precision, to)];
  return (hasFrom ? first <= own : first < own) && (hasTo ? own <= last : own < last);
}

/** Returns the rules that explain all results. */
function rulesFor({ times, asked }: Observed): Rule[] {
  const both = [true, false];
  const rules = times.flatMap((time) =>
    PRECISIONS.flatMap((precision) =>
      both.flatMap((hasFrom) => both.map((hasTo) => ({ time, precision, hasFrom, hasTo }))),
    ),
  );
  return rules.filter((rule) => asked.every(({ from, to, isFound }) => finds(rule, [from, to]) === isFound));
}

function precisionsOf(rules: readonly Rule[]): Set<Precision> {
  return new Set(rules.map(({ precision }) => precision));
}

function explains(precision: Precision): (observed: Observed) => boolean {
  return (observed) => precisionsOf(rulesFor(observed)).has(precision);
}

/**
 * Returns ranges after, within and around the cell of a precision; those within it end before the time or begin after it.
 * The last one contains the time under every rule.
 */
function rangesAround({ precision, time }: Rule): readonly Range[] {
  const start = cellStart(precision, time);
  const end = start + CELLS[precision].size;
  const around: Range = [start - 1, end];
  // a millisecond contains one instant; other experiments also send these ranges
  if (precision === "millisecond") return [[time + 2, time + 20], around];
  return [[end, end + 20], [start, time - 2], [time + 2, end - 1], around];
}

/** A millisecond is the usual precision. */
const MILLISECOND_WEIGHT = 4;

/** Returns the entropy of rules in bits, times their weight. That of their precisions counts twice. */
function entropyOf(rules: readonly Rule[]): number {
  const weigh = (some: readonly Rule[]): number =>
    some.reduce((sum, { precision }) => sum + (precision === "millisecond" ? MILLISECOND_WEIGHT : 1), 0);
  const total = weigh(rules);
  const groups = [
    ...rules.map((rule) => [rule]),
    ...Map.groupBy(rules, ({ precision }) => precision).values(),
  ];
  return groups.map(weigh).reduce((sum, weight) => sum - weight * Math.log2(weight / total), 0);
}

/** Returns the range that separates the remaining rules best; `undefined` if one precision remains, or none separates them. */
function separatingRange(times: readonly number[], rules: readonly Rule[]): Range | undefined {
  if (precisionsOf(rules).size === 1) return undefined;
  const edges = times.flatMap((time) =>
    PRECISIONS.flatMap((precision) => {
      const start = cellStart(precision, time);
      return [start - 1, start + CELLS[precision].size];
    }),
  );
  const ranges = edges.flatMap((from) => edges.filter((to) => to > from).map((to): Range => [from, to]));
  const [best] = ranges
    .map((range) => {
      const [found = [], others = []] = [true, false].map((isFound) =>
        rules.filter((rule) => finds(rule, range) === isFound),
      );
      return { range, entropy: entropyOf(found) + entropyOf(others) };
    })
    .toSorted((a, b) => a.entropy - b.entropy);
  return best !== undefined && best.entropy < entropyOf(rules) ? best.range : undefined;
}

/**
 * Sends ranges until one precision remains, or none explains the results; if it is thorough, also those around the cell of the
 * only one. Returns `undefined` if a request fails.
 */
async function findNear(
  read: RangeReader,
  key: string,
  times: readonly number[],
  isThorough: boolean,
): Promise<{ asked: readonly Asked[]; exchanges: Exchange[] } | undefined> {
  const asked: Asked[] = [];
  const exchanges: Exchange[] = [];
  for (;;) {
    const rules = rulesFor({ times, asked });
    const isBoth = new Set(asked.map(({ isFound }) => isFound)).size > 1;
    const around = isThorough || !isBoth ? rules.flatMap(rangesAround) : [];
    const isNew = ([from, to]: Range): boolean =>
      asked.every((range) => range.from !== from || range.to !== to);
    const range = rules.length === 0 ? undefined : (separatingRange(times, rules) ?? around.find(isNew));
    if (range === undefined) return { asked, exchanges };
    const [from, to] = range;
    const { exchange, keys } = await read(textOf(from), textOf(to));
    if (!isOk(exchange)) return undefined;
    exchanges.push(exchange);
    asked.push({ from, to, isFound: keys.includes(key) });
  }
}

function textOf(time: number): string {
  return new Date(time).toISOString();
}

const OF_RATES = "fill rates";

/** Reads fill rates in ranges of a few milliseconds around and after an instant. */
async function* precisionOfRates(
  tools: ExperimentTools,
): AsyncGenerator<ExperimentResult<Observed> | undefined, void> {
  for await (const { read, instant } of instantsOfRates(tools)) {
    const time = instantOf(instant);
    const asked: Asked[] = [];
    const exchanges: Exchange[] = [];
    for (const [from, to] of [
      [time + 2, time + 20],
      [time - 1, time + 1],
    ] as const) {
      const { exchange, keys } = await read(textOf(from), textOf(to));
      exchanges.push(exchange);
      asked.push({ from, to, isFound: keys.includes(RATED) });
    }
    yield undefined;
    const [after, around] = asked;
    // other photos may be close to this one, or the fill rates are found by another instant
    if (after?.isFound !== false || around?.isFound !== true) continue;
    const reason = "Fill rates are in a range around an instant, and not in one 2 ms later.";
    const isEach = control("both ranges succeed", exchanges.every(isOk));
    yield observation(OF_RATES, { times: [time], asked }, reason, [isEach], ...exchanges);
    return;
  }
}

export const rangePrecision = experiment<"time-range.precision", Observed>({
  gap: "time-range.precision",
  cost: 3,
  needs: "protocols that show the time by which they are found, with a fraction of a second",
  assumes: "All fill rates are compared with a range in the same way.",
  // those of a service with less precision are not observed
  parts: [...TIMED, OF_RATES],
  observe: async function* observe(tools) {
    for await (const { list, path, rows, property } of timedLists(tools)) {
      const read = readerOf(tools, path, rows, property);
      const again = readerOf(tools, path, rows, property, { fresh: true });
      const row = simplestRow(rows);
      if (row === undefined) continue;
      const times = timesIn(row).map(instantOf);
      const key = String(row[property]);
      const found = await findNear(read, key, times, tools.round > 1);
      if (found !== undefined) {
        const { asked, exchanges } = found;
        const count = asked.filter(({ isFound }) => isFound).length;
        const reason = `${count} of ${asked.length} ranges near the times of a protocol contain it.`;
        const observed = { times, asked };
        const isExplained = control("a precision explains the ranges", rulesFor(observed).length > 0);
        const isBoth = control("others do not contain it", count > 0 && count < asked.length);
        // the last range shows that the protocol was not removed, if it contains it
        const shown = asked.findLast(({ isFound }) => isFound);
        const isAgain = isExplained.holds && shown !== undefined && shown !== asked.at(-1);
        const isThere = !isAgain || (await again(textOf(shown.from), textOf(shown.to))).keys.includes(key);
        const isStill = control("a range still contains it", isThere);
        yield observation(list, observed, reason, [isExplained, isBoth, isStill], ...exchanges);
        if (tools.round > 1) break;
      }
      yield undefined;
    }
    // the first round asks as little as possible
    if (tools.round > 1 && !tools.isSeen(OF_RATES)) yield* precisionOfRates(tools);
  },
  readings: {
    millisecond: explains("millisecond"),
    second: explains("second"),
    "rounded-second": explains("rounded-second"),
    minute: explains("minute"),
    day: explains("day"),
  },
});
