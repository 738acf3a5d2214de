import type { ResponseContent } from "./request/response.ts";
import type { ListReader } from "./list.ts";
import type { CursorPage } from "./page.ts";
import { RepeatGuard } from "./repeat-guard.ts";
import { type Step, walkPages } from "./walk.ts";

/** How the pages of one list are fetched. `S` is what tells one page from another: a cursor, a window of time. */
export interface CursorSource<T, S> {
  /** `GET /v1/stores`, for messages. */
  doing: string;
  signal: AbortSignal | undefined;
  /** Where the list begins, or goes on. Throws an `InvalidRequestError` for a resume token that it did not make. */
  start(): S;
  /** The first page, for whoever awaits the list. */
  first(): Promise<CursorPage<T>>;
  fetch(state: S, guard: RepeatGuard, cancel: AbortSignal): Promise<Step<CursorPage<T>, S>>;
}

export function cursorReader<T, S>(source: CursorSource<T, S>): ListReader<CursorPage<T>> {
  return {
    first: () => source.first(),
    pages(ahead) {
      const guard = new RepeatGuard(source.doing);
      return walkPages(
        () => source.start(),
        (state, cancel) => source.fetch(state, guard, cancel),
        ahead,
        source.signal,
      );
    },
  };
}

/** Under which names a list's answer carries its array and its cursor. */
export interface CursorNames {
  readonly items: string;
  readonly cursor: string;
}

/** The array and the cursor of a list's answer. */
export function readCursorPage(
  content: ResponseContent,
  names: CursorNames,
  guard: RepeatGuard,
  advice = "",
): { items: unknown[]; nextCursor: string | null } {
  const { json, clean } = content;
  const { [names.items]: items, [names.cursor]: nextCursor } = json;
  if (Array.isArray(items) && (nextCursor === null || typeof nextCursor === "string")) {
    if (nextCursor === "")
      throw guard.error("the server gave an empty text for a cursor: neither a next page nor the end");
    return { items, nextCursor };
  }
  const keys = Object.keys(json).map((key) => `\`${clean(key)}\``);
  throw content.unexpected(
    `without an array \`${names.items}\` and a \`${names.cursor}\` that is a string or null; ` +
      `the answer has ${keys.length === 0 ? "no members" : keys.slice(0, 20).join(", ")}${advice}`,
  );
}
