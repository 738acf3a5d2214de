import { copied } from "./deep-copy.ts";
import { JsonTexts } from "../json-texts.ts";
import { SeedKeys } from "./seed-keys.ts";

/** Makes the value of a seeded key; always the same one for the same key. */
export type Sow<Value> = (key: string) => Value;

const NO_KEYS = new SeedKeys([]);

/** More changes than that are made good by sorting anew. */
const MENDED_AT_ONCE = 64;

/** What `copy` takes and `paste` puts back. */
export interface MapCopy<Value> {
  readonly seeds: SeedKeys;
  readonly sow: Sow<Value> | undefined;
  readonly gone: readonly string[];
  readonly kept: readonly (readonly [string, Value])[];
}

/**
 * A `Map` whose seeded values are made when they are first looked at, so that a server with 100 000 stores starts at
 * once. Any other use is that of a `Map`, and a direct change shows in the next answer: the methods of `Map` are for
 * whoever may change what they give or take, and the text of such a value is made anew each time. The server's own
 * code, which replaces values and never changes them, uses `read`, `keep` and `text`.
 */
export class SeededMap<Value> extends Map<string, Value> {
  #seeds = NO_KEYS;
  #sow: Sow<Value> | undefined;
  /** Seeded keys that were deleted; set again, they come last as in any `Map`. */
  #gone = new Set<string>();
  /** How many of the values kept belong to seeded keys. */
  #born = 0;
  #order: string[] | undefined;
  #changed: string[] = [];
  /** Keys whose value somebody else may hold, and change unseen. */
  #shown = new Set<string>();
  readonly #texts = new JsonTexts();
  readonly #sorted: boolean;

  /** `sorted`: `keyList` is in order of the keys, otherwise in that of insertion. */
  constructor(sorted: boolean) {
    super();
    this.#sorted = sorted;
  }

  /** @internal Forgets everything and takes on these keys. */
  seed(keys: SeedKeys | readonly string[], sow: Sow<Value>): void {
    this.clear();
    this.#seeds = keys instanceof SeedKeys ? keys : new SeedKeys(keys);
    this.#sow = sow;
  }

  override get size(): number {
    return this.#seeds.size - this.#gone.size + super.size - this.#born;
  }

  override has(key: string): boolean {
    return super.has(key) || this.#isSeeded(key);
  }

  override get(key: string): Value | undefined {
    const value = this.read(key);
    if (value !== undefined) this.#show(key);
    return value;
  }

  /** @internal What `get` gives, to be looked at and not changed. */
  read(key: string): Value | undefined {
    const value = super.get(key);
    return value === undefined && this.#isUnborn(key) ? this.#bear(key) : value;
  }

  /** @internal The JSON of a value, kept for one that cannot have been changed. */
  text(key: string): string {
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const text = JSON.stringify(this.peek(key)) ?? "null"; // as within an array, whatever was put there by hand
    if (!this.#shown.has(key)) this.#texts.set(key, text);
    return text;
  }

  /** The value of a key, without keeping one that has to be made for it. */
  peek(key: string): Value | undefined {
    const value = super.get(key);
    return value === undefined && this.#isUnborn(key) ? this.#sow?.(key) : value;
  }

  override set(key: string, value: Value): this {
    this.#show(key);
    return this.keep(key, value);
  }

  /** @internal What `set` does, with a value that nobody else holds, unless the one before was held already. */
  keep(key: string, value: Value): this {
    this.#texts.delete(key);
    if (this.#isUnborn(key)) this.#born += 1;
    else if (!super.has(key)) this.#changed.push(key);
    return super.set(key, value);
  }

  override delete(key: string): boolean {
    if (!this.has(key)) return false;
    this.#changed.push(key);
    if (this.#isSeeded(key)) {
      if (super.has(key)) this.#born -= 1;
      this.#gone.add(key);
    }
    super.delete(key);
    this.#texts.delete(key);
    return true;
  }

  override clear(): void {
    super.clear();
    this.#seeds = NO_KEYS;
    this.#gone = new Set();
    this.#born = 0;
    this.#order = undefined;
    this.#changed = [];
    this.#shown = new Set();
    this.#texts.clear();
  }

  override *keys(): MapIterator<string> {
    for (const key of this.#seeds.list) if (!this.#gone.has(key)) yield key;
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

  /** All keys as an array, for pages: the last page costs what the first one does. Not to be changed. */
  keyList(): readonly string[] {
    if (this.#order === undefined && this.#changed.length === 0) {
      return this.#sorted ? this.#seeds.sorted() : this.#seeds.list;
    }
    if (this.#changed.length === 0 && this.#order !== undefined) return this.#order;
    this.#order = this.#sorted && this.#changed.length <= MENDED_AT_ONCE ? this.#mended() : this.#listed();
    this.#changed = [];
    return this.#order;
  }

  /** @internal A copy of what was looked at or changed; what was not stays to be made. */
  copy(): MapCopy<Value> {
    const kept = [...super.entries()].map(([key, value]) => [key, copied(value)] as const);
    return { seeds: this.#seeds, sow: this.#sow, gone: [...this.#gone], kept };
  }

  /** @internal Goes back to a copy. */
  paste({ seeds, sow, gone, kept }: MapCopy<Value>): void {
    this.clear();
    this.#seeds = seeds;
    this.#sow = sow;
    for (const key of gone) this.delete(key);
    for (const [key, value] of kept) this.keep(key, copied(value));
  }

  /** A seeded key that was never deleted. */
  #isSeeded(key: string): boolean {
    return this.#seeds.has(key) && !this.#gone.has(key);
  }

  #show(key: string): void {
    this.#shown.add(key);
    this.#texts.delete(key);
  }

  #isUnborn(key: string): boolean {
    return this.#isSeeded(key) && !super.has(key);
  }

  #bear(key: string): Value | undefined {
    const value = this.#sow?.(key);
    if (value !== undefined) this.keep(key, value);
    return value;
  }

  #listed(): string[] {
    const keys = [...this.keys()];
    return this.#sorted ? keys.toSorted((one, other) => (one < other ? -1 : 1)) : keys;
  }

  #mended(): string[] {
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

/** Where a key stands, or would stand, in a sorted list. */
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
