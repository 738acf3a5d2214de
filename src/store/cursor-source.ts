import type { ListContent } from "../core/answer.ts";
import { type CursorNames, type CursorSource, readCursorPage } from "../core/cursor-list.ts";
import type { JsonObject } from "../core/json.ts";
import type { CallOptions } from "../core/options.ts";
import type { CursorPage } from "../core/page.ts";
import { RepeatGuard } from "../core/repeat-guard.ts";
import { badResume, parseResume } from "../core/resume.ts";
import { type Shape, shapeItems } from "../core/shape.ts";

/** A page's answer, asked for with a cursor. */
export type AskPage = (cursor: string | undefined, cancel: AbortSignal | undefined) => Promise<ListContent>;

export interface CursorSourceOptions<T> {
  names: CursorNames;
  cursor: string | undefined;
  resume: string | undefined;
  options: CallOptions | undefined;
  /** What each item is read with. */
  shape?: Shape<T> | undefined;
  /** What to do where an answer has no list. */
  advice?: string;
  /** Whether awaiting gives the raw answer even where it has no list; its `items` then throws. */
  rawWithoutList?: boolean;
}

/** A list whose next page is asked for with the cursor of the page before. */
export function cursorSource<T>(
  doing: string,
  { names, cursor, resume, options, shape, advice, rawWithoutList }: CursorSourceOptions<T>,
  ask: AskPage,
): CursorSource<T, string | undefined> {
  const read = async (
    content: ListContent,
    at: string | undefined,
    guard: RepeatGuard,
  ): Promise<CursorPage<T>> => {
    const { items, nextCursor } = readCursorPage(content, names, guard, advice);
    guard.accept(at, items, content.text, (text) => (JSON.parse(text) as JsonObject)[names.items]);
    const token = nextCursor === null ? null : JSON.stringify({ cursor: nextCursor });
    return {
      items: await shapeItems(content, shape, items, names.items),
      nextCursor,
      resume: token,
      raw: content.json,
    };
  };
  const start = (): string | undefined => (resume === undefined ? cursor : readResume(doing, resume));
  return {
    doing,
    signal: options?.signal,
    start,
    async first() {
      const at = start();
      const content = await ask(at, undefined);
      const page = read(content, at, new RepeatGuard(doing));
      return rawWithoutList === true
        ? page.catch((error: unknown) => pageWithoutList<T>(content.json, error))
        : page;
    },
    async fetch(at, guard, cancel) {
      guard.enter(at);
      const page = await read(await ask(at, cancel), at, guard);
      return { page, next: page.nextCursor ?? undefined };
    },
  };
}

/** The answer alone; who looks for its list is told why there is none. */
function pageWithoutList<T>(raw: JsonObject, error: unknown): CursorPage<T> {
  const refuse = (): never => {
    throw error;
  };
  const hidden = { get: refuse, enumerable: false };
  const page = Object.defineProperties({ raw }, { items: hidden, nextCursor: hidden, resume: hidden });
  return page as CursorPage<T>; // its getters never return
}

function readResume(doing: string, token: string): string {
  const { cursor } = parseResume(doing, token);
  if (typeof cursor !== "string") throw badResume(doing);
  return cursor;
}
