import type { ListContent } from "../core/answer.ts";
import { InvalidRequestError, PaginationError, UnexpectedResponseError } from "../core/errors.ts";
import type { Issue } from "../core/issue.ts";
import { isObject } from "../core/json.ts";
import type { CallOptions } from "../core/options.ts";
import type { DriftEvent, Pagination } from "../core/page.ts";
import type { FetchedPage, PageSource } from "../core/page-walk.ts";
import { hash } from "../core/repeat-guard.ts";
import { badResume, parseResume } from "../core/resume.ts";
import { snippet } from "../core/secret.ts";
import { type Shape, shapeItems } from "../core/shape.ts";
import { type PageQuery, pageRules } from "./query.ts";

/** Asks for one page. */
export type AskPage = (query: object, cancel: AbortSignal | undefined) => Promise<ListContent>;

/** One list as it was called. */
export interface ListCall {
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

const withoutPagination =
  "without a `meta.pagination` of currentPage, totalPages, totalCount and hasNextPage";
const advice = ' (if the list comes whole, tell the client with readings: { "lists.unshown": "whole" })';

/** Where the pages of one list come from. */
export function pageSource<T, Meta>(
  doing: string,
  call: ListCall,
  { unshown, onDrift: report }: ListSettings,
  ask: AskPage,
): PageSource<T, Meta> {
  const { resume, onDrift = "report", ...sent } = call.query ?? {};
  const mayBeWhole = unshown === "whole" && call.shown !== true;
  return {
    doing,
    signal: call.options?.signal,
    onDrift,
    hash,
    error: (reason, page) => new PaginationError(doing, reason, { page }),
    report: (operation, drift) => report?.({ operation, drift }),
    start() {
      checkStart(doing, onDrift, sent.page);
      return resume === undefined ? (sent.page ?? 1) : readResume(doing, resume, sent.limit);
    },
    async fetch(page, cancel) {
      // the first page is the default: its number is sent only where the caller gave it
      const content = await ask({ ...sent, page: page === 1 ? sent.page : page }, cancel);
      return readPage<T, Meta>(content, call, mayBeWhole);
    },
  };
}

async function readPage<T, Meta>(
  content: ListContent,
  { query, shape, id = "id", shown }: ListCall,
  mayBeWhole: boolean,
): Promise<FetchedPage<T, Meta>> {
  const { json, operation } = content;
  const { data: sent } = json;
  if (!Array.isArray(sent)) throw lacking(content, "without an array `data`");
  const meta = isObject(json.meta) ? json.meta : {};
  const missing = (meta.pagination ?? null) === null;
  const pagination = mayBeWhole && missing ? onlyPage(sent.length) : meta.pagination;
  if (!isPagination(pagination))
    throw lacking(content, `${withoutPagination}${shown === true ? "" : advice}`);
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

/** gap lists.unshown: what a list that comes whole would say of itself. */
function onlyPage(totalCount: number): Pagination {
  return { currentPage: 1, totalPages: 1, totalCount, hasNextPage: false, hasPreviousPage: false };
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
    const message = "belongs to a list with another limit: pages of another size hold other items";
    throw new InvalidRequestError(doing, [{ path: "resume", message }]);
  }
  return state.page as number;
}

/** What decides about the walk itself is checked before it begins; the rest of the query with each request. */
function checkStart(doing: string, onDrift: unknown, page: unknown): void {
  const issues: Issue[] = [];
  pageRules.page(page ?? 1, (message) => issues.push({ path: "page", message }));
  if (onDrift !== "report" && onDrift !== "throw")
    issues.push({ path: "onDrift", message: "must be report or throw" });
  if (issues.length > 0) throw new InvalidRequestError(doing, issues);
}

function lacking({ doing, status, clean, text }: ListContent, what: string): UnexpectedResponseError {
  return new UnexpectedResponseError(`${doing}: ${status} ${what}`, {
    status,
    body: snippet(text, clean),
  });
}
