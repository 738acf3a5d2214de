import { describeType } from "./callbacks.ts";
import { ConfigurationError } from "./clients.ts";
import { MirrorError } from "./errors.ts";
import type { MirrorPass, MirrorState } from "./mirror-state.ts";
import type { MirrorChanges, MirrorSink, SavedEntry, UnseenEntry } from "./sink.ts";

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
      throw wrong("find", "a Map", found);
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
    if (!Number.isSafeInteger(count)) throw wrong("countUnseen", "an integer", count);
    return count as number;
  }

  /** Returns the number of entries that the pass before has seen and this one has not. */
  async countMissed({ turn, previous }: MirrorPass): Promise<number> {
    return turn === 1 ? 0 : (await this.countUnseen()) - (await this.countUnseen(previous));
  }

  async findUnseen(after: string): Promise<readonly UnseenEntry[]> {
    const rows: unknown = await this.#sink.findUnseen(this.state.last, after);
    if (!Array.isArray(rows)) throw wrong("findUnseen", "an array", rows);
    return rows as UnseenEntry[]; // as far as it can be seen
  }
}

function wrong(method: string, expected: string, value: unknown): ConfigurationError {
  return new ConfigurationError(
    `mirror: ${method} of the sink must return ${expected}: it returned ${describeType(value)}`,
  );
}
