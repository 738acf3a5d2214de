import { CursorList } from "../core/cursor-list.ts";
import type { AskPage, CursorCall } from "./cursor-call.ts";

/** A list whose next page is asked for with the cursor of the page before. */
export function cursorList<T>(doing: string, call: CursorCall<T>, ask: AskPage): CursorList<T> {
  return new CursorList(doing, async () => (await import("./readers.ts")).readByCursor(doing, call, ask));
}
