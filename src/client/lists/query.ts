import type { JsonObject } from "../../wire/json.ts";
import { InvalidRequestError, type Issue } from "../errors.ts";
import type { ListSource } from "./source.ts";

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
