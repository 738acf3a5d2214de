import type { ResponseContent } from "../request/response.ts";
import { isObject, type JsonObject } from "../../internal/json.ts";
import { type Shape, shapeItems } from "../request/shape.ts";
import { describeDrift, findDrift, type ItemId, markOf, type PageMark, readMark } from "./drift.ts";
import type { WalkGuard } from "./guard.ts";
import { keysOf } from "./identity.ts";
import { PageList } from "./list.ts";
import { ListCall, type ListRequest, type PageApi } from "./list-call.ts";
import type { NumberedPage, Pagination } from "./page.ts";
import type { Drift } from "../options/drift.ts";
import { badToken } from "./resume.ts";
import { verifiedReader } from "./verify.ts";
import { pageReader, type PageWalk } from "./walk.ts";

/** What one numbered list has in particular. */
export interface NumberedSettings {
  /** The member of an item that holds its ID. */
  idMember: string;
  /** The list may come whole, without a pagination (gap lists.unshown). */
  mayBeWhole: boolean;
  /** Ends the message about a response without a pagination. */
  advice?: string;
  report: (operation: string, drift: Drift) => void;
}

/** A page as it was read, before its turn in the walk. */
export interface NumberedResponse<T, Meta> {
  content: ResponseContent;
  page: Omit<NumberedPage<T, Meta>, "resume" | "drift">;
  /** One hash for each item. */
  keys: number[];
  /** The items that have an ID. */
  ids: ItemId[];
}

const withoutPagination =
  "without a `meta.pagination` of currentPage, totalPages, totalCount and hasNextPage";

/** A list whose pages have numbers. Contract: fleet 4, Shared list parameters. */
export function numberedList<T, Meta = JsonObject>(
  api: PageApi,
  operation: string,
  request: ListRequest<T>,
  settings: NumberedSettings,
): PageList<T, Meta> {
  const call = new ListCall(api, operation, request, ["onDrift", "verify"], "page");
  const signal = call.options?.signal;
  const verify = call.steering.verify === true;
  const begin = (): NumberedWalk<T, Meta> => new NumberedWalk<T, Meta>(call, settings, request.shape);
  const reader = verify ? verifiedReader(call.label, begin, signal) : pageReader(begin, signal);
  return new PageList(call.label, reader);
}

class NumberedWalk<T, Meta> implements PageWalk<NumberedResponse<T, Meta>, NumberedPage<T, Meta>> {
  readonly #call: ListCall;
  readonly #settings: NumberedSettings;
  readonly #shape: Shape<T> | undefined;
  readonly #guard: WalkGuard;
  #asked: number;
  #taken: number;
  #before: PageMark | undefined;
  /** How many pages there are, by the last response. */
  #total = 0;
  /** A response was the last page or an error: nothing is requested ahead any more. */
  #ended = false;
  /** The page that was taken last is the last one. */
  #isDone = false;
  /** One hash for each item that was taken; under `verify` alone. */
  readonly keys: number[] = [];

  constructor(call: ListCall, settings: NumberedSettings, shape: Shape<T> | undefined) {
    checkSteering(call);
    const { guard, token } = call.begin();
    const first = { page: (call.sent.page ?? 1) as number, before: undefined }; // checked with the steering
    const start = token === undefined ? first : readPosition(token, call);
    this.#call = call;
    this.#settings = settings;
    this.#shape = shape;
    this.#guard = guard;
    this.#asked = start.page - 1;
    this.#taken = start.page - 1;
    this.#before = start.before;
  }

  ask(cancel: AbortSignal | undefined): Promise<NumberedResponse<T, Meta>> | undefined {
    const isNext = this.#asked === this.#taken && !this.#isDone;
    const isKnown = !this.#ended && this.#asked < this.#total;
    if (!isNext && !isKnown) return undefined;
    this.#asked += 1;
    return this.#fetch(this.#asked, cancel);
  }

  take({ content, page, keys, ids }: NumberedResponse<T, Meta>): NumberedPage<T, Meta> {
    const number = this.#taken + 1;
    const { pagination } = page;
    const guard = this.#guard;
    if (pagination.currentPage !== number)
      throw guard.error(`page ${number} was requested and page ${pagination.currentPage} returned`);
    const drift = findDrift(this.#before, pagination, ids);
    this.#refuseDrift(drift);
    guard.accept({ at: number, keys, clean: content.clean });
    if (this.#call.steering.verify === true) for (const key of keys) this.keys.push(key);
    else for (const change of drift) this.#settings.report(content.operation, change);
    this.#before = markOf(pagination, ids);
    this.#taken = number;
    this.#isDone = !pagination.hasNextPage;
    const resume = this.#isDone ? null : this.#call.token({ page: number + 1, before: this.#before }, guard);
    return { ...page, resume, drift };
  }

  async #fetch(number: number, cancel: AbortSignal | undefined): Promise<NumberedResponse<T, Meta>> {
    try {
      // the first page is the default: its number is only sent if the caller gave it
      const page = number === 1 ? this.#call.sent.page : number;
      const response = await this.#read(await this.#call.request({ page }, cancel));
      const { totalPages, hasNextPage } = response.page.pagination;
      this.#total = totalPages;
      this.#ended ||= !hasNextPage;
      return response;
    } catch (error) {
      this.#ended = true;
      throw error;
    }
  }

  async #read(content: ResponseContent): Promise<NumberedResponse<T, Meta>> {
    const { idMember, mayBeWhole, advice } = this.#settings;
    const { json } = content;
    const { data } = json;
    if (!Array.isArray(data)) throw content.unexpected("without an array `data`");
    const meta = isObject(json.meta) ? json.meta : {};
    const isMissing = (meta.pagination ?? null) === null;
    const pagination = mayBeWhole && isMissing ? onlyPage(data.length) : meta.pagination;
    if (!isPagination(pagination)) throw content.unexpected(`${withoutPagination}${advice ?? ""}`);
    const { keys } = keysOf(data, { members: [idMember] }, (reason) => this.#guard.error(reason));
    const ids = data.flatMap((item: unknown, at): ItemId[] => {
      const id = isObject(item) ? item[idMember] : undefined;
      if (typeof id === "string") return [[content.clean(id), keys[at] as number]];
      return typeof id === "number" ? [[id, keys[at] as number]] : [];
    });
    const page = {
      items: await shapeItems(content, this.#shape, data, "data"),
      pagination,
      meta: meta as Meta, // the contract's own type, checked under `validate: "full"`
      raw: json,
    };
    return { content, page, keys, ids };
  }

  #refuseDrift([drift]: readonly Drift[]): void {
    const { onDrift, verify } = this.#call.steering;
    if (drift !== undefined && onDrift === "throw" && verify !== true)
      throw this.#guard.error(describeDrift(drift));
  }
}

/** Checks what decides about the walk before it begins; the rest of the query is checked with each request. */
function checkSteering(call: ListCall): void {
  const { onDrift = "report", verify = false } = call.steering;
  const { page = 1 } = call.sent;
  if (!Number.isSafeInteger(page) || (page as number) < 1)
    throw call.refusal("page", "must be an integer, 1 or more");
  if (onDrift !== "report" && onDrift !== "throw") throw call.refusal("onDrift", "must be report or throw");
  if (typeof verify !== "boolean") throw call.refusal("verify", "must be true or false");
}

function readPosition(token: JsonObject, call: ListCall): { page: number; before: PageMark } {
  const { page, before } = isObject(token.position) ? token.position : {};
  const mark = readMark(before);
  if (!Number.isSafeInteger(page) || (page as number) < 2 || mark === undefined) throw badToken(call.label);
  return { page: page as number, before: mark }; // checked above
}

/** gap lists.unshown: what a list that comes whole would say about itself. */
function onlyPage(totalCount: number): Pagination {
  return { currentPage: 1, totalPages: 1, totalCount, hasNextPage: false, hasPreviousPage: false };
}

function isPagination(value: unknown): value is Pagination {
  if (!isObject(value) || typeof value.hasNextPage !== "boolean") return false;
  return [value.currentPage, value.totalPages, value.totalCount].every(Number.isSafeInteger);
}


