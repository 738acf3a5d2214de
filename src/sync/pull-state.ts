import { type Digest, emptyDigest, isSameDigest, type ListIdentity, otherPageSize } from "./list-state.ts";

/** The progress of a pull. Instants are in ms since 1970. */
export interface PullState {
  v: 1;
  list: ListIdentity;
  /** The start of the first run. */
  since: number;
  /** The instant up to which the last run was complete; null before the end of the first one. */
  end: number | null;
  /** The items that the next run may read again. */
  known: string;
  /** The IDs of items whose details could not be read, and the number of runs that did not find them. */
  pending: [id: string, misses: number][];
  /** The ID of an item whose details could be read: whether it still can shows if a 404 is about another item. */
  witness?: string;
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
  /** The page size of the options; null without one. */
  limit: number | null;
  /** The pass over the section; absent in the state of a version that read each section once. */
  pass?: SectionPass;
  /** The items of the sections that are kept. */
  known: string;
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

/** A pass over a section. Each section is read twice, so that nothing is lost by one wrong response. */
export interface SectionPass {
  /** The number of the pass, from 1 on. */
  readonly turn: number;
  /** The page size; null for that of the options. */
  readonly limit: number | null;
  /** The length of the longest page. */
  readonly longest: number;
  /** What the pass before has read, and what this one has read so far. */
  readonly before: Digest;
  readonly now: Digest;
}

export const firstPass: SectionPass = {
  turn: 1,
  limit: null,
  longest: 0,
  before: emptyDigest,
  now: emptyDigest,
};

/** The number of passes after which a pull gives up. */
const maxPasses = 5;

/** The number of passes over a section that the next run reads again. */
const maxKeptPasses = 3;

/** Decides what follows the last page of a pass: another pass, the next section, or an error. */
export function judgeSection(
  pass: SectionPass,
  { isKept }: Section,
  verify: boolean,
): "next" | "again" | "give up" {
  if (!verify || (pass.turn > 1 && isSameDigest(pass.before, pass.now))) return "next";
  if (isKept) return pass.turn < maxKeptPasses ? "again" : "next";
  return pass.turn < maxPasses ? "again" : "give up";
}

/** Returns the pass after another one. Each second pass has another page size, so that a loss at the edges of pages shows. */
export function nextPass({ turn, longest, now }: SectionPass, largest: number): SectionPass {
  const limit = turn % 2 === 1 ? otherPageSize(longest, largest) : null;
  return { turn: turn + 1, limit, longest, before: now, now: emptyDigest };
}

const width = 11;

/** The content of items by their IDs, as hashes, and the text that stores them. The text only grows. */
export class KnownItems {
  text: string;
  readonly #contents = new Map<string, string>();

  constructor(text: string) {
    this.text = text;
    for (let index = 0; index < text.length; index += 2 * width)
      this.#contents.set(text.slice(index, index + width), text.slice(index + width, index + 2 * width));
  }

  get(id: string): string | undefined {
    return this.#contents.get(id);
  }

  set(id: string, content: string): void {
    if (this.#contents.get(id) === content) return;
    this.#contents.set(id, content);
    this.text += id + content;
  }
}
