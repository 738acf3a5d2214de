import { isSimilarId } from "../../wire/id.ts";
import { isObject, type JsonObject } from "../../wire/json.ts";
import type { CursorPage, ListSource, PageResponse, WalkOptions } from "./page.ts";
import { invalidToken, verifyPasses, Walk } from "./walk.ts";

/** The specifics of one cursor list. */
export interface CursorSettings {
  /** The names of the array and of the cursor in a response (default: `items` and `nextCursor`). */
  readonly names?: { readonly items: string; readonly cursor: string };
  /** Names that a page does not have under this setting, and the sentence for a page that has them. */
  readonly otherNames?: readonly string[];
  readonly advice?: string;
  /** The property whose value is the cursor, and which may be null (gap stores.null-cursor). */
  readonly nullableId?: string;
  /** Whether the entity that a cursor names exists (gap stores.unknown-cursor). */
  readonly exists?: (cursor: string) => Promise<boolean>;
}

/** A page of a cursor list before it is delivered. */
export interface RawCursorPage {
  readonly page: PageResponse;
  readonly items: readonly unknown[];
  readonly nextCursor: string | null;
}

/** The pages of one walk. */
export type CursorPages<T> = AsyncGenerator<CursorPage<T>, void, void>;

const defaultNames = { items: "items", cursor: "nextCursor" };

/**
 * Walks a list whose pages are linked by cursors.
 * @param walkPages walks the list if the service may not take its cursors
 */
export function walkCursorList<T, Settings extends CursorSettings>(
  source: ListSource<T>,
  settings: Settings,
  { ahead, cancel, end }: WalkOptions,
  walkPages: (walk: CursorWalk<T>, settings: Settings) => CursorPages<T> = walkCursors,
): CursorPages<T> {
  const pass = (limited: ListSource<T>): CursorPages<T> =>
    walkPages(new CursorWalk(limited, cancel, settings), settings);
  const pages = source.controls.verify === true ? verifyPasses(new Walk(source, cancel), pass) : pass(source);
  return ahead === 0 ? pages : readPagesAhead(pages, ahead, end);
}

/** One walk of a list whose pages are linked by cursors. */
export class CursorWalk<T> extends Walk<T> {
  readonly settings: CursorSettings;
  /** The cursors that were requested or are next. */
  readonly #cursors: Set<unknown>;

  constructor(source: ListSource<T>, cancel: AbortSignal, settings: CursorSettings) {
    super(source, cancel);
    this.settings = settings;
    this.#cursors = new Set([(this.place ?? source.query)["cursor"]]);
  }

  /** Requests a page, and checks its form. */
  async request(changes: JsonObject): Promise<RawCursorPage> {
    const { names = defaultNames, otherNames = [], advice = "" } = this.settings;
    const page = await this.source.fetch({ ...this.source.query, ...changes }, this.cancel);
    const { [names.items]: items, [names.cursor]: nextCursor, externalId } = page.json;
    const other = otherNames.find((name) => {
      const value = page.json[name];
      return Array.isArray(value)
        ? value.length > 0
        : typeof value === "string" && value !== changes["cursor"];
    });
    if (
      !Array.isArray(items) ||
      (nextCursor !== null && typeof nextCursor !== "string") ||
      other !== undefined
    ) {
      const what =
        other === undefined ? `without \`${names.items}\` and \`${names.cursor}\`` : `with \`${other}\``;
      throw page.response.unexpected(`is not a page of the list: ${what}${advice}`);
    }
    if (nextCursor === "") throw this.end("the server returned an empty string instead of a cursor or null");
    const own = this.source.path["externalId"];
    if (own !== undefined && typeof externalId === "string" && !isSimilarId(externalId, own))
      throw this.end("the response is about another store: `externalId` differs from the requested one");
    return { page, items, nextCursor };
  }

  /** Ends a walk that does not get on, or that would request an earlier cursor again. */
  override requireProgress(
    items: readonly unknown[],
    newItems: readonly unknown[],
    next: string | null = null,
  ): void {
    super.requireProgress(items, newItems);
    if (next === null) return;
    if (this.#cursors.has(next))
      throw this.end("the server returned an earlier cursor again: the walk would not end");
    this.#cursors.add(next);
  }

  /** Builds the page that is delivered, with its new items. */
  async build(
    { page, nextCursor }: RawCursorPage,
    sent: readonly unknown[],
    next: object | undefined,
  ): Promise<CursorPage<T>> {
    const { names = defaultNames } = this.settings;
    const items = await this.source.parse(page, sent, names.items);
    return this.completePage<CursorPage<T>>({ items, sent, nextCursor, raw: page.json }, page, next);
  }
}

/** Walks from a cursor to the end. */
async function* walkCursors<T>(walk: CursorWalk<T>): CursorPages<T> {
  const start = readStart(walk);
  let cursor = start;
  for (;;) {
    const raw = await walk.request({ cursor });
    if (raw.nextCursor === null && raw.items.length === 0 && cursor !== start && cursor !== undefined)
      await confirmEnd(walk, cursor);
    const more = raw.nextCursor === null ? await findMore(walk, raw, cursor) : undefined;
    const next = raw.nextCursor ?? more?.nextCursor ?? null;
    const sent = walk.takeNew(raw.items);
    const extra = more === undefined ? [] : walk.takeNew(more.items);
    walk.requireProgress(raw.items, sent, next);
    const following = next === null ? undefined : { cursor: next };
    // the page that was read with another limit has no cursor of its own: continue with this one
    yield await walk.build(raw, sent, extra.length > 0 ? { cursor } : following);
    walk.last = { cursor };
    if (more !== undefined && extra.length > 0) yield await walk.build(more, extra, following);
    if (next === null) return;
    cursor = next;
  }
}

/** Returns the cursor to begin with; undefined for the first page. */
function readStart(walk: CursorWalk<unknown>): string | undefined {
  const { cursor } = walk.place ?? walk.source.query;
  if (cursor !== undefined && typeof cursor !== "string") throw invalidToken(walk.source);
  return cursor;
}

/**
 * An empty page is the end, unless the server returns one for a cursor whose entity no longer exists (gap
 * stores.unknown-cursor).
 */
async function confirmEnd<T>(walk: CursorWalk<T>, cursor: string): Promise<void> {
  const { exists } = walk.settings;
  if (exists === undefined || (await exists(cursor))) return;
  throw walk.end(
    "the page is empty, and the store of its cursor was deleted or renamed during the walk: more stores may follow",
  );
}

/**
 * A full page without a cursor whose last store has no external ID may not be the last one, because a cursor is an
 * external ID (gap stores.null-cursor). Asks once with another `limit`.
 */
async function findMore<T>(
  walk: CursorWalk<T>,
  { items }: RawCursorPage,
  cursor: string | undefined,
): Promise<RawCursorPage | undefined> {
  const { nullableId } = walk.settings;
  const { query, pageSize, largestPage } = walk.source;
  const last = items.at(-1);
  const limit = Number(query["limit"] ?? pageSize);
  if (
    nullableId === undefined ||
    items.length < limit ||
    !isObject(last) ||
    typeof last[nullableId] === "string"
  )
    return undefined;
  const other = limit < largestPage ? largestPage : limit - 1;
  const second = await walk.request({ cursor, limit: other });
  if (second.nextCursor === null && second.items.length >= other)
    throw walk.end(
      "a full page without a cursor may end with a store without external ID: more stores may follow (use another `limit`)",
    );
  return second;
}

/**
 * Requests pages before they are needed. A generator makes one page after the other, so that the pages come in order, and
 * a failure comes in the place of its page.
 * @param ahead the number of pages that are requested while one is used
 */
async function* readPagesAhead<P>(
  pages: AsyncGenerator<P, void, void>,
  ahead: number,
  end: () => void,
): AsyncGenerator<P, void, void> {
  const pending: Promise<IteratorResult<P, void>>[] = [];
  try {
    for (;;) {
      while (pending.length <= ahead) {
        const next = pages.next();
        next.catch(() => {}); // it is thrown when its turn comes
        pending.push(next);
      }
      const { done, value } = await (pending.shift() as Promise<IteratorResult<P, void>>); // there is one
      if (done === true) return;
      yield value;
    }
  } finally {
    end(); // a request in flight would delay `return`
    await pages.return().catch(() => {}); // the walk has ended
  }
}
