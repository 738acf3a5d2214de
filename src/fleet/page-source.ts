// Loaded when the first list is read.
import type { ResponseContent } from "../core/request/response.ts";
import { InvalidRequestError, type UnexpectedResponseError } from "../core/errors/errors.ts";
import type { Issue } from "../core/errors/issue.ts";
import { isObject } from "../internal/json.ts";
import type { ListReader } from "../core/list.ts";
import type { NumberedPage, Pagination } from "../core/page.ts";
import { type FetchedPage, type PageSource, pageReader } from "../core/page-walk.ts";
import { badResume, parseResume } from "../core/resume.ts";
import { type Shape, shapeItems } from "../core/request/shape.ts";
import type { AskPage, ListCall, ListSettings } from "./list-call.ts";

const withoutPagination =
  "without a `meta.pagination` of currentPage, totalPages, totalCount and hasNextPage";
const advice = ' (if the list comes whole, tell the client with readings: { "lists.unshown": "whole" })';

/** Reads one list. */
export function readPages<T, Meta>(
  doing: string,
  call: ListCall,
  settings: ListSettings,
  ask: AskPage,
): ListReader<NumberedPage<T, Meta>> {
  return pageReader(pageSource<T, Meta>(doing, call, settings, ask));
}

function pageSource<T, Meta>(
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
  content: ResponseContent,
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
  if (page !== undefined && !(Number.isSafeInteger(page) && (page as number) >= 1))
    issues.push({ path: "page", message: "must be an integer, 1 or more" });
  if (onDrift !== "report" && onDrift !== "throw")
    issues.push({ path: "onDrift", message: "must be report or throw" });
  if (issues.length > 0) throw new InvalidRequestError(doing, issues);
}

function lacking(content: ResponseContent, what: string): UnexpectedResponseError {
  return content.unexpected(what);
}
