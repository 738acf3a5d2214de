import { pathSegment } from "../../../../wire/path-segment.ts";
import { Missing } from "../../failures.ts";
import { type Exchange, bodyOf, rowsOf } from "../../exchange.ts";

import { type JsonObject, isObject, objectsIn } from "../../json.ts";
import { type ExperimentTools, storeOf } from "../../experiment-tools.ts";

/** A range that contains every time of a service. */
export const ALL_TIME = { from: "2000-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" } as const;

/** The number of stores that are searched for protocols, photos and lists. */
const MAX_STORES = 6;

/** The number of stores in one request for fill rates. */
const MAX_RATES = 20;

/** Returns the first page of stores, with the largest page size of the contract. */
export function storePage(tools: ExperimentTools): Promise<Exchange> {
  return storeOf(tools).get("/v1/stores", { limit: "100" });
}

/** Returns the external IDs of the first page, in its order. */
export async function externalIds(tools: ExperimentTools): Promise<string[]> {
  return idsOf(await storePage(tools));
}

/** Returns the external IDs of a page; stores without an external ID are left out. */
export function idsOf(page: Exchange): string[] {
  return rowsOf(page).flatMap(({ externalId }) => (typeof externalId === "string" ? [externalId] : []));
}

/** @throws {Missing} if there is no store */
export async function firstStore(tools: ExperimentTools): Promise<string> {
  const [id] = await externalIds(tools);
  if (id === undefined) throw new Missing("a store");
  return id;
}

/** Returns a path below one store. */
export function storePath(externalId: string, ...rest: string[]): string {
  return ["/v1/stores", externalId, ...rest]
    .map((part, at) => (at === 0 ? part : pathSegment(part)))
    .join("/");
}

/** A store with one of its lists. */
export interface StoreList {
  readonly externalId: string;
  readonly path: string;
  readonly exchange: Exchange;
  readonly rows: readonly JsonObject[];
}

/** Yields stores with at least `minimum` protocols, each with all of them on one page. */
export async function* storesWithProtocols(
  tools: ExperimentTools,
  minimum: number,
): AsyncGenerator<StoreList, void> {
  for (const externalId of (await externalIds(tools)).slice(0, MAX_STORES)) {
    const path = storePath(externalId, "protocols");
    const exchange = await storeOf(tools).get(path, { ...ALL_TIME, limit: "100" });
    const rows = rowsOf(exchange);
    const isWhole = (bodyOf(exchange).nextCursor ?? null) === null;
    if (rows.length >= minimum && isWhole) yield { externalId, path, exchange, rows };
  }
}

/** Yields stores with at least `minimum` photos, each with all of them on one page. */
export async function* storesWithPhotos(
  tools: ExperimentTools,
  minimum: number,
): AsyncGenerator<StoreList, void> {
  for (const externalId of (await externalIds(tools)).slice(0, MAX_STORES)) {
    // the photo lists of other stores would also be empty
    if (tools.reading("photos.page-shape") === "no-list") return;
    const path = storePath(externalId, "photos");
    const exchange = await storeOf(tools).get(path, { ...ALL_TIME, limit: "500" });
    const rows = listIn(exchange)?.rows ?? [];
    if (rows.length >= minimum && rows.length < 500) yield { externalId, path, exchange, rows };
  }
}

/** Returns the list in an open object: the first property that is an array of objects, or an empty array. */
export function listIn(exchange: Exchange): { name: string; rows: JsonObject[] } | undefined {
  const lists = Object.entries(bodyOf(exchange)).filter(
    ([, value]) => Array.isArray(value) && value.every(isObject),
  );
  const [name, value] = lists.find(([, rows]) => objectsIn(rows).length > 0) ?? lists[0] ?? [];
  return name === undefined ? undefined : { name, rows: objectsIn(value) };
}

/** Returns external IDs that can be part of a comma-separated list. */
export async function ratedStores(tools: ExperimentTools): Promise<string[]> {
  const ids = (await externalIds(tools)).filter((id) => /^[\w.~-]+$/.test(id)).slice(0, MAX_RATES);
  if (ids.length === 0) throw new Missing("a store whose external ID has no comma");
  return ids;
}

/** Returns the fill rates of the first stores, grouped by store. */
export async function fillRates(
  tools: ExperimentTools,
  query: Record<string, string> = {},
): Promise<Exchange> {
  const ids = await ratedStores(tools);
  return storeOf(tools).get("/v1/fill-rate", { ...ALL_TIME, externalIds: ids.join(","), ...query });
}
