/**
 * A model of a walk: which request follows from the responses so far, and what each page has. It is written from
 * docs/lists.md, and knows only what went over the network.
 */
import { isDeepStrictEqual } from "node:util";
import type { Exchange } from "./observer.ts";
import type { ClientSetup, Json, JsonObject, WalkStep } from "./scenario.ts";
import { overlapOf } from "./rows.ts";
import { textOf } from "./targets.ts";
import { keyOf } from "./truth.ts";

/** A part of a walk: a client, and the pages that the program was given. */
export interface Piece {
  /** The number of requests of the walk before it. */
  readonly from: number;
  readonly pages: GivenPage[];
}

export interface GivenPage {
  readonly items: readonly unknown[];
  readonly resume: string | null;
  readonly raw: object;
  readonly nextCursor?: string | null;
  readonly pagination?: Pagination;
  readonly meta?: object;
  readonly drift?: readonly unknown[];
}

interface Pagination {
  readonly currentPage: number;
  readonly totalPages: number;
  readonly totalCount: number;
  readonly hasNextPage: boolean;
  readonly hasPreviousPage?: boolean;
}

/** A page as it went over the network. */
export interface SentPage {
  readonly query: URLSearchParams;
  readonly json: JsonObject;
  readonly items: readonly Json[];
  /** The cursor of the next page; null after the last one. */
  readonly next: string | null;
  readonly pagination: Pagination | undefined;
}

export function queryOf({ request }: Pick<Exchange, "request">): URLSearchParams {
  return new URL(request.slice(request.indexOf(" ") + 1)).searchParams;
}

/** The page of a response; undefined if the client was not given a whole one. */
export function pageOf(exchange: Exchange): SentPage | undefined {
  if (!exchange.hasResponse || exchange.status !== 200) return undefined;
  const body = exchange.response.slice("200 whole ".length);
  if (!body.startsWith("{")) return undefined;
  const json = parse(body);
  const items = Object.values(json ?? {}).find((value) => Array.isArray(value));
  if (json === undefined || items === undefined) return undefined;
  const cursor = Object.entries(json).find(([name]) => /cursor|next/i.test(name))?.[1];
  const { pagination } = (json["meta"] ?? {}) as { readonly pagination?: Pagination };
  return {
    query: queryOf(exchange),
    json,
    items: items as readonly Json[],
    next: typeof cursor === "string" ? cursor : null,
    pagination,
  };
}

function parse(text: string): JsonObject | undefined {
  try {
    return JSON.parse(text) as JsonObject; // responses of lists are objects
  } catch {
    return undefined;
  }
}

/** A walk that ends without an error has had fewer responses in a row without items than `maxIdleRequests`. */
export function checkEmptyPages({ query }: WalkStep, exchanges: readonly Exchange[]): string[] {
  const { maxIdleRequests: most = 1000 } = query;
  let idle = 0;
  for (const exchange of exchanges) {
    const page = isList(exchange) ? pageOf(exchange) : undefined;
    if (page !== undefined) idle = page.items.length === 0 ? idle + 1 : 0;
    if (idle >= Number(most)) return [`ends after ${idle} pages without items`];
  }
  return [];
}

/** Whether a request is one of a list with cursors, and not of a single store. */
function isList({ request }: Exchange): boolean {
  return /\/(stores|protocols|photos)(\?|$)/.test(request);
}

/** The problems of a walk whose pages are linked by cursors, read without `verify`. */
export function checkCursors(
  step: WalkStep,
  exchanges: readonly Exchange[],
  pieces: readonly Piece[],
  mayCompare: boolean,
): string[] {
  const problems: string[] = [];
  let expected: string | null = (step.query["cursor"] as string | undefined) ?? "";
  for (const [number, { from, pages }] of pieces.entries()) {
    const own = exchanges.slice(from, pieces[number + 1]?.from);
    let last: SentPage | undefined;
    for (const exchange of own) {
      const query = queryOf(exchange);
      const path = exchange.request.split("?", 1)[0] ?? "";
      const cursor = query.get("cursor") ?? "";
      const isPage = isList(exchange);
      const isAgain: boolean = last !== undefined && cursor === (last.query.get("cursor") ?? "");
      const isProbe =
        !isPage && last?.items.length === 0 && path.endsWith(encodeURIComponent(cursorOf(last)));
      // items without ID are compared in two reads
      const isKnown =
        mayCompare &&
        last?.items.length !== 0 &&
        exchanges.some((one) => (queryOf(one).get("cursor") ?? "") === cursor);
      const isRight =
        cursor === expected || isKnown || (isAgain && last !== undefined && mayReadAgain(step, last));
      if (isPage && !isRight) problems.push(`requests ${exchange.request} instead of the cursor ${expected}`);
      if (!isPage && !isProbe) problems.push(`requests ${exchange.request}`);
      if (isPage) problems.push(...compareQuery(step, query, isAgain));
      const page = isPage ? pageOf(exchange) : undefined;
      if (page === undefined) continue;
      expected = page.next;
      last = page;
    }
    const given = pages.at(-1);
    if (given?.nextCursor !== undefined) expected = given.nextCursor;
  }
  return problems;
}

function cursorOf({ query }: SentPage): string {
  return query.get("cursor") ?? "";
}

/** A full or empty page of stores without a cursor may not be the last one. */
function mayReadAgain({ query }: WalkStep, last: SentPage): boolean {
  return (
    last.next === null && (last.items.length === 0 || last.items.length >= Number(query["limit"] ?? 100))
  );
}

const steering = new Set(["resume", "onDrift", "verify", "maxIdleRequests", "identify", "cursor", "page"]);

/** Each request has the query of the walk; only a page that is read again has another `limit`. */
function compareQuery({ method, query }: WalkStep, sent: URLSearchParams, mayDiffer: boolean): string[] {
  if (method === "inspectionTemplates.list") return []; // readings name its parameters
  const expected = Object.entries(query).filter(([name]) => !steering.has(name));
  const differing = expected.filter(
    ([name, value]) => !isSame(textOf(value), sent.get(name)) && !(mayDiffer && name === "limit"),
  );
  const names = new Set([...expected.map(([name]) => name), "cursor", "page"]);
  const more = [...sent.keys()].filter((name) => !names.has(name));
  return [
    ...differing.map(([name]) => `sends ${name}=${sent.get(name)}`),
    ...more.map((name) => `sends the unknown parameter ${name}`),
  ];
}

/** Equal texts, or forms of one instant. */
function isSame(one: string, other: string | null): boolean {
  return one === other || (/^\d{4}-/.test(one) && Date.parse(one) === Date.parse(other ?? ""));
}

/** The pages that a program was given have what the responses have. */
export function checkPages(
  exchanges: readonly Exchange[],
  pages: readonly GivenPage[],
  isExact: boolean,
): string[] {
  const sent = exchanges.flatMap((exchange) => pageOf(exchange) ?? []);
  return pages.flatMap((page, index) => {
    const found = sent.findLast(({ json }) => isDeepStrictEqual(json, page.raw));
    if (found === undefined) return [`page ${index + 1} has another \`raw\` than a response`];
    const problems: string[] = [];
    const isLast = page.resume === null;
    if (isLast && index < pages.length - 1) problems.push(`page ${index + 1} has no token`);
    if (page.nextCursor !== undefined && page.nextCursor !== found.next)
      problems.push("has another `nextCursor`");
    if (found.pagination !== undefined && !isDeepStrictEqual(page.pagination, found.pagination))
      problems.push(`page ${index + 1} has the pagination ${JSON.stringify(page.pagination)}`);
    if (page.meta !== undefined && !isDeepStrictEqual(page.meta, found.json["meta"] ?? {}))
      problems.push(`page ${index + 1} has other \`meta\` than its response`);
    for (const { id = null } of (page.drift ?? []) as readonly { readonly id?: Json }[])
      if (id !== null && (id === "" || !found.items.some((item) => idOf(item) === id)))
        problems.push(`page ${index + 1} has a drift of the item ${JSON.stringify(id)}`);
    const place = sent.indexOf(found);
    const isBack = sent
      .slice(Math.max(0, place - 64), place) // a token has no more cursors
      .some(({ query }) => query.has("cursor") && query.get("cursor") === page.nextCursor);
    const isRepeated = pages.slice(0, index).some(({ items }) => isDeepStrictEqual(items, page.items));
    if (isBack && isRepeated && page.items.length > 0)
      problems.push(`page ${index + 1} has the items and the cursor of an earlier page`);
    if (isExact && !isDeepStrictEqual(page.items, found.items))
      problems.push(`page ${index + 1} has other items`);
    return problems;
  });
}

interface Drift {
  readonly kind: string;
  readonly [property: string]: unknown;
}

/** One pass over a numbered list, as the pages before a page describe it. */
class ListPass {
  readonly start: number;
  #last: Pagination | undefined;
  /** The number of items of a page before the last one. */
  #size: number | undefined;
  readonly #ids = new Set<string>();
  #created = 0;
  #repeated = 0;
  #before: readonly Json[] = [];
  /** An item that existed before the pass can be missing. */
  mayLack = false;

  constructor(start: number) {
    this.start = start;
  }

  /** The changes that a page shows, if it was requested after the one before it had arrived. */
  add(page: Pagination, items: readonly Json[]): Drift[] {
    const { currentPage, totalCount, totalPages, hasNextPage, hasPreviousPage } = page;
    const before = this.#last ?? page;
    this.#last = page;
    this.#before = items;
    const drift: Drift[] = [];
    for (const kind of ["totalCount", "totalPages"] as const)
      if (before[kind] !== page[kind])
        drift.push({ kind, page: currentPage, before: before[kind], after: page[kind] });
    this.#created += Math.max(0, totalCount - before.totalCount);
    if (drift.length > 0 && (totalCount <= before.totalCount || totalPages < before.totalPages))
      this.mayLack = true;
    const contradict = (property: string): void => {
      drift.push({ kind: "contradiction", page: currentPage, property });
      this.mayLack = true;
    };
    if (hasNextPage !== currentPage < totalPages) contradict("hasNextPage");
    if (hasPreviousPage !== undefined && hasPreviousPage !== currentPage > 1 && totalPages >= currentPage)
      contradict("hasPreviousPage");
    const isLast = !hasNextPage && currentPage >= totalPages;
    drift.push(...this.#compareSize(currentPage, items.length, isLast));
    const known = this.#ids.size;
    for (const item of items) {
      const id = keyOf(item);
      if (this.#ids.has(id)) drift.push({ kind: "repeated-id", page: currentPage, id: idOf(item) });
      this.#ids.add(id);
    }
    const repeated = items.length - (this.#ids.size - known);
    this.#repeated += repeated;
    const isTwice = new Set(items.map(keyOf)).size < items.length;
    if (repeated > 0 && (isTwice || this.#repeated > this.#created)) this.mayLack = true;
    if (isLast) drift.push(...this.#findMissing(page));
    return drift;
  }

  /** Whether a page has the items of the one before it: the list has changed, or the walk might not end. */
  repeatsPage(items: readonly Json[]): boolean {
    return items.length > 0 && isDeepStrictEqual(items.map(keyOf), this.#before.map(keyOf));
  }

  #compareSize(page: number, length: number, isLast: boolean): Drift[] {
    const size = this.#size;
    if (!isLast) this.#size ??= length;
    if (size === undefined || (isLast ? length <= size : length === size)) return [];
    return [{ kind: "short-page", page, count: Math.min(length, size), expected: Math.max(length, size) }];
  }

  #findMissing({ currentPage, totalCount }: Pagination): Drift[] {
    const skipped = this.start - 1;
    if (skipped > 0 && this.#size === undefined) return [];
    const expected = totalCount - skipped * (this.#size ?? 0);
    const count = this.#ids.size;
    if (count <= expected && count + Math.min(this.#created, this.#repeated) >= expected) return [];
    this.mayLack = true;
    return [{ kind: "missing", page: currentPage, count, expected }];
  }
}

function idOf(item: Json): Json {
  return (item as JsonObject)["id"] ?? (item as JsonObject)["vehicleId"] ?? null;
}

/** The problems of a walk over a numbered list, whose pages are read one after the other. */
export function checkNumbers(
  step: WalkStep,
  exchanges: readonly Exchange[],
  pieces: readonly Piece[],
  isComplete: boolean,
): string[] {
  const { query, by } = step;
  const problems: string[] = [];
  const reaction = query["onDrift"] ?? (by === "pages" ? "report" : "heal");
  const start = Number(query["page"] ?? 1);
  let pass = new ListPass(start);
  let expected: number | undefined = start;
  let isFurther = false;
  const drifts: object[][] = [];
  const readAgain = (): void => {
    expected = reaction === "heal" ? start : undefined;
    pass = new ListPass(start);
    isFurther = true;
  };
  for (const [number, { from, pages }] of pieces.entries()) {
    let count = 0;
    if (isFurther && expected !== undefined) {
      expected = start; // a further pass begins again after a resume
      pass = new ListPass(start);
    }
    for (const exchange of exchanges.slice(from, pieces[number + 1]?.from)) {
      const sent = queryOf(exchange);
      const page = Number(sent.get("page") ?? 1);
      if (page !== expected) problems.push(`requests page ${page} instead of ${expected}`);
      if (page === 1 && query["page"] === undefined && sent.has("page")) problems.push("sends the page 1");
      problems.push(...compareQuery(step, sent, false));
      const arrived = pageOf(exchange);
      const isRefused = exchange.hasResponse && (exchange.status === 400 || exchange.status === 404);
      if (isRefused || (arrived?.pagination !== undefined && arrived.pagination.currentPage !== page)) {
        readAgain(); // the list has become shorter than this page
        continue;
      }
      if (arrived?.pagination === undefined) continue;
      const isRepeated = pass.repeatsPage(arrived.items);
      const drift = pass.add(arrived.pagination, arrived.items);
      if (isRepeated && pass.mayLack) {
        readAgain(); // the walk might not end
        continue;
      }
      drifts.push(drift);
      count += 1;
      const { hasNextPage, currentPage, totalPages } = arrived.pagination;
      const isLast = !hasNextPage && currentPage >= totalPages;
      const isAgain: boolean = isLast && reaction === "heal" && pass.mayLack;
      expected = isAgain ? start : isLast ? undefined : page + 1;
      if (isAgain) pass = new ListPass(start);
      isFurther ||= isAgain;
    }
    if (reaction === "report" && pages.length <= count)
      for (const [index, page] of pages.entries()) {
        const wanted = drifts[drifts.length - count + index];
        if (!isDeepStrictEqual(page.drift, wanted))
          problems.push(
            `page ${index + 1} has the drift ${JSON.stringify(page.drift)}, not ${JSON.stringify(wanted)}`,
          );
      }
  }
  if (isComplete && expected !== undefined) problems.push(`ends before page ${expected}`);
  return problems;
}

/** Pages of a quiet list that are requested ahead: each one once, and none behind the last one. */
export function checkAhead({ query }: WalkStep, exchanges: readonly Exchange[]): string[] {
  const requested = exchanges.map((exchange) => Number(queryOf(exchange).get("page") ?? 1));
  const pages = exchanges.flatMap((exchange) => pageOf(exchange)?.pagination?.totalPages ?? []);
  const start = Number(query["page"] ?? 1);
  const expected = Array.from(
    { length: Math.max(1, Math.max(...pages) - start + 1) },
    (_, index) => start + index,
  );
  const isRight = pages.length === 0 || isDeepStrictEqual(requested, expected);
  return isRight ? [] : [`requests the pages ${requested.join()}, expected ${expected.join()}`];
}

interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** Each half of a range that had more than one page of items is read by itself. */
function halve({ from, to }: TimeRange, shared: number): TimeRange[] {
  const middle = from + Math.floor((to - from) / 2);
  return [
    { from, to: middle + shared },
    { from: middle, to },
  ];
}

/**
 * The problems of a list of protocols: after its first page it follows the cursors, or halves the time range until each part
 * has one page.
 */
export function checkWindows(
  { query }: WalkStep,
  exchanges: readonly Exchange[],
  client: ClientSetup,
  isComplete: boolean,
): string[] {
  const { strategy } = client;
  const shared = overlapOf(client);
  const whole = { from: Date.parse(textOf(query["from"] ?? "")), to: Date.parse(textOf(query["to"] ?? "")) };
  const problems: string[] = [];
  let parts: TimeRange[] | undefined;
  let cursor: string | null = "";
  let first: SentPage | undefined;
  /** The response to the first cursor may be the first page. */
  let isDoubtful = false;
  /** A range that is too narrow to be halved had more than a page. */
  let isTooFull = false;
  /** The items of the range before. */
  let before: readonly string[] = [];
  /** Items that two ranges have in common, and where the time begins that they share, which is read next. */
  let compared: { readonly from: number; readonly keys: readonly string[] } | undefined;
  /** The time that two ranges share had other items than both of them. */
  let isDifferent = false;
  /** Items of the first page and of ranges with more than one page: a narrower range has each of them again. */
  const expectedKeys = new Set<string>();
  for (const exchange of exchanges) {
    const sent = queryOf(exchange);
    const page = pageOf(exchange);
    const range = { from: Date.parse(sent.get("from") ?? ""), to: Date.parse(sent.get("to") ?? "") };
    const isWhole = range.from === whole.from && range.to === whole.to;
    const given = sent.get("cursor") ?? "";
    if (sent.get("limit") !== textOf(query["limit"] ?? "")) problems.push("sends another limit");
    if (isTooFull) problems.push("reads on after more items at one instant than a page holds");
    if (isDifferent) problems.push("reads on after items that cannot be distinguished");
    isTooFull ||= !isWhole && page !== undefined && page.next !== null && range.to - range.from <= 2 * shared;
    if (isWhole) {
      const isAgain = first !== undefined && given === "" && isDoubtful;
      if (!isAgain && given !== cursor) problems.push(`requests the cursor ${given} instead of ${cursor}`);
      if (given !== "" && (strategy === "window" || strategy === "single"))
        problems.push(`sends a cursor with the strategy ${strategy}`);
      if (isAgain || page === undefined) {
        isDoubtful ||= exchange.status === 400;
        continue;
      }
      isDoubtful = first !== undefined && given === first.next && sharesItem(first, page);
      first ??= page;
      cursor = page.next;
      continue;
    }
    const mayHalve = strategy === "window" || (strategy === undefined && isDoubtful);
    if (parts === undefined && !mayHalve) problems.push("reads narrower time ranges without a reason");
    if (parts === undefined) for (const item of first?.items ?? []) expectedKeys.add(keyOf(item));
    parts ??= halve(whole, shared);
    const [next = whole, ...others] = parts;
    const wanted = compared === undefined ? next : { from: compared.from, to: compared.from + shared };
    if (!isDeepStrictEqual(range, wanted))
      problems.push(`reads ${JSON.stringify(range)}, expected ${JSON.stringify(wanted)}`);
    if (page === undefined) continue;
    const keys = page.items.map(keyOf);
    if (compared !== undefined) {
      isDifferent = page.next !== null || !isDeepStrictEqual(keys.toSorted(), compared.keys);
      compared = undefined;
    } else if (page.next === null) {
      const both = keys.filter((key) => before.includes(key));
      const mayDiffer = keys.length > 0 && both.length > 0;
      if (next.from !== whole.from && mayDiffer) compared = { from: next.from, keys: both.toSorted() };
      for (const key of keys) expectedKeys.delete(key);
      before = keys;
      parts = others;
    } else {
      for (const key of keys) expectedKeys.add(key);
      parts = [...halve(next, shared), ...others];
    }
  }
  if (isComplete && isDifferent) problems.push("ends although items cannot be distinguished");
  if (isComplete && parts !== undefined && expectedKeys.size > 0)
    problems.push(`ends although ${[...expectedKeys].join()} came in no narrower range`);
  if (isComplete && parts !== undefined && parts.length > 0)
    problems.push(`leaves out ${JSON.stringify(parts)}`);
  if (isComplete && parts === undefined && cursor !== null) problems.push(`ends before the cursor ${cursor}`);
  return problems;
}

/** The problems of a list that is read in time ranges, with the limit for requests that return no new item. */
export function checkIdle(
  { query }: WalkStep,
  exchanges: readonly Exchange[],
  client: ClientSetup,
  error: unknown,
  message = error instanceof Error ? error.message : "",
): string[] {
  const whole = Date.parse(textOf(query["to"] ?? "")) - Date.parse(textOf(query["from"] ?? ""));
  const most = Number(query["maxIdleRequests"] ?? 1000);
  const delivered = new Set<string>();
  const problems: string[] = [];
  let idle = 0;
  for (const exchange of exchanges) {
    const [page, sent] = [pageOf(exchange), queryOf(exchange)];
    const width = Date.parse(sent.get("to") ?? "") - Date.parse(sent.get("from") ?? "");
    if (page === undefined || width <= overlapOf(client)) continue; // the time that two ranges share
    if (idle >= most) problems.push(`reads on after ${idle} requests without a new item`);
    const keys = page.items.map(keyOf);
    const isTooFull = width < whole && page.next !== null;
    const isNew = !isTooFull && keys.some((key) => !delivered.has(key));
    idle = isNew ? 0 : idle + 1;
    if (!isTooFull) for (const key of keys) delivered.add(key);
  }
  const said = Number(/: (\d+) requests in a row returned no new item/.exec(message)?.[1] ?? 0);
  if (said !== (idle >= most ? most : 0))
    problems.push(`says ${said} idle requests after ${idle}: ${message}`);
  return problems;
}

function sharesItem(first: SentPage, page: SentPage): boolean {
  const known = new Set(first.items.map(keyOf));
  return page.items.length === 0 || page.items.some((item) => known.has(keyOf(item)));
}

/** Whether two pages were requested with one cursor and different limits. */
function isSamePlace(one: SentPage, other: SentPage): boolean {
  const [limit, more] = [one, other].map(({ query }) => query.get("limit"));
  return cursorOf(one) === cursorOf(other) && limit !== more;
}

interface VerifiedPass {
  readonly keys: string[];
  readonly pass: ListPass;
  /** No page showed a change. */
  isSteady: boolean;
}

/** The problems of a walk with `verify`: two passes in a row with the same items, and then those of the last one. */
export function checkVerified(
  { query }: WalkStep,
  exchanges: readonly Exchange[],
  delivered: readonly unknown[],
): string[] {
  const first = queryOf(exchanges[0] as Exchange).toString(); // a walk that ends has sent a request
  const passes: VerifiedPass[] = [];
  let last: SentPage | undefined;
  let before = 0;
  for (const exchange of exchanges) {
    const page = pageOf(exchange);
    const isFurther = last !== undefined && page?.next === null && isSamePlace(last, page);
    last = page;
    const begun = passes.at(-1);
    // a page that no longer exists may be rejected (gap fleet.page-past-end)
    if (page === undefined && begun !== undefined) begun.isSteady = false;
    if (page === undefined) continue;
    if (queryOf(exchange).toString() === first)
      passes.push({ keys: [], isSteady: true, pass: new ListPass(Number(query["page"] ?? 1)) });
    const current = passes.at(-1) as VerifiedPass; // the first request begins one
    // the end of a list that is read with another limit counts as it is then
    if (isFurther) current.keys.splice(current.keys.length - before);
    current.keys.push(...page.items.map(keyOf));
    before = page.items.length;
    const drift = page.pagination === undefined ? [] : current.pass.add(page.pagination, page.items);
    if (drift.some(({ kind }) => kind !== "short-page")) current.isSteady = false;
  }
  const agree = (one: VerifiedPass | undefined, other: VerifiedPass | undefined): boolean =>
    one?.isSteady === true &&
    other?.isSteady === true &&
    [one, other].every(({ keys }) => new Set(keys).size === keys.length) &&
    isDeepStrictEqual([...new Set(one.keys)].toSorted(), [...new Set(other.keys)].toSorted());
  const problems = [];
  if (passes.length > 5) problems.push(`makes ${passes.length} passes`);
  const [one, other] = [passes.at(-1)?.keys, passes.at(-2)?.keys].map((keys) =>
    [...new Set(keys)].toSorted(),
  );
  if (!isDeepStrictEqual(one, other)) problems.push("ends after passes that differ");
  const isFaulty = exchanges.some(({ fault }) => fault !== undefined);
  if (!isFaulty && passes.some((pass, index) => index < passes.length - 2 && agree(pass, passes[index + 1])))
    problems.push("reads on after two equal passes");
  const order = [...new Set(passes.at(-1)?.keys)];
  if (!isDeepStrictEqual(delivered.map(keyOf), order))
    problems.push("delivers other items than the last pass has");
  return problems;
}
