/**
 * The user's database, as the jobs use it. Each method is one statement or one transaction, and may return a promise or
 * another value that can be awaited. A job passes at most 500 IDs or keys at once. IDs, keys and names are any text, and are
 * compared byte for byte: `s-1` and `S-1` are two.
 */
export interface Sink<T = unknown, D = undefined> extends MirrorSink<T, D>, PullSink, RecordSink {}

/** A value, or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>;

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
  /** The entries that are new or have changed. Insert or update them, with `pass`. An update keeps the user's own columns. */
  entries: MirrorEntry<T, D>[];
  /** The IDs of all entries of a page. Set the `pass` of those that are saved; there may be others. */
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

/**
 * What `mirror` needs. It reads a list in two passes with different page sizes, and compares them here: each entry of a page
 * has the `pass` of the pass that saw it last, so that no list of IDs is kept in memory, and a killed run continues. Entries
 * that only the first pass saw are those that `countUnseen` counts for the second one.
 */
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

/** The items of a pull, and its progress after them. */
export interface SavedBatch {
  items: readonly unknown[];
  /** The ID of each item, or a hash of its content if it has no ID: the key of its row. */
  ids: readonly string[];
  /** Save it together with the items. A later run in any process continues from it. Treat it as opaque. */
  readonly state: string;
  /** The state that `state` replaces. If another one is saved, another program pulls this store: throw an error. */
  readonly before: string | undefined;
}

/** What `pullStores` needs, and what a loop of `pull` can use. Store and ID together are the key of a row. */
export interface PullSink {
  /** Returns the state that was saved with the last batch of a store; undefined or null before the first one. */
  loadState(store: string): Awaitable<string | null | undefined>;
  /** Inserts or updates the items of a store, and saves the state, in one transaction. */
  saveBatch(store: string, batch: SavedBatch): Awaitable<void>;
}

/**
 * A small memory of texts by their keys, which survives the process: the intentions and IDs of `ensure`, and when `pullStores`
 * last began with a store. Treat the texts as opaque.
 */
export interface RecordSink {
  /** Returns the saved texts of those of the keys that have one. */
  findRecords(keys: readonly string[]): Awaitable<ReadonlyMap<string, string>>;
  /**
   * Saves the text of a key if the saved one is still `before` (undefined: none is saved), in one transaction that no other
   * one can interrupt. Returns whether it did: false says that another program has saved another text.
   */
  saveRecord(key: string, before: string | undefined, text: string): Awaitable<boolean>;
}
