/** Characters that a generation of texts may have: those of some three thousand stores. */
const LIMIT = 2_000_000;

/**
 * JSON that was made before, by key. A text is kept when it is made for the second time, so that a walk over a large
 * map keeps none. When a generation is full the next one begins, and what nobody asked for during a whole one is
 * given up.
 */
export class JsonTexts {
  /** Without a text: it was made once. */
  #young = new Map<string, string | undefined>();
  #old = new Map<string, string | undefined>();
  #characters = 0;

  get(key: string): string | undefined {
    const text = this.#young.get(key);
    if (text !== undefined) return text;
    const older = this.#old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: string, text: string): void {
    const again = this.#young.has(key) || this.#old.has(key);
    if (this.#characters > LIMIT) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#characters = 0;
    }
    this.#young.set(key, again ? text : undefined);
    this.#characters += text.length;
  }

  delete(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#characters = 0;
  }
}
