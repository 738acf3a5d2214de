import { isObject, type JsonObject } from "../../wire/json.ts";
import { CursorList, openWalk, readPagesAhead } from "./list.ts";
import type { CursorPage, ListSource, PageResponse } from "./page.ts";
import { invalidToken, writeToken } from "./query.ts";
import { completePage, endWalk, parseItems, requireProgress, type WalkState } from "./walk.ts";
import { isSimilarId } from "../../wire/id.ts";

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

const defaultNames = { items: "items", cursor: "nextCursor" };

/** Creates a list whose pages are linked by cursors. */
export function cursorList<T>(source: ListSource<T>, settings: CursorSettings = {}): CursorList<T> {
  return new CursorList({
    source,
    ahead: ["prefetch", 0],
    walk: (ahead, cancel) => {
      const pages = openWalk(source, cancel, (state, at) =>
        walkCursors(state, settings, readStart(source, at)),
      );
      return readPagesAhead(pages, ahead, cancel);
    },
  });
}

/** Returns the cursor to begin with; undefined for the first page. */
function readStart(source: ListSource<unknown>, at: JsonObject | undefined): string | undefined {
  const start = at === undefined ? source.query["cursor"] : at["cursor"];
  if (start !== undefined && typeof start !== "string") throw invalidToken(source);
  return start;
}

/** Walks from a cursor to the end. */
async function* walkCursors<T>(
  state: WalkState<T>,
  settings: CursorSettings,
  start: string | undefined,
): AsyncGenerator<CursorPage<T>, void, void> {
  const { source } = state;
  state.cursors.add(start);
  let cursor = start;
  for (;;) {
    const raw = await requestPage(state, settings, { cursor });
    if (raw.nextCursor === null && raw.items.length === 0 && cursor !== start && cursor !== undefined)
      await confirmEnd(state, settings, cursor);
    const more = raw.nextCursor === null ? await findMore(state, settings, raw, cursor) : undefined;
    const next = raw.nextCursor ?? more?.nextCursor ?? null;
    const sent = state.seen.takeNew(raw.items);
    const extra = more === undefined ? [] : state.seen.takeNew(more.items);
    requireProgress(state, raw.items, sent, next);
    const following = next === null ? undefined : { cursor: next };
    // the page that was read with another limit has no cursor of its own: continue with this one
    yield await buildPage(source, settings, raw, sent, extra.length > 0 ? { cursor } : following);
    state.last = { cursor };
    if (more !== undefined && extra.length > 0)
      yield await buildPage(source, settings, more, extra, following);
    if (next === null) return;
    cursor = next;
  }
}

/** Requests a page, and checks its form. */
export async function requestPage<T>(
  state: WalkState<T>,
  { names = defaultNames, otherNames = [], advice = "" }: CursorSettings,
  changes: JsonObject,
): Promise<RawCursorPage> {
  const { source, cancel } = state;
  const page = await source.fetch({ ...source.query, ...changes }, cancel);
  const { [names.items]: items, [names.cursor]: nextCursor, externalId } = page.json;
  const other = otherNames.find((name) => {
    const value = page.json[name];
    return Array.isArray(value) ? value.length > 0 : typeof value === "string" && value !== changes["cursor"];
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
  if (nextCursor === "")
    throw endWalk(state, "the server returned an empty string instead of a cursor or null");
  const own = source.path["externalId"];
  if (own !== undefined && typeof externalId === "string" && !isSimilarId(externalId, own))
    throw endWalk(state, "the response is about another store: `externalId` differs from the requested one");
  return { page, items, nextCursor };
}

export async function buildPage<T>(
  source: ListSource<T>,
  { names = defaultNames }: CursorSettings,
  { page, nextCursor }: RawCursorPage,
  sent: readonly unknown[],
  next: object | undefined,
): Promise<CursorPage<T>> {
  const items = await parseItems(page.response, source.shape, sent, names.items);
  const writeResume = next === undefined ? undefined : () => writeToken(source, next);
  return completePage<CursorPage<T>>({ items, sent, nextCursor, raw: page.json }, page, source, writeResume);
}

/**
 * An empty page is the end, unless the server returns one for a cursor whose entity no longer exists (gap
 * stores.unknown-cursor).
 */
async function confirmEnd<T>(state: WalkState<T>, { exists }: CursorSettings, cursor: string): Promise<void> {
  if (exists === undefined || (await exists(cursor))) return;
  throw endWalk(
    state,
    "the page is empty, and the store of its cursor was deleted or renamed during the walk: more stores may follow",
  );
}

/**
 * A full page without a cursor whose last store has no external ID may not be the last one, because a cursor is an
 * external ID (gap stores.null-cursor). Asks once with another `limit`.
 */
async function findMore<T>(
  state: WalkState<T>,
  settings: CursorSettings,
  { items }: RawCursorPage,
  cursor: string | undefined,
): Promise<RawCursorPage | undefined> {
  const { source } = state;
  const { nullableId } = settings;
  const last = items.at(-1);
  const limit = Number(source.query["limit"] ?? source.pageSize);
  if (
    nullableId === undefined ||
    items.length < limit ||
    !isObject(last) ||
    typeof last[nullableId] === "string"
  )
    return undefined;
  const other = limit < source.largestPage ? source.largestPage : limit - 1;
  const second = await requestPage(state, settings, { cursor, limit: other });
  if (second.nextCursor === null && second.items.length >= other)
    throw endWalk(
      state,
      "a full page without a cursor may end with a store without external ID: more stores may follow (use another `limit`)",
    );
  return second;
}
