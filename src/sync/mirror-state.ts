import { wrongResult } from "./callbacks.ts";
import { MirrorError } from "./errors.ts";
import { type ListIdentity, otherPageSize, readState } from "./list-state.ts";
import type { MirrorChanges, MirrorSink, SavedEntry, UnseenEntry } from "./sink.ts";

/** The progress of a mirror. */
export interface MirrorState {
  v: 1;
  list: ListIdentity;
  /** The number of the last pass that was begun. */
  last: number;
  /** The number of the last pass of the last run that was finished, and during which the list did not change. */
  finished: number;
  /** The pass that is being read, or that was read and not judged yet; null between two runs. */
  pass: MirrorPass | null;
  /** The IDs of entries that could not be read in the unfinished run. */
  open?: readonly string[];
}

/** A pass over the list. */
export interface MirrorPass {
  /** The token of the next page; null before the first page, and after the last one. */
  next: string | null;
  /** Whether the last page was saved. */
  isRead: boolean;
  /** The number of this pass within its run, from 1 on. */
  turn: number;
  /** The numbers of the first pass of the run, and of the pass before this one. */
  first: number;
  previous: number;
  /** The page size of the request; null for the one of the query. */
  limit: number | null;
  /** The length of the longest page of the run. */
  longest: number;
  /** The total of the first page; null for a list without totals. Whether a later page has another one. */
  total: number | null;
  hasOtherTotal: boolean;
  /** The number of entries. */
  read: number;
  /** The number of entries that were saved before the run, in all of its passes. */
  known: number;
  /** The number of entries in all passes of the run. */
  all: number;
  /** Whether the list did not add up, so that this pass takes what its pages have (`onDrift: "report"`). */
  isReported: boolean;
  /** The number of entries that the pass before did not see. */
  unexpected: number;
}

/** The number of passes after which a mirror gives up. */
const maxPasses = 5;

/** Returns the first pass of a run. */
export function beginRun(last: number): MirrorPass {
  const counts = { longest: 0, read: 0, known: 0, all: 0, unexpected: 0, isReported: false };
  const start = { next: null, isRead: false, turn: 1, limit: null, total: null, hasOtherTotal: false };
  return { ...start, ...counts, first: last + 1, previous: last };
}

/** Returns the pass after another one. Each second pass has another page size, so that a loss at the edges of pages shows. */
export function beginNextPass(before: MirrorPass, last: number): MirrorPass {
  const { first, longest, known, all, isReported, turn } = before;
  const limit = turn % 2 === 1 ? otherPageSize(longest) : null;
  return { ...beginRun(last), first, longest, known, all, isReported, turn: turn + 1, limit };
}

/** Returns the same pass, from its first page and under a new number. */
export function restartPass(pass: MirrorPass): MirrorPass {
  const { next, read, unexpected, total, hasOtherTotal } = beginRun(0);
  return { ...pass, next, read, unexpected, total, hasOtherTotal };
}

/** What follows a pass that was read. */
export type Verdict = "finished" | "read again" | "give up";

/** Decides what follows a pass. `missed`: the number of entries that only the pass before has seen. */
export function judgePass(pass: MirrorPass, missed: number, verify: boolean): Verdict {
  if (!verify) return "finished";
  const { turn, isReported, read, all, total, hasOtherTotal } = pass;
  const isSame = turn > 1 && pass.unexpected === 0 && missed === 0;
  // totals that differ from page to page are estimates; rows that move are in one of the passes
  const addsUp = hasOtherTotal ? isSame : total === read || total === all;
  if (isReported ? turn > 1 && addsUp : isSame) return "finished";
  return pass.turn < maxPasses ? "read again" : "give up";
}

/** A state that has no numbers of passes yet. */
interface EarlierPass extends Partial<MirrorPass> {
  next: string | null;
  known: number;
  total: number | null;
}

/**
 * Returns the state of a sink, or that of a new mirror.
 * @throws {InvalidRequestError} for the state of another list
 */
export function openState(label: string, saved: string | undefined, list: ListIdentity): MirrorState {
  if (saved === undefined) return { v: 1, list, last: 0, finished: 0, pass: null };
  const state = readState(label, saved, list) as MirrorState; // its identity says so
  const pass = state.pass as EarlierPass | null;
  // the only pass of its run, which an earlier version has begun
  return pass === null ? state : { ...state, pass: { ...beginRun(state.last - 1), ...pass } };
}

/** Returns a pass after it has read some entries. */
export function countEntries(
  before: MirrorPass,
  ids: readonly string[],
  sink: { last: number; found: ReadonlyMap<string, SavedEntry>; wasOpen: ReadonlySet<string> },
): MirrorPass {
  const pass = { ...before };
  for (const id of ids) {
    const seenIn = sink.found.get(id)?.pass;
    if (seenIn === sink.last) continue; // it was on an earlier page
    pass.read += 1;
    if (seenIn === undefined || seenIn < pass.first) pass.all += 1;
    if (seenIn !== undefined && seenIn < pass.first) pass.known += 1;
    if (pass.turn > 1 && seenIn !== pass.previous && !sink.wasOpen.has(id)) pass.unexpected += 1;
  }
  return pass;
}

/** The largest number of IDs that a sink gets at once. */
export const maxIds = 500;

/** The state of a mirror and its sink, whose return values are checked: others may have written it. */
export class Progress<T, D> {
  readonly #label: string;
  readonly #sink: MirrorSink<T, D>;
  /** The state that the next save has. */
  state: MirrorState;
  /** The state as it was saved. */
  #saved: string | undefined;

  constructor(label: string, sink: MirrorSink<T, D>, state: MirrorState, saved: string | undefined) {
    this.#label = label;
    this.#sink = sink;
    this.state = state;
    this.#saved = saved;
  }

  /** Saves changes together with the state. */
  async save(changes: Partial<MirrorChanges<T, D>>): Promise<void> {
    const state = JSON.stringify(this.state);
    const all = { entries: [], seen: [], deleted: [], ...changes };
    await this.#sink.save({ ...all, pass: this.state.last, state, before: this.#saved });
    this.#saved = state;
  }

  async find(ids: readonly string[]): Promise<ReadonlyMap<string, SavedEntry>> {
    if (ids.length === 0) return new Map();
    const found: unknown = await this.#sink.find(ids);
    // a `Map` of any realm
    if (typeof (found as Map<string, SavedEntry> | null)?.get !== "function")
      throw wrongResult("mirror: find of the sink", "a Map", found);
    const saved = found as ReadonlyMap<string, SavedEntry>; // as far as it can be seen
    if (ids.some((id) => Number(saved.get(id)?.pass) > this.state.last))
      throw new MirrorError(
        `${this.#label}: the sink has entries that are newer than its state: drop both, or neither`,
      );
    return saved;
  }

  /** Returns the number of entries that this pass has not seen. */
  async countUnseen(pass = this.state.last): Promise<number> {
    const count: unknown = await this.#sink.countUnseen(pass);
    if (!Number.isSafeInteger(count))
      throw wrongResult("mirror: countUnseen of the sink", "an integer", count);
    return count as number;
  }

  /** Returns the number of entries that the pass before has seen and this one has not. */
  async countMissed({ turn, previous }: MirrorPass): Promise<number> {
    return turn === 1 ? 0 : (await this.countUnseen()) - (await this.countUnseen(previous));
  }

  async findUnseen(after: string): Promise<readonly UnseenEntry[]> {
    const rows: unknown = await this.#sink.findUnseen(this.state.last, after);
    if (!Array.isArray(rows)) throw wrongResult("mirror: findUnseen of the sink", "an array", rows);
    return rows as UnseenEntry[]; // as far as it can be seen
  }
}
