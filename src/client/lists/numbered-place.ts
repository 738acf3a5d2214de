import type { RawNumberedPage } from "./numbered-page.ts";
import type { ListSource } from "./page.ts";
import type { Totals } from "./tally.ts";
import { hashKey } from "./token.ts";
import type { Walk } from "./walk.ts";

/** Where a walk begins: at a page, or after a page of which a token says what the walk needs to know. */
export interface NumberedStart {
  readonly page: number;
  /** Undefined at the first page, and if the walk does not know what comes before its page. */
  readonly before?: NumberedPlace | undefined;
}

/** What a token says about the pages before its place. */
interface NumberedPlace extends Totals {
  /** The hash of the last ID of the page before; undefined for an item without ID. */
  readonly last: string | undefined;
  /** The number of items of the longest page. */
  readonly size: number;
  /** The number of items that were delivered, or created where the walk did not see them. */
  readonly count: number;
  /** The `limit` of the requests, if it is not that of the caller. */
  readonly limit: number | undefined;
}

/** Reads where a walk begins. */
export function readStart(walk: Walk<unknown>): NumberedStart {
  const { place, source } = walk;
  if (place === undefined) return { page: Number(source.query["page"] ?? 1) };
  const { page, last, total: totalCount, pages: totalPages, size, count, limit } = place;
  const counts = [page, totalCount, totalPages, size, count, limit ?? 0];
  const areCounts = counts.every((each) => Number.isSafeInteger(each) && Number(each) >= 0);
  if (!areCounts || page === 0 || (last !== undefined && typeof last !== "string")) throw walk.invalidToken();
  return { page, before: { totalCount, totalPages, last, size, count, limit } } as NumberedStart; // checked
}

/** Returns the place after a page, by the last item of that page. */
export function writePlace(
  source: ListSource<unknown>,
  { number, items, pagination: { totalCount: total, totalPages: pages } }: RawNumberedPage,
  { size, limit }: Pick<NumberedPlace, "size" | "limit">,
): object {
  return { page: number + 1, last: hashLast(source, items), total, pages, size, limit };
}

/** Returns the hash of the ID of the last item; undefined without an ID. */
export function hashLast(source: ListSource<unknown>, items: readonly unknown[]): string | undefined {
  const id = source.idOf(items.at(-1));
  return id === undefined ? undefined : hashKey(id);
}
