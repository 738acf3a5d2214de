type Awaitable<T> = T | Promise<T>;

/** The saved form of an entry that the sink returns. */
export interface MirrorMark {
  /** The `hash` that was saved with the entry. */
  hash: string;
  /** The last `pass` that was saved with the entry. */
  pass: number;
}

/** A new or changed entry. */
export interface MirrorEntry<T, D = undefined> {
  /** The ID of the entry. */
  id: string;
  item: T;
  /** A hash of the entry as the service sent it. Save it with the entry. */
  hash: string;
  isNew: boolean;
  /** The result of the option `details`. */
  detail: D;
}

/** The changes that belong into one transaction. */
export interface MirrorPage<T, D = undefined> {
  /** The entries of a page that are new or have changed. Insert or replace them, with `pass`. */
  entries: MirrorEntry<T, D>[];
  /** The IDs of all entries of the page. Set their `pass`. */
  seen: string[];
  /** The number of the pass over the list. It grows from pass to pass. */
  pass: number;
  /** The progress. Save it in the same transaction, and return it from `load`. Treat it as opaque. */
  state: string;
}

/** The user's database, as a mirror uses it. Each method is one statement or one transaction. */
export interface MirrorSink<T, D = undefined> {
  /** Returns the last saved state; undefined or null before the first run. */
  load(): Awaitable<string | null | undefined>;
  /** Returns the marks of those entries that are saved, by their IDs. */
  find(ids: readonly string[]): Awaitable<ReadonlyMap<string, MirrorMark>>;
  /** Saves a page in one transaction. */
  save(page: MirrorPage<T, D>): Awaitable<void>;
  /** Returns the number of saved entries whose `pass` is less than the given one. */
  countUnseen(pass: number): Awaitable<number>;
  /** Deletes the saved entries whose `pass` is less than the given one, and saves the state, in one transaction. */
  remove(pass: number, state: string): Awaitable<void>;
}
