/** The seeded keys of a collection. They never change, so collections and tenants share them. */
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
