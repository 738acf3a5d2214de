import { control } from "../../controls.ts";
import { type Exchange, isOk } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import type { ReadingOf } from "../../gap.ts";
import { Missing } from "../../failures.ts";
import { storesWithProtocols } from "./data.ts";
import { findLabelProperty, instantOf, timeProperties } from "./identity.ts";
import { PROTOCOL_IDS, type RangeReader, readerOf, shiftTime } from "./ranges.ts";

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

/** Whether a precision explains all results, with any reading of `time-range.ends`. */
function explains(precision: Precision): (observed: Observed) => boolean {
  const ends = [true, false].flatMap((hasFrom) => [true, false].map((hasTo) => ({ hasFrom, hasTo })));
  return ({ time, asked }) => {
    const own = cellOf(precision, time);
    return ends.some(({ hasFrom, hasTo }) =>
      asked.every(({ from, to, isFound }) => {
        const [first, last] = [cellOf(precision, from), cellOf(precision, to)] as const;
        const isWithin = (hasFrom ? first <= own : first < own) && (hasTo ? own <= last : own < last);
        return isFound === isWithin;
      }),
    );
  };
}

const PRECISIONS = Object.keys(CELLS) as Precision[];

/** The ranges that the other experiments also send: just around the instant, and shortly after it. */
const CLOSE = [
  [-1, 1],
  [2, 20],
] as const;

/** Ranges around, within and after the cell of each precision, the largest first. */
function widerRanges(time: number): [from: number, to: number][] {
  return PRECISIONS.slice(1)
    .toReversed()
    .flatMap((precision) => {
      const start = cellStart(precision, time);
      const end = start + CELLS[precision].size;
      return [
        [start - 1, end],
        [start, end - 1],
        [end, end + 20],
      ] satisfies [number, number][];
    });
}

/** Sends ranges; `undefined` if one fails, or if no precision explains the results. */
async function askRanges(
  read: RangeReader,
  key: string,
  time: number,
  ranges: readonly (readonly [number, number])[],
): Promise<{ asked: Asked[]; exchanges: Exchange[] } | undefined> {
  const asked: Asked[] = [];
  const exchanges: Exchange[] = [];
  for (const [from, to] of ranges) {
    const { exchange, keys } = await read(textOf(from), textOf(to));
    if (!isOk(exchange)) return undefined;
    exchanges.push(exchange);
    asked.push({ from, to, isFound: keys.includes(key) });
    if (!PRECISIONS.some((precision) => explains(precision)({ time, asked }))) return undefined;
  }
  return { asked, exchanges };
}

/** Sends the close ranges, and the wider ones unless a precision of a millisecond explains the close ones. */
async function findNear(read: RangeReader, key: string, time: number): ReturnType<typeof askRanges> {
  const close = CLOSE.map(([from, to]) => [time + from, time + to] as const);
  const exact = await askRanges(read, key, time, close);
  const isExact = exact?.asked[0]?.isFound === true && exact.asked[1]?.isFound === false;
  return exact === undefined || isExact
    ? exact
    : askRanges(read, key, time, [...close, ...widerRanges(time)]);
}

function textOf(time: number): string {
  return new Date(time).toISOString();
}

/** Whether the ranges of `CLOSE` lie in the second of an instant, and on one side of its half. */
function isInside(time: string): boolean {
  const rest = instantOf(time) % (SECOND / 2);
  return rest > 1 && rest < SECOND / 2 - 20;
}

const NEEDED = "protocols that show the time by which they are found, with a fraction of a second";

export const rangePrecision = experiment<"time-range.precision", Observed>({
  gap: "time-range.precision",
  cost: 3,
  after: ["time-range.ends"],
  needs: NEEDED,
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
        const around = asked.find(({ isFound }) => isFound) ?? { from: time, to: time };
        const { keys } = await again(textOf(around.from), textOf(around.to));
        const isStill = control("a range still contains it", keys.includes(key));
        yield observation(key, { time, asked }, reason, [isBoth, isStill], ...exchanges);
        break;
      }
      yield undefined;
    }
    throw new Missing(NEEDED);
  },
  readings: {
    millisecond: explains("millisecond"),
    second: explains("second"),
    "rounded-second": explains("rounded-second"),
    minute: explains("minute"),
    day: explains("day"),
  },
});
