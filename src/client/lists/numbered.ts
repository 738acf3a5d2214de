import { hash } from "../../wire/hash.ts";
import { isObject, type JsonObject, objectOf } from "../../wire/json.ts";
import {
  describeDrift,
  type Drift,
  type ListSource,
  type NumberedPage,
  type PageResponse,
  type Pagination,
  type WalkOptions,
} from "./page.ts";
import { invalidToken } from "./token.ts";
import { verifyPasses, Walk } from "./walk.ts";
import { isSimilarId } from "../../wire/id.ts";

/** The specifics of one numbered list. */
export interface NumberedSettings {
  /** Whether the service may return the whole list without pagination. */
  readonly mayBeWhole: boolean;
  /** The sentence for a page without pagination. */
  readonly advice: string;
  /** Reports a change to the hook `onDrift` and the log. */
  readonly report: (drift: Drift, sentence: string) => void;
}

/** A page before it is delivered. */
interface RawNumberedPage {
  readonly page: PageResponse;
  readonly number: number;
  readonly items: readonly unknown[];
  readonly pagination: Pagination;
  readonly meta: JsonObject;
}

/** Where a walk begins: after a page with this last ID, or at a page. */
interface Place {
  readonly page: number;
  /** The hash of the last ID of the page before; undefined at the first page, and for items without ID. */
  readonly last: string | undefined;
}

/** How often a list whose pages lack items is read again. */
const maxPasses = 5;

/** Walks a list of numbered pages. */
export function walkPageList<T, Meta>(
  source: ListSource<T>,
  settings: NumberedSettings,
  { ahead, cancel }: WalkOptions,
): AsyncGenerator<NumberedPage<T, Meta>, void, void> {
  const pass = (limited: ListSource<T>): AsyncGenerator<NumberedPage<T, Meta>, void, void> =>
    walkPages(new Walk(limited, cancel), settings, ahead);
  return source.controls.verify === true ? verifyPasses(new Walk(source, cancel), pass) : pass(source);
}

function readStart(walk: Walk<unknown>): Place {
  if (walk.place === undefined) return { page: Number(walk.source.query["page"] ?? 1), last: undefined };
  const { page, last } = walk.place;
  if (Number.isSafeInteger(page) && Number(page) > 0 && (last === undefined || typeof last === "string"))
    return { page: Number(page), last };
  throw invalidToken(walk.source);
}

/** Walks from a place to the end, and reads again what a change of the list may have moved. */
async function* walkPages<T, Meta>(
  walk: Walk<T>,
  settings: NumberedSettings,
  ahead: number,
): AsyncGenerator<NumberedPage<T, Meta>, void, void> {
  const { source } = walk;
  const { onDrift = "heal" } = source.controls;
  if (!["heal", "report", "throw"].includes(onDrift))
    throw source.refuse("onDrift", "must be heal, report or throw");
  const start = readStart(walk);
  const reader = new PageReader(walk, settings, ahead);
  if (start.last !== undefined) requireSamePlace(walk, await reader.read(start.page - 1), start.last);
  let before: Pagination | undefined;
  let hasIds = true;
  for (let number = start.page; ; number += 1) {
    const raw = await reader.take(number);
    const { totalPages, hasNextPage } = raw.pagination;
    const drift = compareTotals(before, raw);
    before = raw.pagination;
    if (drift.length > 0 && onDrift === "heal") {
      reader.forget();
      yield* lookBack<T, Meta>(walk, reader, number - 1);
    }
    hasIds &&= raw.items.every((item) => walk.source.idOf(item) !== undefined);
    const sent = walk.takeNew(raw.items);
    const repeated =
      sent.length < raw.items.length ? raw.items.find((item) => !sent.includes(item)) : undefined;
    if (repeated !== undefined)
      drift.push({ kind: "repeated-id", page: number, id: walk.source.idOf(repeated) ?? "" });
    const isLast = number > totalPages || (number === totalPages && !hasNextPage);
    const isMissing = isLast && hasIds && start.page === 1 && walk.size < raw.pagination.totalCount;
    if (isMissing)
      drift.push({ kind: "missing", page: number, count: walk.size, expected: raw.pagination.totalCount });
    for (const change of drift) {
      const sentence = describeDrift(change);
      if (onDrift === "throw") throw walk.end(sentence);
      settings.report(change, sentence);
    }
    if (hasNextPage) walk.requireProgress(raw.items, sent);
    if (number > totalPages && hasNextPage)
      throw walk.end(`page ${number} has a next page, although there are ${totalPages} pages`);
    // what is missing comes before the last page, so that only the last page has no `resume`
    if (isMissing && onDrift === "heal") yield* readMissing<T, Meta>(walk, reader, raw.pagination);
    const next = isLast ? undefined : placeAfter(walk, raw);
    yield await buildPage<T, Meta>(walk, raw, sent, drift, next);
    walk.last = { page: number };
    if (isLast) return;
  }
}

const firstPage: Place = { page: 1, last: undefined };

/** Requests pages, some of them before they are needed. */
class PageReader<T> {
  readonly #walk: Walk<T>;
  readonly #settings: NumberedSettings;
  readonly #ahead: number;
  readonly #requested = new Map<number, Promise<RawNumberedPage>>();
  #totalPages = 0;

  constructor(walk: Walk<T>, settings: NumberedSettings, ahead: number) {
    this.#walk = walk;
    this.#settings = settings;
    this.#ahead = ahead;
  }

  /** Requests a page now. */
  async read(number: number): Promise<RawNumberedPage> {
    const raw = await requestPage(this.#walk, this.#settings, number);
    this.#totalPages = raw.pagination.totalPages;
    return raw;
  }

  /** Returns the next page, and requests those after it. */
  async take(number: number): Promise<RawNumberedPage> {
    this.#request(number, Math.min(this.#totalPages, number + this.#ahead));
    const page = this.#requested.get(number) ?? this.read(number);
    this.#requested.delete(number);
    await page;
    this.#request(number + 1, Math.min(this.#totalPages, number + this.#ahead));
    return page;
  }

  #request(first: number, last: number): void {
    if (this.#ahead === 0) return;
    for (let number = first; number <= last; number += 1) {
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

/** Requests a page, and checks its form. */
async function requestPage<T>(
  walk: Walk<T>,
  { mayBeWhole, advice }: NumberedSettings,
  number: number,
): Promise<RawNumberedPage> {
  const { source, cancel } = walk;
  const page = await source.fetch({ ...source.query, page: number }, cancel);
  const { data: items, meta: given } = page.json;
  const meta = objectOf(given);
  requireSameList(walk, meta);
  if (!Array.isArray(items))
    throw page.response.unexpected("without the array `data` of an envelope { data, meta }");
  if (mayBeWhole && meta["pagination"] === undefined) {
    const pagination = {
      currentPage: 1,
      totalPages: 1,
      totalCount: items.length,
      hasNextPage: false,
      hasPreviousPage: false,
    };
    return { page, number, items, meta, pagination };
  }
  const defect = findDefect(meta["pagination"]);
  if (defect !== undefined) throw page.response.unexpected(`${defect}${advice}`);
  return { page, number, items, meta, pagination: meta["pagination"] as Pagination }; // checked
}

/** Rejects a page that says that it is about another field, or was filtered by other values than the requested ones. */
function requireSameList(walk: Walk<unknown>, { field, filters }: JsonObject): void {
  const { path, query } = walk.source;
  const other = (name: string): Error =>
    walk.end(`the response is about another list: \`meta.${name}\` differs from the request`);
  if (
    isObject(field) &&
    field["id"] !== undefined &&
    path["id"] !== undefined &&
    !isSimilarId(field["id"], path["id"])
  )
    throw other("field.id");
  if (!isObject(filters)) return;
  for (const name of ["search", "status"])
    if (filters[name] !== undefined && !isSimilarId(filters[name] ?? "", query[name] ?? ""))
      throw other(`filters.${name}`);
}

function findDefect(pagination: unknown): string | undefined {
  if (!isObject(pagination)) return "without `meta.pagination`";
  for (const name of ["currentPage", "totalPages", "totalCount"]) {
    const value = pagination[name];
    if (value === undefined) return `without \`meta.pagination.${name}\``;
    if (!Number.isSafeInteger(value) || Number(value) < 0)
      return `with \`meta.pagination.${name}\` that is ${typeof value === "number" ? "not a count" : `a ${typeof value}`}`;
  }
  return typeof pagination["hasNextPage"] === "boolean" ? undefined : "without `meta.pagination.hasNextPage`";
}

/** Returns the changes of the totals since the page before. */
function compareTotals(before: Pagination | undefined, { number, pagination }: RawNumberedPage): Drift[] {
  if (before === undefined) return [];
  const kinds = ["totalCount", "totalPages"] as const;
  return kinds
    .filter((kind) => before[kind] !== pagination[kind])
    .map((kind) => ({ kind, page: number, before: before[kind], after: pagination[kind] }));
}

/** Rows that were deleted move others to earlier pages: reads these again, backwards, while they have new items. */
async function* lookBack<T, Meta>(
  walk: Walk<T>,
  reader: PageReader<T>,
  from: number,
): AsyncGenerator<NumberedPage<T, Meta>, void, void> {
  for (let number = from; number > 0; number -= 1) {
    const raw = await reader.read(number);
    const sent = walk.takeNew(raw.items);
    if (sent.length === 0) return;
    yield await buildPage<T, Meta>(walk, raw, sent, [], placeAfter(walk, raw));
  }
}

/** Reads the list again until it has as many items as it says. What is the same in each pass is no change. */
async function* readMissing<T, Meta>(
  walk: Walk<T>,
  reader: PageReader<T>,
  before: Pagination,
): AsyncGenerator<NumberedPage<T, Meta>, void, void> {
  let pagination = before;
  for (let pass = 1; pass < maxPasses && walk.size < pagination.totalCount; pass += 1) {
    const { size } = walk;
    reader.forget();
    for (let number = 1; number <= Math.max(1, pagination.totalPages); number += 1) {
      const raw = await reader.take(number);
      pagination = raw.pagination;
      const sent = walk.takeNew(raw.items);
      if (sent.length > 0) yield await buildPage<T, Meta>(walk, raw, sent, [], firstPage);
    }
    if (walk.size === size) return;
  }
}

/** The place after a page, by the last item of that page. */
function placeAfter(walk: Walk<unknown>, { number, items }: RawNumberedPage): Place {
  const id = walk.source.idOf(items.at(-1));
  return { page: number + 1, last: id === undefined ? undefined : hash(id).toString(36) };
}

/** The page before a resumed walk must still end with the same item: otherwise rows have moved over the place. */
function requireSamePlace(walk: Walk<unknown>, raw: RawNumberedPage, last: string): void {
  if (placeAfter(walk, raw).last === last) return;
  throw walk.end(
    "rows were added or deleted before the place of `resume`, so that rows may be missed: walk the list from its beginning",
  );
}

async function buildPage<T, Meta>(
  walk: Walk<T>,
  { page, pagination, meta }: RawNumberedPage,
  sent: readonly unknown[],
  drift: readonly Drift[],
  next: Place | undefined,
): Promise<NumberedPage<T, Meta>> {
  const items = await walk.source.parse(page, sent, "data");
  // the contract's type of `meta`, which `validate: "full"` checks
  const properties = { items, sent, pagination, meta: meta as Meta, drift, raw: page.json };
  return walk.completePage<NumberedPage<T, Meta>>(properties, page, next, meta);
}
