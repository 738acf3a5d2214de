import { isObject, type JsonObject } from "../../internal/json.ts";
import { ApiError } from "../errors/errors.ts";
import { type Shape, shapeItems } from "../request/shape.ts";
import { addResponse } from "../request/response.ts";
import { areKeys, type WalkGuard } from "./guard.ts";
import { CursorList } from "./list.ts";
import {
  badToken,
  beginWalk,
  copyCall,
  type ListCall,
  type ListRequest,
  writeToken,
  type CursorNames,
  type CursorResponse,
  readCursorResponse,
} from "./list-call.ts";
import type { CursorPage } from "./page.ts";
import type { PageWalk } from "./walk.ts";

/** The specifics of one cursor list. */
export interface CursorSettings {
  names: CursorNames;
  /** The properties of an item that may hold its ID. */
  idProperties: readonly string[];
  /** `await` returns the raw response even without a list; its `items` then throws. */
  acceptWithoutList?: boolean;
  /** Set if a cursor is the value of a property that may be null (gap stores.null-cursor). */
  nullable?: {
    property: string;
    /** The default and maximum of `limit`. */
    largestPage: number;
    /** The operation that reads the entity that a cursor names; `property` is its path ID. */
    reader: string;
  };
}

/** Whether the entity that a cursor names still exists. */
type FindNamed = (cursor: string, cancel: AbortSignal | undefined) => Promise<boolean>;

/** The position of a walk. */
interface CursorPosition {
  cursor: string | undefined;
  /** Items of the previous page that may be returned again. */
  edge: readonly number[];
}

/** A list whose next page is requested with the cursor of the previous page. */
export function cursorList<T>(request: ListRequest<T>, settings: CursorSettings): CursorList<T> {
  const call = copyCall(request, [], "cursor");
  const findNamed: FindNamed = async (cursor, cancel) => {
    const { property, reader } = settings.nullable ?? { property: "", reader: "" }; // called only if there is a `reader`
    const input = { path: { [property]: cursor }, query: {} };
    return request.api.page(reader, input, call.options, cancel).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ApiError && error.status === 404) return false;
        throw error;
      },
    );
  };
  const begin = (): CursorWalk<T> => new CursorWalk(call, settings, request.shape, findNamed);
  const source = { label: call.label, describe: call.describe, signal: call.options?.signal, begin };
  return new CursorList(
    settings.acceptWithoutList === true ? { ...source, first: () => begin().readFirst() } : source,
  );
}

class CursorWalk<T> implements PageWalk<CursorPage<T>> {
  readonly #call: ListCall;
  readonly #settings: CursorSettings;
  readonly #shape: Shape<T> | undefined;
  readonly #guard: WalkGuard;
  readonly #findNamed: FindNamed;
  /** Undefined while a page is in flight, and after the last page. */
  #next: CursorPosition | undefined;

  constructor(call: ListCall, settings: CursorSettings, shape: Shape<T> | undefined, findNamed: FindNamed) {
    const { guard, resumed } = beginWalk(call);
    this.#call = call;
    this.#settings = settings;
    this.#shape = shape;
    this.#guard = guard;
    this.#findNamed = findNamed;
    const cursor = call.baseQuery.cursor as string | undefined; // the request rejects other types
    this.#next = resumed === undefined ? { cursor, edge: [] } : readPosition(resumed.position, call);
  }

  request(cancel: AbortSignal | undefined): Promise<CursorPage<T>> | undefined {
    const next = this.#next;
    this.#next = undefined;
    return next && this.#fetch(next, cancel);
  }

  /** The first page; `items` throws if the response has no list. */
  async readFirst(): Promise<CursorPage<T>> {
    const { baseQuery } = this.#call;
    const position = this.#next as CursorPosition; // this is the first request of the walk
    if (typeof position.cursor === "string") this.#guard.enter(position.cursor); // the request rejects other types
    const content = await this.#call.request({ ...baseQuery, cursor: position.cursor }, undefined);
    const { names, idProperties } = this.#settings;
    try {
      const response = readCursorResponse(content, names, { properties: idProperties }, this.#guard);
      return await this.#page(position, response);
    } catch (error) {
      return addResponse<CursorPage<T>>(pageWithoutList<T>(content.json, error), content);
    }
  }

  async #fetch(position: CursorPosition, cancel: AbortSignal | undefined): Promise<CursorPage<T>> {
    const { cursor } = position;
    if (typeof cursor === "string") this.#guard.enter(cursor);
    const response = await this.#request({ cursor }, cancel);
    return this.#page(position, await this.#checkEnd(response, cursor, cancel));
  }

  async #request(changes: JsonObject, cancel: AbortSignal | undefined): Promise<CursorResponse> {
    const { names, idProperties } = this.#settings;
    const content = await this.#call.request({ ...this.#call.baseQuery, ...changes }, cancel);
    return readCursorResponse(content, names, { properties: idProperties }, this.#guard);
  }

  /**
   * A full page without a cursor may not be the last one: a cursor is an external ID, which may be null (gap
   * stores.null-cursor). Only a page that is not full proves the end of the list.
   */
  async #checkEnd(
    response: CursorResponse,
    cursor: string | undefined,
    cancel: AbortSignal | undefined,
  ): Promise<CursorResponse> {
    const { nullable } = this.#settings;
    if (nullable === undefined || response.nextCursor !== null) return response;
    const { largestPage } = nullable;
    const size = response.items.length;
    if (size === 0) return this.#confirmEmpty(response, cursor, cancel);
    if (size !== (this.#call.baseQuery.limit ?? largestPage)) return response;
    const limit = size < largestPage ? largestPage : largestPage - 1;
    const other = await this.#request({ cursor, limit }, cancel);
    if (other.items.length === 0) return this.#confirmEmpty(other, cursor, cancel);
    if (other.nextCursor !== null || other.items.length < limit) return other;
    throw this.#guard.error(
      "a full page without a cursor may end with a store without external ID: more stores may follow " +
        "(use another `limit`)",
    );
  }

  /**
   * An empty page is the end, unless the server returns one for a cursor whose entity no longer exists (gap
   * stores.unknown-cursor). A cursor that the caller gave is not checked.
   */
  async #confirmEmpty(
    response: CursorResponse,
    cursor: string | undefined,
    cancel: AbortSignal | undefined,
  ): Promise<CursorResponse> {
    if (cursor === undefined || cursor === this.#call.baseQuery.cursor) return response;
    // the entity may have been created again since the page was read: then the page is no longer empty
    if (await this.#findNamed(cursor, cancel)) return this.#request({ cursor }, cancel);
    throw this.#guard.error(
      "the page is empty, and the store of its cursor was deleted or renamed during the walk: more stores may follow",
    );
  }

  async #page({ cursor, edge }: CursorPosition, response: CursorResponse): Promise<CursorPage<T>> {
    const { content, keys, nextCursor } = response;
    const known = new Set(edge);
    const items =
      edge.length === 0 ? response.items : response.items.filter((_, at) => !known.has(keys[at] as number));
    this.#guard.accept({ at: cursor, keys, clean: content.clean, next: nextCursor });
    const next = nextCursor === null ? undefined : { cursor: nextCursor, edge: this.#edgeOf(response) };
    const page = {
      items: await shapeItems(content, this.#shape, items, this.#settings.names.items),
      nextCursor,
      resume: next === undefined ? null : writeToken(this.#call, next, this.#guard),
      raw: content.json,
    };
    this.#next = next;
    return addResponse<CursorPage<T>>(page, content);
  }

  /**
   * The items that the next page may contain again: all items if each has an ID, because pages overlap if the server
   * starts at the cursor or the list grows. Otherwise the item that the cursor names and the items after it: a page that
   * starts at the cursor (gap stores.cursor-start), or after the last external ID that is not null (gap
   * stores.null-cursor), contains them again.
   */
  #edgeOf({ items, keys, certain, nextCursor }: CursorResponse): readonly number[] {
    const { nullable } = this.#settings;
    if (certain) return keys;
    if (nullable === undefined) return [];
    const cursorOf = (item: unknown): unknown => (isObject(item) ? (item[nullable.property] ?? null) : null);
    const named = items.findLastIndex((item) => cursorOf(item) === nextCursor);
    const last = items.findLastIndex((item) => cursorOf(item) !== null);
    const start = named >= 0 ? named : last + 1;
    // a server that continues after a deleted store may repeat the stores without external ID before it
    return keys.filter((_, at) => at >= start || cursorOf(items[at]) === null);
  }
}

function readPosition(value: unknown, call: ListCall): CursorPosition {
  const { cursor, edge } = isObject(value) ? value : {};
  if (typeof cursor !== "string" || !areKeys(edge)) throw badToken(call);
  return { cursor, edge };
}

/** The raw response. Its list properties throw the reason why there is no list. */
function pageWithoutList<T>(raw: JsonObject, error: unknown): Omit<CursorPage<T>, "withResponse"> {
  const refuse = (): never => {
    throw error;
  };
  const hidden = { get: refuse, enumerable: false };
  const page = Object.defineProperties({ raw }, { items: hidden, nextCursor: hidden, resume: hidden });
  return page as Omit<CursorPage<T>, "withResponse">; // its getters always throw
}
