type Awaitable<T> = T | PromiseLike<T>;

/** The saved form of an entry. */
export interface SavedEntry {
  /** The `hash` that was saved with the entry. */
  hash: string;
  /** The last `pass` that was saved with the entry. */
  pass: number;
}

/** A new or changed entry. */
export interface MirrorEntry<T, D = undefined> {
  /** The ID of the entry: the key of its row. */
  id: string;
  /** The ID with which the entry can be read; null if it has no such ID. Save it with the entry. */
  ref: string | null;
  /** A hash of the entry as the service sent it. Save it with the entry. */
  hash: string;
  item: T;
  /** The result of the option `details`. */
  detail: D;
  isNew: boolean;
}

/** The changes that belong into one transaction. */
export interface MirrorChanges<T, D = undefined> {
  /** The entries that are new or have changed. Insert or replace them, with `pass`. */
  entries: MirrorEntry<T, D>[];
  /** The IDs of all entries of a page. Set their `pass`. */
  seen: string[];
  /** The IDs of entries that the service does not have any more. Delete them. */
  deleted: string[];
  /** The number of the pass over the list. It grows from pass to pass. */
  pass: number;
  /** The progress. Save it in the same transaction, and return it from `load`. Treat it as opaque. */
  state: string;
  /** The state that `state` replaces. If another one is saved, another program writes to the sink: throw an error. */
  before: string | undefined;
}

/** The user's database, as a mirror uses it. Each method is one statement or one transaction. */
export interface MirrorSink<T, D = undefined> {
  /** Returns the last saved state; undefined or null before the first run. */
  load(): Awaitable<string | null | undefined>;
  /** Returns those of the entries that are saved, by their IDs. */
  find(ids: readonly string[]): Awaitable<ReadonlyMap<string, SavedEntry>>;
  /** Saves changes in one transaction. */
  save(changes: MirrorChanges<T, D>): Awaitable<void>;
  /** Returns the number of entries whose `pass` is less than the given one. */
  countUnseen(pass: number): Awaitable<number>;
  /** Returns the first of these entries with an ID greater than `after`, in the order of their IDs, at most 100. */
  findUnseen(pass: number, after: string): Awaitable<readonly UnseenEntry[]>;
}

/** An entry that a pass has not seen. */
export type UnseenEntry = Pick<MirrorEntry<unknown>, "id" | "ref"> & Pick<SavedEntry, "pass">;
