/** Copies JSON deeply; another object, such as a `Date`, stays the same. */
export function deepCopy<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(deepCopy) as T; // the same elements
  if (Object.prototype.toString.call(value) !== "[object Object]") return value;
  const copy: Record<string, unknown> = { ...(value as object) };
  for (const [name, property] of Object.entries(copy)) {
    if (typeof property !== "object" || property === null) continue;
    // an assignment to `__proto__` would set the prototype instead of a property
    if (name === "__proto__") Object.defineProperty(copy, name, { value: deepCopy(property) });
    else copy[name] = deepCopy(property);
  }
  return copy as T; // it has the same properties
}

/**
 * A `Map` whose seeded rows are created on first access, so that a server with 100 000 stores needs little memory. A row
 * that nobody has read yet is stored as undefined. Code that does not change a row uses `read`, which does not keep it.
 */
export class SeededMap<Row> extends Map<string, Row> {
  /** Creates the row of a seeded key; always the same row for the same key. */
  #create: ((key: string) => Row) | undefined;
  /** The keys in the order of lists, until a key is added or removed. */
  #order: string[] | undefined;
  readonly #isSorted: boolean;

  /** `isSorted`: lists are in order of the keys, otherwise in that of insertion. */
  constructor(isSorted: boolean) {
    super();
    this.#isSorted = isSorted;
  }

  /** Replaces the content by the rows of these keys. */
  seed(keys: readonly string[], create: (key: string) => Row): void {
    this.clear();
    this.#create = create;
    for (const key of keys) super.set(key, undefined as Row); // created later
  }

  override get(key: string): Row | undefined {
    const row = this.read(key);
    if (row !== undefined && this.#isPending(key)) super.set(key, row);
    return row;
  }

  /** Returns a row that must not be changed; a created row is not kept. */
  read(key: string): Row | undefined {
    return this.#isPending(key) ? this.#create?.(key) : super.get(key);
  }

  /** Returns a copy of a row as plain JSON: a created row is not kept, and needs no copy. */
  copy(key: string): Row | undefined {
    const row = this.read(key);
    return row === undefined || this.#isPending(key) ? row : (JSON.parse(JSON.stringify(row)) as Row); // rows are JSON
  }

  /** Stores a copy: what happens to the given row later changes nothing. */
  override set(key: string, row: Row): this {
    if (!this.has(key)) this.#order = undefined;
    return super.set(key, deepCopy(row));
  }

  override delete(key: string): boolean {
    this.#order = undefined;
    return super.delete(key);
  }

  override clear(): void {
    super.clear();
    this.#create = undefined;
    this.#order = undefined;
  }

  override *entries(): MapIterator<[string, Row]> {
    for (const key of this.keys()) yield [key, this.get(key) as Row]; // there is a row for each key
  }

  override *values(): MapIterator<Row> {
    for (const [, row] of this.entries()) yield row;
  }

  override [Symbol.iterator](): MapIterator<[string, Row]> {
    return this.entries();
  }

  override forEach(visit: (row: Row, key: string, map: Map<string, Row>) => void): void {
    for (const [key, row] of this.entries()) visit(row, key, this);
  }

  /** Returns all keys as an array that must not be changed, so that the last page costs as much as the first. */
  keyList(): readonly string[] {
    this.#order ??= this.#isSorted ? [...this.keys()].toSorted() : [...this.keys()];
    return this.#order;
  }

  /** Whether a key has a seeded row that was not created yet. */
  #isPending(key: string): boolean {
    return super.get(key) === undefined && this.has(key);
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
