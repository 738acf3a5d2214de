import { ApiError } from "../errors/response-errors.ts";
import { isObject } from "../../../wire/json.ts";
import type { Shape } from "../request/shape.ts";
import {
  areStable,
  type CursorReader,
  type CursorResponse,
  type PageRequest,
  type Step,
  compareNeighbors,
  type Neighbor,
  readNeighbor,
  walkCursors,
  withoutKnown,
} from "./cursor-walk.ts";
import { areKeys, type Identity } from "./guard.ts";
import type { WalkSettings } from "./list-reader.ts";
import type { ListCall } from "./list-call.ts";
import type { CursorPage } from "./page.ts";
import { type Bounds, firstWindows, nextWindow, readWindows, type Windows } from "./windows.ts";

/** The way to request the second page of a time range (gap `protocols.next-page`). */
export type NextPageStrategy = "auto" | "cursor" | "window" | "single";

export interface RangeSettings {
  strategy: NextPageStrategy;
  /** The time that neighboring windows share, in ms. */
  overlap: number;
  /** The properties of an item that may hold its ID. */
  idProperties: readonly string[];
  /** The function of the client; one in the query has precedence. */
  identify: Identity["identify"];
}

/** The position of a walk. */
type Position = NextPage | SecondPage | ({ at: "window" } & Windows);

interface NextPage extends Neighbor {
  at: "cursor";
  cursor: string | undefined;
}

/** The first page was delivered, and it is not known yet whether the server accepts its cursor. */
interface SecondPage extends Neighbor {
  at: "second";
  cursor: string;
  /** The first page's items in order. */
  first: readonly number[];
}

const names = { items: "items", cursor: "nextCursor", owner: "externalId" };
const firstPage: Position = {
  at: "cursor",
  cursor: undefined,
  recurring: [],
  uncertain: [],
  isStable: false,
};

/** Walks the pages of the list of a time range. */
export function walkRangeList<T>(
  call: ListCall,
  shape: Shape<T> | undefined,
  settings: RangeSettings,
  walkSettings: WalkSettings,
): AsyncGenerator<CursorPage<T>, void, void> {
  const identify = call.positionQuery.identify as Identity["identify"]; // checked when the walk begins
  const reader: CursorReader<Position> = {
    names,
    identity: { properties: settings.idProperties, identify },
    start: firstPage,
    readPosition,
    read: (position, page) => readPage(position, page, settings),
  };
  return walkCursors(call, shape, reader, walkSettings);
}

/** Requests the page at a position. The request of the second page depends on the strategy. */
async function readPage(
  position: Position,
  request: PageRequest,
  { strategy, overlap }: RangeSettings,
): Promise<Step<Position>> {
  if (position.at === "window") return readWindow(position, request, overlap);
  const { cursor } = position;
  const { call, guard } = request;
  const second = position.at === "second" ? position : undefined;
  if (second !== undefined && strategy === "single")
    throw guard.error('there are more protocols than one page holds (strategy "single")');
  if (second !== undefined && strategy === "window") return readFirstWindow(second, request, overlap);
  if (cursor !== undefined) guard.enter(cursor);
  // gap protocols.next-page: the contract declares no `cursor`
  const extra =
    // validated with the request
    cursor === undefined ? call.baseQuery.extra : { ...(call.baseQuery.extra as object | undefined), cursor };
  const fetch = (): Promise<CursorResponse> => request.fetch({ extra });
  const response = await fetch().catch((error: unknown) => {
    if (second !== undefined && strategy === "auto" && error instanceof ApiError && error.status === 400)
      return undefined;
    throw error;
  });
  if (response === undefined) return readFirstWindow(second as SecondPage, request, overlap); // only with a second page
  const { keys, uncertain, content, nextCursor } = response;
  const { recurring } = position;
  const hasIds = uncertain.length + position.uncertain.length === 0;
  const delivered = withoutKnown(response, recurring);
  const isOtherPage = hasIds && recurring.length > 0 && delivered.keys.length === keys.length;
  if (second !== undefined && !isOtherPage && (await isCursorIgnored(second, response, request))) {
    if (strategy === "auto") return readFirstWindow(second, request, overlap);
    throw guard.error("the server returned the first page again: it seems to ignore the cursor");
  }
  // items without ID of the first page were compared above
  const before = second === undefined ? position : { ...position, isStable: second.uncertain.length > 0 };
  const neighbor = await compareNeighbors(before, response, fetch, guard);
  // equal pages of items without an ID may hold different items
  guard.accept({
    at: cursor,
    keys,
    clean: content.clean,
    mayRepeat: uncertain.length > 0,
    next: nextCursor,
  });
  if (nextCursor === null) return { response, delivered, next: undefined };
  const next: Position =
    cursor === undefined
      ? { at: "second", cursor: nextCursor, first: keys, ...neighbor }
      : { at: "cursor", cursor: nextCursor, ...neighbor };
  return { response, delivered, next };
}

/**
 * Whether the response to the first cursor is the first page again. If that is not certain, the first page is read
 * again: a server that ignores the cursor would return the same page now.
 */
async function isCursorIgnored(
  { cursor, first, uncertain }: SecondPage,
  response: CursorResponse,
  { guard, fetch }: PageRequest,
): Promise<boolean> {
  const isCertain = uncertain.length + response.uncertain.length === 0;
  if (first.length === 0 || response.keys.length === 0) return false;
  if (isCertain && areSame(first, response.keys)) return true;
  const again = await fetch({});
  if (isCertain || areStable(first, again)) {
    // the first page always has the same cursor, and this response has another one
    if (again.nextCursor === cursor && response.nextCursor !== cursor) return false;
    if (areSame(again.keys, response.keys)) return true;
    // if the list changes between all reads: the page after the cursor has no item of the first page
    if (isCertain) return again.keys.some((key) => response.keys.includes(key));
    if (areSame(again.keys, first)) return false;
  }
  throw guard.error(
    "the items have no ID and differ between two reads, so it is not certain that the server uses the cursor: " +
      "give `identify`",
  );
}

function readFirstWindow(first: SecondPage, request: PageRequest, overlap: number): Promise<Step<Position>> {
  const windows = firstWindows(first, boundsOf(request.call, overlap), request.guard);
  return readWindow(windows, request, overlap);
}

async function readWindow(
  windows: Windows,
  { call, guard, fetch }: PageRequest,
  overlap: number,
): Promise<Step<Position>> {
  const { response, delivered, rest } = await nextWindow(windows, boundsOf(call, overlap), fetch, guard);
  return { response, delivered, next: rest && { at: "window", ...rest } };
}

function boundsOf({ baseQuery: { from, to } }: ListCall, overlap: number): Bounds {
  return { from: from as string, to: to as string, overlap }; // the request of the first page was validated
}

function readPosition(value: unknown, call: ListCall): Position | undefined {
  if (!isObject(value)) return undefined;
  const { at, cursor, first } = value;
  if (at === "window") {
    const windows = readWindows(value, call.baseQuery);
    return windows && { at, ...windows };
  }
  const neighbor = readNeighbor(value);
  if (typeof cursor !== "string" || cursor === "" || neighbor === undefined) return undefined;
  if (at === "cursor") return { at, cursor, ...neighbor };
  return at === "second" && areKeys(first) ? { at, cursor, first, ...neighbor } : undefined;
}

function areSame(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((key, at) => key === other[at]);
}
