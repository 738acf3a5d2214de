import type { JsonObject } from "../../../wire/json.ts";
import type { UnexpectedResponseError } from "../errors/errors.ts";
import type { ResponseContent } from "../request/content.ts";
import { addResponse } from "../request/response.ts";
import { type Shape, shapeItems } from "../request/shape.ts";
import type { Identity, ItemKeys, WalkGuard } from "./guard.ts";
import type { PageWalk } from "./list.ts";
import { badToken, beginWalk, type ListCall, refusal, writeToken } from "./list-call.ts";
import type { CursorPage } from "./page.ts";

/** The specifics of a list whose pages are linked by cursors. */
export interface CursorReader<Position, Settings> {
  /** The names of the list's array and cursor in a response. */
  readonly names: CursorNames;
  readonly identity: Identity;
  /** The position of the first page. */
  readonly start: Position;
  /** Reads the position of a resume token; undefined if it is malformed. */
  readonly readPosition: (value: unknown, call: ListCall) => Position | undefined;
  /** Requests the page at a position. */
  readonly read: (position: Position, request: PageRequest, settings: Settings) => Promise<Step<Position>>;
  readonly settings: Settings;
}

/** The names of a list's array and cursor in its response. */
export interface CursorNames {
  readonly items: string;
  readonly cursor: string;
  /** The end of the message about a response without them. */
  readonly advice?: string;
}

/** The request of one page, which may take several HTTP requests. */
export interface PageRequest {
  readonly call: ListCall;
  readonly guard: WalkGuard;
  /** Sends the request of a page or another read of the walk. */
  readonly send: (operation: string, input: PageInput) => Promise<ResponseContent>;
  /** Sends the query of the list with the given changes. */
  readonly fetch: (changes: JsonObject) => Promise<CursorResponse>;
}

/** The path IDs and the query of a request. */
interface PageInput {
  path: object | undefined;
  query: object;
}

/** A response of a cursor list before its validation. */
export interface CursorResponse extends ItemKeys {
  content: ResponseContent;
  items: unknown[];
  nextCursor: string | null;
}

/** The result of one page request. */
export interface Step<Position> {
  response: CursorResponse;
  /** The items to deliver. */
  items: unknown[];
  /** The position of the next page; undefined after the last page. */
  next: Position | undefined;
}

/** A walk that requests a page when the previous one has been read, because only that one names it. */
export interface CursorWalk<T> extends PageWalk<CursorPage<T>> {
  /** The last response. */
  readonly content: ResponseContent | undefined;
}

/** The option of cursor lists that requests pages before they are needed. */
export const prefetch = { name: "prefetch", minimum: 0 };

/** Begins a walk at the first page, or after the page of the resume token. */
export function beginCursorWalk<T, Position extends object, Settings>(
  call: ListCall,
  shape: Shape<T> | undefined,
  { names, identity, start, readPosition, read, settings }: CursorReader<Position, Settings>,
): CursorWalk<T> {
  if (identity.identify !== undefined && typeof identity.identify !== "function")
    throw refusal(call, "identify", "must be a function");
  const { guard, destination, resumed } = beginWalk(call);
  // undefined while a page is in flight, and after the last page
  let next = resumed === undefined ? start : readPosition(resumed.position, call);
  if (next === undefined) throw badToken(call);
  const walk = {
    content: undefined as ResponseContent | undefined,
    request(cancel: AbortSignal | undefined): Promise<CursorPage<T>> | undefined {
      const position = next;
      next = undefined;
      if (position === undefined) return undefined;
      const { api, operation, path, options } = call;
      const send = (id: string, input: PageInput): Promise<ResponseContent> =>
        api.page(id, input, options, destination, cancel);
      const fetch = async (changes: JsonObject): Promise<CursorResponse> => {
        const query = { ...call.baseQuery, ...changes };
        const content = await send(operation, { path, query });
        walk.content = content;
        const { [names.items]: items, [names.cursor]: nextCursor } = content.json;
        if (!Array.isArray(items) || !(nextCursor === null || typeof nextCursor === "string"))
          throw withoutList(content, names);
        if (nextCursor === "")
          throw guard.error("the server returned an empty string instead of a cursor or null");
        return { content, items, nextCursor, ...guard.keysOf(items, identity) };
      };
      return read(position, { call, guard, send, fetch }, settings).then(async (step) => {
        const { content, nextCursor } = step.response;
        const page = {
          // without a shape, the contract's own type, which `validate: "full"` checks
          items:
            shape === undefined
              ? (step.items as T[])
              : await shapeItems(content, shape, step.items, names.items),
          nextCursor,
          resume: step.next === undefined ? null : writeToken(call, step.next, { guard, destination }),
          raw: content.json,
        };
        next = step.next;
        return addResponse<CursorPage<T>>(page, content);
      });
    },
  };
  return walk;
}

/** Returns the items that were not on the previous page. */
export function withoutKnown({ items, keys }: CursorResponse, known: readonly number[]): unknown[] {
  const keySet = new Set(known);
  return items.filter((_, at) => !keySet.has(keys[at] as number)); // one key for each item
}

function withoutList(
  { json, clean, unexpected }: ResponseContent,
  { items, cursor, advice = "" }: CursorNames,
): UnexpectedResponseError {
  const keys = Object.keys(json).map((key) => `\`${clean(key)}\``);
  return unexpected(
    `without an array \`${items}\` and a \`${cursor}\` that is a string or null; ` +
      `the response has ${keys.length === 0 ? "no properties" : keys.slice(0, 20).join(", ")}${advice}`,
  );
}
