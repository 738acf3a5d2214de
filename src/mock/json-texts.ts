/** Characters that are kept, of all texts together: those of some ten thousand stores. */
const LIMIT = 8_000_000;

/** JSON that was made before, by key; where it becomes too much, the oldest goes. */
export class JsonTexts {
  readonly #texts = new Map<string, string>();
  #characters = 0;

  get(key: string): string | undefined {
    return this.#texts.get(key);
  }

  set(key: string, text: string): void {
    this.delete(key);
    this.#texts.set(key, text);
    this.#characters += text.length;
    for (const oldest of this.#texts.keys()) {
      if (this.#characters <= LIMIT) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#characters -= this.#texts.get(key)?.length ?? 0;
    this.#texts.delete(key);
  }

  clear(): void {
    this.#texts.clear();
    this.#characters = 0;
  }
}
