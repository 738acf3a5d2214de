import { ApiError } from "../errors/response-errors.ts";
import { describeDrift, type Drift } from "../options/drift.ts";
import type { ListCall } from "./list-call.ts";
import { type Walk, writeToken } from "./walk.ts";
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
  /** Undefined if the pass cannot be continued. */
  read: ReadPage<T, Meta> | undefined;
  /** The reason why the pass cannot be continued. */
  failure?: Error;
  drift: readonly Drift[];
  /** For each item, whether the pass has it for the first time. */
  isNew: readonly boolean[];
  /** The token to continue the pass after the page, written before the pass accepts another page; empty without tokens. */
  resume: string;
  isLast: boolean;
}

/** The reaction to a list that changes during a walk. */
export type DriftReaction = "heal" | "report" | "throw";

/** The end of a pass. */
const ended = { read: undefined, drift: [], isNew: [], resume: "", isLast: true };

/** Reads the pages of one pass over a numbered list. */
export class PassReader<T, Meta> implements PageReader<AcceptedPage<T, Meta>> {
  readonly #context: NumberedContext<T>;
  readonly #pass: Pass;
  readonly #reaction: DriftReaction;
  /** The number of the first page that this reader requests. */
  readonly #first: number;
  readonly #hasTokens: boolean;
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

  /**
   * @param next the number of the next page
   * @param hasTokens whether the consumer sees the token of each page, or only of the first one
   */
  constructor(
    context: NumberedContext<T>,
    pass: Pass,
    next: number,
    reaction: DriftReaction,
    hasTokens: boolean,
  ) {
    this.#context = context;
    this.#pass = pass;
    this.#reaction = reaction;
    this.#first = next;
    this.#hasTokens = hasTokens;
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
      const read = await readNumberedPage<T, Meta>(content, format, walk.guard, call);
      this.#total = read.pagination.totalPages;
      this.#isEnding ||= isLastPage(read.pagination);
      await previous;
      return this.#accept(number, read, isSequential);
    } catch (error) {
      this.#isEnding = true;
      // the list may have become shorter than this page
      if (!(error instanceof ApiError && (error.status === 404 || error.status === 400))) throw error;
      await previous;
      return this.#endPass(number, error);
    }
  }

  /** Validates a page after the previous page was accepted. */
  #accept(number: number, read: ReadPage<T, Meta>, isSequential: boolean): AcceptedPage<T, Meta> {
    const { call, walk } = this.#context;
    const { guard } = walk;
    const { pagination, content, keys, ids } = read;
    const pass = this.#pass;
    if (this.#isEnded) return ended; // it was requested before the pass ended, and is not read
    if (pagination.currentPage !== number) {
      const problem = `page ${number} was requested and page ${pagination.currentPage} returned`;
      return this.#endPass(number, guard.error(problem));
    }
    const known = pass.keys.size;
    const { clean } = content;
    const { drift, isNew } = pass.accept({ pagination, keys, ids, clean, isSequential });
    const [first] = drift;
    if (first !== undefined && this.#reaction === "throw") throw guard.error(describeDrift(first));
    const repetition = guard.acceptNumbered(number, keys, clean, pass.keys.size > known);
    if (repetition !== undefined && pass.isChanged) return this.#endPass(number, repetition);
    this.#accepted = number;
    const isLast = isLastPage(pagination);
    this.#isEnded = isLast;
    const hasToken = this.#hasTokens || number === this.#first;
    const resume =
      isLast || !hasToken ? "" : writeToken(call, { page: number + 1, pass: pass.serialize() }, walk);
    return { read, drift, isNew, resume, isLast };
  }

  /** Ends a pass that cannot be continued. Throws if it has just begun, or if there is no other pass. */
  #endPass(number: number, failure: Error): AcceptedPage<T, Meta> {
    if (this.#reaction !== "heal" || number === this.#pass.start) throw failure;
    this.#pass.abandon();
    this.#isEnded = true;
    this.#isEnding = true;
    return { ...ended, failure };
  }
}
