import { isObject, type JsonObject } from "../../../wire/json.ts";
import type { ResponseContent } from "../request/content.ts";
import { addResponse } from "./page-response.ts";
import { type Shape, shapeItems } from "../request/shape.ts";
import { areKeys, type Identity, type ItemKeys, type WalkGuard } from "./guard.ts";
import { KeySet } from "./key-set.ts";
import { type CursorNames, withoutList } from "./list-names.ts";
import type { WalkSettings } from "./list-reader.ts";
import { type ListCall, refusal } from "./list-call.ts";
import type { CursorPage } from "./page.ts";
import { type PageReader, readAhead } from "./read-ahead.ts";
import { type VerifiedPage, type VerifiedPass, verifyPasses } from "./verify.ts";
import { badToken, beginWalk, type PageInput, requireOwner, type Walk, writeToken } from "./walk.ts";

/** The specifics of a list whose pages are linked by cursors. */
export interface CursorReader<Position> {
  /** The names of the list's array and cursor in a response. */
  readonly names: CursorNames;
  readonly identity: Identity;
  /** The position of the first page. */
  readonly start: Position;
  /** Reads the position of a resume token; undefined if it is malformed. */
  readonly readPosition: (value: unknown, call: ListCall) => Position | undefined;
  /** Requests the page at a position. */
  readonly read: (position: Position, request: PageRequest) => Promise<Step<Position>>;
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

/** A response of a cursor list before its validation. */
export interface CursorResponse extends ItemKeys {
  content: ResponseContent;
  items: unknown[];
  nextCursor: string | null;
}

/** The page before the next one, as that is compared with it. */
export interface Neighbor {
  /** The hashes of its items, which may be returned again. */
  recurring: readonly number[];
  /** See `ItemKeys`. */
  uncertain: readonly number[];
  /** Whether items without ID have the same content in two reads. */
  isStable: boolean;
}

/** Items with their keys. */
export interface KeyedItems {
  items: readonly unknown[];
  /** One hash for each item. */
  keys: readonly number[];
}

/** The result of one page request. */
export interface Step<Position> {
  response: CursorResponse;
  /** The items to deliver. */
  delivered: KeyedItems;
  /** The position of the next page; undefined after the last page. */
  next: Position | undefined;
}

/** A page before it is delivered. */
interface ReadPage<T> extends VerifiedPage<CursorPage<T>> {
  /** The token of the page; null after the last page. */
  resume: string | null;
  /** Whether its items can be distinguished. */
  isDistinct: boolean;
}

/** Walks the pages of a list from its first page, or from its resume token. */
export async function* walkCursors<T, Position extends object>(
  call: ListCall,
  shape: Shape<T> | undefined,
  reader: CursorReader<Position>,
  { ahead: maximum, unit, sender }: WalkSettings,
): AsyncGenerator<CursorPage<T>, void, void> {
  checkOptions(call);
  const walk = beginWalk(call, sender);
  const signal = call.options?.signal;
  const readFrom = (position: Position): AsyncGenerator<ReadPage<T>, void, void> =>
    readAhead(makePageReader({ call, walk, shape, reader }, position, unit === "pages"), maximum, signal);
  const { resumed } = walk;
  if (call.positionQuery.verify === true) {
    const delivered = resumed === undefined ? KeySet.empty() : readDelivered(resumed.position);
    if (delivered === undefined) throw badToken(call);
    yield* verifyPasses(
      call,
      () => readPass(walk, readFrom(reader.start)),
      delivered,
      (known) => writeToken(call, { delivered: known.serialize() }, walk),
    );
    return;
  }
  const start = resumed === undefined ? reader.start : reader.readPosition(resumed.position, call);
  if (start === undefined) throw badToken(call);
  for await (const page of readFrom(start))
    yield page.build(
      page.keys.map(() => true),
      page.resume,
    );
}

/** Reads all pages from the beginning. Equal items without ID cannot be compared with those of another pass. */
async function readPass<T>(
  { guard }: Walk,
  pages: AsyncGenerator<ReadPage<T>, void, void>,
): Promise<VerifiedPass<CursorPage<T>>> {
  guard.restart();
  const read: ReadPage<T>[] = [];
  for await (const page of pages) read.push(page);
  const keys = read.flatMap((page) => page.keys);
  if (read.some(({ isDistinct }) => !isDistinct) && new Set(keys).size < keys.length)
    throw guard.error("items without ID are equal and cannot be compared: set `identify`");
  return { pages: read, isSteady: true };
}

/** The parts of a walk that all of its pages share. */
interface PageContext<T, Position> {
  call: ListCall;
  walk: Walk;
  shape: Shape<T> | undefined;
  reader: CursorReader<Position>;
}

/**
 * Requests each page when the previous one has been read, because only that one names it.
 *
 * @param hasTokens whether the consumer sees the token of each page, or only of the first one
 */
function makePageReader<T, Position extends object>(
  { call, walk, shape, reader }: PageContext<T, Position>,
  start: Position,
  hasTokens: boolean,
): PageReader<ReadPage<T>> {
  const { guard } = walk;
  const { names, identity, read } = reader;
  const { operation, path } = call;
  // undefined while a page is in flight, and after the last page
  let next: Position | undefined = start;
  return {
    request(cancel) {
      const position = next;
      next = undefined;
      if (position === undefined) return undefined;
      const send: PageRequest["send"] = (id, input) => walk.send(id, input, cancel);
      const fetch = async (changes: JsonObject): Promise<CursorResponse> => {
        const content = await send(operation, { path, query: { ...call.baseQuery, ...changes } });
        const { [names.items]: items, [names.cursor]: nextCursor } = content.json;
        const isForm = Array.isArray(items) && (nextCursor === null || typeof nextCursor === "string");
        const other = names.others?.find((name) => isMore(content.json[name], nextCursor, changes.cursor));
        if (!isForm || other !== undefined) throw withoutList(content, names, other);
        requireOwner(content.json, names.owner ?? "", call, guard);
        if (nextCursor === "")
          throw guard.error("the server returned an empty string instead of a cursor or null");
        const { uncertain } = position as Partial<Neighbor>; // not those of a time window
        return { content, items, nextCursor, ...guard.keysOf(items, identity, uncertain) };
      };
      return read(position, { call, guard, send, fetch }).then(async (step) => {
        const { content, nextCursor, uncertain } = step.response;
        const { keys } = step.delivered;
        const hasIds = uncertain.length === 0;
        const isRepeated = hasIds && new Set(keys).size < keys.length;
        const delivered = isRepeated ? withoutRepeated(step.delivered) : step.delivered;
        const sent = [...delivered.items];
        // without a shape, the contract's own type, which `validate: "full"` checks
        const items =
          shape === undefined ? (sent as T[]) : await shapeItems(content, shape, sent, names.items);
        next = step.next;
        const hasToken = hasTokens || position === start;
        return {
          keys: delivered.keys,
          isDistinct: hasIds,
          resume: next === undefined ? null : hasToken ? writeToken(call, next, walk) : "",
          build(isNew, resume) {
            const page = {
              items: items.filter((_, index) => isNew[index]),
              nextCursor,
              resume,
              raw: content.json,
            };
            return addResponse<CursorPage<T>>(page, content);
          },
        };
      });
    },
  };
}

/** Reads the position of a verified walk; undefined if it is malformed. */
function readDelivered(position: unknown): KeySet | undefined {
  return KeySet.read(isObject(position) ? position.delivered : undefined);
}

function checkOptions(call: ListCall): void {
  const { identify, verify = false } = call.positionQuery;
  if (identify !== undefined && typeof identify !== "function")
    throw refusal(call, "identify", "must be a function");
  if (typeof verify !== "boolean") throw refusal(call, "verify", "must be true or false");
}

/**
 * Rejects two neighboring pages that may share an item without ID: the same item twice, and two equal items, cannot be
 * distinguished.
 */
export function requireOtherItems(before: Neighbor, { keys, uncertain }: ItemKeys, guard: WalkGuard): void {
  const isShared = (key: number): boolean => before.recurring.includes(key);
  if (!uncertain.some(isShared) && !keys.some((key) => before.uncertain.includes(key))) return;
  throw guard.error(
    "an item of the previous page may be returned again, and items without an ID cannot be distinguished: set `identify`",
  );
}

/** Compares a page with the previous one, with which it may share items. Returns what the next one is compared with. */
export async function compareNeighbors(
  before: Neighbor,
  { keys, uncertain }: ItemKeys,
  readAgain: () => Promise<ItemKeys>,
  guard: WalkGuard,
): Promise<Neighbor> {
  requireOtherItems(before, { keys, uncertain }, guard);
  const isStable = before.isStable || (uncertain.length > 0 && before.uncertain.length > 0);
  if (isStable && !before.isStable && !areStable(keys, await readAgain()))
    throw guard.error(
      "the items have no ID and differ between two reads, so an item of two pages would not be recognized: set `identify`",
    );
  return { recurring: keys, uncertain, isStable };
}

/** Reads what a resume token says about the page before it; undefined if it is malformed. */
export function readNeighbor({ recurring, uncertain, isStable }: JsonObject): Neighbor | undefined {
  if (!areKeys(recurring) || !areKeys(uncertain) || typeof isStable !== "boolean") return undefined;
  return { recurring, uncertain, isStable };
}

/** Whether items without ID have the same content in two reads; otherwise they are not recognized on another page. */
export function areStable(keys: readonly number[], again: ItemKeys): boolean {
  const contents = again.keys.filter((key) => again.uncertain.includes(key));
  return contents.length === 0 || contents.some((key) => keys.includes(key));
}

/** Returns the items whose keys are not known. */
export function withoutKnown(page: KeyedItems, known: readonly number[]): KeyedItems {
  if (known.length === 0) return page;
  const keySet = new Set(known);
  const isKnown = (key: number) => keySet.has(key);
  return page.keys.some(isKnown) ? selectItems(page, (key) => !isKnown(key)) : page;
}

/** Returns each item once, although the page repeats it. */
function withoutRepeated(page: KeyedItems): KeyedItems {
  const seen = new Set<number>();
  return selectItems(page, (key) => seen.size < seen.add(key).size);
}

function selectItems({ items, keys }: KeyedItems, isWanted: (key: number) => boolean): KeyedItems {
  const wanted = keys.map(isWanted);
  return { items: items.filter((_, index) => wanted[index]), keys: keys.filter((_, index) => wanted[index]) };
}

/** Whether a property has items, or the cursor of a next page that another property denies. It may repeat the requested one. */
function isMore(value: unknown, nextCursor: unknown, requested: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return nextCursor === null && typeof value === "string" && value !== "" && value !== requested;
}
