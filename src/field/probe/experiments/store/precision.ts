import { control } from "../../controls.ts";
import { type Exchange, isOk } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import type { ReadingOf } from "../../gap.ts";
import { storesWithProtocols } from "./data.ts";
import { findLabelProperty, instantOf, timeProperties } from "./identity.ts";
import { PROTOCOL_IDS, type RangeReader, isInside, readerOf, shiftTime } from "./ranges.ts";

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
  readonly time: number;
  readonly asked: readonly Asked[];
}

const PRECISIONS = Object.keys(CELLS) as Precision[]; // its own keys

/** A precision with a reading of `time-range.ends`. */
interface Rule {
  readonly precision: Precision;
  readonly hasFrom: boolean;
  readonly hasTo: boolean;
}

const RULES: readonly Rule[] = PRECISIONS.flatMap((precision) =>
  [true, false].flatMap((hasFrom) => [true, false].map((hasTo) => ({ precision, hasFrom, hasTo }))),
);

/** Whether a range contains an instant under a rule. */
function finds(
  { precision, hasFrom, hasTo }: Rule,
  time: number,
  { from, to }: Omit<Asked, "isFound">,
): boolean {
  const [own, first, last] = [cellOf(precision, time), cellOf(precision, from), cellOf(precision, to)];
  return (hasFrom ? first <= own : first < own) && (hasTo ? own <= last : own < last);
}

/** Returns the rules that explain all results. */
function rulesFor({ time, asked }: Observed): Rule[] {
  return RULES.filter((rule) => asked.every((one) => finds(rule, time, one) === one.isFound));
}

function precisionsOf(rules: readonly Rule[]): Set<Precision> {
  return new Set(rules.map(({ precision }) => precision));
}

function explains(precision: Precision): (observed: Observed) => boolean {
  return (observed) => precisionsOf(rulesFor(observed)).has(precision);
}

type Range = readonly [from: number, to: number];

/** The ranges that the other experiments also send: shortly after the instant, and just around it. */
const CLOSE: readonly Range[] = [
  [2, 20],
  [-1, 1],
];

/** Ranges after, within and around the cell of a precision. The last one contains the instant under every rule. */
function widerRanges(precision: Precision, time: number): Range[] {
  const start = cellStart(precision, time);
  const end = start + CELLS[precision].size;
  return [
    [end, end + 20],
    [start, end - 1],
    [start - 1, end],
  ];
}

/** Returns the range that separates the remaining precisions best, then those of the only one; `undefined` at the end. */
function nextRange(observed: Observed): Range | undefined {
  const { time, asked } = observed;
  const rules = rulesFor(observed);
  const left = precisionsOf(rules);
  const isNew = ([from, to]: Range): boolean => asked.every((one) => one.from !== from || one.to !== to);
  const wider = PRECISIONS.slice(1).toReversed();
  const ranges = wider
    .filter((one) => left.size > 1 || left.has(one))
    .flatMap((one) => widerRanges(one, time));
  if (left.size === 1) return ranges.find(isNew);
  const remaining = ([from, to]: Range): number => {
    const found = rules.filter((rule) => finds(rule, time, { from, to }));
    const others = rules.filter((rule) => !found.includes(rule));
    return Math.max(precisionsOf(found).size, precisionsOf(others).size);
  };
  return ranges.filter(isNew).toSorted((a, b) => remaining(a) - remaining(b))[0];
}

/**
 * Sends the close ranges, and wider ones unless a precision of a millisecond explains the close ones. Returns `undefined`
 * if a request fails, or if no precision explains the results.
 */
async function findNear(
  read: RangeReader,
  key: string,
  time: number,
): Promise<{ asked: readonly Asked[]; exchanges: Exchange[] } | undefined> {
  const asked: Asked[] = [];
  const exchanges: Exchange[] = [];
  const isExact = (): boolean => asked[0]?.isFound === false && asked[1]?.isFound === true;
  for (;;) {
    const close = CLOSE[asked.length];
    const range = close
      ? close.map((shift) => time + shift)
      : isExact()
        ? undefined
        : nextRange({ time, asked });
    if (range === undefined) return { asked, exchanges };
    const [from = time, to = time] = range;
    const { exchange, keys } = await read(textOf(from), textOf(to));
    if (!isOk(exchange)) return undefined;
    exchanges.push(exchange);
    asked.push({ from, to, isFound: keys.includes(key) });
    if (rulesFor({ time, asked }).length === 0) return undefined;
  }
}

function textOf(time: number): string {
  return new Date(time).toISOString();
}

export const rangePrecision = experiment<"time-range.precision", Observed>({
  gap: "time-range.precision",
  cost: 3,
  needs: "protocols that show the time by which they are found, with a fraction of a second",
  assumes: "Protocols and photos are compared with a range in the same way.",
  observe: async function* observe(tools) {
    for await (const { path, rows } of storesWithProtocols(tools, 1)) {
      const property = findLabelProperty(rows, PROTOCOL_IDS);
      if (property === undefined) continue;
      const read = readerOf(tools, path, property);
      const again = readerOf(tools, path, property, { fresh: true });
      for (const name of timeProperties(rows).slice(0, 3)) {
        const row = rows.find((one) => isInside(String(one[name])) && !tools.isSeen(String(one[property])));
        if (row === undefined) continue;
        const [key, time] = [String(row[property]), instantOf(String(row[name]))];
        const found = await findNear(read, key, time);
        if (found === undefined) continue;
        const { asked, exchanges } = found;
        const count = asked.filter(({ isFound }) => isFound).length;
        const reason = `${count} of ${asked.length} ranges near ${shiftTime(String(row[name]), 0)} contain the protocol with this time.`;
        const isBoth = control("others do not contain it", count > 0 && count < asked.length);
        // the last range shows that the protocol was not removed, if it contains it
        const [last = { from: time, to: time, isFound: false }] = asked.slice(-1);
        const { from, to } = asked.findLast(({ isFound }) => isFound) ?? last;
        const isThere = last.isFound || (await again(textOf(from), textOf(to))).keys.includes(key);
        const isStill = control("a range still contains it", isThere);
        yield observation(key, { time, asked }, reason, [isBoth, isStill], ...exchanges);
        break;
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
