import { isObject, type JsonObject } from "../../../wire/json.ts";
import { keepSent, type SentItem, type Shape, shapeItems } from "../request/shape.ts";
import type { DestinationLock } from "../request/destination.ts";
import type { ResponseContent } from "../request/content.ts";
import { addResponse } from "../request/response.ts";
import { describeDrift, findDrift, type ItemId, type PageMark, readMark } from "./drift.ts";
import { hash, isExactNumber, type WalkGuard } from "./guard.ts";
import { type MirrorAccess, PageList } from "./list.ts";
import {
  badToken,
  beginWalk,
  copyCall,
  type ListCall,
  type ListRequest,
  refusal,
  writeToken,
} from "./list-call.ts";
import type { Drift } from "../options/drift.ts";
import type { NumberedPage, Pagination } from "./page.ts";
import { type KeyedWalk, verifiedWalk } from "./verify.ts";

/** The specifics of one numbered list. */
export interface NumberedSettings {
  /** The property of an item that holds its ID. */
  idProperty: string;
  /** The list may be returned whole, without a pagination (gap lists.undocumented). */
  mayBeWhole: boolean;
  /** The end of the message about a response without a pagination. */
  advice?: string;
  report: (operation: string, drift: Drift) => void;
}

/** A page before its validation. */
interface NumberedResponse<T, Meta> {
  content: ResponseContent;
  page: Omit<NumberedPage<T, Meta>, "resume" | "drift" | "withResponse">;
  /** One hash for each item. */
  keys: number[];
  /** The items that have an ID. */
  ids: ItemId[];
}

const withoutPagination =
  "without a `meta.pagination` of currentPage, totalPages, totalCount and hasNextPage";

/** A list whose pages have numbers. Contract: fleet 4, Shared list parameters. */
export function numberedList<T, Meta = JsonObject>(
  request: ListRequest<T>,
  settings: NumberedSettings,
): PageList<T, Meta> {
  const call = copyCall(request, ["onDrift", "verify"], "page");
  const begin = (): NumberedWalk<T, Meta> => new NumberedWalk<T, Meta>(call, settings, request.shape);
  const mirrored: MirrorAccess = {
    idProperties: [settings.idProperty],
    open({ api, position }) {
      const query = { ...call.baseQuery, ...position, onDrift: "report" };
      return numberedList<SentItem<T>>({ ...request, api, query, shape: keepSent(request.shape) }, settings);
    },
  };
  const source = { call, ahead: { name: "concurrency", minimum: 1 }, begin, mirrored };
  const verified = { ...source, begin: (ahead: number) => verifiedWalk(source, ahead) };
  return new PageList(call.positionQuery.verify === true ? verified : source);
}

class NumberedWalk<T, Meta> implements KeyedWalk<NumberedPage<T, Meta>> {
  readonly #call: ListCall;
  readonly #settings: NumberedSettings;
  readonly #shape: Shape<T> | undefined;
  readonly #guard: WalkGuard;
  readonly #destination: DestinationLock;
  /** One hash for each item; only under `verify`. */
  readonly keys: number[] = [];
  #before: PageMark | undefined;
  /** The number of the last requested page, and of the last accepted page. */
  #requestedPage: number;
  #accepted: number;
  /** The number of pages in the last response. */
  #total = 0;
  /** A response was the last page or an error: no further page is requested ahead. */
  #isEnding = false;
  /** The last page was accepted. */
  #isDone = false;
  /** The last requested page: the next one is accepted after it. */
  #previous: Promise<unknown> | undefined;

  constructor(call: ListCall, settings: NumberedSettings, shape: Shape<T> | undefined) {
    checkPosition(call);
    const { guard, destination, resumed } = beginWalk(call);
    const first = { page: (call.baseQuery.page ?? 1) as number, before: undefined }; // validated with the options of the walk
    const start = resumed === undefined ? first : readPosition(resumed.position, call);
    this.#call = call;
    this.#settings = settings;
    this.#shape = shape;
    this.#guard = guard;
    this.#destination = destination;
    this.#before = start.before;
    this.#requestedPage = start.page - 1;
    this.#accepted = this.#requestedPage;
  }

  request(cancel: AbortSignal | undefined): Promise<NumberedPage<T, Meta>> | undefined {
    const isNext = this.#requestedPage === this.#accepted && !this.#isDone;
    const isKnown = !this.#isEnding && this.#requestedPage < this.#total;
    if (!isNext && !isKnown) return undefined;
    this.#requestedPage += 1;
    const page = this.#fetch(this.#requestedPage, this.#previous, cancel);
    this.#previous = page;
    return page;
  }

  async #fetch(
    number: number,
    previous: Promise<unknown> | undefined,
    cancel: AbortSignal | undefined,
  ): Promise<NumberedPage<T, Meta>> {
    try {
      const { api, operation, path, baseQuery, options } = this.#call;
      // the first page is the default: its number is only sent if the caller gave it
      const query = { ...baseQuery, page: number === 1 ? baseQuery.page : number };
      const response = await this.#read(
        await api.page(operation, { path, query }, options, this.#destination, cancel),
      );
      const { totalPages, hasNextPage } = response.page.pagination;
      this.#total = totalPages;
      this.#isEnding ||= !hasNextPage;
      await previous;
      return this.#accept(number, response);
    } catch (error) {
      this.#isEnding = true;
      throw error;
    }
  }

  /** Validates a page after the previous page was accepted. */
  #accept(number: number, { content, page, keys, ids }: NumberedResponse<T, Meta>): NumberedPage<T, Meta> {
    const { pagination } = page;
    const { currentPage, totalCount, totalPages, hasNextPage } = pagination;
    const guard = this.#guard;
    const { onDrift, verify } = this.#call.positionQuery;
    if (currentPage !== number)
      throw guard.error(`page ${number} was requested and page ${currentPage} returned`);
    const drift = findDrift(this.#before, pagination, ids);
    const [first] = drift;
    if (first !== undefined && onDrift === "throw" && verify !== true)
      throw guard.error(describeDrift(first));
    guard.accept({ at: number, keys, clean: content.clean });
    if (verify === true) for (const key of keys) this.keys.push(key);
    else for (const change of drift) this.#settings.report(content.operation, change);
    this.#before = { totalCount, totalPages, ids: ids.map(([, key]) => key) };
    this.#accepted = number;
    this.#isDone = !hasNextPage;
    const position = { page: number + 1, before: this.#before };
    const resume = hasNextPage
      ? writeToken(this.#call, position, { guard, destination: this.#destination })
      : null;
    return addResponse<NumberedPage<T, Meta>>({ ...page, resume, drift }, content, page.meta as JsonObject); // an object
  }

  async #read(content: ResponseContent): Promise<NumberedResponse<T, Meta>> {
    const { idProperty, mayBeWhole, advice } = this.#settings;
    const { json } = content;
    const { data } = json;
    if (!Array.isArray(data)) throw content.unexpected("without an array `data`");
    const meta = isObject(json.meta) ? json.meta : {};
    const isMissing = (meta.pagination ?? null) === null;
    const pagination = mayBeWhole && isMissing ? onlyPage(data.length) : meta.pagination;
    if (!isPagination(pagination)) throw content.unexpected(`${withoutPagination}${advice ?? ""}`);
    const page = {
      // without a shape, the contract's own type, which `validate: "full"` checks
      items: this.#shape === undefined ? (data as T[]) : await shapeItems(content, this.#shape, data, "data"),
      pagination,
      meta: meta as Meta, // the contract's own type, checked under `validate: "full"`
      raw: json,
    };
    const { keys } = this.#guard.keysOf(data, { properties: [idProperty] });
    return { content, page, keys, ids: data.flatMap((item: unknown) => idOf(item, idProperty, content)) };
  }
}

function idOf(item: unknown, property: string, { clean }: ResponseContent): ItemId[] {
  const id = isObject(item) ? item[property] : undefined;
  if (typeof id !== "string" && !isExactNumber(id)) return [];
  return [[typeof id === "string" ? clean(id) : id, hash(String(id))]];
}

/** Validates the options of the walk before it begins; the rest of the query is validated with each request. */
function checkPosition(call: ListCall): void {
  const { onDrift = "report", verify = false } = call.positionQuery;
  const { page = 1 } = call.baseQuery;
  if (!Number.isSafeInteger(page)) throw refusal(call, "page", "must be an integer");
  if ((page as number) < 1) throw refusal(call, "page", "must be at least 1");
  if (onDrift !== "report" && onDrift !== "throw")
    throw refusal(call, "onDrift", "must be one of report, throw");
  if (typeof verify !== "boolean") throw refusal(call, "verify", "must be true or false");
}

function readPosition(value: unknown, call: ListCall): { page: number; before: PageMark } {
  const { page, before } = isObject(value) ? value : {};
  const mark = readMark(before);
  if (typeof page !== "number" || !Number.isSafeInteger(page) || page < 2 || mark === undefined)
    throw badToken(call);
  return { page, before: mark };
}

/** gap lists.undocumented: the pagination of a list that is returned whole */
function onlyPage(totalCount: number): Pagination {
  return { currentPage: 1, totalPages: 1, totalCount, hasNextPage: false, hasPreviousPage: false };
}

function isPagination(value: unknown): value is Pagination {
  if (!isObject(value) || typeof value.hasNextPage !== "boolean") return false;
  return [value.currentPage, value.totalPages, value.totalCount].every(Number.isSafeInteger);
}
