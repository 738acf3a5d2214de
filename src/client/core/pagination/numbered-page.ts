import { isExactNumber } from "../../../wire/exact-numbers.ts";
import { isInteger, isObject, type JsonObject } from "../../../wire/json.ts";
import { type Shape, shapeItems } from "../request/shape.ts";
import type { ResponseContent } from "../request/content.ts";
import { unexpectedResponse } from "../request/response-failure.ts";
import { addResponse } from "./page-response.ts";
import type { Drift } from "../options/drift.ts";
import { hashJson, keyOf, type WalkGuard } from "./guard.ts";
import type { ListCall } from "./list-call.ts";
import { requireSameList } from "./walk.ts";
import type { NumberedPage, Pagination } from "./page.ts";

/** The format of the pages of one numbered list. */
export interface NumberedFormat<T> {
  /** The properties that may hold the ID of an item. */
  itemId: readonly string[];
  /** The list may be returned whole, without a pagination (gap lists.undocumented). */
  mayBeWhole: boolean;
  /** The number of items on a page of a list with pages. */
  limit: number | undefined;
  /** The end of the message about a response without a pagination. */
  advice: string;
  /** Parses each item. */
  shape: Shape<T> | undefined;
}

/** A page of a numbered list before it is delivered. */
export interface ReadPage<T, Meta> {
  content: ResponseContent;
  pagination: Pagination;
  items: T[];
  /** One hash for each item. */
  keys: readonly number[];
  /** The ID of each item; null if it has no ID. */
  ids: readonly (string | number | null)[];
  /** Creates the page with the items that are delivered. */
  build(items: T[], drift: readonly Drift[], resume: string | null): NumberedPage<T, Meta>;
}

const withoutPagination =
  "without a `meta.pagination` of currentPage, totalPages, totalCount and hasNextPage";

/** Reads a response of a numbered list. Contract: fleet 4, Shared list parameters. */
export async function readNumberedPage<T, Meta>(
  content: ResponseContent,
  { itemId, mayBeWhole, limit, advice, shape }: NumberedFormat<T>,
  guard: WalkGuard,
  call: ListCall,
): Promise<ReadPage<T, Meta>> {
  const { json } = content;
  const { data } = json;
  if (!Array.isArray(data)) throw unexpectedResponse(content, "without an array `data`");
  const rows: unknown[] = data;
  const meta = isObject(json.meta) ? json.meta : {};
  requireSameList(meta, call, guard);
  const isWhole = mayBeWhole && (meta.pagination ?? null) === null;
  // gap lists.undocumented: this may be the first page of a longer list
  if (isWhole && rows.length === limit)
    throw guard.error(
      `the response has no pagination and exactly ${limit} items, as many as one page: it is not known whether it ` +
        "is the whole list (use another `limit`)",
    );
  const pagination = isWhole ? onlyPage(rows.length) : meta.pagination;
  if (!isPagination(pagination)) throw unexpectedResponse(content, `${withoutPagination}${advice}`);
  // without a shape, the contract's own type, which `validate: "full"` checks
  const items = shape === undefined ? (rows as T[]) : await shapeItems(content, shape, rows, "data");
  const identity = { properties: itemId };
  return {
    content,
    pagination,
    items,
    keys: rows.map((row) => keyOf(row, identity) ?? hashJson(row)),
    ids: rows.map((row) => readId(row, itemId)),
    build(delivered, drift, resume) {
      // the contract's own type, checked under `validate: "full"`
      const page = { items: delivered, pagination, meta: meta as Meta, resume, drift, raw: json };
      return addResponse<NumberedPage<T, Meta>>(page, content, meta);
    },
  };
}

function readId(row: unknown, itemId: readonly string[]): string | number | null {
  const ids = itemId.map((property) => (isObject(row) ? row[property] : undefined));
  const id = ids.find((value) => (typeof value === "string" && value !== "") || isExactNumber(value));
  return (id ?? null) as string | number | null; // one of the two types was found
}

/** gap lists.undocumented: the pagination of a list that is returned whole */
function onlyPage(totalCount: number): Pagination {
  return { currentPage: 1, totalPages: 1, totalCount, hasNextPage: false, hasPreviousPage: false };
}

function isPagination(value: unknown): value is Pagination & JsonObject {
  if (!isObject(value) || typeof value.hasNextPage !== "boolean") return false;
  const { currentPage, totalPages, totalCount } = value;
  return [currentPage, totalPages, totalCount].every((count) => isInteger(count) && count >= 0);
}
