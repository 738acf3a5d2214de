import type { RawNumberedPage } from "./numbered-page.ts";

/** Requests numbered pages, some of them before they are needed. */
export class PageReader {
  readonly #request: (number: number) => Promise<RawNumberedPage>;
  readonly #ahead: number;
  readonly #requested = new Map<number, Promise<RawNumberedPage>>();
  #totalPages = 0;

  /** @param ahead the number of pages that are requested while one is used */
  constructor(request: (number: number) => Promise<RawNumberedPage>, ahead: number) {
    this.#request = request;
    this.#ahead = ahead;
  }

  /** Requests a page now. */
  async read(number: number): Promise<RawNumberedPage> {
    const raw = await this.#request(number);
    this.#totalPages = raw.pagination.totalPages;
    return raw;
  }

  /** Returns the next page, and requests those after it. */
  async take(number: number): Promise<RawNumberedPage> {
    this.#requestAhead(number, number + this.#ahead);
    const page = this.#requested.get(number) ?? this.read(number);
    this.#requested.delete(number);
    await page;
    this.#requestAhead(number + 1, number + this.#ahead);
    return page;
  }

  #requestAhead(first: number, last: number): void {
    if (this.#ahead === 0) return;
    for (let number = first; number <= Math.min(last, this.#totalPages); number += 1) {
      if (this.#requested.has(number)) continue;
      const page = this.read(number);
      page.catch(() => {}); // it is thrown when its turn comes
      this.#requested.set(number, page);
    }
  }

  /** Forgets the pages that were requested before the list changed. */
  forget(): void {
    this.#requested.clear();
  }
}
