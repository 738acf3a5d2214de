import type { ResponseContent } from "../request/response.ts";
import type { UnexpectedResponseError } from "../errors/errors.ts";
import type { JsonObject } from "../../internal/json.ts";
import { type Shape, shapeItems } from "../request/shape.ts";
import type { WalkGuard } from "./guard.ts";
import { type Identity, type ItemKeys, keysOf } from "./identity.ts";
import { CursorList } from "./list.ts";
import { ListCall, type ListRequest, type PageApi } from "./list-call.ts";
import type { CursorPage } from "./page.ts";
import { badToken } from "./resume.ts";
import { pageReader, type PageWalk } from "./walk.ts";

/** The names of a list's array and cursor in its response. */
export interface CursorNames {
  readonly items: string;
  readonly cursor: string;
}

/** What one cursor list has in particular. */
export interface CursorSettings {
  names: CursorNames;
  /** The members of an item that may hold its ID. */
  idMembers: readonly string[];
  /** Ends the message about a response without a list. */
  advice?: string;
  /** Awaiting gives the raw response even if it has no list; its `items` then throws. */
  rawWithoutList?: boolean;
  /** The default and maximum of `limit`, where a full page without a cursor has to be checked (gap stores.null-cursor). */
  largestPage?: number;
}

/** A page of a cursor list as it was read. */
export interface CursorResponse extends ItemKeys {
  content: ResponseContent;
  items: unknown[];
  nextCursor: string | null;
}

/** A list whose next page is requested with the cursor of the page before. */
export function cursorList<T>(
  api: PageApi,
  operation: string,
  request: ListRequest<T>,
  settings: CursorSettings,
): CursorList<T> {
  const call = new ListCall(api, operation, request, [], "cursor");
  const reader = pageReader(() => new CursorWalk(call, settings, request.shape), call.options?.signal);
  if (settings.rawWithoutList !== true) return new CursorList(call.label, reader);
  const first = (): Promise<CursorPage<T>> => new CursorWalk(call, settings, request.shape).rawFirst();
  return new CursorList(call.label, { ...reader, first });
}

class CursorWalk<T> implements PageWalk<CursorPage<T>, CursorPage<T>> {
  readonly #call: ListCall;
  readonly #settings: CursorSettings;
  readonly #shape: Shape<T> | undefined;
  readonly #guard: WalkGuard;
  /** Undefined while a page is in flight, and after the last page. */
  #next: { cursor: string | undefined } | undefined;

  constructor(call: ListCall, settings: CursorSettings, shape: Shape<T> | undefined) {
    const { guard, token } = call.begin();
    this.#call = call;
    this.#settings = settings;
    this.#shape = shape;
    this.#guard = guard;
    const cursor =
      token === undefined ? call.sent.cursor : (token.position as JsonObject | undefined)?.cursor;
    if (token !== undefined && typeof cursor !== "string") throw badToken(call.label);
    this.#next = { cursor: cursor as string | undefined }; // a cursor of another type is refused with the request
  }

  ask(cancel: AbortSignal | undefined): Promise<CursorPage<T>> | undefined {
    const next = this.#next;
    this.#next = undefined;
    return next && this.#fetch(next.cursor, cancel);
  }

  take(page: CursorPage<T>): CursorPage<T> {
    return page;
  }

  /** The first page; without its list if the response has none. */
  async rawFirst(): Promise<CursorPage<T>> {
    const content = await this.#call.request({ cursor: this.#next?.cursor }, undefined);
    try {
      return await this.#page(this.#next?.cursor, this.#read(content));
    } catch (error) {
      return pageWithoutList<T>(content.json, error);
    }
  }

  async #fetch(cursor: string | undefined, cancel: AbortSignal | undefined): Promise<CursorPage<T>> {
    if (typeof cursor === "string") this.#guard.enter(cursor);
    const response = this.#read(await this.#call.request({ cursor }, cancel));
    const page = await this.#page(cursor, await this.#checkEnd(response, cursor, cancel));
    if (page.nextCursor !== null) this.#next = { cursor: page.nextCursor };
    return page;
  }

  #read(content: ResponseContent): CursorResponse {
    const { names, idMembers, advice } = this.#settings;
    return readCursorResponse(content, names, { members: idMembers }, this.#guard, advice);
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
    const { largestPage } = this.#settings;
    const size = response.items.length;
    const isFull = size > 0 && size === (this.#call.sent.limit ?? largestPage);
    if (largestPage === undefined || response.nextCursor !== null || !isFull) return response;
    const limit = size < largestPage ? largestPage : largestPage - 1;
    const other = this.#read(await this.#call.request({ cursor, limit }, cancel));
    if (other.nextCursor !== null || other.items.length < limit) return other;
    throw this.#guard.error(
      "a full page came without a cursor, and stores without external ID have none: more stores may follow " +
        "(another `limit` moves the end of the page)",
    );
  }

  async #page(cursor: string | undefined, response: CursorResponse): Promise<CursorPage<T>> {
    const { content, items, keys, nextCursor } = response;
    this.#guard.accept({ at: cursor, keys, clean: content.clean });
    return {
      items: await shapeItems(content, this.#shape, items, this.#settings.names.items),
      nextCursor,
      resume: nextCursor === null ? null : this.#call.token({ cursor: nextCursor }, this.#guard),
      raw: content.json,
    };
  }
}

/** Reads the array and the cursor of a response. */
export function readCursorResponse(
  content: ResponseContent,
  names: CursorNames,
  identity: Identity,
  guard: WalkGuard,
  advice = "",
): CursorResponse {
  const { [names.items]: items, [names.cursor]: nextCursor } = content.json;
  if (!Array.isArray(items) || !(nextCursor === null || typeof nextCursor === "string"))
    throw withoutList(content, names, advice);
  if (nextCursor === "")
    throw guard.error("the server returned an empty string as cursor: neither a next page nor the end");
  return { content, items, nextCursor, ...keysOf(items, identity, (reason) => guard.error(reason)) };
}

function withoutList(
  { json, clean, unexpected }: ResponseContent,
  names: CursorNames,
  advice: string,
): UnexpectedResponseError {
  const keys = Object.keys(json).map((key) => `\`${clean(key)}\``);
  return unexpected(
    `without an array \`${names.items}\` and a \`${names.cursor}\` that is a string or null; ` +
      `the response has ${keys.length === 0 ? "no members" : keys.slice(0, 20).join(", ")}${advice}`,
  );
}

/** The raw response alone; its list members throw the reason why there is no list. */
function pageWithoutList<T>(raw: JsonObject, error: unknown): CursorPage<T> {
  const refuse = (): never => {
    throw error;
  };
  const hidden = { get: refuse, enumerable: false };
  const page = Object.defineProperties({ raw }, { items: hidden, nextCursor: hidden, resume: hidden });
  return page as CursorPage<T>; // its getters never return
}
