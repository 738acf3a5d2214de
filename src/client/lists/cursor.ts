import { isObject, type JsonObject } from "../../wire/json.ts";
import { List } from "./list.ts";
import type { CursorPage, ListSource, PageResponse, PrefetchOptions } from "./page.ts";
import { hashKey } from "./token.ts";
import { Walk } from "./walk.ts";

/**
 * A list whose pages are linked by cursors. Nothing is sent until it is awaited or iterated; each loop starts a new
 * walk. `await` returns the first page, `for await` iterates every item.
 */
export interface CursorList<T> extends List<T, CursorPage<T>, PrefetchOptions> {}

/** The specifics of one cursor list. */
export interface CursorSettings {
  /** The names of the array and of the cursor in a response (default: `items` and `nextCursor`). */
  readonly names?: { readonly items: string; readonly cursor: string } | undefined;
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
  /** Whether it is the end and has no items. */
  readonly isEmptyEnd: boolean;
}

/** The pages of one walk. */
export type CursorPages<T> = AsyncGenerator<CursorPage<T>, void, void>;

/**
 * Creates a list whose pages are linked by cursors.
 * @param walkPages walks the list if the service may not take its cursors
 */
export function cursorList<T, Settings extends CursorSettings>(
  source: ListSource<T>,
  settings: Settings,
  walkPages: (walk: CursorWalk<T>, settings: Settings) => CursorPages<T> = walkCursors,
): CursorList<T> {
  return new List<T, CursorPage<T>, PrefetchOptions>(
    source,
    (limited, { ahead, cancel }) =>
      readPagesAhead(walkPages(new CursorWalk(limited, cancel, settings), settings), ahead),
    ["prefetch", 0],
  );
}

/** The largest number of items of the page before that a token recognizes if they come again. */
const overlap = 100;

/** One walk of a list whose pages are linked by cursors. */
export class CursorWalk<T> extends Walk<T> {
  readonly settings: CursorSettings;
  /** The names of the array and of the cursor. */
  readonly #items: string;
  readonly #cursor: string;
  /** The cursors that were requested or are next. */
  readonly #cursors: Set<unknown>;
  /** The number of cursors before this page, and the hash of one of them, over all processes of the walk. */
  #steps: number;
  #anchor: unknown;

  constructor(source: ListSource<T>, cancel: AbortSignal, settings: CursorSettings) {
    super(source, cancel);
    this.settings = settings;
    this.#items = settings.names?.items ?? "items";
    this.#cursor = settings.names?.cursor ?? "nextCursor";
    const { cursor, steps = 0, anchor } = this.place ?? source.query;
    this.#cursors = new Set([cursor]);
    this.#steps = Number(steps);
    this.#anchor = anchor;
  }

  /** Requests a page, and checks its form. */
  async request(changes: JsonObject): Promise<RawCursorPage> {
    const { query, path } = this.source;
    const page = await this.source.fetch({ ...query, ...changes }, this.cancel, (json) =>
      this.#findDefect(json, changes["cursor"]),
    );
    const items = page.json[this.#items] as unknown[]; // checked, as the cursor
    const nextCursor = page.json[this.#cursor] as string | null;
    const { externalId } = page.json;
    this.requireSame("externalId", externalId ?? undefined, path["externalId"] ?? externalId);
    return { page, items, nextCursor, isEmptyEnd: items.length === 0 && nextCursor === null };
  }

  /** Returns what a response lacks of the form of a page. */
  #findDefect(json: JsonObject, cursor: unknown): string | undefined {
    const { otherNames = [], advice = "" } = this.settings;
    const { [this.#items]: items, [this.#cursor]: next } = json;
    const other = otherNames.find((name) => {
      const value = json[name];
      if (name === this.#items || name === this.#cursor) return false;
      return Array.isArray(value) ? value.length > 0 : typeof value === "string" && value !== cursor;
    });
    if (other !== undefined) return `is not a page of the list: with \`${other}\`${advice}`;
    if (Array.isArray(items) && (next === null || (typeof next === "string" && next !== "")))
      return undefined;
    return `is not a page of the list: without \`${this.#items}\` and \`${this.#cursor}\`${advice}`;
  }

  /** Whether a cursor was requested before, or is the one that the walk remembers over several processes. */
  #wasUsed(cursor: string): boolean {
    return this.#cursors.has(cursor) || hashKey(cursor) === this.#anchor;
  }

  /** Whether a response repeats an earlier cursor or only earlier items. */
  repeats({ items, nextCursor }: RawCursorPage): boolean {
    if (nextCursor !== null && this.#wasUsed(nextCursor)) return true;
    return items.length > 0 && items.every((item) => this.has(item));
  }

  /** Requests a page. One that is doubtful is requested once more: it may be an old response. */
  async requestTwice(
    changes: JsonObject,
    isDoubtful: (page: RawCursorPage) => boolean,
  ): Promise<RawCursorPage> {
    const raw = await this.request(changes);
    if (!isDoubtful(raw)) return raw;
    const again = await this.request(changes);
    return isDoubtful(again) && !raw.isEmptyEnd ? raw : again;
  }

  /** Takes the new items of a page. Ends a walk that does not get on, or that would request an earlier cursor again. */
  accept(items: readonly unknown[], next: string | null): readonly unknown[] {
    const sent = this.takeNew(items);
    this.requireProgress(items, sent);
    if (next === null) return sent;
    if (this.#wasUsed(next))
      throw this.end("the server returned an earlier cursor again: the walk would not end");
    this.#cursors.add(next);
    this.#steps += 1;
    // a loop of any length meets the cursor of step 1, 2, 4, 8 and so on (Brent's algorithm)
    if (Number.isInteger(Math.log2(this.#steps))) this.#anchor = hashKey(next);
    return sent;
  }

  /** Builds the page that is delivered, with its new items. */
  async build(
    { page, nextCursor }: RawCursorPage,
    sent: readonly unknown[],
    next: (() => object) | undefined,
  ): Promise<CursorPage<T>> {
    const items = await this.source.parse(page, sent, this.#items);
    return this.completePage<CursorPage<T>>({ items, sent, nextCursor, raw: page.json }, page, next);
  }

  /** Returns what writes the place after a page: the next cursor, and what the next page may repeat. */
  placeAfter({ items, nextCursor: cursor }: RawCursorPage, more: object = {}): (() => object) | undefined {
    if (cursor === null) return undefined;
    const progress = { steps: this.#steps, anchor: this.#anchor, idle: this.idle };
    // most tokens are never written
    return () => ({ cursor, known: this.hashesOf(items.slice(-overlap)).join(" "), ...progress, ...more });
  }
}

/** Walks from a cursor to the end. */
async function* walkCursors<T>(walk: CursorWalk<T>): CursorPages<T> {
  let cursor = readStart(walk);
  /** The page that the caller asked for may be empty. */
  let isFirst = walk.place === undefined;
  for (;;) {
    const mayBeEmpty = isFirst;
    const raw = await walk.requestTwice(
      { cursor },
      (page) => walk.repeats(page) || (!mayBeEmpty && page.isEmptyEnd),
    );
    if (raw.isEmptyEnd && !isFirst) await confirmEnd(walk, cursor);
    const page = (await findMore(walk, raw, cursor)) ?? raw;
    const next = page.nextCursor;
    const sent = walk.accept(page === raw ? raw.items : [...raw.items, ...page.items], next);
    yield await walk.build(page, sent, walk.placeAfter(page));
    walk.last = { cursor };
    if (next === null) return;
    cursor = next;
    isFirst = false;
  }
}

/** Returns the cursor to begin with; undefined for the first page. */
function readStart(walk: CursorWalk<unknown>): string | undefined {
  const { cursor } = walk.place ?? walk.source.query;
  if (cursor !== undefined && typeof cursor !== "string") throw walk.invalidToken();
  return cursor;
}

/**
 * An empty page is the end, unless the server returns one for a cursor whose entity no longer exists (gap
 * stores.unknown-cursor).
 */
async function confirmEnd<T>(walk: CursorWalk<T>, cursor: string | undefined): Promise<void> {
  const { exists } = walk.settings;
  if (exists === undefined || cursor === undefined || (await exists(cursor))) return;
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
  { items, nextCursor }: RawCursorPage,
  cursor: string | undefined,
): Promise<RawCursorPage | undefined> {
  const { nullableId } = walk.settings;
  const { query, pageSize, largestPage } = walk.source;
  const last = items.at(-1);
  const limit = Number(query["limit"] ?? pageSize);
  if (nullableId === undefined || nextCursor !== null || items.length < limit) return undefined;
  if (!isObject(last) || typeof last[nullableId] === "string") return undefined;
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
    await pages.return().catch(() => {}); // the walk has ended
  }
}
