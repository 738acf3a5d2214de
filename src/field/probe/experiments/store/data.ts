import { storeOperations } from "../../../../../generated/store.operations.ts";
import { isPathId } from "../../../../wire/path-segment.ts";
import { ALL_TIME, STORES, largestPage, maxLimit, storePath } from "../../../routes.ts";
import type { Query } from "../../../sender/sender.ts";
import { type Exchange, bodyOf, isOk, rowsOf } from "../../exchange.ts";
import type { Control } from "../../experiment.ts";
import { type ExperimentTools, type Range, hintOf, storeOf, unseenFirst } from "../../experiment-tools.ts";
import { control } from "../../controls.ts";
import { findLabelProperty, keysOf } from "./identity.ts";
import { Missing } from "../../failures.ts";
import type { ReadOptions } from "../../service.ts";
import { type JsonObject, isObject, objectsIn } from "../../../../wire/json.ts";

export const RATES = storeOperations.getFillRates.path;

/** The paths below a store whose query has a range. */
export const RANGED = ["protocols", "photos", "fill-rates"] as const;

const DAY = 86_400_000;

/** The lengths of ranges in days, for a service that limits them. They end now. */
const LENGTHS = [366, 92, 31, 7, 1] as const;

/** The number of stores that are searched for protocols, photos and lists. */
const MAX_STORES = 6;

/** The number of stores in one request for fill rates. */
const MAX_RATES = 20;

/** Reads a path in the longest range that the service takes for this kind of path. */
export async function getInRange(
  tools: ExperimentTools,
  kind: "protocols" | "photos" | "rates",
  path: string,
  query: Query = {},
  options: ReadOptions = {},
): Promise<Exchange> {
  const store = storeOf(tools);
  const known = tools.ranges.get(kind);
  const first = await store.get(path, { ...(known ?? ALL_TIME), ...query }, options);
  if (known !== undefined || first.status !== 400) {
    if (isOk(first)) tools.ranges.set(kind, known ?? ALL_TIME);
    return first;
  }
  for (const range of LENGTHS.map((days) => lastDays(days, first.date ?? Date.now()))) {
    const exchange = await store.get(path, { ...range, ...query });
    if (isOk(exchange)) tools.ranges.set(kind, range);
    if (exchange.status !== 400) return exchange;
  }
  return first;
}

function lastDays(days: number, now: number): Range {
  // a whole minute before now, so that a clock that differs a little does not make it the future
  const end = Math.floor(now / 60_000) * 60_000 - 60_000;
  return { from: new Date(end - days * DAY).toISOString(), to: new Date(end).toISOString() };
}

/** The range that the last `getInRange` of a kind used. */
export function rangeOf(tools: ExperimentTools, kind: "protocols" | "photos" | "rates"): Range {
  return tools.ranges.get(kind) ?? ALL_TIME;
}

/** Returns the first page of stores, with the largest page size of the contract. */
export function storePage(tools: ExperimentTools, options: ReadOptions = {}): Promise<Exchange> {
  return storeOf(tools).get(STORES, largestPage(STORES), options);
}

/** Returns the external IDs of the first page, in its order, without the store that writes change. */
export async function externalIds(tools: ExperimentTools): Promise<string[]> {
  return idsOf(await storePage(tools)).filter((id) => id !== tools.scratch?.externalId);
}

/** Returns the external IDs of a page; stores without one, or with one that a path cannot contain, are left out. */
export function idsOf(page: Exchange): string[] {
  return rowsOf(page).flatMap(({ externalId }) => (isPathId(externalId) ? [externalId] : []));
}

/** Returns an ID of the form of a known one that no store has: a gateway could refuse other values. */
export function unknownIdLike(tools: ExperimentTools, externalId: string): string {
  return `${externalId}${tools.uuid().replaceAll(/\D/g, "").slice(0, 6)}`;
}

/** @throws {Missing} if there is no store */
export async function firstStore(tools: ExperimentTools): Promise<string> {
  const [id] = await externalIds(tools);
  if (id === undefined) throw new Missing("a store");
  return id;
}

/** Returns a store with one of its expositions. @throws {Missing} */
export async function storeWithExposition(
  tools: ExperimentTools,
): Promise<{ id: string; exposition: string }> {
  for (const id of (await externalIds(tools)).slice(0, 3)) {
    const [row] = rowsOf(await storeOf(tools).get(storePath(id, "expositions")));
    if (typeof row?.expositionId === "string") return { id, exposition: row.expositionId };
  }
  throw new Missing("a store with an exposition");
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
  for (const externalId of unseenFirst(tools, (await externalIds(tools)).slice(0, MAX_STORES))) {
    const path = storePath(externalId, "protocols");
    const exchange = await getInRange(tools, "protocols", path, largestPage(path));
    const rows = isOk(exchange) ? rowsOf(exchange) : [];
    const isWhole = (bodyOf(exchange).nextCursor ?? null) === null;
    if (rows.length >= minimum && isWhole) yield { externalId, path, exchange, rows };
  }
}

/** Yields stores with at least `minimum` photos, each with all of them on one page. */
export async function* storesWithPhotos(
  tools: ExperimentTools,
  minimum: number,
): AsyncGenerator<StoreList, void> {
  for (const externalId of unseenFirst(tools, (await externalIds(tools)).slice(0, MAX_STORES))) {
    // the photo lists of other stores would also be empty
    if (hintOf(tools, "photos.page-shape") === "no-list") return;
    const path = storePath(externalId, "photos");
    const exchange = await getInRange(tools, "photos", path, largestPage(path));
    const rows = isOk(exchange) ? photosIn(exchange) : [];
    if (rows.length >= minimum && rows.length < maxLimit(path)) yield { externalId, path, exchange, rows };
  }
}

/** Reads the list again. @returns the control that it still has the same rows */
export async function listStays(
  tools: ExperimentTools,
  { path, exchange, rows }: StoreList,
): Promise<Control> {
  const again = await storeOf(tools).get(path, exchange.query, { fresh: true });
  const others = again.operation === "listPhotos" ? photosIn(again) : rowsOf(again);
  // other properties may change between reads, such as signed URLs
  const property = findLabelProperty(rows, ["photoId", "protocolId", "id"]);
  const isSame =
    rows.length === others.length &&
    (property === undefined || String(keysOf(rows, property)) === String(keysOf(others, property)));
  return control(`${path} stays the same`, isOk(again) && isSame);
}

/** The names that a reading gives to the list of an open object come before other arrays. */
export const LIST_NAMES = ["items", "photos", "data", "groups"] as const;

/** Returns the list in an open object: a property that is an array of objects, or an empty array. */
export function listIn(exchange: Exchange): { name: string; rows: JsonObject[] } | undefined {
  const body = bodyOf(exchange);
  const names = [...LIST_NAMES.filter((name) => name in body), ...Object.keys(body)];
  const lists = names
    .map((name) => [name, body[name]] as const)
    .filter(([, value]) => Array.isArray(value) && value.every(isObject));
  const isNamed = ([name]: readonly [string, unknown]): boolean => LIST_NAMES.some((known) => known === name);
  const [name, value] =
    lists.find(isNamed) ?? lists.find(([, rows]) => objectsIn(rows).length > 0) ?? lists[0] ?? [];
  return name === undefined ? undefined : { name, rows: objectsIn(value) };
}

export function photosIn(exchange: Exchange): JsonObject[] {
  return listIn(exchange)?.rows ?? [];
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
  options: ReadOptions = {},
): Promise<Exchange> {
  const ids = await ratedStores(tools);
  return getInRange(tools, "rates", RATES, { externalIds: ids.join(","), ...query }, options);
}
