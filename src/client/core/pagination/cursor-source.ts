import { isObject } from "../../../wire/json.ts";
import { isNotFound } from "../errors/not-found.ts";
import type { Shape } from "../request/shape.ts";
import {
  type CursorReader,
  type CursorResponse,
  type PageRequest,
  requireOtherItems,
  type Step,
  walkCursors,
  withoutKnown,
} from "./cursor-walk.ts";
import { areKeys, type Identity, type WalkGuard } from "./guard.ts";
import type { WalkSettings } from "./list-reader.ts";
import type { ListCall } from "./list-call.ts";
import type { CursorNames } from "./list-names.ts";
import type { CursorPage } from "./page.ts";

/** The specifics of one cursor list. */
export interface CursorSettings {
  names: CursorNames;
  /** The properties of an item that may hold its ID. */
  idProperties: readonly string[];
  /** A function of the caller that returns the ID; one in the query has precedence. */
  identify?: Identity["identify"];
  /** Set if a cursor is the value of a property that may be null (gap stores.null-cursor). */
  nullable?: NullableCursor;
}

interface NullableCursor {
  property: string;
  /** The maximum of `limit`. */
  largestPage: number;
  /** The operation that reads the entity that a cursor names; `property` is its path ID. */
  reader: string;
}

/** The position of a walk. */
interface Position {
  cursor: string | undefined;
  /** The items of the previous page that may be returned again. */
  recurring: readonly number[];
  /** Whether all items of the previous page have an ID. */
  hasIds: boolean;
  /** The previous page is the first one. */
  isSecond: boolean;
}

/** Walks the pages of a list. */
export function walkCursorList<T>(
  call: ListCall,
  shape: Shape<T> | undefined,
  { names, idProperties, nullable, ...settings }: CursorSettings,
  walkSettings: WalkSettings,
): AsyncGenerator<CursorPage<T>, void, void> {
  const identify = (call.positionQuery.identify ?? settings.identify) as Identity["identify"]; // checked when the walk begins
  const reader: CursorReader<Position> = {
    names,
    identity: { properties: idProperties, identify, isDocumented: nullable !== undefined },
    start: {
      cursor: call.baseQuery.cursor as string | undefined, // validated with the request
      recurring: [],
      hasIds: true,
      isSecond: false,
    }, // the request rejects other types
    readPosition,
    read: (position, page) => readPage(position, page, nullable),
  };
  return walkCursors(call, shape, reader, walkSettings);
}

/** Requests the page at a position. */
async function readPage(
  position: Position,
  request: PageRequest,
  nullable: NullableCursor | undefined,
): Promise<Step<Position>> {
  const { cursor, recurring } = position;
  const { call, guard } = request;
  if (typeof cursor === "string") guard.enter(cursor); // the request rejects other types
  let response = await request.fetch({ cursor });
  if (nullable !== undefined && response.nextCursor === null)
    response = await checkEnd(response, position, request, nullable);
  const { keys, content, nextCursor, hasIds } = response;
  guard.accept({ at: cursor, keys, clean: content.clean, next: nextCursor });
  const areIds = hasIds && position.hasIds;
  if (!areIds && nullable === undefined) {
    requireOtherItems(recurring, keys, guard);
    if (position.isSecond) await requireSameContent(recurring, call.baseQuery.cursor, request);
  }
  const isSecond = cursor === call.baseQuery.cursor;
  const next =
    nextCursor === null
      ? undefined
      : { cursor: nextCursor, recurring: recurringKeys(response, nullable), hasIds, isSecond };
  return { response, delivered: withoutKnown(response, recurring), next };
}

/** Items without ID can only be compared if they have the same content in two reads. */
async function requireSameContent(
  keys: readonly number[],
  cursor: unknown,
  { fetch, guard }: PageRequest,
): Promise<void> {
  if (keys.length === 0) return;
  const again = new Set((await fetch({ cursor })).keys);
  if (keys.some((key) => again.has(key))) return;
  throw guard.error(
    "the items have no ID and differ between two reads, so an item of two pages would not be recognized: set `identify`",
  );
}

/**
 * A full page without a cursor may not be the last one: a cursor is an external ID, which may be null (gap
 * stores.null-cursor). Only a page that is not full proves the end of the list.
 */
async function checkEnd(
  response: CursorResponse,
  { cursor, recurring }: Position,
  request: PageRequest,
  nullable: NullableCursor,
): Promise<CursorResponse> {
  const { largestPage } = nullable;
  const size = response.items.length;
  if (size === 0) return confirmEmpty(response, cursor, request, nullable);
  // an item that the page has twice may have pushed out another one, or made the page longer
  const sizes: readonly unknown[] = [size, new Set(response.keys).size];
  if (!sizes.includes(request.call.pageSize)) return response;
  const limit = size < largestPage ? largestPage : largestPage - 1;
  const second = await request.fetch({ cursor, limit });
  if (second.items.length === 0) return confirmEmpty(second, cursor, request, nullable);
  requireSamePlace(recurring, response, second, request.guard);
  // the items of both reads are delivered, and the walk continues after the second one
  if (second.nextCursor !== null) return mergeItems(second, response);
  if (second.items.length < limit) return second;
  throw request.guard.error(
    "a full page without a cursor may end with a store without external ID: more stores may follow " +
      "(use another `limit`)",
  );
}

/** The second read of a page has items of the first one, and none of the page before that the first one does not have. */
function requireSamePlace(
  recurring: readonly number[],
  first: CursorResponse,
  second: CursorResponse,
  guard: WalkGuard,
): void {
  if (!first.hasIds || !second.hasIds) return;
  const known = new Set(first.keys);
  const isSame = second.keys.some((key) => known.has(key));
  const goesBack = second.keys.some((key) => recurring.includes(key) && !known.has(key));
  if (!isSame || goesBack) throw guard.error("the server returned another page for the same cursor");
}

/** Returns the first response with the items of both. */
function mergeItems(response: CursorResponse, other: CursorResponse): CursorResponse {
  if (!response.hasIds || !other.hasIds) return response;
  const { items, keys } = withoutKnown(other, response.keys);
  return { ...response, items: [...response.items, ...items], keys: [...response.keys, ...keys] };
}

/**
 * An empty page is the end, unless the server returns one for a cursor whose entity no longer exists (gap
 * stores.unknown-cursor). A cursor that the caller gave is not checked.
 */
async function confirmEmpty(
  response: CursorResponse,
  cursor: string | undefined,
  request: PageRequest,
  nullable: NullableCursor,
): Promise<CursorResponse> {
  if (cursor === undefined || cursor === request.call.baseQuery.cursor) return response;
  // the entity may have been created again since the page was read: then the page is no longer empty
  if (await entityExists(cursor, request, nullable)) return request.fetch({ cursor });
  throw request.guard.error(
    "the page is empty, and the store of its cursor was deleted or renamed during the walk: more stores may follow",
  );
}

/** Whether the entity that a cursor names still exists. */
function entityExists(
  cursor: string,
  { send }: PageRequest,
  { property, reader }: NullableCursor,
): Promise<boolean> {
  return send(reader, { path: { [property]: cursor }, query: {} }).then(
    () => true,
    (error: unknown) => {
      if (isNotFound(error)) return false;
      throw error;
    },
  );
}

/**
 * The items that the next page may contain again: all items if each has an ID, because pages overlap if the server
 * starts at the cursor or the list grows. Otherwise the item that the cursor names and the items after it: a page that
 * starts at the cursor (gap stores.cursor-start), or after the last external ID that is not null (gap
 * stores.null-cursor), contains them again.
 */
function recurringKeys(
  { items, keys, hasIds, nextCursor }: CursorResponse,
  nullable: NullableCursor | undefined,
): readonly number[] {
  if (hasIds) return keys;
  if (nullable === undefined) return keys;
  const cursorOf = (item: unknown): unknown => (isObject(item) ? (item[nullable.property] ?? null) : null);
  const named = items.findLastIndex((item) => cursorOf(item) === nextCursor);
  const last = items.findLastIndex((item) => cursorOf(item) !== null);
  const start = named >= 0 ? named : last + 1;
  // a server that continues after a deleted store may repeat the stores without external ID before it
  return keys.filter((_, at) => at >= start || cursorOf(items[at]) === null);
}

function readPosition(value: unknown): Position | undefined {
  const { cursor, recurring, hasIds, isSecond } = isObject(value) ? value : {};
  if (typeof cursor !== "string" || cursor === "" || !areKeys(recurring)) return undefined;
  if (typeof hasIds !== "boolean" || typeof isSecond !== "boolean") return undefined;
  return { cursor, recurring, hasIds, isSecond };
}
