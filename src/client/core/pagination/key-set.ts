/** The largest hash, which has 53 bits, in base 36. */
const width = (2 ** 53 - 1).toString(36).length;

/** The hashes of a walk's items, with a form for resume tokens. */
export class KeySet {
  readonly #keys: Set<number>;
  /** The keys in the form of a token, and those that are not part of it yet. */
  #text: string;
  #added: number[] = [];

  private constructor(keys: Set<number>, text: string) {
    this.#keys = keys;
    this.#text = text;
  }

  static empty(): KeySet {
    return new KeySet(new Set(), "");
  }

  /** Reads the form of a token; undefined if it is malformed. */
  static read(text: unknown): KeySet | undefined {
    if (typeof text !== "string" || text.length % width !== 0 || !/^[\da-z]*$/.test(text)) return undefined;
    const keys = new Set<number>();
    for (let offset = 0; offset < text.length; offset += width) {
      const key = Number.parseInt(text.slice(offset, offset + width), 36);
      if (!Number.isSafeInteger(key)) return undefined;
      keys.add(key);
    }
    return new KeySet(keys, text);
  }

  get size(): number {
    return this.#keys.size;
  }

  has(key: number): boolean {
    return this.#keys.has(key);
  }

  /** Adds a key; returns false if the set has it already. */
  add(key: number): boolean {
    if (this.#keys.has(key)) return false;
    this.#keys.add(key);
    this.#added.push(key);
    return true;
  }

  /** Returns the form for a token: 11 characters for each key. */
  serialize(): string {
    this.#text += this.#added.map((key) => key.toString(36).padStart(width, "0")).join("");
    this.#added = [];
    return this.#text;
  }
}
