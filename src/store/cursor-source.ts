import type { ResponseContent } from "../core/request/response.ts";
import { type CursorSource, cursorReader, readCursorPage } from "../core/cursor-reader.ts";
import type { JsonObject } from "../internal/json.ts";
import type { ListReader } from "../core/list.ts";
import type { CursorPage } from "../core/page.ts";
import { RepeatGuard } from "../core/repeat-guard.ts";
import { badResume, parseResume } from "../core/resume.ts";
import { shapeItems } from "../core/request/shape.ts";
import type { AskPage, CursorCall } from "./cursor-call.ts";

/** Reads a list whose next page is asked for with the cursor of the page before. */
export function readByCursor<T>(doing: string, call: CursorCall<T>, ask: AskPage): ListReader<CursorPage<T>> {
  return cursorReader(cursorSource(doing, call, ask));
}

function cursorSource<T>(
  doing: string,
  { names, cursor, resume, options, shape, advice, rawWithoutList }: CursorCall<T>,
  ask: AskPage,
): CursorSource<T, string | undefined> {
  const read = async (
    content: ResponseContent,
    at: string | undefined,
    guard: RepeatGuard,
  ): Promise<CursorPage<T>> => {
    const { items, nextCursor } = readCursorPage(content, names, guard, advice);
    const itemsOf = (text: string): unknown[] => (JSON.parse(text) as JsonObject)[names.items] as unknown[]; // read before
    guard.accept(at, items, content.text, itemsOf);
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
