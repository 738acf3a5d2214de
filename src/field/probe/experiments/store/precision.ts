import { control } from "../../controls.ts";
import { type Exchange, isOk } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import type { ReadingOf } from "../../gap.ts";
import { instantOf } from "./identity.ts";
import { type RangeReader, readerOf, simplestRow, timesIn } from "./ranges.ts";
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
function finds({ time, precision, hasFrom, hasTo }: Rule, { from, to }: Omit<Asked, "isFound">): boolean {
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
  return rules.filter((rule) => asked.every((range) => finds(rule, range) === range.isFound));
}

function precisionsOf(rules: readonly Rule[]): Set<Precision> {
  return new Set(rules.map(({ precision }) => precision));
}

function explains(precision: Precision): (observed: Observed) => boolean {
  return (observed) => precisionsOf(rulesFor(observed)).has(precision);
}

type Range = readonly [from: number, to: number];

/** Returns the ranges that the other experiments also send: shortly after a time, and just around it. */
function closeRanges(time: number): readonly [Range, Range] {
  return [
    [time + 2, time + 20],
    [time - 1, time + 1],
  ];
}

/** Returns ranges after, within and around the cell of a precision. The last one contains the time under every rule. */
function rangesOf({ precision, time }: Pick<Rule, "precision" | "time">): readonly Range[] {
  if (precision === "millisecond") return closeRanges(time);
  const start = cellStart(precision, time);
  const end = start + CELLS[precision].size;
  return [
    [end, end + 20],
    [start, end - 1],
    [start - 1, end],
  ];
}

/** Returns the range that separates the remaining rules best, then those of the only precision; `undefined` at the end. */
function nextRange(observed: Observed): Range | undefined {
  const rules = rulesFor(observed);
  const isNew = ([from, to]: Range): boolean =>
    observed.asked.every((range) => range.from !== from || range.to !== to);
  const ranges = rules.flatMap(rangesOf).filter(isNew);
  if (precisionsOf(rules).size === 1) return ranges[0];
  const sizes = Map.groupBy(rules, ({ precision }) => precision);
  const weight = (rule: Rule): number => 1 / (sizes.get(rule.precision)?.length ?? 1);
  const remaining = ([from, to]: Range): number => {
    const found = rules.filter((rule) => finds(rule, { from, to })).reduce((sum, r) => sum + weight(r), 0);
    return Math.max(found, sizes.size - found);
  };
  return ranges.toSorted((a, b) => remaining(a) - remaining(b))[0];
}

/**
 * Sends the close ranges of the first time, and wider ones unless a precision of a millisecond explains the close ones.
 * Returns `undefined` if a request fails, or if no precision explains the results.
 */
async function findNear(
  read: RangeReader,
  key: string,
  times: readonly [number, ...number[]],
): Promise<{ asked: readonly Asked[]; exchanges: Exchange[] } | undefined> {
  const asked: Asked[] = [];
  const exchanges: Exchange[] = [];
  const isExact = (): boolean => asked[0]?.isFound === false && asked[1]?.isFound === true;
  for (;;) {
    // a range shortly after the time that contains it already excludes a millisecond
    const close = asked[0]?.isFound === true ? undefined : closeRanges(times[0])[asked.length];
    const range = close ?? (isExact() ? undefined : nextRange({ times, asked }));
    if (range === undefined) return { asked, exchanges };
    const [from, to] = range;
    const { exchange, keys } = await read(textOf(from), textOf(to));
    if (!isOk(exchange)) return undefined;
    exchanges.push(exchange);
    asked.push({ from, to, isFound: keys.includes(key) });
    if (rulesFor({ times, asked }).length === 0) return undefined;
  }
}

function textOf(time: number): string {
  return new Date(time).toISOString();
}

export const rangePrecision = experiment<"time-range.precision", Observed>({
  gap: "time-range.precision",
  cost: 4,
  needs: "protocols that show the time by which they are found, with a fraction of a second",
  assumes: "Fill rates are compared with a range like protocols and photos.",
  parts: TIMED,
  observe: async function* observe(tools) {
    for await (const { list, path, rows, property } of timedLists(tools)) {
      const read = readerOf(tools, path, rows, property);
      const again = readerOf(tools, path, rows, property, { fresh: true });
      const row = simplestRow(rows);
      if (row === undefined) continue;
      const [time = 0, ...others] = timesIn(row).map(instantOf);
      const key = String(row[property]);
      const found = await findNear(read, key, [time, ...others]);
      if (found !== undefined) {
        const { asked, exchanges } = found;
        const count = asked.filter(({ isFound }) => isFound).length;
        const reason = `${count} of ${asked.length} ranges near the times of a protocol contain it.`;
        const isBoth = control("others do not contain it", count > 0 && count < asked.length);
        // the last range shows that the protocol was not removed, if it contains it
        const [last = { from: time, to: time, isFound: false }] = asked.slice(-1);
        const { from, to } = asked.findLast(({ isFound }) => isFound) ?? last;
        const isThere = last.isFound || (await again(textOf(from), textOf(to))).keys.includes(key);
        const isStill = control("a range still contains it", isThere);
        const observed = { times: [time, ...others], asked };
        yield observation(list, observed, reason, [isBoth, isStill], ...exchanges);
        if (tools.round > 1) return;
      }
      yield undefined;
    }
  },
  readings: {
    millisecond: explains("millisecond"),
    second: explains("second"),
    "rounded-second": explains("rounded-second"),
    minute: explains("minute"),
    day: explains("day"),
  },
});
