import type { Collection } from "../server/tenant.ts";
import { deepCopy } from "./deep-copy.ts";
import { SeedKeys } from "./seed-keys.ts";

/** Creates the value of a seeded key; always the same value for the same key. */
export type CreateValue<Value> = (key: string) => Value;

const NO_KEYS = new SeedKeys([]);

/** After more changes than this, the keys are sorted again. */
const MAX_INCREMENTAL_UPDATES = 64;

/**
 * The number of created values that are kept for the next `read`. The default seed fits; a server that lists 100
 * 000 stores takes 195 MB.
 */
const RECENT_LIMIT = 256;

/** A created value that no caller has received, and its JSON if it was needed. */
interface Recent<Value> {
  readonly value: Value;
  json?: string;
}

/** The copy that `copy` returns and `restore` accepts. */
export interface MapCopy<Value> {
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
  #order: string[] | undefined;
  #changed: string[] = [];
  /** Created values of pending keys, for the next `read`. */
  #recent = new Map<string, Recent<Value>>();
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

  override get size(): number {
    return this.#seeds.size - this.#deleted.size + super.size - this.#materialized;
  }

  override has(key: string): boolean {
    return super.has(key) || this.#isSeeded(key);
  }

  override get(key: string): Value | undefined {
    const value = super.get(key);
    return value === undefined && this.isPending(key) ? this.#materialize(key) : value;
  }

  /** @internal Returns a value that must not be changed; a created value is not kept in the map. */
  read(key: string): Value | undefined {
    const value = super.get(key);
    return value === undefined && this.isPending(key) ? this.#readPending(key)?.value : value;
  }

  /** @internal Like `read`, for iterating over many values: a created value is not kept at all. */
  peek(key: string): Value | undefined {
    const value = super.get(key);
    return value === undefined && this.isPending(key) ? this.#create?.(key) : value;
  }

  /** @internal Whether a key has its unchanged seeded value. */
  isPending(key: string): boolean {
    return this.#isSeeded(key) && !super.has(key);
  }

  /** @internal Returns a value as plain JSON that shares no object with the map. */
  plain(key: string): unknown {
    const value = this.peek(key);
    if (this.isPending(key)) return value;
    return JSON.parse(JSON.stringify(value) ?? "null");
  }

  /** @internal Returns the JSON of a value. Nobody can have changed a created value, so its JSON is kept. */
  json(key: string): string {
    const recent = this.isPending(key) ? this.#readPending(key) : undefined;
    if (recent === undefined) return JSON.stringify(super.get(key)) ?? "null"; // as within an array
    recent.json ??= JSON.stringify(recent.value);
    return recent.json;
  }

  override set(key: string, value: Value): this {
    if (this.isPending(key)) this.#materialized += 1;
    else if (!super.has(key)) this.#changed.push(key);
    this.#recent.delete(key);
    return super.set(key, value);
  }

  override delete(key: string): boolean {
    if (!this.has(key)) return false;
    this.#changed.push(key);
    if (this.#isSeeded(key)) {
      if (super.has(key)) this.#materialized -= 1;
      this.#deleted.add(key);
    }
    super.delete(key);
    this.#recent.delete(key);
    return true;
  }

  override clear(): void {
    super.clear();
    this.#seeds = NO_KEYS;
    this.#deleted = new Set();
    this.#materialized = 0;
    this.#order = undefined;
    this.#changed = [];
    this.#recent.clear();
  }

  override *keys(): MapIterator<string> {
    for (const key of this.#seeds.list) if (!this.#deleted.has(key)) yield key;
    for (const key of super.keys()) if (!this.#isSeeded(key)) yield key;
  }

  override *entries(): MapIterator<[string, Value]> {
    for (const key of this.keys()) yield [key, this.get(key) as Value];
  }

  override *values(): MapIterator<Value> {
    for (const key of this.keys()) yield this.get(key) as Value;
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
    if (this.#order === undefined && this.#changed.length === 0) {
      return this.#sorted ? this.#seeds.sorted() : this.#seeds.list;
    }
    if (this.#changed.length === 0 && this.#order !== undefined) return this.#order;
    const isIncremental = this.#sorted && this.#changed.length <= MAX_INCREMENTAL_UPDATES;
    this.#order = isIncremental ? this.#updatedOrder() : this.#rebuiltOrder();
    this.#changed = [];
    return this.#order;
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

  #materialize(key: string): Value | undefined {
    const value = this.#recent.get(key)?.value ?? this.#create?.(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  #readPending(key: string): Recent<Value> | undefined {
    const known = this.#recent.get(key);
    if (known !== undefined || this.#create === undefined) return known;
    const recent: Recent<Value> = { value: this.#create(key) };
    // a new map: a cleared one keeps its former values until V8's next full collection
    if (this.#recent.size >= RECENT_LIMIT) this.#recent = new Map();
    this.#recent.set(key, recent);
    return recent;
  }

  #rebuiltOrder(): string[] {
    const keys = [...this.keys()];
    return this.#sorted ? keys.toSorted((one, other) => (one < other ? -1 : 1)) : keys;
  }

  #updatedOrder(): string[] {
    const order = this.#order ?? [...this.#seeds.sorted()];
    for (const key of this.#changed) {
      const at = firstAtLeast(order, key);
      const listed = order[at] === key;
      if (this.has(key) && !listed) order.splice(at, 0, key);
      else if (!this.has(key) && listed) order.splice(at, 1);
    }
    return order;
  }
}

/** Returns the index of a key in a sorted list, or where it would be inserted. */
export function firstAtLeast(sorted: readonly string[], key: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as string) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
