import { Missing } from "../../failures.ts";
import { type Exchange, isOk, paginationOf, rowsOf } from "../../exchange.ts";

import type { JsonObject } from "../../json.ts";
import { type ExperimentTools, fleetOf } from "../../experiment-tools.ts";
import type { Service } from "../../service.ts";

/**
 * Returns the first page of a list, with the largest page size of the contract. @throws {Missing} if the key may
 * not read it
 */
export async function listOf(
  tools: ExperimentTools,
  path: string,
  query: Record<string, string> = {},
): Promise<Exchange> {
  return getPermitted(fleetOf(tools), path, { limit: "100", ...query });
}

/** Sends a GET that must succeed. @throws {Missing} if it does not */
export async function getPermitted(
  service: Service,
  path: string,
  query: Record<string, string> = {},
): Promise<Exchange> {
  const exchange = await service.get(path, query);
  if (isOk(exchange)) return exchange;
  throw new Missing(`a key that may read ${path}`);
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
  for (const path of ["/vehicle-fields", "/inspection-templates"]) {
    const page = await fleetOf(tools).get(path, { limit: "100" });
    if (isOk(page) && totalOf(page) >= 2) yield { path, page };
  }
}
