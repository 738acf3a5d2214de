import { isObject, type JsonObject, objectOf } from "../../wire/json.ts";
import type { ApiError } from "../errors.ts";
import { isCount } from "../option-rules.ts";
import type { FindDefect, PageResponse, Pagination } from "./page.ts";
import { keysOf, type Walk } from "./walk.ts";

/** What a list says about its pages. */
export interface PageFormat {
  /** Whether the service may return the whole list without pagination. */
  readonly mayBeWhole: boolean;
  /** The sentence for a page without pagination. */
  readonly advice: string;
}

/** A page before it is delivered. */
export interface RawNumberedPage {
  readonly page: PageResponse;
  readonly number: number;
  readonly items: readonly unknown[];
  readonly pagination: Pagination;
  readonly meta: JsonObject;
}

/** Whether an error says that a page does not exist (gap fleet.page-past-end). */
export function isMissingPage(error: unknown): boolean {
  const { status } = (error ?? {}) as Partial<ApiError>;
  return status === 400 || status === 404;
}

/** Whether a page is the last one: a page is only the last one if the total and the flag say so. */
export function isLastPage({ number, pagination: { totalPages, hasNextPage } }: RawNumberedPage): boolean {
  return number > totalPages || (number === totalPages && !hasNextPage);
}

/** Requests a page, and checks its form. */
export async function requestPage(
  walk: Walk<unknown>,
  { mayBeWhole, advice }: PageFormat,
  query: JsonObject,
): Promise<RawNumberedPage> {
  const number = Number(query["page"]);
  const { page, items, meta } = await requestItems(walk, query, (json) => {
    const { pagination } = objectOf(json["meta"]);
    if (pagination === undefined && mayBeWhole) return undefined;
    const defect = findDefect(pagination);
    return defect === undefined ? undefined : `${defect}${pagination === undefined ? advice : ""}`;
  });
  if (meta["pagination"] === undefined) {
    if (number === 1) await requireWhole(walk, query, { page, items });
    return { page, number, items, meta, pagination: onlyPage(items.length) };
  }
  return { page, number, items, meta, pagination: meta["pagination"] as Pagination }; // checked
}

async function requestItems(
  walk: Walk<unknown>,
  query: JsonObject,
  findOther: FindDefect = () => undefined,
): Promise<{ page: PageResponse; items: readonly unknown[]; meta: JsonObject }> {
  const page = await walk.source.fetch(query, walk.cancel, (json) =>
    Array.isArray(json["data"]) ? findOther(json) : "without the array `data` of an envelope { data, meta }",
  );
  const meta = objectOf(page.json["meta"]);
  const { path, query: requested } = walk.source;
  const { id } = objectOf(meta["field"]);
  walk.requireSame("meta.field.id", id, path["id"] ?? id);
  const filters = objectOf(meta["filters"]);
  for (const name of ["search", "status"])
    walk.requireSame(`meta.filters.${name}`, filters[name], requested[name]);
  return { page, items: page.json["data"] as unknown[], meta }; // checked
}

/** gap lists.undocumented: the pagination of a list that is returned whole */
function onlyPage(totalCount: number): Pagination {
  return { currentPage: 1, totalPages: 1, totalCount, hasNextPage: false, hasPreviousPage: false };
}

/**
 * Checks that a list without pagination is whole: one that is longer than a page is; otherwise its second page must not
 * exist, have no items, or be the list again.
 */
async function requireWhole(
  walk: Walk<unknown>,
  query: JsonObject,
  { page, items }: { page: PageResponse; items: readonly unknown[] },
): Promise<void> {
  const { source } = walk;
  const limit = Number(query["limit"] ?? source.pageSize);
  if (items.length === 0 || items.length > limit) return;
  try {
    const second = await requestItems(walk, { ...query, page: 2 });
    const known = new Set(keysOf(source, items));
    const others = keysOf(source, second.items).filter((key) => !known.has(key));
    if (others.length <= second.items.length / 2) return; // entries may have been created meanwhile
  } catch (error) {
    if (isMissingPage(error)) return;
    throw error;
  }
  throw page.response.unexpected(
    "without `meta.pagination`, and page 2 has other entries: the list does not come whole (do not set the client option wholeLists)",
  );
}

function findDefect(pagination: unknown): string | undefined {
  if (!isObject(pagination)) return "without `meta.pagination`";
  const counts = ["currentPage", "totalPages", "totalCount"];
  const wrong = counts.find((name) => !isCount(pagination[name], 0));
  if (wrong !== undefined) return `without a count in \`meta.pagination.${wrong}\``;
  return typeof pagination["hasNextPage"] === "boolean" ? undefined : "without `meta.pagination.hasNextPage`";
}
