import type { ListIdentity } from "./list-state.ts";
import { isSameAsBefore, maxPasses, type Pass } from "./passes.ts";

/** The hashes of the IDs and of the content of items. */
type KnownItems = readonly (readonly [key: string, content: string])[];

/** The progress of a pull. Instants are in ms since 1970. */
export interface PullState {
  v: 2;
  list: ListIdentity;
  /** The start of the first run. */
  since: number;
  /** The instant up to which the last run was complete; null before the end of the first one. */
  end: number | null;
  /** The items that the next run may read again. */
  known: KnownItems;
  /** The IDs of items whose details could not be read, and the number of runs that did not find them. */
  pending: [id: string, misses: number][];
  /** The ID of an item whose details could be read: whether it still can shows if a 404 is about another item. */
  witness?: string | undefined;
  /** The unfinished run. */
  run: PullRun | null;
}

/** A time range that a run reads. */
export interface Section {
  from: number;
  to: number;
  /** Whether the next run may read its items again. */
  isKept: boolean;
}

/** An unfinished run. */
export interface PullRun {
  /** The instant up to which the run will be complete. */
  end: number;
  sections: Section[];
  /** The index of the section that is being read, and the token of its next page. */
  section: number;
  resume: string | null;
  /** The pass over the section. */
  pass: Pass;
  /** The items of the sections that are kept. */
  known: KnownItems;
}

/** Neighboring ranges overlap by this time: a service may compare whole seconds, and leave out the ends of a range. */
const margin = 1000;

/** The time before the end of a run that the next run reads again. */
export function overlapOf(allowedLateness: number): number {
  return Math.max(allowedLateness, margin) + margin;
}

/**
 * Plans the sections of a run. The part that the next run reads again comes first, because only its items are kept: the
 * size of the state does not depend on the length of the run.
 * @param end the instant up to which the run will be complete, by the earlier one of the clocks of program and service
 */
export function planRun(
  state: Pick<PullState, "since" | "end">,
  { now, end, allowedLateness }: { now: number; end: number; allowedLateness: number },
): Section[] {
  const overlap = overlapOf(allowedLateness);
  const { since, end: last } = { ...state, end: state.end ?? state.since };
  const first = since - margin;
  // a clock that went back by more than the overlap: what appeared meanwhile is only found by reading everything again
  const from = now < last - overlap ? first : Math.max(first, last - overlap);
  const tail = Math.min(end, now) - overlap - 4 * margin;
  const to = Math.max(from, now);
  if (tail - from <= overlap) return [{ from, to, isKept: true }];
  return [
    { from: tail, to, isKept: true },
    { from, to: tail + 2 * margin, isKept: false },
  ];
}

/** The number of passes over a section that the next run reads again. */
const maxKeptPasses = 3;

/** Decides what follows the last page of a pass: another pass, the next section, or an error. */
export function judgeSection(pass: Pass, { isKept }: Section, verify: boolean): "next" | "again" | "give up" {
  if (!verify || isSameAsBefore(pass)) return "next";
  if (isKept) return pass.turn < maxKeptPasses ? "again" : "next";
  return pass.turn < maxPasses ? "again" : "give up";
}
