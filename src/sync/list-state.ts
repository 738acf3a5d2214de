import { hash } from "../wire/hash.ts";
import { isObject, type JsonObject, parseJson } from "../wire/json.ts";
import { InvalidRequestError, type SyncList } from "./clients.ts";
import { hashJson } from "./json.ts";

/** A digest for each part of a list: its operation, IDs, filters and base URL. A state contains it. */
export type ListIdentity = Readonly<Record<string, string>>;

/** Returns the identity of a list with the given IDs and filters. */
export function identify(list: SyncList<unknown>, parts: JsonObject): ListIdentity {
  const { operation, baseUrl } = list;
  const { extra, ...others } = parts;
  const all = { operation, baseUrl, ...others, ...(isObject(extra) ? extra : {}) };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, hashJson({ value })]));
}

/**
 * Reads the saved state of a list.
 * @throws {InvalidRequestError} for another text, or for the state of another list; it names the difference
 */
export function readState(label: string, text: unknown, list: ListIdentity): object {
  const refuse = (message: string) => new InvalidRequestError(label, [{ path: "state", message }]);
  const state = typeof text === "string" ? parseJson(text) : undefined;
  if (!isObject(state) || !isObject(state.list) || state.v !== 1)
    throw refuse("must be a state that was saved before; omit it in the first run");
  const saved = state.list;
  const names = [...new Set([...Object.keys(saved), ...Object.keys(list)])];
  const differing = names.filter((name) => saved[name] !== list[name]);
  if (differing.length > 0) throw refuse(`belongs to a list with another ${differing.join(", ")}`);
  return state;
}

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

/** The largest page size of most lists. */
export const largestPage = 100;

/** Returns a page size whose edges are at other items than those of pages with this length. */
export function otherPageSize(longest: number, largest = largestPage): number {
  if (longest < 2) return 2;
  const size = Math.min(longest, largest);
  return size - 1 - Math.floor(size / 10);
}
