import { wrongResult } from "./callbacks.ts";
import type { SyncList } from "./clients.ts";
import type { JsonObject } from "../wire/json.ts";
import { MirrorError } from "./errors.ts";
import { identify, type ListIdentity, readState } from "./list-state.ts";
import { firstPass, isSameAsBefore, maxPasses, type Pass, restartPass } from "./passes.ts";
import type { MirrorChanges, MirrorSink, SavedEntry, UnseenEntry } from "./sink.ts";

/** The progress of a mirror. */
export interface MirrorState {
  v: 2;
  list: ListIdentity;
  /** The number of the last pass that was begun. */
  last: number;
  /** The number of the last pass of the last run that was finished, and during which the list did not change. */
  finished: number;
  /** The pass that is being read, or that was read and not judged yet; null between two runs. */
  pass: MirrorPass | null;
}

/** A pass over the list. */
export interface MirrorPass extends Pass {
  /** The token of the next page; null before the first page, and after the last one. */
  next: string | null;
  /** Whether the last page was saved. */
  isRead: boolean;
  /** Whether an entry could not be read. */
  hasFailures: boolean;
  /** The number of the first pass of the run. */
  first: number;
  /** The number of entries that were saved before the run. */
  saved: number;
  /** The total of the first page; null for a list without totals. Whether a later page has another one. */
  total: number | null;
  hasOtherTotal: boolean;
  /** Whether the list did not add up, so that this pass takes what its pages have (`onDrift: "report"`). */
  isReported: boolean;
}

const unread = { next: null, isRead: false, hasFailures: false, total: null, hasOtherTotal: false };

/** Returns the first pass of a run. */
export function beginRun(last: number, saved: number): MirrorPass {
  return { ...firstPass, ...unread, first: last + 1, saved, isReported: false };
}

/** Returns a pass from its first page on. */
export function fromStart(pass: MirrorPass): MirrorPass {
  return { ...restartPass(pass), ...unread };
}

/**
 * Decides what follows a pass that was read.
 * @param all the number of entries that the passes of the run have read together
 */
export function judgePass(pass: MirrorPass, all: number, verify: boolean): "finished" | "again" | "give up" {
  if (!verify) return "finished";
  const { turn, isReported, now, total, hasOtherTotal } = pass;
  const isSame = isSameAsBefore(pass);
  // totals that differ from page to page are estimates; rows that move are in one of the passes
  const addsUp = hasOtherTotal ? isSame : total === now.count || total === all;
  if (isReported ? turn > 1 && addsUp : isSame) return "finished";
  return turn < maxPasses ? "again" : "give up";
}

/** The largest number of IDs that a sink gets at once. */
export const maxIds = 500;

/** The list of a mirror, its state and its sink. Others may have written to the sink. */
export class Progress<T, D> {
  readonly list: SyncList<unknown>;
  readonly label: string;
  /** The number of the last pass of the last finished run before this one. */
  readonly finishedBefore: number;
  /** The state that the next save has. */
  state: MirrorState;
  readonly #sink: MirrorSink<T, D>;
  /** The state as it was saved. */
  #saved: string | undefined;

  /** @throws {InvalidRequestError} for the state of another list */
  constructor(
    list: SyncList<unknown>,
    filters: JsonObject,
    sink: MirrorSink<T, D>,
    saved: string | undefined,
  ) {
    this.list = list;
    this.label = `mirror of ${list.operation}`;
    const identity = identify(list, filters);
    this.state =
      saved === undefined
        ? { v: 2, list: identity, last: 0, finished: 0, pass: null }
        : (readState(this.label, saved, identity) as MirrorState); // its identity says so
    this.finishedBefore = this.state.finished;
    this.#sink = sink;
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
    const saved = await this.#sink.find(ids);
    if (ids.some((id) => Number(saved.get(id)?.pass) > this.state.last))
      throw new MirrorError(
        `${this.label}: the sink has entries that are newer than its state: drop both, or neither`,
      );
    return saved;
  }

  /** Returns the number of entries that were not seen since the pass with a number began. */
  async countUnseen(pass = this.state.last): Promise<number> {
    const count = await this.#sink.countUnseen(pass);
    if (!Number.isSafeInteger(count))
      throw wrongResult("mirror: countUnseen of the sink", "an integer", count);
    return count;
  }

  /** Returns the number of saved entries. */
  countAll(): Promise<number> {
    return this.countUnseen(this.state.last + 1);
  }

  async findUnseen(after: string): Promise<readonly UnseenEntry[]> {
    const rows: unknown = await this.#sink.findUnseen(this.state.last, after);
    if (!Array.isArray(rows)) throw wrongResult("mirror: findUnseen of the sink", "an array", rows);
    return rows as UnseenEntry[]; // as far as it can be seen
  }
}
