import { InvalidRequestError } from "../core/errors/errors.ts";
import { describeDifference } from "../core/pagination/digests.ts";
import { isCount } from "../../wire/exact-numbers.ts";
import { isInteger, isObject, parseJson } from "../../wire/json.ts";
import { isKeyText } from "./pull-keys.ts";
import { earliest, type Section } from "./pull-plan.ts";

/** The progress of pulling one list. */
export interface PullState {
  v: 2;
  /** A digest for each part of the list: its operation, path, filters and base URL. */
  list: Readonly<Record<string, string>>;
  /** The start of the first run in ms. */
  since: number;
  /** The ends of earlier runs in ms, the last one last; more of the last ones than of older ones. */
  ends: number[];
  /** The items that the next run may read again, by the run that read them last. */
  kept: KeptItems[];
  /** The last items outside of these ranges: they are not delivered again soon after a clock went back. */
  recent: string;
  /** The unfinished run. */
  run: PullRun | null;
}

/** The items of one run that a later run may read again. */
export interface KeptItems {
  /** The range of the run that has them. */
  from: number;
  end: number;
  /** Whether all items of the run have an ID. */
  hasIds: boolean;
  keys: string;
}

/** An unfinished run. */
export interface PullRun {
  end: number;
  sections: Section[];
  /** The index of the section that is being read, and the token of its next page. */
  section: number;
  resume: string | null;
  limit: number | null;
  hasIds: boolean;
  /** The items read so far, by the log of their sections. */
  kept: string;
  passing: string;
}

const maxEnds = 32;
const latest = Date.parse("9999-12-31T23:59:59.999Z");

/** Returns a section of a run by its index, which is always valid: the state was checked. */
export function sectionAt({ sections }: Pick<PullRun, "sections">, index: number): Section {
  return sections[index] as Section; // as above
}

/** Adds the end of a run. Of too many ends, the one goes that is closest to its neighbors for its age. */
export function addEnd(ends: readonly number[], end: number): number[] {
  const all = [...ends.filter((earlier) => earlier < end), end];
  if (all.length <= maxEnds) return all;
  const distance = (index: number): number => {
    const [before, own, after] = all.slice(index - 1, index + 2) as [number, number, number]; // inner indexes only
    return (after - before) / (end - own);
  };
  const inner = all.slice(1, -1).map((_, index) => index + 1);
  const closest = inner.reduce((best, index) => (distance(index) < distance(best) ? index : best));
  return all.toSpliced(closest, 1);
}

/**
 * Reads the state of a batch of the same list.
 * @throws {InvalidRequestError} for another text, or for the state of another list; it names the difference
 */
export function readState(text: unknown, label: string, list: PullState["list"]): PullState {
  const refuse = (message: string): InvalidRequestError =>
    new InvalidRequestError(label, [{ path: "state", message }]);
  const state = typeof text === "string" ? parseJson(text) : undefined;
  if (!isState(state) || state.list["operation"] !== list["operation"])
    throw refuse("must be the `state` of a batch of this list; omit it in the first run");
  const difference = describeDifference(state.list, list);
  if (difference === "") return state;
  throw refuse(`belongs to a list with another ${difference}`);
}

function isState(value: unknown): value is PullState {
  if (!isObject(value) || value.v !== 2) return false;
  const { list, since, ends, kept, recent, run } = value;
  return (
    isObject(list) &&
    isInstant(since) &&
    areEnds(ends) &&
    isArrayOf(kept, areKept) &&
    isKeyText(recent) &&
    (run === null || isRun(run))
  );
}

/** Each run ends after the ones before. */
function areEnds(value: unknown): value is number[] {
  if (!isArrayOf(value, isRequestTime) || value.length > maxEnds) return false;
  return value.every((end, index) => end > (value[index - 1] ?? -Infinity));
}

function areKept(value: unknown): value is KeptItems {
  if (!isObject(value)) return false;
  const { from, end, hasIds, keys } = value;
  return isInstant(from) && isInstant(end) && typeof hasIds === "boolean" && isKeyText(keys);
}

function isRun(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { end, sections, section, resume, limit, hasIds, kept, passing } = value;
  const isIndex = typeof section === "number" && Array.isArray(sections) && section in sections;
  const isText = resume === null || typeof resume === "string";
  const isLimit = limit === null || isCount(limit, 1);
  const isRest = isRequestTime(end) && typeof hasIds === "boolean" && isKeyText(kept) && isKeyText(passing);
  return isIndex && isText && isLimit && isRest && isArrayOf(sections, isSection);
}

function isSection(value: unknown): value is Section {
  if (!isObject(value)) return false;
  const { from, to, isReread, log } = value;
  const isLog = log === "kept" || log === "passing" || log === "none";
  return isRequestTime(from) && isRequestTime(to) && from <= to && typeof isReread === "boolean" && isLog;
}

/** Whether a value is a time with four digits for the year, as requests have it. */
function isRequestTime(value: unknown): value is number {
  return isInstant(value) && value >= earliest && value <= latest;
}

function isArrayOf<T>(value: unknown, isElement: (element: unknown) => element is T): value is T[] {
  return Array.isArray(value) && value.every(isElement);
}

/** Whether a value is a time that `Date` can hold. */
function isInstant(value: unknown): value is number {
  return isInteger(value) && Math.abs(value) <= 8.64e15;
}
