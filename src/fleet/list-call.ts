import type { ResponseContent } from "../core/request/response.ts";
import type { CallOptions } from "../core/options/options.ts";
import type { DriftEvent } from "../core/page.ts";
import type { Shape } from "../core/request/shape.ts";
import type { PageQuery } from "./query.ts";

/** Asks for one page. */
export type AskPage = (query: object, cancel: AbortSignal | undefined) => Promise<ResponseContent>;

/** One list as it was called. */
export interface ListCall {
  query: PageQuery | undefined;
  options: CallOptions | undefined;
  /** What each item is read with. */
  shape?: Shape | undefined;
  /** Which member tells the items apart (`id`). */
  id?: string;
  /** The contract shows the answer: it never comes without pagination. */
  shown?: boolean;
}

/** How the client's lists are read. */
export interface ListSettings {
  /** gap lists.unshown: a list known by path alone may come whole. */
  unshown: "paged" | "whole";
  onDrift: ((event: DriftEvent) => void) | undefined;
}
