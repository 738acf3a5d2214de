import { ApiError } from "../errors/errors.ts";
import { isObject, type JsonObject } from "../../internal/json.ts";
import { type Shape, shapeItems } from "../request/shape.ts";
import { addResponse } from "../request/response.ts";
import { areKeys, type Identity, type WalkGuard } from "./guard.ts";
import { CursorList } from "./list.ts";
import {
  badToken,
  beginWalk,
  copyCall,
  type ListCall,
  type ListRequest,
  refusal,
  writeToken,
  type CursorResponse,
  readCursorResponse,
} from "./list-call.ts";
import type { CursorPage } from "./page.ts";
import type { PageWalk } from "./walk.ts";
import { firstWindows, nextWindow, readWindows, type Windows } from "./windows.ts";

/** The way to request the second page of a time range (gap `protocols.next-page`). */
export type NextPageStrategy = "auto" | "cursor" | "window" | "single";

export interface RangeSettings {
  strategy: NextPageStrategy;
  /** The properties of an item that may hold its ID. */
  idProperties: readonly string[];
  /** The function of the client; one in the query has precedence. */
  identify: Identity["identify"];
}

/** The position of a walk. */
type Position = NextPage | SecondPage | ({ at: "window" } & Windows);

interface NextPage {
  at: "cursor";
  cursor: string | undefined;
  /** Items of the previous page, which may be returned again. */
  edge: readonly number[];
}

/** The first page was delivered, and it is not known yet whether the server accepts its cursor. */
interface SecondPage {
  at: "second";
  cursor: string;
  /** The first page's items in order. */
  first: readonly number[];
  /** Whether all of them have an ID. */
  certain: boolean;
}

/** The result of one response before it becomes a page. */
interface Step {
  response: CursorResponse;
  /** Items to deliver. */
  items: unknown[];
  next: Position | undefined;
}

const names = { items: "items", cursor: "nextCursor" };

/**
 * The list of a time range for whose cursor the contract declares no parameter. Delivers each item once, with any
 * strategy.
 */
export function rangeList<T>(request: ListRequest<T>, settings: RangeSettings): CursorList<T> {
  const query = { identify: settings.identify, ...request.query };
  query.identify ??= settings.identify;
  const call = copyCall({ ...request, query }, ["identify"]);
  const { label, describe, options } = call;
  return new CursorList({
    label,
    describe,
    signal: options?.signal,
    begin: () => new RangeWalk(call, settings, request.shape),
  });
}

class RangeWalk<T> implements PageWalk<CursorPage<T>> {
  readonly #call: ListCall;
  readonly #strategy: NextPageStrategy;
  readonly #identity: Identity;
  readonly #shape: Shape<T> | undefined;
  readonly #guard: WalkGuard;
  /** Undefined while a page is in flight, and after the last page. */
  #next: Position | undefined;

  constructor(call: ListCall, settings: RangeSettings, shape: Shape<T> | undefined) {
    const { guard, resumed } = beginWalk(call);
    const identify = call.positionQuery.identify as Identity["identify"];
    if (identify !== undefined && typeof identify !== "function")
      throw refusal(call, "identify", "must be a function");
    this.#call = call;
    this.#strategy = settings.strategy;
    this.#identity = { properties: settings.idProperties, identify };
    this.#shape = shape;
    this.#guard = guard;
    this.#next =
      resumed === undefined
        ? { at: "cursor", cursor: undefined, edge: [] }
        : readPosition(resumed.position, call);
  }

  request(cancel: AbortSignal | undefined): Promise<CursorPage<T>> | undefined {
    const next = this.#next;
    this.#next = undefined;
    return next && this.#fetch(next, cancel);
  }

  async #fetch(position: Position, cancel: AbortSignal | undefined): Promise<CursorPage<T>> {
    let step: Step;
    if (position.at === "window") step = await this.#window(position, cancel);
    else if (position.at === "second") step = await this.#second(position, cancel);
    else {
      const { cursor, edge } = position;
      if (cursor !== undefined) this.#guard.enter(cursor);
      const response = await this.#request({}, cursor, cancel);
      const fresh = edge.length === 0 ? response.items : withoutKnown(response, edge);
      step = this.#accept(response, fresh, cursor);
    }
    const { response, items, next } = step;
    const page = {
      items: await shapeItems(response.content, this.#shape, items, names.items),
      nextCursor: response.nextCursor,
      resume: next === undefined ? null : writeToken(this.#call, next, this.#guard),
      raw: response.content.json,
    };
    this.#next = next;
    return addResponse<CursorPage<T>>(page, response.content);
  }

  async #request(
    range: JsonObject,
    cursor: string | undefined,
    cancel: AbortSignal | undefined,
  ): Promise<CursorResponse> {
    const { baseQuery } = this.#call;
    // gap protocols.next-page: the contract declares no `cursor`
    const extra =
      cursor === undefined ? baseQuery.extra : { ...(baseQuery.extra as object | undefined), cursor };
    const content = await this.#call.request({ ...baseQuery, ...range, extra }, cancel);
    return readCursorResponse(content, names, this.#identity, this.#guard);
  }

  /** Checks a page that was requested with a cursor, or the first page. */
  #accept(response: CursorResponse, items: unknown[], at: string | undefined): Step {
    const { keys, certain, content, nextCursor: cursor } = response;
    // equal pages of items without an ID may hold different items
    this.#guard.accept({ at, keys, clean: content.clean, mayRepeat: !certain, next: cursor });
    if (cursor === null) return { response, items, next: undefined };
    const isFirst = at === undefined;
    const next: Position = isFirst
      ? { at: "second", cursor, first: keys, certain }
      : { at: "cursor", cursor, edge: certain ? keys : [] };
    return { response, items, next };
  }

  /** Reads the second page, which depends on the strategy. */
  async #second(position: SecondPage, cancel: AbortSignal | undefined): Promise<Step> {
    const { cursor, first } = position;
    const strategy = this.#strategy;
    if (strategy === "single")
      throw this.#guard.error('there are more protocols than one page holds (strategy "single")');
    if (strategy === "window") return this.#firstWindow(position, cancel);
    this.#guard.enter(cursor);
    const response = await this.#request({}, cursor, cancel).catch((error: unknown) => {
      if (strategy === "auto" && error instanceof ApiError && error.status === 400) return undefined;
      throw error;
    });
    if (response === undefined) return this.#firstWindow(position, cancel);
    const certain = position.certain && response.certain;
    const known = new Set(first);
    const isOther = certain && !response.keys.some((key) => known.has(key));
    if (isOther) return this.#accept(response, response.items, cursor);
    if (await this.#isIgnored(position, response, cancel)) {
      if (strategy === "auto") return this.#firstWindow(position, cancel);
      throw this.#guard.error("the server returned the first page again: it seems to ignore the cursor");
    }
    const fresh = certain ? withoutKnown(response, first) : response.items;
    return this.#accept(response, fresh, cursor);
  }

  /**
   * Whether the response to the first cursor is the first page again. If that is not certain, the first page is read
   * again: a server that ignores the cursor would return the same page now.
   */
  async #isIgnored(
    { cursor, first, certain }: SecondPage,
    response: CursorResponse,
    cancel: AbortSignal | undefined,
  ): Promise<boolean> {
    if (first.length === 0 || response.keys.length === 0) return false;
    const isCertain = certain && response.certain;
    if (isCertain && areSame(first, response.keys)) return true;
    const again = await this.#request({}, undefined, cancel);
    // the first page always has the same cursor, and this response has another one
    if (again.nextCursor === cursor && response.nextCursor !== cursor) return false;
    if (areSame(again.keys, response.keys)) return true;
    // if the list changes between all reads: the page after the cursor has no item of the first page
    if (isCertain) return again.keys.some((key) => response.keys.includes(key));
    if (areSame(again.keys, first)) return false;
    throw this.#guard.error(
      "the items have no ID and differ between two reads, so it is not certain that the server uses the cursor: " +
        "give `identify`",
    );
  }

  #firstWindow(position: SecondPage, cancel: AbortSignal | undefined): Promise<Step> {
    return this.#window(firstWindows(position, this.#bounds(), this.#guard), cancel);
  }

  async #window(windows: Windows, cancel: AbortSignal | undefined): Promise<Step> {
    const request = (range: JsonObject): Promise<CursorResponse> => this.#request(range, undefined, cancel);
    const { response, items, rest } = await nextWindow(windows, this.#bounds(), request, this.#guard);
    return { response, items, next: rest && { at: "window", ...rest } };
  }

  #bounds(): { from: string; to: string } {
    const { from, to } = this.#call.baseQuery;
    return { from: from as string, to: to as string }; // the request of the first page was validated
  }
}

function readPosition(value: unknown, call: ListCall): Position {
  if (isObject(value)) {
    const { at, cursor, edge = [], first, certain } = value;
    if (at === "cursor" && typeof cursor === "string" && areKeys(edge)) return { at, cursor, edge };
    if (at === "second" && typeof cursor === "string" && areKeys(first) && typeof certain === "boolean")
      return { at, cursor, first, certain };
    const windows = at === "window" ? readWindows(value, call.baseQuery) : undefined;
    if (windows !== undefined) return { at: "window", ...windows };
  }
  throw badToken(call);
}

/** Returns the items that were not on the previous page. */
function withoutKnown({ items, keys }: CursorResponse, known: readonly number[]): unknown[] {
  const keySet = new Set(known);
  return items.filter((_, at) => !keySet.has(keys[at] as number)); // one key for each item
}

function areSame(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((key, at) => key === other[at]);
}
