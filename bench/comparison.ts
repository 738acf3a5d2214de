import { isSlope } from "./growth.ts";
import type { JsonRow, Result } from "./result.ts";
import { planOf } from "./rows/table.ts";
import { difference, figure, isRatio, type Spread } from "./statistics.ts";

/** A contender's ratio to shelfleet in two runs; for exponents of growth, which have no ratio, the exponents. */
export interface Pair {
  id: string;
  name: string;
  a: Spread | undefined;
  b: Spread | undefined;
  agrees: boolean;
}

/** The change of an exponent that a difference at both ends of two decades of work may cause. */
const slopeTolerance = Math.log10(difference);

/** A row whose target was met in only one of the runs. */
const flippedTargets = (a: Result, b: Result): string[] =>
  a.rows
    .filter(({ id, met }) => b.rows.some((other) => other.id === id && other.met !== met))
    .map(({ id }) => id);

export function compareResults(a: Result, b: Result): { pairs: Pair[]; flips: string[] } {
  const ids = new Set([...a.rows, ...b.rows].map(({ id }) => id));
  const pairs = [...ids].flatMap((id) => {
    const [first, second] = [figuresOf(a, id), figuresOf(b, id)];
    const names = new Set([...first.keys(), ...second.keys()]);
    return [...names].map((name) => pair(id, name, first.get(name), second.get(name)));
  });
  return { pairs, flips: flippedTargets(a, b) };
}

function figuresOf({ rows }: Result, id: string): Map<string, Spread> {
  const row = rows.find((one) => one.id === id);
  if (row === undefined) return new Map();
  if (isSlope(id)) return new Map(Object.entries(row.contenders));
  return new Map(ratiosOf(row, planOf(id).ours).filter(([, { median }]) => isRatio(median)));
}

/** The file has no rounds: the spread of a ratio follows from the spreads of both figures. */
function ratiosOf({ contenders }: JsonRow, ours: string): [string, Spread][] {
  const own = contenders[ours];
  if (own === undefined) return [];
  const others = Object.entries(contenders).filter(([name]) => name !== ours);
  return others.map(([name, { median, min, max }]) => [
    name,
    { median: median / own.median, min: min / own.max, max: max / own.min },
  ]);
}

function pair(id: string, name: string, a: Spread | undefined, b: Spread | undefined): Pair {
  const agrees = a !== undefined && b !== undefined && (isSlope(id) ? areSlopesEqual(a, b) : overlap(a, b));
  return { id, name, a, b, agrees };
}

const areSlopesEqual = (a: Spread, b: Spread): boolean => Math.abs(a.median - b.median) <= slopeTolerance;

/** Whether the spreads overlap, or almost overlap if they are narrow, and the ratios differ by less than 30 %. */
function overlap(a: Spread, b: Spread): boolean {
  const meet = a.min <= b.max * 1.05 && b.min <= a.max * 1.05;
  return meet && moved(a, b) < difference;
}

/** The larger ratio divided by the smaller one. */
function moved(a: Spread, b: Spread): number {
  return Math.max(a.median / b.median, b.median / a.median);
}

export function comparisonTable({
  pairs,
  flips,
}: {
  pairs: readonly Pair[];
  flips: readonly string[];
}): string {
  const apart = pairs.filter(({ agrees }) => !agrees);
  return [
    "| row | contender | times ours, first (spread) | second (spread) | moved | agree |",
    "|---|---|--:|--:|--:|---|",
    ...pairs.map(tableLine),
    "",
    `${pairs.length - apart.length} of ${pairs.length} agree${apart.length === 0 ? "." : `; apart: ${apart.map(({ id, name }) => `${id} (${name})`).join(", ")}.`}`,
    flips.length === 0 ? "The same targets are met." : `Met in one run alone: ${flips.join(", ")}.`,
  ].join("\n");
}

const formatSpread = (one: Spread | undefined): string =>
  one === undefined ? "–" : `${figure(one.median)} (${figure(one.min)} – ${figure(one.max)})`;

function tableLine({ id, name, a, b, agrees }: Pair): string {
  const shift = a === undefined || b === undefined || isSlope(id) ? "" : `${figure(moved(a, b))} ×`;
  return `| ${id} | ${name} | ${formatSpread(a)} | ${formatSpread(b)} | ${shift} | ${agrees ? "yes" : "**no**"} |`;
}
