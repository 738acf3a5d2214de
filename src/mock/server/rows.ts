/** Copies JSON deeply; other values that a test put into the state are copied by `structuredClone`. */
export function deepCopy<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(deepCopy) as T; // the same elements
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return structuredClone(value);
  const copy: Record<string, unknown> = { ...(value as object) };
  for (const [name, property] of Object.entries(copy)) {
    if (typeof property !== "object" || property === null) continue;
    // an assignment to `__proto__` would set the prototype instead of a property
    if (name === "__proto__") Object.defineProperty(copy, name, { value: deepCopy(property) });
    else copy[name] = deepCopy(property);
  }
  return copy as T; // it has the same properties
}

/** The seeded keys of a collection. They never change, so collections share them. */
export class SeedKeys {
  /** In the given order. */
  readonly list: readonly string[];
  readonly set: ReadonlySet<string>;
  #sorted: readonly string[] | undefined;

  constructor(keys: Iterable<string>) {
    this.set = new Set(keys);
    this.list = [...this.set];
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
export interface RowsCopy<Value> {
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
export class SeededMap<Value> extends Map<string, Value> {
  #seeds = NO_KEYS;
  #create: CreateValue<Value> | undefined;
  /** Deleted seeded keys. A key that is set again is last, as in any `Map`. */
  #deleted = new Set<string>();
  /** The keys in the order of `keyList`, once they differ from the seeded ones. */
  #order: string[] | undefined;
  /** The JSON of seeded values that were listed. */
  #texts = new Map<string, string>();
  readonly #isSorted: boolean;

  /** `isSorted`: `keyList` is in order of the keys, otherwise in that of insertion. */
  constructor(isSorted: boolean) {
    super();
    this.#isSorted = isSorted;
  }

  /** Replaces the content by these keys. */
  seed(keys: SeedKeys | readonly string[], create: CreateValue<Value>): void {
    this.clear();
    this.#seeds = keys instanceof SeedKeys ? keys : new SeedKeys(keys);
    this.#create = create;
  }

  /** Replaces the content by these values, which are copied on first access. */
  seedCopies(values: ReadonlyMap<string, Value>): void {
    this.seed(new SeedKeys(values.keys()), (key) => deepCopy(values.get(key) as Value)); // these are its keys
  }

  override get size(): number {
    return this.keyList().length;
  }

  override has(key: string): boolean {
    return super.has(key) || this.#isSeeded(key);
  }

  override get(key: string): Value | undefined {
    const value = this.read(key);
    if (value !== undefined && this.isPending(key)) super.set(key, value);
    return value;
  }

  /** Returns a value that must not be changed; a created value is not kept. */
  read(key: string): Value | undefined {
    return this.isPending(key) ? this.#create?.(key) : super.get(key);
  }

  /** Returns the JSON of a value. */
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

  /** Whether a key has its unchanged seeded value. */
  isPending(key: string): boolean {
    return this.#isSeeded(key) && !super.has(key);
  }

  /** Returns a value as plain JSON that shares no object with the map. */
  plain(key: string): Value | undefined {
    const value = this.read(key);
    return this.isPending(key) ? value : (JSON.parse(JSON.stringify(value) ?? "null") as Value); // a test may have set something else
  }

  override set(key: string, value: Value): this {
    if (!this.has(key)) {
      const order = this.#ownOrder();
      order.splice(this.#isSorted ? firstAtLeast(order, key) : order.length, 0, key);
    }
    return super.set(key, value);
  }

  override delete(key: string): boolean {
    if (!this.has(key)) return false;
    const order = this.#ownOrder();
    order.splice(this.#isSorted ? firstAtLeast(order, key) : order.indexOf(key), 1);
    if (this.#seeds.set.has(key)) this.#deleted.add(key);
    super.delete(key);
    return true;
  }

  override clear(): void {
    super.clear();
    this.#seeds = NO_KEYS;
    this.#deleted = new Set();
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
    return this.#order ?? (this.#isSorted ? this.#seeds.sorted() : this.#seeds.list);
  }

  /** Copies the values in the map; pending values stay pending. */
  copy(): RowsCopy<Value> {
    const values = [...super.entries()].map(([key, value]) => [key, deepCopy(value)] as const);
    return { seeds: this.#seeds, create: this.#create, deleted: [...this.#deleted], values };
  }

  restore({ seeds, create, deleted, values }: RowsCopy<Value>): void {
    this.clear();
    this.#seeds = seeds;
    this.#create = create;
    for (const key of deleted) this.delete(key);
    for (const [key, value] of values) this.set(key, deepCopy(value));
  }

  /** Whether a key is seeded and was never deleted. */
  #isSeeded(key: string): boolean {
    return this.#seeds.set.has(key) && !this.#deleted.has(key);
  }

  /** Returns the order of this map, which is that of the seeds until a key is added or deleted. */
  #ownOrder(): string[] {
    this.#order ??= [...this.keyList()];
    return this.#order;
  }
}

/** Returns the index of a key in a sorted list, or where it would be inserted. */
export function firstAtLeast(sorted: readonly string[], key: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? "") < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
