import { describeDifference, digestsOf } from "../pagination/digests.ts";
import { type ListCall, refusal } from "../pagination/list-call.ts";
import { isCount } from "../../../wire/exact-numbers.ts";
import { isObject, parseJson } from "../../../wire/json.ts";

/** The progress of a mirror. */
export interface MirrorState {
  v: 1;
  /** A digest for each part of the list: its operation, IDs, filters, base URL and environment. */
  list: Readonly<Record<string, string>>;
  /** The number of the last pass that was begun. */
  last: number;
  /** The clean pass before this one that also missed entries. */
  candidate: number | null;
  /** The unfinished pass. */
  pass: MirrorPass | null;
  /** The number of entries that the list had in the last run; absent before its end, and in a state of an older version. */
  size?: number;
}

/** The progress of one pass over the list. */
export interface MirrorPass {
  number: number;
  /** The page size, which the numbers of its pages depend on. */
  pageSize: number | null;
  /** The number or the token of the next page; null for the first page. */
  next: number | string | null;
  /** The last page was saved. */
  isRead: boolean;
  /** The number of entries, and of those that were returned again. */
  read: number;
  repeated: number;
  /** The total of the first page and of the last one; undefined for a list without totals. */
  firstTotal?: number;
  lastTotal?: number;
  /** The list changed in a way that can lose an entry. */
  isLossy: boolean;
}

/**
 * Reads the state of a mirror of the same list. Its destination is compared with that of the first request.
 * @throws {InvalidRequestError} for another text, or for the state of another list; it names the difference
 */
export function readMirrorState(text: unknown, call: ListCall): MirrorState {
  const state = typeof text === "string" ? parseJson(text) : undefined;
  if (!isState(state)) throw refusal(call, "state", "must be the `state` of a mirror");
  const difference = describeDifference(state.list, digestsOf(call), ["destination", "limit"]);
  if (difference === "") return state;
  throw refusal(call, "state", `belongs to a list with another ${difference}`);
}

function isState(value: unknown): value is MirrorState {
  if (!isObject(value) || value.v !== 1) return false;
  const { list, last, candidate, pass, size } = value;
  if (!isObject(list) || !isCount(last) || !(size === undefined || isCount(size))) return false;
  if (pass !== null && !isPass(pass, last)) return false;
  // entries before the candidate are deleted: it is a pass that has ended
  return (
    candidate === null || (isCount(candidate) && candidate <= last && (pass === null || candidate < last))
  );
}

function isPass(value: unknown, last: number): boolean {
  if (!isObject(value)) return false;
  const { number, pageSize, next, isRead, read, repeated, firstTotal, lastTotal, isLossy } = value;
  const isPosition = next === null || typeof next === "string" || isCount(next, 1);
  const areTotals =
    (firstTotal === undefined && lastTotal === undefined) || (isCount(firstTotal) && isCount(lastTotal));
  return (
    number === last &&
    (pageSize === null || isCount(pageSize, 1)) &&
    isCount(read) &&
    isCount(repeated) &&
    repeated <= read &&
    areTotals &&
    isPosition &&
    isRead === (next === null) &&
    typeof isLossy === "boolean"
  );
}
