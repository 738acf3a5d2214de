import type { ApiResponse } from "../../http/api-response.ts";
import type { PagingFault } from "../../testing/rule.ts";

export interface CursorPage<Row> {
  items: Row[];
  nextCursor: string | null;
}

type Read<Row> = (cursor: string | undefined) => CursorPage<Row> | ApiResponse;

/**
 * Reads a page with a paging fault; without one, the correct page.
 *
 * - `repeat-cursor`: every page except the first returns the cursor of its request.
 * - `cycle`: the cursors alternate: A, B, A, B, …
 * - `empty-page`: an empty page comes before every page except the first.
 * - `clamp`: every page after the second is the second again, with a new cursor.
 * - `shift`: rows are added and deleted between the pages.
 */
export function readPage<Row>(
  paging: PagingFault | undefined,
  cursor: string | undefined,
  read: Read<Row>,
  shift: (applications: number, delivered: readonly Row[]) => void,
): CursorPage<Row> | ApiResponse {
  switch (paging?.kind) {
    case undefined:
      return read(cursor);
    case "repeat-cursor":
      return withCursor(read(cursor), (next) => cursor ?? next);
    case "cycle":
      return cyclePages(cursor, read);
    case "empty-page":
      return precedeWithEmpty(cursor, read);
    case "clamp":
      return clampPages(cursor, read);
    case "shift":
      return shiftRows(read(cursor), (items) => shift(paging.applications, items));
  }
}

function withCursor<Row>(
  page: CursorPage<Row> | ApiResponse,
  change: (next: string | null) => string | null,
): CursorPage<Row> | ApiResponse {
  return "status" in page ? page : { ...page, nextCursor: change(page.nextCursor) };
}

function cyclePages<Row>(cursor: string | undefined, read: Read<Row>): CursorPage<Row> | ApiResponse {
  const page = read(cursor);
  if (cursor === undefined) return page;
  const first = read(undefined);
  const start = "status" in first ? null : first.nextCursor;
  return withCursor(page, (next) => (cursor === start ? (next ?? start) : start));
}

const EMPTY = "empty:";

function precedeWithEmpty<Row>(cursor: string | undefined, read: Read<Row>): CursorPage<Row> | ApiResponse {
  if (cursor === undefined) return read(cursor);
  if (cursor.startsWith(EMPTY)) return read(cursor.slice(EMPTY.length));
  return { items: [], nextCursor: EMPTY + cursor };
}

const CLAMPED = /^clamped:(\d+):(.*)$/s;

function clampPages<Row>(cursor: string | undefined, read: Read<Row>): CursorPage<Row> | ApiResponse {
  if (cursor === undefined) return read(cursor);
  const [, count = "0", second = cursor] = CLAMPED.exec(cursor) ?? [];
  return withCursor(read(second), () => `clamped:${Number(count) + 1}:${second}`);
}

function shiftRows<Row>(
  page: CursorPage<Row> | ApiResponse,
  shift: (delivered: readonly Row[]) => void,
): CursorPage<Row> | ApiResponse {
  if (!("status" in page)) shift(page.items);
  return page;
}
