/** Seeded randomness: the same seed gives the same numbers on every machine. */

export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** An integer from `minimum` to `maximum`, both included. */
  integer(minimum: number, maximum: number): number;
  pick<T>(values: readonly T[]): T;
  chance(probability: number): boolean;
}

/** The mulberry32 generator. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

export function createRandom(seed: number): Random {
  const word = generator(seed);
  const next = (): number => word() / 2 ** 32;
  const integer = (minimum: number, maximum: number): number =>
    minimum + Math.floor(next() * (maximum - minimum + 1));
  return {
    next,
    integer,
    // the index is below the length, so only an empty list could give undefined
    pick: <T>(values: readonly T[]): T => values[integer(0, values.length - 1)] as T,
    chance: (probability) => next() < probability,
  };
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}

/** The version 4 UUID number `count` of a seed. */
export function uuidAt(seed: number, count: number): string {
  const word = generator(Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(count + 1, 0x85ebca6b));
  const [a, b, c, d] = [hex(word()), hex(word()), hex(word()), hex(word())];
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-a${c.slice(1, 4)}-${c.slice(4)}${d}`;
}
