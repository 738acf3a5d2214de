import { type JsonObject, isObject } from "../../wire/json.ts";
import { InvalidRequestError, type Issue } from "../errors.ts";
import type { ListSource } from "./source.ts";
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

/** The properties of a query that control the walk. */
export interface Controls {
  readonly resume: unknown;
  readonly maxIdle: number;
  readonly verify: boolean;
  readonly identify: ((item: JsonObject) => unknown) | undefined;
  readonly onDrift: "heal" | "report" | "throw";
}

/** Reads the properties that control a walk. Nothing is sent if one of them is wrong. */
export function readControls({ label, controls, query }: ListSource<unknown>): Controls {
  const { resume, maxIdleRequests = 1000, verify = false, identify, onDrift = "heal" } = controls;
  const issues: Issue[] = [];
  const require = (path: string, message: string, holds: boolean): void => {
    if (!holds) issues.push({ path, message });
  };
  require("resume", "is null: the walk is complete", resume !== null);
  require("maxIdleRequests", "must be an integer of at least 1", Number.isSafeInteger(maxIdleRequests) &&
    Number(maxIdleRequests) > 0);
  require("verify", "must be true or false", typeof verify === "boolean");
  require("identify", "must be a function", identify === undefined || typeof identify === "function");
  require("onDrift", 'must be "heal", "report" or "throw"', ["heal", "report", "throw"].includes(
    String(onDrift),
  ));
  for (const start of ["cursor", "page"])
    require(start, "cannot be given together with `resume`, which sets the position in the list", resume ===
      undefined || query[start] === undefined);
  require("resume", "cannot be given together with `verify`", resume === undefined || verify !== true);
  if (issues.length > 0) throw new InvalidRequestError(label, issues);
  // checked above
  return { resume, maxIdle: maxIdleRequests, verify, identify, onDrift } as Controls;
}

/** The version of the token format. It changes if tokens of another version would be misread. */
const version = 4;

/** A token is short; this only limits the work that a wrong one can cause. */
const maxLength = 100_000;

/** Returns a short text that is equal for objects with equal properties. */
function digest(value: object): string {
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return hash(JSON.stringify(entries)).toString(36);
}

/** What a token says about its list, by the words of an error about a difference. */
function describe({ operation, path, query, baseUrl = "" }: ListSource<unknown>): Record<string, unknown> {
  const { cursor: _, page: __, limit: ___, ...filters } = query;
  return { operation, path: digest(path), filter: digest(filters), "base URL": hash(baseUrl).toString(36) };
}

/** Writes the token of a position in a list. */
export function writeToken(source: ListSource<unknown>, position: object): string {
  return JSON.stringify({ v: version, list: describe(source), at: position });
}

/** Creates the error for a token that is not one of this list. */
export function invalidToken(
  { label }: ListSource<unknown>,
  message = "must be the `resume` of a page of this list",
): InvalidRequestError {
  return new InvalidRequestError(label, [{ path: "resume", message }]);
}

/** Reads the position of a token of the same list; undefined if no token was given. */
export function readToken(source: ListSource<unknown>, token: unknown): JsonObject | undefined {
  if (token === undefined) return undefined;
  const bad = invalidToken(source);
  let json: unknown;
  try {
    json = typeof token === "string" && token.length <= maxLength ? JSON.parse(token) : undefined;
  } catch {
    throw bad;
  }
  if (!isObject(json) || json["v"] !== version || !isObject(json["list"]) || !isObject(json["at"])) throw bad;
  for (const [name, value] of Object.entries(describe(source)))
    if (json["list"][name] !== value)
      throw name === "operation" ? bad : invalidToken(source, `belongs to a list with another ${name}`);
  return json["at"];
}
