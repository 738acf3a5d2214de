import { ApiError } from "../errors/errors.ts";
import type { Drift } from "../options/drift.ts";
import type { ListCall, Walk } from "./list-call.ts";
import { type NumberedFormat, type ReadPage, readNumberedPage } from "./numbered-page.ts";
import { isLastPage, type Pass } from "./pass.ts";
import type { PageReader } from "./read-ahead.ts";

/** The parts that all passes of a walk share. */
export interface NumberedContext<T> {
  call: ListCall;
  walk: Walk;
  format: NumberedFormat<T>;
}

/** A page that its pass has compared with the pages before. */
export interface AcceptedPage<T, Meta> {
  /** Undefined if the page shows that the pass cannot be continued. */
  read: ReadPage<T, Meta> | undefined;
  drift: readonly Drift[];
  /** For each item, whether the pass has it for the first time. */
  isNew: readonly boolean[];
  isLast: boolean;
}

/** Reads the pages of one pass over a numbered list. */
export class PassReader<T, Meta> implements PageReader<AcceptedPage<T, Meta>> {
  readonly #context: NumberedContext<T>;
  readonly #pass: Pass;
  /** A page that cannot follow the others ends the pass, and is not an error. */
  readonly #mayEnd: boolean;
  /** The number of the last requested page, and of the last accepted page. */
  #requested: number;
  #accepted: number;
  /** The number of pages in the last response. */
  #total = 0;
  /** A response was the last page or an error: no further page is requested ahead. */
  #isEnding = false;
  #isEnded = false;
  /** The last requested page: the next one is accepted after it. */
  #previous: Promise<unknown> | undefined;

  /** @param next the number of the next page */
  constructor(context: NumberedContext<T>, pass: Pass, next: number, mayEnd: boolean) {
    this.#context = context;
    this.#pass = pass;
    this.#mayEnd = mayEnd;
    this.#requested = next - 1;
    this.#accepted = next - 1;
  }

  request(cancel: AbortSignal): Promise<AcceptedPage<T, Meta>> | undefined {
    const isSequential = this.#requested === this.#accepted && !this.#isEnded;
    const isKnown = !this.#isEnding && this.#requested < this.#total;
    if (!isSequential && !isKnown) return undefined;
    this.#requested += 1;
    const page = this.#fetch(this.#requested, isSequential, this.#previous, cancel);
    this.#previous = page;
    return page;
  }

  async #fetch(
    number: number,
    isSequential: boolean,
    previous: Promise<unknown> | undefined,
    cancel: AbortSignal,
  ): Promise<AcceptedPage<T, Meta>> {
    const { call, walk, format } = this.#context;
    try {
      const { operation, path, baseQuery } = call;
      // the first page is the default: its number is only sent if the caller gave it
      const query = { ...baseQuery, page: number === 1 ? baseQuery.page : number };
      const content = await walk.send(operation, { path, query }, cancel);
      const read = await readNumberedPage<T, Meta>(content, format, walk.guard);
      this.#total = read.pagination.totalPages;
      this.#isEnding ||= isLastPage(read.pagination);
      await previous;
      return this.#accept(number, read, isSequential);
    } catch (error) {
      this.#isEnding = true;
      // the list may have become shorter than this page
      const isPastEnd = error instanceof ApiError && (error.status === 404 || error.status === 400);
      if (!isPastEnd || !this.#mayEnd || number === this.#pass.start) throw error;
      await previous;
      return this.#abandon();
    }
  }

  /** Validates a page after the previous page was accepted. */
  #accept(number: number, read: ReadPage<T, Meta>, isSequential: boolean): AcceptedPage<T, Meta> {
    const { guard } = this.#context.walk;
    const { pagination, content, keys, ids } = read;
    const pass = this.#pass;
    const mayEnd = this.#mayEnd && number !== pass.start;
    if (pagination.currentPage !== number) {
      if (mayEnd) return this.#abandon();
      throw guard.error(`page ${number} was requested and page ${pagination.currentPage} returned`);
    }
    const known = pass.keys.size;
    const { drift, isNew } = pass.accept({ pagination, keys, ids, isSequential });
    const isRepeated = guard.acceptNumbered(number, keys, content.clean, pass.keys.size > known);
    if (isRepeated && pass.isChanged) {
      if (mayEnd) return this.#abandon();
      throw guard.error(`page ${number} has the items of the previous page: the walk might not end`);
    }
    this.#accepted = number;
    const isLast = isLastPage(pagination);
    this.#isEnded = isLast;
    return { read, drift, isNew, isLast };
  }

  #abandon(): AcceptedPage<T, Meta> {
    this.#pass.abandon();
    this.#isEnded = true;
    this.#isEnding = true;
    return { read: undefined, drift: [], isNew: [], isLast: true };
  }
}
