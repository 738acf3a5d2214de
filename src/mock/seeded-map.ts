/** Stands for a value that was never looked at. */
const UNBORN = Symbol("unborn");

/** Makes the value of a seeded key; always the same one for the same key. */
export type Sow<Value> = (key: string) => Value;

/**
 * A `Map` whose seeded values are made when they are first looked at, so that a server with 100 000 stores starts at
 * once. Any other use is that of a `Map`, and a direct change shows in the next answer.
 */
export class SeededMap<Value> extends Map<string, Value> {
  #sow: Sow<Value> | undefined;
  #order: string[] | undefined;
  #changed: string[] = [];
  readonly #sorted: boolean;

  /** `sorted`: `keyList` is in order of the keys, otherwise in that of insertion. */
  constructor(sorted: boolean) {
    super();
    this.#sorted = sorted;
  }

  /** @internal Forgets everything and takes on these keys. */
  seed(keys: Iterable<string>, sow: Sow<Value>): void {
    this.clear();
    this.#sow = sow;
    for (const key of keys) super.set(key, UNBORN as Value);
  }

  override get(key: string): Value | undefined {
    const value = super.get(key);
    return value === (UNBORN as Value) ? this.#born(key) : value;
  }

  /** The value of a key, without keeping one that has to be made for it. */
  peek(key: string): Value | undefined {
    const value = super.get(key);
    return value === (UNBORN as Value) && this.#sow !== undefined ? this.#sow(key) : value;
  }

  override set(key: string, value: Value): this {
    if (this.#order !== undefined && !this.has(key)) this.#changed.push(key);
    return super.set(key, value);
  }

  override delete(key: string): boolean {
    const gone = super.delete(key);
    if (gone && this.#order !== undefined) this.#changed.push(key);
    return gone;
  }

  override clear(): void {
    super.clear();
    this.#order = undefined;
    this.#changed = [];
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
    if (
      this.#order === undefined ||
      this.#changed.length > 64 ||
      (!this.#sorted && this.#changed.length > 0)
    ) {
      this.#order = [...this.keys()];
      if (this.#sorted) this.#order.sort();
    } else {
      for (const key of this.#changed) this.#mend(this.#order, key);
    }
    this.#changed = [];
    return this.#order;
  }

  /** @internal A copy of what was looked at or changed; what was not stays to be made. */
  copy(): Map<string, Value> {
    const copy = new Map<string, Value>();
    for (const key of this.keys()) {
      const value = super.get(key) as Value;
      copy.set(key, value === (UNBORN as Value) ? value : structuredClone(value));
    }
    return copy;
  }

  /** @internal Goes back to a copy. */
  paste(copy: ReadonlyMap<string, Value>): void {
    this.clear();
    for (const [key, value] of copy)
      super.set(key, value === (UNBORN as Value) ? value : structuredClone(value));
  }

  #born(key: string): Value | undefined {
    const value = this.#sow?.(key);
    if (value !== undefined) super.set(key, value);
    return value;
  }

  #mend(order: string[], key: string): void {
    const at = firstAtLeast(order, key);
    const listed = order[at] === key;
    if (this.has(key) && !listed) order.splice(at, 0, key);
    else if (!this.has(key) && listed) order.splice(at, 1);
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
