import type { JsonObject } from "../../../wire/json.ts";

/** The options of `mirror`. */
export interface MirrorOptions<T, D = undefined> {
  /** Reads more about each new or changed entry. An entry that it does not find (404) is left for the next pass. */
  details?: ((item: T) => D | Promise<D>) | undefined;
  /** The number of entries of a page whose details are read at the same time (default: 1). */
  concurrency?: number | undefined;
  /** Returns the ID of an entry as the service sent it (default: the ID of the contract). */
  identify?: ((item: JsonObject) => string) | undefined;
  /** Returns the part of an entry, as the service sent it, whose change is a change of the entry (default: all). */
  fingerprint?: ((item: JsonObject) => unknown) | undefined;
  /** The largest share of the saved entries, 0 to 1, that a run may delete (default: 0.5). */
  maxDeleted?: number | undefined;
  /** The largest number of passes in one run (default: 5). */
  maxPasses?: number | undefined;
}

/** The result of a run. */
export interface MirrorResult {
  /** The entries of all passes of this run. */
  read: number;
  added: number;
  changed: number;
  deleted: number;
  /** The passes that this run ended. */
  passes: number;
  /**
   * Whether the last pass saw no change of the list. Otherwise entries were created meanwhile, nothing was deleted, and
   * the next run sees them.
   */
  isClean: boolean;
}
