/**
 * The items of pages, one at a time. An item of a page that has arrived costs one resolved promise; an async generator
 * would cost more.
 */
export class ItemIterator<T> implements AsyncIterableIterator<T, undefined> {
  readonly #pages: AsyncIterator<{ items: T[] }, void>;
  #items: readonly T[] = [];
  #index = 0;
  /** The queue of calls that wait for a page. */
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(pages: AsyncIterator<{ items: T[] }, void>) {
    this.#pages = pages;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<T, undefined>> {
    if (this.#waiting === 0 && this.#index < this.#items.length) return Promise.resolve(this.#take());
    this.#waiting += 1;
    const result = this.#last.then(() => this.#advance());
    this.#last = result.catch(() => {}); // the waiting call receives the error
    return result;
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    this.#items = [];
    await this.#pages.return?.();
    return { done: true, value: undefined };
  }

  async #advance(): Promise<IteratorResult<T, undefined>> {
    try {
      while (this.#index >= this.#items.length) {
        const page = await this.#pages.next();
        if (page.done === true) return { done: true, value: undefined };
        this.#items = [...page.value.items]; // the caller may have the page, and change it
        this.#index = 0;
      }
      return this.#take();
    } finally {
      this.#waiting -= 1; // before the caller's promise resolves, because the caller then asks for the next item of this page
    }
  }

  #take(): IteratorResult<T, undefined> {
    const value = this.#items[this.#index] as T; // the length was checked above
    this.#index += 1;
    return { done: false, value };
  }
}
