import { ApiError, type PaginationError } from "../errors/errors.ts";
import { isObject, type JsonObject } from "../../internal/json.ts";
import { type Shape, shapeItems } from "../request/shape.ts";
import { type CursorResponse, readCursorResponse } from "./cursor-source.ts";
import type { WalkGuard } from "./guard.ts";
import type { Identity } from "./identity.ts";
import { CursorList } from "./list.ts";
import { ListCall, type ListRequest, type PageApi } from "./list-call.ts";
import type { CursorPage } from "./page.ts";
import { areKeys, badToken } from "./resume.ts";
import { pageReader, type PageWalk } from "./walk.ts";
import { firstWindows, nextWindow, readWindows, type RangeRequest, type Windows } from "./windows.ts";

/** How the second page of a time range is requested (gap `protocols.next-page`). */
export type NextPageStrategy = "auto" | "cursor" | "window" | "single";

export interface RangeSettings {
  strategy: NextPageStrategy;
  /** The members of an item that may hold its ID. */
  idMembers: readonly string[];
  /** The client's; one in the query comes first. */
  identify: Identity["identify"];
}

/** Where a walk goes on. */
type Position = { at: "start" } | Second | { at: "cursor"; cursor: string } | ({ at: "window" } & Windows);

/** The first page was delivered, and whether the server takes its cursor is not known yet. */
interface Second {
  at: "second";
  cursor: string;
  /** The first page's items in order. */
  first: readonly number[];
  /** Whether all of them have an ID. */
  certain: boolean;
}

/** What one response became, before it is a page. */
interface Step {
  response: CursorResponse;
  /** Items to deliver. */
  items: unknown[];
  next: Position | undefined;
}

const names = { items: "items", cursor: "nextCursor" };

/** The list of a time range whose cursor the contract declares no parameter for: each item once, by any strategy. */
export function rangeList<T>(
  api: PageApi,
  operation: string,
  request: ListRequest<T>,
  settings: RangeSettings,
): CursorList<T> {
  const identify = (request.query as JsonObject | undefined)?.identify ?? settings.identify;
  const call = new ListCall(api, operation, { ...request, query: { ...request.query, identify } }, ["identify"]);
  const begin = (): RangeWalk<T> => new RangeWalk(call, settings, request.shape);
  return new CursorList(call.label, pageReader(begin, call.options?.signal));
}

class RangeWalk<T> implements PageWalk<CursorPage<T>, CursorPage<T>> {
  readonly #call: ListCall;
  readonly #strategy: NextPageStrategy;
  readonly #identity: Identity;
  readonly #shape: Shape<T> | undefined;
  readonly #guard: WalkGuard;
  /** Undefined while a page is in flight, and after the last page. */
  #next: Position | undefined;

  constructor(call: ListCall, { strategy, idMembers }: RangeSettings, shape: Shape<T> | undefined) {
    const { guard, token } = call.begin();
    const { identify } = call.steering;
    if (identify !== undefined && typeof identify !== "function")
      throw call.refusal("identify", "must be a function");
    this.#call = call;
    this.#strategy = strategy;
    this.#identity = { members: idMembers, identify: identify as Identity["identify"] };
    this.#shape = shape;
    this.#guard = guard;
    this.#next = token === undefined ? { at: "start" } : readPosition(token.position, call);
  }

  ask(cancel: AbortSignal | undefined): Promise<CursorPage<T>> | undefined {
    const next = this.#next;
    this.#next = undefined;
    return next && this.#fetch(next, cancel);
  }

  take(page: CursorPage<T>): CursorPage<T> {
    return page;
  }

  async #fetch(position: Position, cancel: AbortSignal | undefined): Promise<CursorPage<T>> {
    const request: RangeRequest = (range, cursor) => this.#request(range, cursor, cancel);
    const { response, items, next } = await this.#step(position, request);
    const { json } = response.content;
    this.#next = next;
    return {
      items: await shapeItems(response.content, this.#shape, items, names.items),
      nextCursor: response.nextCursor,
      resume: next === undefined ? null : this.#call.token(next, this.#guard),
      raw: json,
    };
  }

  async #request(
    range: JsonObject,
    cursor: string | undefined,
    cancel: AbortSignal | undefined,
  ): Promise<CursorResponse> {
    const { extra } = this.#call.sent;
    // gap protocols.next-page: the contract declares no `cursor`
    const added = cursor === undefined ? {} : { extra: { ...(extra as object | undefined), cursor } };
    const content = await this.#call.request({ ...range, ...added }, cancel);
    return readCursorResponse(content, names, this.#identity, this.#guard);
  }

  #step(position: Position, request: RangeRequest): Promise<Step> {
    switch (position.at) {
      case "start":
        return this.#first(request);
      case "second":
        return this.#second(position, request);
      case "cursor":
        return this.#cursor(position.cursor, request);
      case "window":
        return this.#window(position, request);
    }
  }

  async #first(request: RangeRequest): Promise<Step> {
    const response = await request({}, undefined);
    const { items, keys, certain, nextCursor } = response;
    this.#accept(response, undefined);
    if (nextCursor === null) return { response, items, next: undefined };
    return { response, items, next: { at: "second", cursor: nextCursor, first: keys, certain } };
  }

  /** The second page: here the strategies differ. */
  async #second(position: Second, request: RangeRequest): Promise<Step> {
    const strategy = this.#strategy;
    if (strategy === "single")
      throw this.#guard.error('there are more protocols than one page holds (strategy "single")');
    if (strategy !== "window") {
      const step = await this.#tryCursor(position, request);
      if (step !== undefined) return step;
    }
    return this.#window(firstWindows(position, this.#bounds(), this.#guard), request);
  }

  /** The page of the first cursor; undefined where the server does not take it and windows are allowed. */
  async #tryCursor(position: Second, request: RangeRequest): Promise<Step | undefined> {
    const { cursor } = position;
    const auto = this.#strategy === "auto";
    this.#guard.enter(cursor);
    const response = await request({}, cursor).catch((error: unknown) => {
      if (auto && error instanceof ApiError && error.status === 400) return undefined;
      throw error;
    });
    if (response === undefined) return undefined;
    if (await this.#isIgnored(position, response, request)) {
      if (auto) return undefined;
      throw this.#guard.error("the server returned the first page again: it seems to ignore the cursor");
    }
    const delivered = new Set(position.certain && response.certain ? position.first : []);
    const fresh = response.items.filter((_, at) => !delivered.has(response.keys[at] as number));
    return this.#cursorStep(cursor, response, fresh);
  }

  /**
   * Whether a response to the first cursor is the first page again. Where that is not certain the first page is read
   * once more: a server that ignores the cursor would return the same now.
   */
  async #isIgnored(
    { cursor, first, certain }: Second,
    response: CursorResponse,
    request: RangeRequest,
  ): Promise<boolean> {
    if (first.length === 0 || response.keys.length === 0) return false;
    if (certain && response.certain) {
      if (areSame(first, response.keys)) return true;
      const known = new Set(first);
      if (!response.keys.some((key) => known.has(key))) return false;
    }
    const again = await request({}, undefined);
    // the first page always has the same cursor, and this response had another one
    if (again.nextCursor === cursor && response.nextCursor !== cursor) return false;
    if (areSame(again.keys, response.keys)) return true;
    if (!(certain && response.certain) && !areSame(again.keys, first)) throw unstable(this.#guard);
    return false;
  }

  async #cursor(cursor: string, request: RangeRequest): Promise<Step> {
    this.#guard.enter(cursor);
    const response = await request({}, cursor);
    return this.#cursorStep(cursor, response, response.items);
  }

  #cursorStep(cursor: string, response: CursorResponse, items: unknown[]): Step {
    this.#accept(response, cursor);
    const { nextCursor } = response;
    return { response, items, next: nextCursor === null ? undefined : { at: "cursor", cursor: nextCursor } };
  }

  async #window(windows: Windows, request: RangeRequest): Promise<Step> {
    const { response, items, rest } = await nextWindow(windows, this.#bounds(), request, this.#guard);
    return { response, items, next: rest && { at: "window", ...rest } };
  }

  #accept({ keys, certain, content }: CursorResponse, at: string | undefined): void {
    // equal pages of items without an ID may hold different items
    this.#guard.accept({ at, keys, clean: content.clean, mayRepeat: !certain });
  }

  #bounds(): { from: string; to: string } {
    const { from, to } = this.#call.sent;
    return { from: from as string, to: to as string }; // the request of the first page was checked
  }
}

function readPosition(value: unknown, call: ListCall): Position {
  if (isObject(value)) {
    const { at, cursor, first, certain } = value;
    if (at === "cursor" && typeof cursor === "string") return { at, cursor };
    if (at === "second" && typeof cursor === "string" && areKeys(first) && typeof certain === "boolean")
      return { at, cursor, first, certain };
    const windows = at === "window" ? readWindows(value, call.sent) : undefined;
    if (windows !== undefined) return { at: "window", ...windows };
  }
  throw badToken(call.label);
}

function areSame(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((key, at) => key === other[at]);
}

function unstable(guard: WalkGuard): PaginationError {
  return guard.error(
    "the items have no ID and differ between two reads, so whether the server takes the cursor is not certain: " +
      "give `identify`",
  );
}
