// How often a list is read until two readings have the same items: in a pull, in a mirror and in `ensure`.
import { hash } from "../wire/hash.ts";

/** The number of items, and the sum of the hashes of their IDs: the same for the same items in any order. */
export interface Digest {
  readonly count: number;
  readonly sum: number;
}

const emptyDigest: Digest = { count: 0, sum: 0 };

/** A sum of two smaller numbers is exact. */
const modulus = 2 ** 52;

/** Adds items by their IDs. An item without ID is counted only: its content may differ each time. */
function addToDigest(digest: Digest, ids: readonly (string | undefined)[]): Digest {
  let { sum } = digest;
  for (const id of ids) if (id !== undefined) sum = (sum + (hash(id) % modulus)) % modulus;
  return { count: digest.count + ids.length, sum };
}

/** A reading of a list. It is a part of saved states. */
export interface Pass {
  /** The number of the pass, from 1 on. */
  readonly turn: number;
  /** The page size of its requests; null for that of the caller. */
  readonly limit: number | null;
  /** The length of the longest page, also of the passes before. */
  readonly longest: number;
  /** What the pass before has read, and what this one has read so far. */
  readonly before: Digest;
  readonly now: Digest;
}

export const firstPass: Pass = { turn: 1, limit: null, longest: 0, before: emptyDigest, now: emptyDigest };

/** The number of passes after which a job gives up. */
export const maxPasses = 5;

/** Returns a pass after it has read a page. */
export function addPage<P extends Pass>(pass: P, ids: readonly (string | undefined)[]): P {
  return { ...pass, longest: Math.max(pass.longest, ids.length), now: addToDigest(pass.now, ids) };
}

/** Returns the same pass before its first page. */
export function restartPass<P extends Pass>(pass: P): P {
  return { ...pass, now: emptyDigest };
}

/** Returns the pass after another one. Each second pass has another page size, so that a loss at the edges of pages shows. */
export function nextPass({ turn, longest, now }: Pass, largest = largestPage): Pass {
  const limit = turn % 2 === 1 ? otherPageSize(longest, largest) : null;
  return { turn: turn + 1, limit, longest, before: now, now: emptyDigest };
}

/** Whether a pass has read the same items as the pass before. */
export function isSameAsBefore({ turn, before, now }: Pass): boolean {
  return turn > 1 && before.count === now.count && before.sum === now.sum;
}

/** The largest page size of most lists. */
const largestPage = 100;

/** Returns a page size whose edges are at other items than those of pages with this length. */
export function otherPageSize(longest: number, largest = largestPage): number {
  if (longest < 2) return 2;
  const size = Math.min(longest, largest);
  return size - 1 - Math.floor(size / 10);
}
