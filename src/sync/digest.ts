import { hash } from "../wire/hash.ts";

/** The number of items, and the sum of the hashes of their IDs: the same for the same items in any order. */
export interface Digest {
  readonly count: number;
  readonly sum: number;
}

export const emptyDigest: Digest = { count: 0, sum: 0 };

const modulus = 2 ** 53;

/** Adds items by their IDs. An item without ID is counted only: its content may differ each time. */
export function addToDigest(digest: Digest, ids: readonly (string | undefined)[]): Digest {
  let { sum } = digest;
  for (const id of ids) {
    const value = id === undefined ? 0 : hash(id);
    // a larger sum would be rounded
    sum = sum >= modulus - value ? sum - (modulus - value) : sum + value;
  }
  return { count: digest.count + ids.length, sum };
}

export function isSameDigest(first: Digest, second: Digest): boolean {
  return first.count === second.count && first.sum === second.sum;
}
