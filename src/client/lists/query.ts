import { type JsonObject, isObject } from "../../wire/json.ts";
import { InvalidRequestError } from "../errors.ts";
import type { ListSource } from "./page.ts";
import { hash } from "../../wire/hash.ts";

/** The options of every list query besides the contract's own parameters. */
export interface ListQuery {
  /** Continues after a page: the `resume` of that page. */
  resume?: string | undefined;
  /**
   * The number of consecutive requests that may return no new item; after it the walk ends with a `PaginationError`
   * (default: 1000).
   */
  maxIdleRequests?: number | undefined;
  /**
   * Repeats the walk until two consecutive passes have the same items, and returns the pages of the last pass
   * (default: false). Each second pass has another page size, so that a loss at the edges of pages shows. After five
   * passes without agreement the walk ends with a `PaginationError`. All pages of a pass are kept in memory.
   */
  verify?: boolean | undefined;
  /** Filters whose names the contract does not show. They are sent unchanged. */
  extra?: Record<string, string> | undefined;
}

/** The query of a numbered list. */
export interface NumberedQuery extends ListQuery {
  /**
   * What happens if the totals change during the walk: `heal` reads again from the page before (default), `report` only
   * tells the page, the hook `onDrift` and the log, `throw` ends the walk with a `PaginationError`.
   */
  onDrift?: "heal" | "report" | "throw" | undefined;
}

/** Creates the error for a wrong argument of a list. */
export function refuse(label: string, path: string, message: string): InvalidRequestError {
  return new InvalidRequestError(label, [{ path, message }]);
}

/** The version of the token format. It changes if tokens of another version would be misread. */
const version = 5;

/** Returns a hash of what a token belongs to: the operation, its path, its filters and the base URL. */
function hashOf({ operation, path, query, baseUrl }: ListSource<unknown>): string {
  const { cursor: _, page: __, limit: ___, ...filters } = query;
  const names = Object.keys(filters).toSorted();
  const sorted = names.map((name) => [name, filters[name]]);
  return hash(JSON.stringify([operation, path, sorted, baseUrl])).toString(36);
}

/** Writes the token of a place in a list. */
export function writeToken(source: ListSource<unknown>, place: object): string {
  return JSON.stringify({ v: version, list: hashOf(source), at: place });
}

/** Creates the error for a token that is not one of this list. */
export function invalidToken({ label }: ListSource<unknown>): InvalidRequestError {
  return refuse(
    label,
    "resume",
    "must be the `resume` of a page of this list with the same filters and base URL",
  );
}

/** Reads the place of the caller's token; undefined if none was given. Nothing is sent if it is wrong. */
export function readToken(source: ListSource<unknown>): JsonObject | undefined {
  const { label, controls, query } = source;
  const { resume, verify = false } = controls;
  if (resume === undefined) return undefined;
  if (resume === null) throw refuse(label, "resume", "is null: the walk is complete");
  if ((query["cursor"] ?? query["page"]) !== undefined || verify)
    throw refuse(label, "resume", "cannot be given together with `cursor`, `page` or `verify`");
  try {
    const { v, list, at } = JSON.parse(resume) as JsonObject; // anything else throws
    if (v === version && list === hashOf(source) && isObject(at)) return at;
  } catch {}
  throw invalidToken(source);
}
