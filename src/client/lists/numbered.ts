import type { JsonObject } from "../../wire/json.ts";
import {
  isLastPage,
  isMissingPage,
  type PageFormat,
  type RawNumberedPage,
  requestPage,
} from "./numbered-page.ts";
import { describeDrift, type Drift, type ListSource, type NumberedPage, type WalkOptions } from "./page.ts";
import { PageReader } from "./page-reader.ts";
import type { DriftReaction } from "./query.ts";
import { hashKey, invalidToken, readHashes, writeHashes } from "./token.ts";
import { compareTotals, isShortPage, judgeBalance, lacksItems, type Totals } from "./totals.ts";
import { verifyPasses, Walk } from "./walk.ts";

/** The specifics of one numbered list. */
export interface NumberedSettings extends PageFormat {
  /** What the client does if a list changes; the option of a list has precedence. */
  readonly onDrift: DriftReaction;
  /** Reports a change to the hook `onDrift` and the log. */
  readonly report: (drift: Drift, sentence: string) => void;
}

type Pages<T, Meta> = AsyncGenerator<NumberedPage<T, Meta>, void, void>;

/** Walks a list of numbered pages. */
export function walkPageList<T, Meta>(
  source: ListSource<T>,
  settings: NumberedSettings,
  options: WalkOptions,
): Pages<T, Meta> {
  const pass = (limited: ListSource<T>): Pages<T, Meta> =>
    new NumberedWalk<T, Meta>(limited, settings, options).pages();
  if (source.controls.verify !== true) return pass(source);
  return verifyPasses(new Walk(source, options.cancel), pass);
}

/** Where a walk begins: at a page, or after a page of which a token says what the walk needs to know. */
interface Start {
  readonly page: number;
  /** Undefined at the first page, and if the walk does not know what comes before its page. */
  readonly before?: Before | undefined;
}

/** What a token says about the pages before its place. */
interface Before extends Totals {
  /** The hash of the last ID of the page before; undefined for an item without ID. */
  readonly last: string | undefined;
  /** The number of items of the page before. */
  readonly size: number;
  /** The number of items that were delivered, or created where the walk did not see them. */
  readonly count: number;
  /** The `limit` of the requests, if it is not that of the caller. */
  readonly limit: number | undefined;
}

function readStart(walk: Walk<unknown>): Start {
  if (walk.place === undefined) return { page: Number(walk.source.query["page"] ?? 1) };
  const { page, last, total: totalCount, pages: totalPages, size, count, limit } = walk.place;
  const counts = [page, totalCount, totalPages, size, count, limit ?? 0];
  const areCounts = counts.every((each) => Number.isSafeInteger(each) && Number(each) >= 0);
  if (!areCounts || page === 0 || (last !== undefined && typeof last !== "string"))
    throw invalidToken(walk.source);
  return { page, before: { totalCount, totalPages, last, size, count, limit } } as Start; // checked
}

/** How often a list is read again that lacks items, and how often a part of it that changes. */
const maxPasses = 5;

/** A page and its items that are delivered, and the number of items that were delivered with it. */
interface AcceptedPage {
  readonly raw: RawNumberedPage;
  readonly sent: readonly unknown[];
  readonly size: number;
}

/** A change of the totals that sends the walk back. */
interface Setback {
  /** The page on which the change was noticed, and the page before it as it was read last. */
  readonly page: RawNumberedPage;
  readonly previous: RawNumberedPage | undefined;
  /** Whether the page before was the same when it was read again. */
  isSame: boolean;
}

/** One walk of a numbered list. */
class NumberedWalk<T, Meta> extends Walk<T> {
  readonly #settings: NumberedSettings;
  readonly #onDrift: DriftReaction;
  readonly #ahead: number;
  readonly #start: Start;
  #limit: number | undefined;
  #reader: PageReader;
  /** The totals of the response before. */
  #totals: Totals | undefined;
  /** The page that was accepted last, and the largest number of a page. */
  #previous: RawNumberedPage | undefined;
  #furthest = 0;
  /** The number of items of the longest page. */
  #longest = 0;
  /** The number of items that were created and deleted during the walk, by the totals, and that came again. */
  #created = 0;
  #deleted = 0;
  #repeated = 0;
  #hasShortPage = false;
  /** The IDs of this pass, if it is not the first one. */
  #passIds: Set<string> | undefined;
  #hasIds = true;
  /** Whether the walk goes back to a page that it knows. */
  #isSearching = false;
  #setback: Setback | undefined;
  /** The number of changes since the last new item. */
  #setbacks = 0;
  /** The page that did not exist although the page before announced it. */
  #rejected = 0;
  /** The number of times that the whole list was read, and the number of items before the last time. */
  #passes = 1;
  #sizeBefore = 0;
  /** The place of the last token, and the last page when the list is read again. */
  #place: object;
  #ending: RawNumberedPage | undefined;
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
    this.#place = this.place ?? { page: this.#start.page, total: 0, pages: 0, size: 0 };
    this.#limit = this.#start.before?.limit;
    this.#longest = this.#start.before?.size ?? 0;
    this.#reader = this.#createReader();
  }

  /** Walks from the start to the end, and reads again what a change of the list may have moved. */
  async *pages(): Pages<T, Meta> {
    await this.#requireSamePlace();
    /** The page to deliver next, while the list is read again for items that it lacks: only the last page has no token. */
    let pending: AcceptedPage | undefined;
    for (let number = this.#start.page; ; number += 1) {
      const raw = await this.#read(number);
      if (raw === undefined || this.#mustGoBack(raw)) {
        number -= 2;
        continue;
      }
      const isAgain = number <= this.#furthest;
      const sent = this.#accept(raw);
      const page = { raw, sent, size: this.size };
      const verdict = isLastPage(raw) ? await this.#judgeEnd(raw, sent) : "continue";
      if (pending === undefined && verdict === "continue") {
        if (!isAgain || sent.length > 0) yield await this.#build(page, this.#placeAfter(raw));
        this.last = { page: number };
        continue;
      }
      if (pending !== undefined && sent.length > 0)
        yield await this.#build(pending, this.#placeAtEnd(pending));
      if (pending === undefined || sent.length > 0) pending = page;
      if (verdict === "done") return yield await this.#build(pending, undefined);
      if (verdict !== "repeat") continue;
      this.#ending ??= raw;
      await this.#beginPass();
      number = this.#start.page - 1;
    }
  }

  #createReader(): PageReader {
    const query: JsonObject = { ...this.source.query };
    if (this.#limit !== undefined) query["limit"] = this.#limit;
    return new PageReader((page) => requestPage(this, this.#settings, { ...query, page }), this.#ahead);
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
      const mayHaveChanged = this.#onDrift === "heal" && number > this.#start.page;
      if (!mayHaveChanged || !isMissingPage(error) || this.#rejected === number) throw error;
      this.#rejected = number;
      this.#search(undefined);
      return undefined;
    }
  }

  /** Whether a response may be an old or a wrong one: another page, only known items, or fewer items than other pages have. */
  #isDoubtful(raw: RawNumberedPage): boolean {
    const { number, items, pagination } = raw;
    if (pagination.currentPage !== number) return true;
    if (number <= this.#furthest || this.#passes > 1) return false;
    if (this.#onDrift === "heal" && isShortPage(raw, this.#longest)) return true;
    return items.length > 0 && items.every((item) => this.has(item));
  }

  /** The page that was requested is returned; a page behind the end of a list that has become shorter is empty. */
  #requireNumber(raw: RawNumberedPage): RawNumberedPage {
    const { number, pagination } = raw;
    if (pagination.currentPage === number) return raw;
    if (this.#totals !== undefined && number <= this.#totals.totalPages && number > pagination.totalPages)
      return { ...raw, items: [] };
    throw this.end(`page ${number} was requested, and page ${pagination.currentPage} was returned`);
  }

  /** The page before a resumed walk must still end with the same item: otherwise rows have moved over the place. */
  async #requireSamePlace(): Promise<void> {
    const { page, before } = this.#start;
    if (before === undefined) return;
    this.#totals ??= before;
    if (before.last === undefined) return;
    const isSame = ({ items }: RawNumberedPage): boolean => this.#hashLast(items) === before.last;
    let raw = await this.#readBefore(page - 1);
    const { length } = raw.items;
    if (!isSame(raw) && length > 0 && length !== before.size && !isLastPage(raw))
      throw this.end(`the pages had ${before.size} items and have ${length}: use the \`limit\` of the token`);
    if (!isSame(raw)) raw = await this.#readBefore(page - 1);
    if (!isSame(raw)) throw this.#moved();
    this.skip(raw.items);
    this.#remember(raw.items);
    this.#previous = raw;
    this.#furthest = Math.max(this.#furthest, page - 1);
    for (const change of this.#compare(raw)) this.#report(change);
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

  #hashLast(items: readonly unknown[]): string | undefined {
    const id = this.source.idOf(items.at(-1));
    return id === undefined ? undefined : hashKey(id);
  }

  /** Compares a response with the one before. */
  #compare(raw: RawNumberedPage): Drift[] {
    const changes = compareTotals(this.#totals, raw);
    const growth = raw.pagination.totalCount - (this.#totals ?? raw.pagination).totalCount;
    this.#created += Math.max(0, growth);
    this.#deleted += Math.max(0, -growth);
    this.#totals = raw.pagination;
    return changes;
  }

  #report(drift: Drift): void {
    const sentence = describeDrift(drift);
    if (this.#onDrift === "throw") throw this.end(sentence);
    this.#settings.report(drift, sentence);
    this.#drift.push(drift);
  }

  /**
   * Compares a page with the response before. If the totals differ, rows may have moved: the walk goes back to a page that
   * begins with an item that it knows, and continues from there.
   */
  #mustGoBack(raw: RawNumberedPage): boolean {
    const setback = this.#setback;
    if (setback?.page.number === raw.number + 1) setback.isSame = this.#areSame(setback.previous, raw);
    const changes = this.#compare(raw);
    for (const change of changes) this.#report(change);
    if (this.#onDrift !== "heal") return false;
    // the same difference between the same two pages is no change
    const isProperty = setback?.isSame === true && this.#areSame(setback.page, raw);
    if (changes.length > 0 && !isProperty) this.#search(raw);
    if (!this.#isSearching) return false;
    const { number, items } = raw;
    const isKnown = (number === 1 && this.#start.page === 1) || this.#isInPass(items[0]);
    if (!isKnown && number === 1) throw this.#moved();
    this.#isSearching = !isKnown;
    return !isKnown;
  }

  /** Remembers the items of a further pass. */
  #remember(items: readonly unknown[]): void {
    for (const item of items) this.#passIds?.add(this.source.idOf(item) ?? "");
  }

  /** Whether an item was read in this pass, before the place to which it has come. */
  #isInPass(item: unknown): boolean {
    const id = this.source.idOf(item);
    if (id === undefined) return false;
    return this.#passIds === undefined ? this.has(item) : this.#passIds.has(id);
  }

  #areSame(first: RawNumberedPage | undefined, second: RawNumberedPage): boolean {
    const isOne = first?.number === second.number && first.items.length === second.items.length;
    return isOne && this.keysOf(first.items).join("\n") === this.keysOf(second.items).join("\n");
  }

  /** Begins to go back from a page; undefined if it does not exist any more. */
  #search(page: RawNumberedPage | undefined): void {
    this.#hasIds &&= page === undefined || this.#haveIds(page.items);
    if (!this.#hasIds)
      throw this.end(
        'the list changed while it was walked, and items without an ID cannot be recognized when it is read again (`onDrift: "report"` reads on)',
      );
    if (!this.#isSearching) this.#setbacks += 1;
    if (this.#setbacks > maxPasses)
      throw this.end(`the list changed each of ${maxPasses} times that a part of it was read`);
    this.#reader.forget();
    const isNew = page !== undefined && !this.#isSearching;
    if (isNew) this.#setback = { page, previous: this.#previous, isSame: false };
    this.#isSearching = true;
  }

  #haveIds(items: readonly unknown[]): boolean {
    return items.every((item) => this.source.idOf(item) !== undefined);
  }

  /** Takes the new items of a page, and reports what it repeats. */
  #accept(raw: RawNumberedPage): readonly unknown[] {
    const { number, items, pagination } = raw;
    const isAgain = number <= this.#furthest;
    this.#furthest = Math.max(this.#furthest, number);
    this.#longest = Math.max(this.#longest, items.length);
    this.#hasShortPage ||= lacksItems(raw, this.#longest);
    this.#hasIds &&= this.#haveIds(items);
    this.#previous = raw;
    const sent = this.takeNew(items);
    this.#remember(items);
    if (sent.length > 0) this.#setbacks = 0;
    if (!isAgain && this.#passes === 1 && sent.length < items.length) {
      this.#repeated += items.length - sent.length;
      const repeated = items.find((item) => !sent.includes(item));
      this.#report({ kind: "repeated-id", page: number, id: this.source.idOf(repeated) ?? "" });
    }
    if (pagination.hasNextPage && !isAgain) this.requireProgress(items, sent);
    if (number > pagination.totalPages && pagination.hasNextPage)
      throw this.end(`page ${number} has a next page, although there are ${pagination.totalPages} pages`);
    return sent;
  }

  /** The number of items that were created on pages that were read before: each of them has moved another one to a later page. */
  get #unseen(): number {
    return Math.min(this.#created, this.#repeated);
  }

  /** The number of items that were delivered up to here, also before the start; undefined if it is not known. */
  #delivered(): number | undefined {
    const { page, before } = this.#start;
    if (before !== undefined) return before.count + this.size;
    if (page === 1) return this.size;
    // the size of the pages is known after one that is not the last one
    return this.#furthest > page ? (page - 1) * this.#longest + this.size : undefined;
  }

  /** Compares the number of items with the total: whether the walk is done, continues behind the end, or repeats the list. */
  async #judgeEnd(
    { number, pagination: { totalCount: total } }: RawNumberedPage,
    sent: readonly unknown[],
  ): Promise<"done" | "continue" | "repeat"> {
    const delivered = this.#delivered();
    if (delivered === undefined) return "done";
    const missing: Drift = { kind: "missing", page: number, count: delivered, expected: total };
    if (this.#hasIds && delivered < total && this.#passes === 1) this.#report(missing);
    if (this.#onDrift !== "heal") return "done";
    const isNew = this.#passes === 1 || this.size > this.#sizeBefore;
    const canRepeat = this.#start.page === 1 && this.#hasIds && isNew && this.#passes < maxPasses;
    const [unseen, deleted, hasShortPage] = [this.#unseen, this.#deleted, this.#hasShortPage];
    const counts = { delivered, total, unseen, deleted, hasShortPage };
    const verdict = judgeBalance({ ...counts, isGrowing: sent.length > 0, canRepeat });
    if (verdict === "look") return (await this.#hasMore(number)) ? "continue" : "done";
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

  /** Reads the list again, with the page size that the service gives. */
  async #beginPass(): Promise<void> {
    this.#passes += 1;
    this.#sizeBefore = this.size;
    this.#passIds = new Set();
    this.#hasShortPage = false;
    const limit = Number(this.source.query["limit"] ?? this.source.pageSize);
    if (this.#start.page === 1 && this.#longest > 0 && this.#longest < limit) this.#limit = this.#longest;
    if (this.#limit !== this.#start.before?.limit) this.#totals = undefined; // pages of another size
    this.#reader = this.#createReader();
    this.#setback = undefined;
    await this.#requireSamePlace();
  }

  async #build({ raw, sent }: AcceptedPage, next: object | undefined): Promise<NumberedPage<T, Meta>> {
    const { page, pagination, meta } = raw;
    const drift = this.#drift;
    this.#drift = [];
    const items = await this.source.parse(page, sent, "data");
    // the contract's type of `meta`, which `validate: "full"` checks
    const properties = { items, sent, pagination, meta: meta as Meta, drift, raw: page.json };
    return this.completePage<NumberedPage<T, Meta>>(properties, page, next, meta);
  }

  /** The place after a page, by the last item of that page. */
  #placeAfter({ number, items, pagination }: RawNumberedPage): object {
    this.#place = {
      page: number + 1,
      last: this.#hashLast(items),
      total: pagination.totalCount,
      pages: pagination.totalPages,
      size: items.length,
      count: (this.#delivered() ?? (number - 1) * items.length + this.size) + this.#unseen,
      limit: this.#limit,
    };
    return this.#place;
  }

  /** The place before the last page, whose items were delivered: a process that continues there sees whether items are missing. */
  #placeAtEnd({ size }: AcceptedPage): object {
    // what was deleted may have been delivered
    const count = Math.max(0, (this.#start.before?.count ?? 0) + size + this.#unseen - this.#deleted);
    const ending = this.#ending;
    const known = writeHashes([...readHashes(this.place?.["known"]), ...this.hashesOf(ending?.items ?? [])]);
    const totals = { total: ending?.pagination.totalCount, pages: ending?.pagination.totalPages };
    return { ...this.#place, ...(ending?.number === this.#start.page && totals), count, known };
  }
}
