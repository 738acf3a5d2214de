import { fleetOperations } from "../../generated/fleet.operations.ts";
import { storeOperations } from "../../generated/store.operations.ts";
import { type JsonObject, objectOf } from "../wire/json.ts";
import { NoDataError, type Query, type Reply } from "./client.ts";
import { checkError } from "./connection.ts";
import { entriesAt, valueAt } from "./schema.ts";
import { identify, type Service } from "./service.ts";

/** Page 2, compared with page 1. */
export type Second =
  | "follows page 1"
  | "begins with the last entry of page 1"
  | "is page 1 again"
  | "is page 1 again, with a new cursor"
  | "is refused with 400"
  | "cannot be requested: page 1 has no cursor"
  | "does not continue page 1";

/** Draws conclusions from page 2. */
export type Conclude = (service: Service, second: Second, first: Page, full: Page) => void;

export interface Page {
  readonly status: number;
  readonly entries: readonly JsonObject[];
  readonly ids: readonly string[];
  readonly cursor?: unknown;
  readonly pagination?: unknown;
}

const notRead = "the list was not read, or has no entries";
const tooFew = "too few entries with an ID for two pages";
const changed = "the list changed during the check";
const whole = "the client's defaults read it whole";

function toPage({ status, body }: Reply, items: string, cursor: string): Page {
  const entries = entriesAt(body, items);
  const [next, pagination] = [cursor, "meta.pagination"].map((place) => valueAt(body, place));
  return { status, entries, ids: entries.map(identify), cursor: next, pagination };
}

/** Returns the names of the entries and of the cursor, if the response shows one list with entries. */
export function findNames(body: unknown): { items: string; cursor: string } | undefined {
  const names = Object.keys(objectOf(body)).filter((name) => /^\w{1,40}$/.test(name));
  const [items, ...others] = names.filter((name) => entriesAt(body, name).length > 0);
  const cursor = names.find((name) => /cursor$/i.test(name)) ?? "nextCursor";
  return items === undefined || others.length > 0 ? undefined : { items, cursor };
}

/** Reads two pages by cursor, and requests more than the largest page. */
export async function checkCursorList(service: Service, path: string, conclude?: Conclude): Promise<void> {
  const reply = service.replies.get(path);
  const names = findNames(service.body(path));
  if (reply === undefined || names === undefined) throw new NoDataError(notRead);
  const limit = storeOperations[path.endsWith("/photos") ? "listPhotos" : "listStores"].list.maxPageSize + 1;
  const refusal = await service.get(path, { limit });
  if (refusal.status !== 400) service.differ(`limit=${limit} has status ${refusal.status} instead of 400`);
  else if (checkError(service, refusal, 400)) service.ok(`limit=${limit} is refused with 400`);
  const read: Read = async (query) => toPage(await service.get(path, query), names.items, names.cursor);
  await checkSecondPage(service, toPage(reply, names.items, names.cursor), read, conclude);
}

type Read = (query: Query) => Promise<Page>;

/** Page 1 is cut as late as possible, so that page 2 shows the end of a list that has no third page. */
async function checkSecondPage(service: Service, full: Page, read: Read, conclude?: Conclude): Promise<void> {
  const { entries, ids } = full;
  // a store without external ID has no place that a cursor can name
  const isEdge = (index: number): boolean => entries[index]?.["externalId"] !== null;
  const limit = ids.findLastIndex((_, index) => index > 1 && isEdge(index) && isEdge(index - 1));
  if (limit === -1 || new Set(ids).size < ids.length) throw new NoDataError(tooFew);
  const first = await read({ limit });
  const cursor = typeof first.cursor === "string" ? first.cursor : "";
  const ends = [full.cursor];
  const readSecond = async (): Promise<Second> => {
    const page = await read({ limit, cursor });
    ends.push(page.cursor);
    return compareSecond(full, first, page);
  };
  const second = cursor === "" ? "cannot be requested: page 1 has no cursor" : await readSecond();
  if (first.ids.length > limit && service.differ(`a page with limit=${limit} has more entries`)) return;
  if (second !== "follows page 1") {
    // another writer may have changed the list, and a refusal counts if it is repeated
    const again = await read({ limit });
    const isSame = [again, first].every((page) => page.ids.join() === ids.slice(0, limit).join());
    const isRepeated = second !== "is refused with 400" || (await readSecond()) === second;
    if (!isSame || !isRepeated) throw new NoDataError(changed);
  }
  if (ends.includes("")) service.differ("the last cursor is empty, not null");
  const end = ends.includes(null) ? `the last cursor is null; ${whole}` : "the end of the list was not read";
  if (/^(?:follows|begins)/.test(second)) service.ok(`page 2 ${second}, ${end}`);
  else if (conclude === undefined) throw new NoDataError(`page 2 ${second}; store.http.GET reads page 1`);
  conclude?.(service, second, first, full);
}

function compareSecond(full: Page, first: Page, second: Page): Second {
  if (second.status === 400) return "is refused with 400";
  const [start = ""] = second.ids;
  if (start === full.ids[first.ids.length]) return "follows page 1";
  if (start === first.ids.at(-1)) return "begins with the last entry of page 1";
  if (second.ids.join() !== first.ids.join()) return "does not continue page 1";
  return second.cursor === first.cursor ? "is page 1 again" : "is page 1 again, with a new cursor";
}

/** Compares the totals of page 1 with its entries, and reads page 2 with half of them. */
export async function checkNumberedList(service: Service, path: string): Promise<void> {
  const reply = service.replies.get(path);
  if (reply?.status !== 200) throw new NoDataError(notRead);
  const read = async (query: Query = {}) => toPage(await service.get(path, query), "data", "nextCursor");
  const full = toPage(reply, "data", "nextCursor");
  const limit = Math.ceil(full.ids.length / 2);
  if (full.pagination === undefined && full.ids.length > 1) {
    const limited = await read({ limit: 1 });
    if (limited.status !== 400 && limited.ids.join() !== full.ids.join()) throw new NoDataError(changed);
    service.paging.set(path, "whole");
    service.ok("no pages");
    return;
  }
  const differences = new Set(describeTotals(full, 1, fleetOperations.listVehicles.list.defaultPageSize));
  if (full.ids.length > 1) {
    const second = await read({ page: 2, limit });
    const place = compareSecond(full, { ...full, ids: full.ids.slice(0, limit) }, second);
    if (place === "follows page 1") service.paging.set(path, "paged");
    else differences.add(`page 2 ${place}`);
    if (place !== "is page 1 again")
      for (const text of describeTotals(second, 2, limit)) differences.add(text);
  }
  // another writer may come between two requests, or between the entries and their count
  const again = differences.size === 0 ? full : await read();
  const [before, after] = [full, again].map(({ ids, pagination }) => JSON.stringify([ids, pagination]));
  if (before !== after) throw new NoDataError(changed);
  if (service.differ(...differences)) return;
  if (full.ids.length < 2) throw new NoDataError(tooFew);
  service.ok(`page 2 follows page 1, totals are right; ${whole}`);
}

/** Compares the numbers of a page with each other; the schema compares their types. */
function describeTotals({ ids, pagination }: Page, page: number, limit: number): string[] {
  if (ids.length > limit) return ["a page has more entries than its limit"];
  const { currentPage, totalPages, totalCount, hasNextPage, hasPreviousPage } = objectOf(pagination);
  const [pages, total] = [Number(totalPages), Number(totalCount)];
  const shown = Math.min(limit, Math.max(0, total - (page - 1) * limit));
  const rules: readonly (readonly [actual: unknown, expected: unknown, text: string])[] = [
    [currentPage, page, "currentPage is not the number of the page"],
    [shown, ids.length, "totalCount does not fit the entries"],
    [Math.max(1, pages), Math.max(1, Math.ceil(total / limit)), "totalPages does not fit totalCount"],
    [pages >= 0 ? hasNextPage : undefined, page < pages, "hasNextPage does not fit totalPages"],
    [hasPreviousPage, page > 1, "hasPreviousPage is wrong"],
  ];
  const known = rules.filter((rule) => !rule.includes(undefined) && !rule.includes(Number.NaN));
  return known.flatMap(([actual, expected, text]) => (actual === expected ? [] : [text]));
}
