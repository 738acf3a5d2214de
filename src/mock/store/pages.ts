import type { StoreCall } from "../server/call.ts";

export interface CursorPage<Row> {
  items: Row[];
  nextCursor: string | null;
}

const EMPTY = "empty:";
const CLAMPED = /^clamped:(\d+):(.*)$/s;

/**
 * Reads a page with the paging fault of a call; without one, the correct page.
 *
 * - `repeat-cursor`: every page except the first returns the cursor of its request.
 * - `cycle`: the cursors alternate: A, B, A, B, …
 * - `empty-page`: an empty page comes before every page except the first.
 * - `clamp`: every page after the second is the second again, with a new cursor.
 * - `shift`: rows are added and deleted between the pages.
 */
export function readPage<Row>(
  { paging }: StoreCall,
  cursor: string | undefined,
  read: (cursor: string | undefined) => CursorPage<Row>,
  shift: (applications: number, delivered: readonly Row[]) => void,
): CursorPage<Row> {
  if (paging?.kind === "shift") {
    const page = read(cursor);
    shift(paging.applications, page.items);
    return page;
  }
  if (paging === undefined || cursor === undefined) return read(cursor);
  switch (paging.kind) {
    case "repeat-cursor":
      return { ...read(cursor), nextCursor: cursor };
    case "cycle": {
      const { items, nextCursor } = read(cursor);
      const start = read(undefined).nextCursor;
      return { items, nextCursor: cursor === start ? (nextCursor ?? start) : start };
    }
    case "empty-page":
      if (cursor.startsWith(EMPTY)) return read(cursor.slice(EMPTY.length));
      return { items: [], nextCursor: EMPTY + cursor };
    case "clamp": {
      const [, count = "0", second = cursor] = CLAMPED.exec(cursor) ?? [];
      return { ...read(second), nextCursor: `clamped:${Number(count) + 1}:${second}` };
    }
  }
}

/** Compares texts by UTF-16 code units. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
