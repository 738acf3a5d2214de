/** The keys that collections begin with; never changed, so that any number of collections and tenants share them. */
export class SeedKeys {
  /** In the order they were given. */
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

  /** In order of their UTF-16 code units. */
  sorted(): readonly string[] {
    this.#sorted ??= this.list.toSorted((one, other) => (one < other ? -1 : 1));
    return this.#sorted;
  }
}
