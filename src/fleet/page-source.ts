import type { ListContent } from "../core/answer.ts";
import { InvalidRequestError, UnexpectedResponseError } from "../core/errors.ts";
import { isObject, type JsonObject } from "../core/json.ts";
import type { CallOptions } from "../core/options.ts";
import type { DriftEvent, Pagination } from "../core/page.ts";
import { type FetchedPage, PageList } from "../core/page-list.ts";
import { badResume, parseResume } from "../core/resume.ts";
import { type Shape, shapeItems } from "../core/shape.ts";
import type { PageQuery } from "./query.ts";

/** Asks for one page. */
type AskPage = (query: object, cancel: AbortSignal | undefined) => Promise<ListContent>;

/** One list as it was called. */
interface ListCall {
  query: PageQuery | undefined;
  options: CallOptions | undefined;
  /** What each item is read with. */
  shape?: Shape | undefined;
  /** Which member tells the items apart (`id`). */
  id?: string;
  /** The contract shows the answer: it never comes without pagination. */
  shown?: boolean;
}

/** How the client's lists are read. */
export interface ListSettings {
  /** gap lists.unshown: a list known by path alone may come whole. */
  unshown: "paged" | "whole";
  onDrift: ((event: DriftEvent) => void) | undefined;
}

/** Makes the lists of one client. Contract: fleet 4, Shared list parameters. */
export class Lists {
  readonly #settings: ListSettings;

  constructor(settings: ListSettings) {
    this.#settings = settings;
  }

  open<T, Meta = JsonObject>(doing: string, call: ListCall, ask: AskPage): PageList<T, Meta> {
    const { resume, onDrift = "report", ...sent } = call.query ?? {};
    const mayBeWhole = this.#settings.unshown === "whole" && call.shown !== true;
    return new PageList<T, Meta>({
      doing,
      signal: call.options?.signal,
      onDrift,
      report: (operation, drift) => this.#settings.onDrift?.({ operation, drift }),
      start() {
        checkOnDrift(doing, onDrift);
        return resume === undefined ? (sent.page ?? 1) : readResume(doing, resume, sent.limit);
      },
      async fetch(page, cancel) {
        // where the caller named the page, what they gave is checked, and nothing is sent for the default
        const asGiven = resume === undefined && page === Number(sent.page ?? 1);
        const content = await ask({ ...sent, page: asGiven ? sent.page : page }, cancel);
        return readPage<T, Meta>(content, call, mayBeWhole);
      },
    });
  }
}

async function readPage<T, Meta>(
  content: ListContent,
  { query, shape, id = "id" }: ListCall,
  mayBeWhole: boolean,
): Promise<FetchedPage<T, Meta>> {
  const { json, operation } = content;
  const { data: sent } = json;
  if (!Array.isArray(sent)) throw lacking(content, "without an array `data`");
  const meta = isObject(json.meta) ? json.meta : {};
  const pagination = readPagination(content, meta, mayBeWhole ? sent.length : undefined);
  const next = { page: pagination.currentPage + 1, limit: query?.limit };
  const page = {
    // a client's type parameter is what its shape puts out
    items: await shapeItems(content, shape as Shape<T> | undefined, sent, "data"),
    pagination,
    meta: meta as Meta, // the contract's own type, checked under `validate: "full"`
    resume: pagination.hasNextPage ? JSON.stringify(next) : null,
    drift: [],
    raw: json,
  };
  return { page, sent, ids: sent.flatMap((item) => idOf(item, id)), operation };
}

function readPagination(content: ListContent, meta: JsonObject, whole: number | undefined): Pagination {
  const { pagination } = meta;
  if (isPagination(pagination)) return pagination;
  if (whole === undefined || (pagination ?? null) !== null) {
    const advice =
      whole === undefined ? ' (a list that comes whole: readings: { "lists.unshown": "whole" })' : "";
    throw lacking(
      content,
      `without a \`meta.pagination\` of currentPage, totalPages, totalCount and hasNextPage${advice}`,
    );
  }
  return { currentPage: 1, totalPages: 1, totalCount: whole, hasNextPage: false, hasPreviousPage: false };
}

function isPagination(value: unknown): value is Pagination {
  if (!isObject(value) || typeof value.hasNextPage !== "boolean") return false;
  return [value.currentPage, value.totalPages, value.totalCount].every(Number.isSafeInteger);
}

function idOf(item: unknown, member: string): (string | number)[] {
  const id = isObject(item) ? item[member] : undefined;
  return typeof id === "string" || typeof id === "number" ? [id] : [];
}

function readResume(doing: string, token: string, limit: number | undefined): number {
  const state = parseResume(doing, token);
  if (!Number.isSafeInteger(state.page) || (state.page as number) < 2) throw badResume(doing);
  if (state.limit !== limit) {
    const message = `belongs to a list with the limit ${String(state.limit ?? "of the server")}: pages of another size hold other items`;
    throw new InvalidRequestError(doing, [{ path: "resume", message }]);
  }
  return state.page as number;
}

function checkOnDrift(doing: string, value: unknown): void {
  if (value === "report" || value === "throw") return;
  throw new InvalidRequestError(doing, [{ path: "onDrift", message: "must be report or throw" }]);
}

function lacking({ doing, status, clean, text }: ListContent, what: string): UnexpectedResponseError {
  return new UnexpectedResponseError(`${doing}: ${status} ${what}`, {
    status,
    body: clean(text.slice(0, 1024)),
  });
}
