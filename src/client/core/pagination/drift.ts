import { isObject } from "../../../wire/json.ts";
import { areKeys } from "./guard.ts";
import type { Drift } from "../options/drift.ts";
import type { Pagination } from "./page.ts";

/** The part of the previous page that a walk remembers. */
export interface PageMark {
  totalCount: number;
  totalPages: number;
  /** One hash for each item that has an ID. */
  ids: readonly number[];
}

/** An item's ID and its hash. */
export type ItemId = readonly [id: string | number, key: number];

/** Returns the changes of a list since the previous page. */
export function findDrift(before: PageMark | undefined, now: Pagination, ids: readonly ItemId[]): Drift[] {
  if (before === undefined) return [];
  const page = now.currentPage;
  const totals = (["totalCount", "totalPages"] as const)
    .filter((kind) => before[kind] !== now[kind])
    .map((kind): Drift => ({ kind, page, before: before[kind], after: now[kind] }));
  const known = new Set(before.ids);
  const repeated = ids.filter(([, key]) => known.has(key));
  return [...totals, ...repeated.map(([id]): Drift => ({ kind: "repeated-id", page, id }))];
}

export function describeDrift(drift: Drift): string {
  const description =
    drift.kind === "repeated-id"
      ? `id ${drift.id} of the previous page was returned again on page ${drift.page}`
      : `${drift.kind} was ${drift.before} and is ${drift.after} on page ${drift.page}`;
  return `the list changed while it was walked: ${description}`;
}

/** Reads the state of a resume token; undefined if it is malformed. */
export function readMark(value: unknown): PageMark | undefined {
  if (!isObject(value)) return undefined;
  const { totalCount, totalPages, ids } = value;
  return areKeys(ids) && areKeys([totalCount, totalPages]) ? (value as unknown as PageMark) : undefined; // each was checked
}
