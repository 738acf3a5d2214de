import type { Collection } from "../server/server.ts";

/** Copies JSON deeply; other values that a test put into the state are copied by `structuredClone`. */
export function deepCopy<T>(value: T): T {
  return copyOf(value) as T; // the copy has the same properties
}

function copyOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return structuredClone(value);
  const copy: Record<string, unknown> = { ...value };
  for (const name of Object.keys(copy)) {
    const property = copy[name];
    if (typeof property !== "object" || property === null) continue;
    // An assignment to `__proto__` would set the prototype instead of a property.
    if (name === "__proto__") Object.defineProperty(copy, name, { value: copyOf(property) });
    else copy[name] = copyOf(property);
  }
  return copy;
}

/** The seeded keys of a collection. They never change, so collections share them. */
export class SeedKeys {
  /** In the given order. */
  readonly list: readonly string[];
  readonly #set: ReadonlySet<string>;
  #sorted: readonly string[] | undefined;

  constructor(keys: Iterable<string>) {
    this.#set = new Set(keys);
    this.list = [...this.#set];
  }

  get size(): number {
    return this.list.length;
  }

  has(key: string): boolean {
    return this.#set.has(key);
  }

  /** Returns the keys sorted by UTF-16 code units. */
  sorted(): readonly string[] {
    this.#sorted ??= this.list.toSorted((a, b) => (a < b ? -1 : 1));
    return this.#sorted;
  }
}

/** Creates the value of a seeded key; always the same value for the same key. */
type CreateValue<Value> = (key: string) => Value;

const NO_KEYS = new SeedKeys([]);

/** The number of seeded values whose JSON is kept: a page of 100 stores is then listed three times as fast (`server-list`). */
const MAX_TEXTS = 1_000;

/** The copy that `copy` returns and `restore` accepts. */
interface MapCopy<Value> {
  readonly seeds: SeedKeys;
  readonly create: CreateValue<Value> | undefined;
  readonly deleted: readonly string[];
  readonly values: readonly (readonly [string, Value])[];
}

/**
 * A `Map` whose seeded values are created on first access, so that a server with 100 000 stores starts immediately.
 * In every other respect it is a `Map`, and the next response shows a direct change. Code that does not change a
 * value uses `read`, which does not keep it.
 */
export class SeededMap<Value> extends Map<string, Value> implements Collection {
  #seeds = NO_KEYS;
  #create: CreateValue<Value> | undefined;
  /** Deleted seeded keys. A key that is set again is last, as in any `Map`. */
  #deleted = new Set<string>();
  /** The number of seeded keys that have their value in the map. */
  #materialized = 0;
  /** The keys in the order of `keyList`, once they differ from the seeded ones. */
  #order: string[] | undefined;
  /** The JSON of seeded values that were listed. */
  #texts = new Map<string, string>();
  readonly #sorted: boolean;

  /** `sorted`: `keyList` is in order of the keys, otherwise in that of insertion. */
  constructor(sorted: boolean) {
    super();
    this.#sorted = sorted;
  }

  /** @internal Replaces the content by these keys. */
  seed(keys: SeedKeys | readonly string[], create: CreateValue<Value>): void {
    this.clear();
    this.#seeds = keys instanceof SeedKeys ? keys : new SeedKeys(keys);
    this.#create = create;
  }

  /** @internal Replaces the content by these values, which are copied on first access. */
  seedCopies(values: ReadonlyMap<string, Value>): void {
    this.seed(new SeedKeys(values.keys()), (key) => deepCopy(values.get(key) as Value)); // these are its keys
  }

  override get size(): number {
    return this.#seeds.size - this.#deleted.size + super.size - this.#materialized;
  }

  override has(key: string): boolean {
    return super.has(key) || this.#isSeeded(key);
  }

  override get(key: string): Value | undefined {
    const value = this.read(key);
    if (value !== undefined && this.isPending(key)) this.set(key, value);
    return value;
  }

  /** @internal Returns a value that must not be changed; a created value is not kept. */
  read(key: string): Value | undefined {
    const value = super.get(key);
    return value === undefined && this.isPending(key) ? this.#create?.(key) : value;
  }

  /** @internal Returns the JSON of a value. */
  readJson(key: string): string {
    if (!this.isPending(key)) return JSON.stringify(this.read(key));
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const text = JSON.stringify(this.read(key));
    // a map that is cleared keeps its old entries in memory until the next full garbage collection
    if (this.#texts.size === MAX_TEXTS) this.#texts = new Map();
    this.#texts.set(key, text);
    return text;
  }

  /** @internal Whether a key has its unchanged seeded value. */
  isPending(key: string): boolean {
    return this.#isSeeded(key) && !super.has(key);
  }

  /** @internal Returns a value as plain JSON that shares no object with the map. */
  plain(key: string): Value | undefined {
    const value = this.read(key);
    if (this.isPending(key)) return value;
    return JSON.parse(JSON.stringify(value) ?? "null") as Value; // a test may have set something else
  }

  override set(key: string, value: Value): this {
    if (this.isPending(key)) this.#materialized += 1;
    else if (!super.has(key)) this.#insertIntoOrder(key);
    return super.set(key, value);
  }

  override delete(key: string): boolean {
    if (!this.has(key)) return false;
    const order = this.#ownOrder();
    order.splice(this.#sorted ? firstAtLeast(order, key) : order.indexOf(key), 1);
    if (this.#isSeeded(key)) {
      if (super.has(key)) this.#materialized -= 1;
      this.#deleted.add(key);
    }
    super.delete(key);
    return true;
  }

  override clear(): void {
    super.clear();
    this.#seeds = NO_KEYS;
    this.#deleted = new Set();
    this.#materialized = 0;
    this.#order = undefined;
    this.#texts = new Map();
  }

  override *keys(): MapIterator<string> {
    for (const key of this.#seeds.list) if (!this.#deleted.has(key)) yield key;
    for (const key of super.keys()) if (!this.#isSeeded(key)) yield key;
  }

  override *entries(): MapIterator<[string, Value]> {
    for (const key of this.keys()) yield [key, this.get(key) as Value]; // the map has a value for each key
  }

  override *values(): MapIterator<Value> {
    for (const [, value] of this.entries()) yield value;
  }

  override [Symbol.iterator](): MapIterator<[string, Value]> {
    return this.entries();
  }

  override forEach(
    visit: (value: Value, key: string, map: Map<string, Value>) => void,
    self?: unknown,
  ): void {
    for (const [key, value] of this.entries()) visit.call(self, value, key, this);
  }

  /** Returns all keys as an array that must not be changed, so that the last page costs as much as the first. */
  keyList(): readonly string[] {
    return this.#order ?? (this.#sorted ? this.#seeds.sorted() : this.#seeds.list);
  }

  /** @internal Copies the values in the map; pending values stay pending. */
  copy(): MapCopy<Value> {
    const values = [...super.entries()].map(([key, value]) => [key, deepCopy(value)] as const);
    return { seeds: this.#seeds, create: this.#create, deleted: [...this.#deleted], values };
  }

  /** @internal Restores a copy of this map. */
  restore(copy: MapCopy<Value>): void {
    this.clear();
    this.#seeds = copy.seeds;
    this.#create = copy.create;
    for (const key of copy.deleted) this.delete(key);
    for (const [key, value] of copy.values) this.set(key, deepCopy(value));
  }

  /** Whether a key is seeded and was never deleted. */
  #isSeeded(key: string): boolean {
    return this.#seeds.has(key) && !this.#deleted.has(key);
  }

  #insertIntoOrder(key: string): void {
    const order = this.#ownOrder();
    order.splice(this.#sorted ? firstAtLeast(order, key) : order.length, 0, key);
  }

  /** Returns the order of this map, which is that of the seeds until a key is added or deleted. */
  #ownOrder(): string[] {
    this.#order ??= [...this.keyList()];
    return this.#order;
  }
}

/** Returns the index of a key in a sorted list, or where it would be inserted. */
export function firstAtLeast(sorted: readonly string[], key: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? "") < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
