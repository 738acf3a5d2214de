import { expositionTypes } from "../../../../../generated/store.enums.ts";
import { type Exchange, rowsOf } from "../../exchange.ts";
import { isSameJson } from "../../../../wire/compare-json.ts";
import type { JsonObject } from "../../../../wire/json.ts";
import { Missing } from "../../failures.ts";
import type { ReadOptions } from "../../service.ts";
import { type ExperimentTools, type Range, storeOf, unseenFirst } from "../../experiment-tools.ts";
import { storePath } from "../../../routes.ts";
import { RATES, getInRange, listIn, rangeOf, ratedStores } from "./data.ts";

/** The fill rate of one group. */
export interface Rate {
  /** The key of the group. */
  readonly label: string;
  /** 0 to 100. */
  readonly rate: number;
}

/** The fill rate of one type of exposition. */
export interface TypeRate {
  readonly type: string;
  /** 0 to 100. */
  readonly rate: number;
}

/** Returns the property with the rate of each group; `undefined` unless exactly one property is possible. */
export function rateProperty(rows: readonly JsonObject[]): string | undefined {
  const names = Object.keys(rows[0] ?? {}).filter(
    (name) =>
      /rate|ratio|percent/i.test(name) &&
      !/expect|target|count|min|max/i.test(name) &&
      rows.every((row) => typeof row[name] === "number"),
  );
  return names.length === 1 ? names[0] : undefined;
}

/** Returns the rate of one group, which may be null. */
export function rateOf(row: JsonObject): unknown {
  return Object.entries(row).find(
    ([name, value]) => /rate/i.test(name) && (value === null || typeof value === "number"),
  )?.[1];
}

/** Whether a photo has a fill rate, as far as it shows that. */
export function isRated({ status, fillRate }: JsonObject): boolean {
  return (status === undefined || status === "completed") && fillRate !== null;
}

const TYPES: ReadonlySet<unknown> = new Set(expositionTypes);

/**
 * Returns the groups of a response, each once; types are recognized by their values, rates are converted to
 * percentages.
 */
export function typeRates(exchange: Exchange, scale: string): TypeRate[] {
  const groups = groupsIn(exchange, scale).flatMap(({ row, rate }) => {
    const type = Object.values(row).find((value) => TYPES.has(value));
    return typeof type === "string" ? [[type, { type, rate }] as const] : [];
  });
  return [...new Map(groups).values()];
}

/** Returns the property that distinguishes the groups of a response. */
export function labelOf(exchange: Exchange): string | undefined {
  const rows = listIn(exchange)?.rows ?? [];
  return Object.keys(rows[0] ?? {}).find((name) => {
    const values = rows.map((row) => row[name]);
    return values.every((value) => typeof value === "string") && new Set(values).size === values.length;
  });
}

/** Returns the groups of a response by a property of them. */
export function labelledRates(exchange: Exchange, scale: string, name: string | undefined): Rate[] {
  if (name === undefined) return [];
  return groupsIn(exchange, scale).map(({ row, rate }) => ({ label: String(row[name]), rate }));
}

function groupsIn(exchange: Exchange, scale: string): { row: JsonObject; rate: number }[] {
  const rows = listIn(exchange)?.rows ?? [];
  const property = rateProperty(rows);
  if (property === undefined) return [];
  const factor = scale === "fraction" ? 100 : 1;
  return rows.map((row) => ({ row, rate: Number((Number(row[property]) * factor).toFixed(9)) }));
}

/** The number of stores that are examined. */
const MAX_STORES = 4;

export type RateQuery = Readonly<Record<string, string>>;

interface RateGroups {
  readonly exchange: Exchange;
  readonly rates: TypeRate[];
}

/** Stores whose fill rates are requested by type. */
export interface RatedStores {
  /** The external ID of one store, or a name for several. */
  readonly subject: string;
  readonly scale: string;
  /** Reads the groups of these stores. */
  readonly groups: (query?: RateQuery) => Promise<RateGroups>;
  /** Does the same with a request that decides. */
  readonly ask: (query: RateQuery, options?: ReadOptions) => Promise<RateGroups>;
}

export interface RatedStore extends RatedStores {
  readonly externalId: string;
  /** Requests its expectations. */
  readonly expectations: () => Promise<{ exchange: Exchange; rows: JsonObject[] }>;
}

/** @throws {Missing} if two stores each have the groups of all stores, as of a service that ignores `externalIds` */
async function requireOwnRates(tools: ExperimentTools, ids: readonly string[]): Promise<void> {
  const ratesIn = async (externalIds: string): Promise<readonly TypeRate[]> =>
    (await ratesOf(tools, externalIds, externalIds)?.groups())?.rates ?? [];
  const all = await ratesIn(ids.join());
  if (all.length === 0 || ids.length < 2) return;
  for (const id of ids.slice(0, 2)) if (!isSameJson(await ratesIn(id), all)) return;
  throw new Missing("fill rates of one store: with externalIds, two stores each have those of all stores");
}

/** Yields the first stores; nothing if the scale of rates is not known. */
export async function* ratedOneByOne(tools: ExperimentTools): AsyncGenerator<RatedStore, void> {
  await requireOwnRates(tools, await ratedStores(tools));
  yield* storesOneByOne(tools);
}

/** Does so even if the rates could be those of all stores. */
export async function* storesOneByOne(tools: ExperimentTools): AsyncGenerator<RatedStore, void> {
  const ids = (await ratedStores(tools)).slice(0, MAX_STORES);
  for (const externalId of unseenFirst(tools, ids)) {
    const stores = ratesOf(tools, externalId, externalId);
    if (stores === undefined) return;
    const expectations = async () => {
      const exchange = await storeOf(tools).get(storePath(externalId, "expectations"));
      return { exchange, rows: rowsOf(exchange) };
    };
    yield { ...stores, externalId, expectations };
  }
}

/** Yields several stores together, whose rates other experiments also request, and then each of them. */
export async function* ratedTogether(tools: ExperimentTools): AsyncGenerator<RatedStores, void> {
  const all = ratesOf(tools, "several stores", (await ratedStores(tools)).join(","));
  if (all !== undefined) yield all;
  yield* ratedOneByOne(tools);
}

/** Returns the requests for the rates of some stores; `undefined` if the scale of rates is not known. */
function ratesOf(tools: ExperimentTools, subject: string, externalIds: string): RatedStores | undefined {
  const scale = tools.premise("fill-rates.calculation");
  if (scale === undefined) return undefined;
  const query = { externalIds, groupBy: "expositionType" };
  const ratesIn = (exchange: Exchange): RateGroups => ({ exchange, rates: typeRates(exchange, scale) });
  return {
    subject,
    scale,
    groups: async (own = {}) => ratesIn(await getInRange(tools, "rates", RATES, { ...query, ...own })),
    ask: async (own, options) => {
      // the first request finds the longest range that the service takes
      if (!tools.ranges.has("rates")) await getInRange(tools, "rates", RATES, query);
      const all = { ...rangeOf(tools, "rates"), ...query, ...own };
      return ratesIn(await tools.ask(storeOf(tools), RATES, all, options));
    },
  };
}

/** Returns a day as a range. */
export interface Day {
  readonly day: string;
  readonly from: string;
  readonly to: string;
}

/** Returns the day of a group whose key is a date, such as 2026-01-31. */
export function dayLabels(exchange: Exchange): string[] {
  return (listIn(exchange)?.rows ?? []).flatMap((row) =>
    Object.values(row).flatMap((value) =>
      typeof value === "string" && /^\d{4}-\d\d-\d\d/.test(value) ? [value.slice(0, 10)] : [],
    ),
  );
}

/** Yields the days on which a store has fill rates, as ranges of one day in UTC. */
export async function daysOf({ groups }: RatedStores, range: RateQuery = {}): Promise<Day[]> {
  const { exchange } = await groups({ groupBy: "day", ...range });
  return dayLabels(exchange).map((day) => ({ day, ...rangeOfDay(day) }));
}

export function rangeOfDay(day: string): Range {
  const from = `${day}T00:00:00Z`;
  return { from, to: new Date(Date.parse(from) + 86_400_000).toISOString() };
}
