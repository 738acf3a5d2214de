/** The 28 days before the server was created that have the seeded dates, in milliseconds. */
export const SEEDED_SPAN = 28 * 86_400_000;

/** The input of a generator of rows: the same input gives the same rows. */
export interface SeedPlan {
  readonly seed: number;
  /** When the server was created, in milliseconds. */
  readonly now: number;
}

/** Random numbers that depend only on the seed and the names. */
export class Random {
  #state: number;

  constructor(seed: number, ...names: (string | number)[]) {
    let hash = mix(seed >>> 0);
    for (const name of names) hash = mix(hash ^ (typeof name === "number" ? name : textHash(name)));
    this.#state = hash;
  }

  /** Returns an integer of at least 0 and below 2^32. */
  bits(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    return mix(this.#state);
  }

  /** Returns a number of at least 0 and below 1. */
  fraction(): number {
    return this.bits() / 4_294_967_296;
  }

  /** Returns an integer from `low` to `high`, both included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.fraction() * (high - low + 1));
  }

  /** Returns one of several values; there must be at least one. */
  pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.fraction() * values.length)] as T; // there is at least one
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** Returns a time in the 28 days before another one, ISO 8601. */
  timeBefore(now: number): string {
    return new Date(now - Math.ceil(this.fraction() * SEEDED_SPAN)).toISOString();
  }

  /** A UUID of version 4. */
  uuid(): string {
    const words = Array.from({ length: 4 }, () => this.bits().toString(16).padStart(8, "0"));
    const [first = "", second = "", third = "", fourth = ""] = words;
    const variant = "89ab"[Number.parseInt(third.charAt(0), 16) % 4];
    const middle = `${second.slice(0, 4)}-4${second.slice(5)}-${variant}${third.slice(1, 4)}`;
    return `${first}-${middle}-${third.slice(4)}${fourth}`;
  }
}

/** The finalizer of MurmurHash3: distributes adjacent numbers over all 32 bits. */
function mix(bits: number): number {
  let hash = bits;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

const UUIDS = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** Generates IDs for new resources: the same requests in the same order get the same IDs. */
export class IdSequence {
  readonly #seed: number;
  /** The IDs that are not generated. */
  #taken: ReadonlySet<string> = new Set();
  /** The number of generated IDs. */
  count = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** Continues after `count` IDs, without those in the given rows, which may come from a server with the same seed. */
  restart(count: number, rows: unknown): void {
    this.count = count;
    this.#taken = new Set(JSON.stringify(rows).match(UUIDS));
  }

  uuid(): string {
    return this.next().uuid();
  }

  /** Returns random numbers for the next resource, the first of which are its ID. */
  next(): Random {
    const create = () => new Random(this.#seed, "made", this.count);
    do this.count += 1;
    while (this.#taken.has(create().uuid()));
    return create();
  }
}
