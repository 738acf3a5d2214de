import { isObject, objectOf } from "../../../wire/json.ts";
import { isNotFound } from "../errors/not-found.ts";
import type { Shape } from "../request/shape.ts";
import {
  type CursorReader,
  type CursorResponse,
  compareNeighbors,
  type Neighbor,
  type PageRequest,
  readNeighbor,
  requireOtherItems,
  type Step,
  walkCursors,
  withoutKnown,
} from "./cursor-walk.ts";
import type { Identity, WalkGuard } from "./guard.ts";
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
interface Position extends Neighbor {
  cursor: string | undefined;
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
      uncertain: [],
      isStable: false,
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
  const { guard } = request;
  if (typeof cursor === "string") guard.enter(cursor); // the request rejects other types
  let response = await request.fetch({ cursor });
  if (nullable !== undefined && response.nextCursor === null)
    response = await checkEnd(response, position, request, nullable);
  const { keys, content, nextCursor } = response;
  guard.accept({ at: cursor, keys, clean: content.clean, next: nextCursor });
  const neighbor =
    nullable === undefined
      ? await compareNeighbors(position, response, () => request.fetch({ cursor }), guard)
      : compareStores(position, response, nullable, guard);
  const next = nextCursor === null ? undefined : { cursor: nextCursor, ...neighbor };
  return { response, delivered: withoutKnown(response, recurring), next };
}

/**
 * A full page without a cursor may not be the last one: a cursor is an external ID, which may be null (gap
 * stores.null-cursor). Only a page that is not full proves the end of the list.
 */
async function checkEnd(
  response: CursorResponse,
  position: Position,
  request: PageRequest,
  nullable: NullableCursor,
): Promise<CursorResponse> {
  const { cursor, recurring } = position;
  const { largestPage, property } = nullable;
  const size = response.items.length;
  if (size === 0) return confirmEmpty(response, position, request, nullable);
  const last = response.items.at(-1);
  if (isObject(last) && typeof last[property] === "string") return response; // it could have been the cursor
  // an item that the page has twice may have pushed out another one, or made the page longer
  const sizes: readonly unknown[] = [size, new Set(response.keys).size];
  if (!sizes.includes(request.call.pageSize)) return response;
  const limit = size < largestPage ? largestPage : largestPage - 1;
  const second = await request.fetch({ cursor, limit });
  if (second.items.length === 0) return confirmEmpty(second, position, request, nullable);
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
  if (first.uncertain.length + second.uncertain.length > 0) return;
  const known = new Set(first.keys);
  const isSame = second.keys.some((key) => known.has(key));
  const goesBack = second.keys.some((key) => recurring.includes(key) && !known.has(key));
  if (!isSame || goesBack) throw guard.error("the server returned another page for the same cursor");
}

/** Returns the first response with the items of both. */
function mergeItems(response: CursorResponse, other: CursorResponse): CursorResponse {
  if (response.uncertain.length + other.uncertain.length > 0) return response;
  const { items, keys } = withoutKnown(other, response.keys);
  return { ...response, items: [...response.items, ...items], keys: [...response.keys, ...keys] };
}

/**
 * An empty page is the end, unless the server returns one for a cursor whose entity no longer exists (gap
 * stores.unknown-cursor). A cursor that the caller gave is not checked.
 */
async function confirmEmpty(
  response: CursorResponse,
  position: Position,
  request: PageRequest,
  nullable: NullableCursor,
): Promise<CursorResponse> {
  const { cursor } = position;
  if (cursor === undefined || cursor === request.call.baseQuery.cursor) return response;
  // the entity may have been created again since the page was read, and may be deleted again before it is read again
  if (await entityExists(cursor, request, nullable)) {
    request.guard.countIdle(); // a server may return an empty page each second time
    const again = await request.fetch({ cursor });
    if (again.items.length > 0)
      return again.nextCursor === null ? checkEnd(again, position, request, nullable) : again;
    // it existed before and after this read
    if (await entityExists(cursor, request, nullable)) return again;
  }
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
 * Returns the items that the next page may contain again: those with an ID, because pages overlap if the server
 * starts at the cursor or the list grows. Of the others, the item that the cursor names and the items after it: a page
 * that starts at the cursor (gap stores.cursor-start), or after the last external ID that is not null (gap
 * stores.null-cursor), contains them again.
 */
function compareStores(
  before: Neighbor,
  { items, keys, uncertain, nextCursor }: CursorResponse,
  { property }: NullableCursor,
  guard: WalkGuard,
): Neighbor {
  const ids = uncertain.filter((key) => !keys.includes(key));
  requireOtherItems(before, { keys, uncertain: ids }, guard);
  const cursorOf = (item: unknown): unknown => (isObject(item) ? (item[property] ?? null) : null);
  const named = items.findLastIndex((item) => cursorOf(item) === nextCursor);
  const last = items.findLastIndex((item) => cursorOf(item) !== null);
  const start = named >= 0 ? named : last + 1;
  // a server that continues after a deleted store may repeat the stores without external ID before it
  const recurring = keys.filter(
    (key, at) => at >= start || !uncertain.includes(key) || cursorOf(items[at]) === null,
  );
  return { recurring, uncertain: ids, isStable: false };
}

function readPosition(value: unknown): Position | undefined {
  const { cursor, ...before } = objectOf(value);
  const neighbor = readNeighbor(before);
  return typeof cursor === "string" && cursor !== "" && neighbor ? { cursor, ...neighbor } : undefined;
}
