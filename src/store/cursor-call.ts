import type { ResponseContent } from "../core/request/response.ts";
import type { CursorNames } from "../core/cursor-reader.ts";
import type { CallOptions } from "../core/options/options.ts";
import type { Shape } from "../core/request/shape.ts";

/** A page's answer, asked for with a cursor. */
export type AskPage = (cursor: string | undefined, cancel: AbortSignal | undefined) => Promise<ResponseContent>;

/** One list as it was called. */
export interface CursorCall<T> {
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
