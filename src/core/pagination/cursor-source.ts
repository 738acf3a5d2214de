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

/** What one cursor list has in particular. */
export interface CursorSettings {
  names: CursorNames;
  /** The members of an item that may hold its ID. */
  idMembers: readonly string[];
  /** Awaiting gives the raw response even if it has no list; its `items` then throws. */
  rawWithoutList?: boolean;
  /** Set where a cursor is the value of a member that may be null (gap stores.null-cursor). */
  nullable?: {
    member: string;
    /** The default and maximum of `limit`. */
    largestPage: number;
    /** The operation that reads the entity that a cursor names; `member` is its path ID. */
    reader: string;
  };
}

/** Whether the entity that a cursor names still exists. */
type FindNamed = (cursor: string, cancel: AbortSignal | undefined) => Promise<boolean>;

/** Where a walk goes on. */
interface CursorPosition {
  cursor: string | undefined;
  /** Items of the page before that may come again. */
  edge: readonly number[];
}

/** A list whose next page is requested with the cursor of the page before. */
export function cursorList<T>(request: ListRequest<T>, settings: CursorSettings): CursorList<T> {
  const call = copyCall(request, [], "cursor");
  const findNamed: FindNamed = async (cursor, cancel) => {
    const { member, reader } = settings.nullable ?? { member: "", reader: "" }; // only asked for with a reader
    const input = { path: { [member]: cursor }, query: {} };
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
    settings.rawWithoutList === true ? { ...source, first: () => begin().rawFirst() } : source,
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
    const cursor = call.sent.cursor as string | undefined; // another type is refused with the request
    this.#next = resumed === undefined ? { cursor, edge: [] } : readPosition(resumed.position, call);
  }

  ask(cancel: AbortSignal | undefined): Promise<CursorPage<T>> | undefined {
    const next = this.#next;
    this.#next = undefined;
    return next && this.#fetch(next, cancel);
  }

  /** The first page; without its list if the response has none. */
  async rawFirst(): Promise<CursorPage<T>> {
    const { sent } = this.#call;
    const position = this.#next as CursorPosition; // nothing was requested before
    const content = await this.#call.ask({ ...sent, cursor: position.cursor }, undefined);
    const { names, idMembers } = this.#settings;
    try {
      const response = readCursorResponse(content, names, { members: idMembers }, this.#guard);
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
    const { names, idMembers } = this.#settings;
    const content = await this.#call.ask({ ...this.#call.sent, ...changes }, cancel);
    return readCursorResponse(content, names, { members: idMembers }, this.#guard);
  }

  /**
   * A full page without a cursor may not be the last one: a cursor is an external ID, which may be null (gap
   * stores.null-cursor). Pages of another size end elsewhere; only a page that is not full proves the end.
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
    if (size !== (this.#call.sent.limit ?? largestPage)) return response;
    const limit = size < largestPage ? largestPage : largestPage - 1;
    const other = await this.#request({ cursor, limit }, cancel);
    if (other.items.length === 0) return this.#confirmEmpty(other, cursor, cancel);
    if (other.nextCursor !== null || other.items.length < limit) return other;
    throw this.#guard.error(
      "a full page came without a cursor, and stores without external ID have none: more stores may follow " +
        "(another `limit` moves the end of the page)",
    );
  }

  /**
   * An empty page is the end, unless the server returns one for a cursor that names no entity any more (gap
   * stores.unknown-cursor). A cursor of the caller's own is taken as it is.
   */
  async #confirmEmpty(
    response: CursorResponse,
    cursor: string | undefined,
    cancel: AbortSignal | undefined,
  ): Promise<CursorResponse> {
    if (cursor === undefined || cursor === this.#call.sent.cursor) return response;
    // it may have been created again since the page was read: then the page is not empty any more
    if (await this.#findNamed(cursor, cancel)) return this.#request({ cursor }, cancel);
    throw this.#guard.error(
      "the page is empty, and what its cursor names was deleted or renamed during the walk: more stores may follow",
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
   * The item that the cursor names and those after it: a page that starts at the cursor (gap stores.cursor-start) or
   * after the last external ID that is not null (gap stores.null-cursor) has them again.
   */
  #edgeOf({ items, keys, nextCursor }: CursorResponse): number[] {
    const { nullable } = this.#settings;
    if (nullable === undefined) return [];
    const cursorOf = (item: unknown): unknown => (isObject(item) ? (item[nullable.member] ?? null) : null);
    const named = items.findLastIndex((item) => cursorOf(item) === nextCursor);
    const last = items.findLastIndex((item) => cursorOf(item) !== null);
    const start = named >= 0 ? named : last + 1;
    // a server that goes on behind a deleted store may repeat those without external ID before it
    return keys.filter((_, at) => at >= start || cursorOf(items[at]) === null);
  }
}

function readPosition(value: unknown, call: ListCall): CursorPosition {
  const { cursor, edge } = isObject(value) ? value : {};
  if (typeof cursor !== "string" || !areKeys(edge)) throw badToken(call);
  return { cursor, edge };
}

/** The raw response alone; its list members throw the reason why there is no list. */
function pageWithoutList<T>(raw: JsonObject, error: unknown): Omit<CursorPage<T>, "withResponse"> {
  const refuse = (): never => {
    throw error;
  };
  const hidden = { get: refuse, enumerable: false };
  const page = Object.defineProperties({ raw }, { items: hidden, nextCursor: hidden, resume: hidden });
  return page as Omit<CursorPage<T>, "withResponse">; // its getters never return
}
