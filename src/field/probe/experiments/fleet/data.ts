import { type Exchange, isOk, paginationOf, rowsOf } from "../../exchange.ts";
import { type ExperimentTools, fleetOf, unseenFirst } from "../../experiment-tools.ts";
import { Missing } from "../../failures.ts";
import type { JsonObject } from "../../json.ts";
import type { ReadOptions } from "../../service.ts";

/**
 * Returns the first page of a list, with the largest page size of the contract. @throws {Missing} if the key may
 * not read it
 */
export async function listOf(
  tools: ExperimentTools,
  path: string,
  query: Record<string, string> = {},
  options: ReadOptions = {},
): Promise<Exchange> {
  const exchange = await fleetOf(tools).get(path, { limit: "100", ...query }, options);
  if (isOk(exchange)) return exchange;
  throw new Missing(`a key that may read ${path}`);
}

/** Lists of which a key can usually read one; the first two have a described shape. */
export const LISTS = [
  "/vehicle-fields",
  "/inspection-templates",
  "/vehicles",
  "/inspections",
  "/damages",
  "/vehicle-groups",
  "/driver-assignments",
] as const;

/** Yields the first pages of those lists that the key may read. */
export async function* readableLists(
  tools: ExperimentTools,
  paths: readonly string[],
): AsyncGenerator<Exchange, void> {
  for (const path of unseenFirst(tools, paths)) {
    const page = await fleetOf(tools).get(path, { limit: "100" });
    if (isOk(page)) yield page;
  }
}

/** Returns the first list that the key may read. @throws {Missing} if there is none */
export async function readableList(tools: ExperimentTools): Promise<string> {
  for await (const { path } of readableLists(tools, LISTS)) return path;
  throw new Missing("a list that the key may read");
}

/** Returns the number of rows of a list; if the list does not contain it, the number of rows of the page. */
export function totalOf(exchange: Exchange): number {
  const total = paginationOf(exchange)?.totalCount;
  return typeof total === "number" ? total : rowsOf(exchange).length;
}

/** Whether a page contains the whole list. */
export function isWhole(exchange: Exchange): boolean {
  return totalOf(exchange) === rowsOf(exchange).length;
}

export function idsIn(rows: readonly JsonObject[], property = "id"): string[] {
  return rows.flatMap((row) => (typeof row[property] === "string" ? [row[property]] : []));
}

/** Returns the first lists with a described shape and at least two rows. */
export async function* describedLists(
  tools: ExperimentTools,
): AsyncGenerator<{ path: string; page: Exchange }, void> {
  for await (const page of readableLists(tools, LISTS.slice(0, 2)))
    if (totalOf(page) >= 2) yield { path: page.path, page };
}
