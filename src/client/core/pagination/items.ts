/**
 * The items of pages, one at a time. An item of a page that has arrived costs one resolved promise; an async generator
 * would cost more.
 */
export class ItemIterator<T> implements AsyncIterableIterator<T, undefined> {
  readonly #pages: AsyncGenerator<{ items: T[] }, undefined>;
  #items: readonly T[] = [];
  #index = 0;
  /** The number of calls in the queue, and the last one. */
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(pages: AsyncGenerator<{ items: T[] }, void>) {
    this.#pages = pages as AsyncGenerator<{ items: T[] }, undefined>; // a function without a result returns undefined
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<T, undefined>> {
    if (this.#waiting === 0 && this.#index < this.#items.length) return Promise.resolve(this.#take());
    return this.#enqueue(() => this.#advance());
  }

  return(): Promise<IteratorResult<T, undefined>> {
    return this.#enqueue(() => {
      this.#items = [];
      return this.#pages.return(undefined) as Promise<IteratorReturnResult<undefined>>; // it yields nothing when it is left
    });
  }

  /** Runs after all earlier calls. */
  #enqueue(run: () => Promise<IteratorResult<T, undefined>>): Promise<IteratorResult<T, undefined>> {
    this.#waiting += 1;
    const result = this.#last.then(run).finally(() => {
      this.#waiting -= 1; // before the caller's promise resolves, because the caller then asks for the next item of this page
    });
    this.#last = result.catch(() => {}); // the waiting call receives the error
    return result;
  }

  async #advance(): Promise<IteratorResult<T, undefined>> {
    while (this.#index >= this.#items.length) {
      const page = await this.#pages.next();
      if (page.done === true) return page;
      this.#items = [...page.value.items]; // the caller may have the page, and change it
      this.#index = 0;
    }
    return this.#take();
  }

  #take(): IteratorResult<T, undefined> {
    return { done: false, value: this.#items[this.#index++] as T }; // the length was checked above
  }
}
