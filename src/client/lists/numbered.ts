import type { JsonObject } from "../../wire/json.ts";
import {
  isLastPage,
  isMissingPage,
  type PageFormat,
  type RawNumberedPage,
  requestPage,
} from "./numbered-page.ts";
import { hashLast, type NumberedStart, readStart, writePlace } from "./numbered-place.ts";
import { List } from "./list.ts";
import {
  type ConcurrencyOptions,
  describeDrift,
  type Drift,
  type ListSource,
  type NumberedPage,
  type WalkOptions,
} from "./page.ts";
import { PageReader } from "./page-reader.ts";
import type { DriftReaction } from "./query.ts";
import { isSafePlace, isShortPage, judgeBalance, Tally } from "./tally.ts";
import { keysOf, Walk } from "./walk.ts";

/**
 * A list of numbered pages. Nothing is sent until it is awaited or iterated; each loop starts a new walk. `await`
 * returns the first page, `for await` iterates every item.
 */
export interface PageList<T, Meta = Record<string, unknown>>
  extends List<T, NumberedPage<T, Meta>, ConcurrencyOptions> {}

/** The specifics of one numbered list. */
export interface NumberedSettings extends PageFormat {
  /** What the client does if a list changes; the option of a list has precedence. */
  readonly onDrift: DriftReaction;
  /** Reports a change to the hook `onDrift` and the log. */
  readonly report: (drift: Drift, sentence: string) => void;
}

type Pages<T, Meta> = AsyncGenerator<NumberedPage<T, Meta>, void, void>;

/** Creates a list of numbered pages. */
export function pageList<T, Meta>(source: ListSource<T>, settings: NumberedSettings): PageList<T, Meta> {
  return new List<T, NumberedPage<T, Meta>, ConcurrencyOptions>(
    source,
    (limited, options) => new NumberedWalk<T, Meta>(limited, settings, options).pages(),
    ["concurrency", 1],
  );
}

/** How often a list is read again that lacks items, and how often a part of it that changes. */
const maxPasses = 5;

/** One walk of a numbered list. */
class NumberedWalk<T, Meta> extends Walk<T> {
  readonly #settings: NumberedSettings;
  readonly #onDrift: DriftReaction;
  readonly #ahead: number;
  readonly #start: NumberedStart;
  readonly #tally: Tally;
  #limit: number | undefined;
  #reader: PageReader;
  /** The page that was accepted last, and the largest number of a page. */
  #previous: RawNumberedPage | undefined;
  #furthest = 0;
  /** The number of items that this walk has delivered. */
  #size = 0;
  #hasIds = true;
  /** The number of changes since the last new item, and the two pages between which the last one was noticed. */
  #setbacks = 0;
  #changedPages = "";
  /** The page that did not exist although the page before announced it. */
  #rejected = 0;
  /** The number of times that the whole list was read, and the number of items before the last time. */
  #passes = 1;
  #sizeBefore = 0;
  /** The place after the last page, which the tokens have while the list is read again. */
  #end: object | undefined;
  /** What was reported since the page before. */
  #drift: Drift[] = [];

  constructor(source: ListSource<T>, settings: NumberedSettings, { ahead, cancel }: WalkOptions) {
    super(source, cancel);
    const { onDrift = settings.onDrift } = source.controls;
    if (!["heal", "report", "throw"].includes(onDrift))
      throw source.refuse("onDrift", "must be heal, report or throw");
    this.#settings = settings;
    this.#onDrift = onDrift;
    this.#ahead = ahead;
    this.#start = readStart(this);
    this.#tally = new Tally(this.#start.before);
    this.#limit = this.#start.before?.limit;
    this.#reader = this.#createReader();
  }

  /** Walks from the start to the end, and reads again what a change of the list may have moved. */
  async *pages(): Pages<T, Meta> {
    await this.#requireSamePlace();
    /** The new items of pages that are read again: they come with the next page that is new. */
    let held: readonly unknown[] = [];
    for (let number = this.#start.page; ; number += 1) {
      const raw = await this.#readNext(number);
      number = raw.number;
      const isAgain = this.#isAgain(number);
      const sent = [...held, ...this.#accept(raw)];
      const verdict = isLastPage(raw) ? await this.#judgeEnd(raw, sent) : "continue";
      const isDone = verdict === "done";
      // a page behind this one may have delivered items, which a token of this page would not know
      const isHeld = isAgain && this.#passes === 1 && verdict === "continue";
      held = isHeld ? sent : [];
      // only the last page has no token, also if it has no new items
      if (isDone || !isAgain || (sent.length > 0 && !isHeld))
        yield await this.#build(raw, sent, isDone ? undefined : this.#placeAfter(raw));
      if (isDone) return;
      this.last = { page: number };
      if (verdict === "continue") continue;
      this.#beginPass(raw);
      number = 0;
    }
  }

  #createReader(): PageReader {
    const query: JsonObject = { ...this.source.query };
    if (this.#limit !== undefined) query["limit"] = this.#limit;
    return new PageReader((page) => requestPage(this, this.#settings, { ...query, page }), this.#ahead);
  }

  /** Whether a page was read before. */
  #isAgain(number: number): boolean {
    return this.#passes > 1 || number <= this.#furthest;
  }

  /** Reads the next page, or an earlier one if rows may have moved since the response before. */
  async #readNext(number: number): Promise<RawNumberedPage> {
    const raw = await this.#read(number);
    if (raw === undefined) return this.#goBack(number, raw);
    const changes = this.#compare(raw);
    if (this.#onDrift !== "heal" || changes.length === 0) return raw;
    const pages = [this.#previous, raw].map(
      (page) => page && [page.number, ...keysOf(this.source, page.items)],
    );
    const changedPages = JSON.stringify(pages);
    // the same difference between the same two pages is no change
    if (changedPages === this.#changedPages) return raw;
    this.#changedPages = changedPages;
    return this.#goBack(number, raw);
  }

  /** Requests a page; undefined if it does not exist any more. What looks like an old response is requested again. */
  async #read(number: number): Promise<RawNumberedPage | undefined> {
    try {
      const raw = await this.#reader.take(number);
      if (!this.#isDoubtful(raw)) return raw;
      const again = await this.#reader.read(number);
      const isOther = again.pagination.currentPage !== number;
      return this.#requireNumber(isOther && raw.pagination.currentPage === number ? raw : again);
    } catch (error) {
      if (!isMissingPage(error) || this.#rejected === number) throw error;
      const { page } = this.#start;
      const previous = this.#previous;
      const isBehind = previous !== undefined && number > previous.pagination.totalPages;
      // after the token of a last page, or after a last page that says that another one follows
      if (isBehind && (number === page || previous.pagination.hasNextPage))
        return { ...previous, number, items: [] };
      if (this.#onDrift !== "heal" || number <= page) throw error;
      this.#rejected = number;
      return undefined;
    }
  }

  /** Whether a response may be an old or a wrong one: another page, only known items, or fewer items than other pages have. */
  #isDoubtful(raw: RawNumberedPage): boolean {
    const { number, items, pagination } = raw;
    if (pagination.currentPage !== number) return true;
    if (this.#isAgain(number)) return false;
    if (this.#onDrift === "heal" && isShortPage(raw, this.#tally.longest)) return true;
    return items.length > 0 && items.every((item) => this.has(item));
  }

  /** The page that was requested is returned; a page behind the end of a list is empty. */
  #requireNumber(raw: RawNumberedPage): RawNumberedPage {
    const { number, pagination } = raw;
    if (pagination.currentPage === number) return raw;
    if (this.#previous !== undefined && number > pagination.totalPages) return { ...raw, items: [] };
    throw this.end(`page ${number} was requested, and page ${pagination.currentPage} was returned`);
  }

  /** The page before a resumed walk must still end with the same item: otherwise rows have moved over the place. */
  async #requireSamePlace(): Promise<void> {
    const { page, before } = this.#start;
    if (before?.last === undefined) return;
    const isSame = ({ items }: RawNumberedPage): boolean => hashLast(this.source, items) === before.last;
    let raw = await this.#readBefore(page - 1);
    const { length } = raw.items;
    if (!isSame(raw) && length > 0 && length !== before.size && !isLastPage(raw))
      throw this.end(`the pages had ${before.size} items and have ${length}: use the \`limit\` of the token`);
    if (!isSame(raw)) raw = await this.#readBefore(page - 1);
    if (!isSame(raw)) throw this.#moved();
    this.takeNew(raw.items); // an earlier process has delivered them
    this.#previous = raw;
    this.#furthest = raw.number;
    this.#compare(raw);
  }

  async #readBefore(number: number): Promise<RawNumberedPage> {
    try {
      const raw = await this.#reader.read(number);
      if (raw.pagination.currentPage === number) return raw;
    } catch (error) {
      if (!isMissingPage(error)) throw error;
    }
    throw this.#moved();
  }

  #moved(): Error {
    return this.end(
      "rows were added or deleted before the place of `resume`, so that rows may be missed: walk the list from its beginning",
    );
  }

  /** Compares a page with the response before, and reports the changes. */
  #compare(raw: RawNumberedPage): Drift[] {
    const changes = this.#tally.compare(raw);
    for (const change of changes) this.#report(change);
    return changes;
  }

  #report(drift: Drift): void {
    const sentence = describeDrift(drift);
    if (this.#onDrift === "throw") throw this.end(sentence);
    this.#settings.report(drift, sentence);
    this.#drift.push(drift);
  }

  /**
   * Goes back from a page to one from which the walk misses nothing. A further pass begins again, because almost all items are
   * known.
   * @param raw the page; undefined if it does not exist any more
   */
  async #goBack(number: number, raw: RawNumberedPage | undefined): Promise<RawNumberedPage> {
    this.#countSetback(raw);
    const isKnown = (item: unknown): boolean => this.#passes === 1 && this.has(item);
    let page = raw;
    for (let place = this.#passes === 1 ? number : 2; !isSafePlace(page, this.#start.page, isKnown); ) {
      if (place === 1) throw this.#moved();
      place -= 1;
      page = await this.#read(place);
      if (page !== undefined) this.#compare(page);
    }
    return page;
  }

  #countSetback(raw: RawNumberedPage | undefined): void {
    this.#hasIds &&= this.#haveIds(raw?.items ?? []);
    if (!this.#hasIds)
      throw this.end(
        'the list changed while it was walked, and items without an ID cannot be recognized when it is read again (`onDrift: "report"` reads on)',
      );
    this.#setbacks += 1;
    if (this.#setbacks > maxPasses)
      throw this.end(`the list changed each of ${maxPasses} times that a part of it was read`);
    this.#reader.forget();
  }

  #haveIds(items: readonly unknown[]): boolean {
    return items.every((item) => this.source.idOf(item) !== undefined);
  }

  /** Takes the new items of a page, and reports what it repeats. */
  #accept(raw: RawNumberedPage): readonly unknown[] {
    const { number, items, pagination } = raw;
    const isAgain = this.#isAgain(number);
    this.#furthest = Math.max(this.#furthest, number);
    this.#hasIds &&= this.#haveIds(items);
    this.#previous = raw;
    const sent = this.takeNew(items);
    this.#size += sent.length;
    if (sent.length > 0) this.#setbacks = 0;
    this.#tally.add(raw, isAgain ? 0 : items.length - sent.length);
    if (!isAgain && sent.length < items.length) {
      const repeated = items.find((item) => !sent.includes(item));
      this.#report({ kind: "repeated-id", page: number, id: this.source.idOf(repeated) ?? "" });
    }
    if (pagination.hasNextPage && !isAgain) this.requireProgress(items, sent);
    if (number > pagination.totalPages && pagination.hasNextPage && sent.length > 0)
      throw this.end(`page ${number} has a next page, although there are ${pagination.totalPages} pages`);
    return sent;
  }

  /** The number of items that were delivered up to here, also before the start; undefined if it is not known. */
  #delivered(): number | undefined {
    const { page, before } = this.#start;
    if (before !== undefined) return before.count + this.#size;
    if (page === 1) return this.#size;
    // the size of the pages is known after one that is not the last one
    return this.#furthest > page ? (page - 1) * this.#tally.longest + this.#size : undefined;
  }

  /** Compares the number of items with the total: whether the walk is done, continues behind the end, or repeats the list. */
  async #judgeEnd(
    { number, pagination: { totalCount: total, hasNextPage } }: RawNumberedPage,
    sent: readonly unknown[],
  ): Promise<"done" | "continue" | "repeat"> {
    const delivered = this.#delivered();
    if (delivered === undefined) return "done";
    const missing: Drift = { kind: "missing", page: number, count: delivered, expected: total };
    if (this.#hasIds && delivered < total && this.#passes === 1) this.#report(missing);
    if (this.#onDrift !== "heal") return "done";
    const isNew = this.#passes === 1 || this.#size > this.#sizeBefore;
    const canRepeat = this.#start.page === 1 && this.#hasIds && isNew && this.#passes < maxPasses;
    const { unseen, deleted, hasShortPage } = this.#tally;
    const counts = { delivered, total, unseen, deleted, hasShortPage };
    const verdict = judgeBalance({ ...counts, isGrowing: sent.length > 0, canRepeat });
    // that another page follows is wrong if it has nothing new
    if (verdict === "look" || (verdict === "done" && hasNextPage))
      return (await this.#hasMore(number)) ? "continue" : "done";
    if (verdict !== "fail") return verdict;
    throw this.end(
      `${describeDrift(missing)}: others may be missing (\`onDrift: "report"\` delivers what is there)`,
    );
  }

  /** Whether there is a page after the last one with new items. */
  async #hasMore(number: number): Promise<boolean> {
    try {
      const { items, pagination } = await this.#reader.read(number + 1);
      return pagination.currentPage === number + 1 && items.some((item) => !this.has(item));
    } catch (error) {
      if (isMissingPage(error)) return false;
      throw error;
    }
  }

  /** Reads the list again from its first page, with the page size that the service gives. */
  #beginPass(last: RawNumberedPage): void {
    this.#end ??= this.#placeAfter(last)();
    this.#passes += 1;
    this.#sizeBefore = this.#size;
    this.#changedPages = "";
    const { longest } = this.#tally;
    const limit = Number(this.source.query["limit"] ?? this.source.pageSize);
    if (longest > 0 && longest < limit) this.#limit = longest;
    this.#tally.beginPass(this.#limit !== undefined); // with a limit, the pages have another size
    this.#reader = this.#createReader();
  }

  async #build(
    { page, pagination, meta }: RawNumberedPage,
    sent: readonly unknown[],
    next: (() => object) | undefined,
  ): Promise<NumberedPage<T, Meta>> {
    const drift = this.#drift;
    this.#drift = [];
    const items = await this.source.parse(page, sent, "data");
    // the contract's type of `meta`, which `validate: "full"` checks
    const properties = { items, sent, pagination, meta: meta as Meta, drift, raw: page.json };
    return this.completePage<NumberedPage<T, Meta>>(properties, page, next);
  }

  #placeAfter(raw: RawNumberedPage): () => object {
    const { unseen, deleted, longest: size } = this.#tally;
    const delivered = this.#delivered() ?? (raw.number - 1) * raw.items.length + this.#size;
    // what was deleted may have been delivered: after the last page, the next process sees whether items are missing
    const count = Math.max(0, delivered + unseen - (isLastPage(raw) || this.#end ? deleted : 0));
    const place = this.#end ?? writePlace(this.source, raw, { size, limit: this.#limit });
    return () => ({ ...place, count });
  }
}
