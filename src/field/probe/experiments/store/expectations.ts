import { type Exchange, isOk } from "../../exchange.ts";
import { type ExperimentResult, experiment, conclusiveResult, tentativeResult } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import type { JsonObject } from "../../json.ts";
import type { ExperimentTools } from "../../experiment-tools.ts";
import { fillRates } from "./data.ts";
import { type Day, type RatedStore, type TypeRate, daysOf, ratedOneByOne, typeRates } from "./rate-groups.ts";

const BELOW = { belowExpectationOnly: "true" } as const;

/** Returns the ratios that a store expects of a type, for any day, time and category. */
function ratiosOf(rows: readonly JsonObject[], type: string): number[] {
  return rows.filter(({ displayType }) => displayType === type).map((row) => Number(row.expectedFillRatio));
}

/** Whether a rate meets every possible expectation. */
function isSurelyMet(rows: readonly JsonObject[], { type, rate }: TypeRate): boolean {
  return ratiosOf(rows, type).every((ratio) => rate >= ratio);
}

/** The effect of `belowExpectationOnly` on the groups of one store or of several stores. */
type BelowObserved =
  | {
      readonly of: "store";
      readonly all: number;
      readonly kept: number;
      readonly met: number;
      readonly metAndKept: number;
    }
  | { readonly of: "stores"; readonly dropped: number; readonly changed: number };

export const belowExpectation = experiment<"fill-rates.below-expectation", BelowObserved>({
  gap: "fill-rates.below-expectation",
  consent: "read",
  cost: 2,
  chance: 0.8,
  after: ["fill-rates.calculation", "fill-rates.shape"],
  needs: "two stores with fill rates over and under their expectations",
  observe: async function* observe(tools) {
    let areAllKnown = false;
    for await (const store of ratedOneByOne(tools)) {
      const base = await store.groups();
      if (base.rates.length === 0) continue;
      const kept = await store.groups(BELOW);
      if (!isOk(kept.exchange)) continue;
      const types = new Set(kept.rates.map(({ type }) => type));
      if (types.size < base.rates.length) yield belowOfStore(base, kept, types);
      if (!areAllKnown) yield await belowOfAll(tools, store.scale);
      areAllKnown = true;
      if (types.size < base.rates.length) continue;
      const { exchange, rows } = await store.expectations();
      yield belowOfStore(base, kept, types, { exchange, rows });
    }
    throw new Missing("two stores with fill rates over and under their expectations");
  },
  readings: {
    groups: (observed) => (observed.of === "store" ? observed.metAndKept === 0 : observed.changed === 0),
    stores: (observed) =>
      observed.of === "stores" ||
      observed.kept === 0 ||
      (observed.kept === observed.all && observed.met < observed.all),
    ignored: (observed) =>
      observed.of === "store"
        ? observed.kept === observed.all
        : observed.changed === 0 && observed.dropped === 0,
  },
});

/** Without expectations no group meets its expectations. */
function belowOfStore(
  base: { exchange: Exchange; rates: readonly TypeRate[] },
  kept: { exchange: Exchange },
  types: ReadonlySet<string>,
  expected?: { exchange: Exchange; rows: readonly JsonObject[] },
): ExperimentResult<BelowObserved> {
  const met = base.rates.filter((one) => expected !== undefined && isSurelyMet(expected.rows, one));
  const all = base.rates.length;
  const metAndKept = met.filter(({ type }) => types.has(type)).length;
  const observed = { of: "store", all, kept: types.size, met: met.length, metAndKept } as const;
  const ending = expected === undefined ? "" : `; ${met.length} groups meet every expectation`;
  const reason = `belowExpectationOnly keeps ${types.size} of ${all} groups of a store${ending}.`;
  const exchanges = [base.exchange, kept.exchange, ...(expected === undefined ? [] : [expected.exchange])];
  const isPart = types.size > 0 && types.size < all;
  return isPart
    ? conclusiveResult(observed, reason, ...exchanges)
    : tentativeResult(observed, reason, ...exchanges);
}

/** Yields groups of several stores: their rates change only if stores are left out. */
async function belowOfAll(
  tools: ExperimentTools,
  scale: string,
): Promise<ExperimentResult<BelowObserved> | undefined> {
  const query = { groupBy: "expositionType" };
  const base = await fillRates(tools, query);
  const kept = await fillRates(tools, { ...query, ...BELOW });
  if (!isOk(base) || !isOk(kept)) return undefined;
  const rates = new Map(typeRates(kept, scale).map(({ type, rate }) => [type, rate]));
  const all = typeRates(base, scale);
  const changed = all.filter(({ type, rate }) => (rates.get(type) ?? rate) !== rate).length;
  const observed = {
    of: "stores",
    dropped: all.filter(({ type }) => !rates.has(type)).length,
    changed,
  } as const;
  const reason = `belowExpectationOnly drops ${observed.dropped} of ${all.length} groups of several stores and changes ${changed}.`;
  return tentativeResult(observed, reason, base, kept);
}

export const nullCategory = experiment({
  gap: "expectations.null-category",
  consent: "read",
  cost: 3,
  chance: 0.5,
  after: ["fill-rates.below-expectation"],
  needs: "a type of exposition whose only expectations have no category and are not met",
  observe: async function* observe(tools) {
    if (tools.reading("fill-rates.below-expectation") !== "groups")
      throw new Missing("belowExpectationOnly that keeps groups");
    for await (const store of ratedOneByOne(tools)) {
      const { exchange, rows } = await store.expectations();
      const base = await store.groups();
      const informative = base.rates.filter((one) => isNullOnly(rows, one));
      if (informative.length === 0) continue;
      const kept = await store.groups(BELOW);
      for (const { type } of informative) {
        const isKept = kept.rates.some((one) => one.type === type);
        const reason = `A group under all its expectations, which have no category, ${isKept ? "counts" : "does not count"} as below.`;
        const source = `${store.externalId} ${type}`;
        yield { ...tentativeResult(isKept, reason, exchange, base.exchange, kept.exchange), source };
      }
    }
    throw new Missing("a type of exposition whose only expectations have no category and are not met");
  },
  readings: { "whole-display": (isKept) => isKept, "no-meaning": (isKept) => !isKept },
});

/** Whether a rate is below every expectation of its type, all without a category and one for each day. */
function isNullOnly(rows: readonly JsonObject[], { type, rate }: TypeRate): boolean {
  const own = rows.filter(({ displayType }) => displayType === type);
  const days = new Set(own.map(({ weekday }) => weekday));
  const isNull = own.every(({ productCategory }) => (productCategory ?? null) === null);
  return isNull && days.size === 7 && ratiosOf(rows, type).every((ratio) => rate < ratio);
}

/** Whether a rate is below the expectation of a weekday; `undefined` if the expectations of this day differ. */
function isBelowOn(
  rows: readonly JsonObject[],
  { type, rate }: TypeRate,
  weekday: number,
): boolean | undefined {
  const own = rows.filter((row) => row.displayType === type && row.weekday === weekday);
  const withCategory = own.filter(({ productCategory }) => (productCategory ?? null) !== null);
  if (withCategory.length === 0 || withCategory.length < own.length) return undefined;
  const below = own.filter(({ expectedFillRatio }) => rate < Number(expectedFillRatio)).length;
  if (below === 0) return false;
  return below === own.length ? true : undefined;
}

/** Whether a range is within one day in every time zone: gap time-zones.meaning. */
async function isOneDay(store: RatedStore, { day, from, to }: Day): Promise<boolean> {
  const days = await daysOf(store, { from, to });
  return days.length === 1 && days[0]?.day === day;
}

export const firstWeekday = experiment({
  gap: "weekdays.first",
  consent: "read",
  cost: 4,
  after: ["fill-rates.below-expectation"],
  needs: "fill rates on days whose expectations differ from those of the next day",
  observe: async function* observe(tools) {
    if (tools.reading("fill-rates.below-expectation") !== "groups")
      throw new Missing("belowExpectationOnly that keeps groups");
    for await (const store of ratedOneByOne(tools)) {
      const { exchange, rows } = await store.expectations();
      if (rows.length === 0) continue;
      for (const { day, from, to } of await daysOf(store)) {
        const sunday = new Date(from).getUTCDay();
        const base = await store.groups({ from, to });
        const informative = base.rates.flatMap((one) => {
          const ofSunday = isBelowOn(rows, one, sunday);
          const ofMonday = isBelowOn(rows, one, (sunday + 6) % 7);
          const tells = ofSunday !== undefined && ofMonday !== undefined && ofSunday !== ofMonday;
          return tells ? [{ type: one.type, ofMonday }] : [];
        });
        if (informative.length === 0 || !(await isOneDay(store, { day, from, to }))) continue;
        const kept = await store.groups({ from, to, ...BELOW });
        for (const { type, ofMonday } of informative) {
          const isMonday = kept.rates.some((one) => one.type === type) === ofMonday;
          const reason = `On ${day} a group was compared with the expectation of weekday ${isMonday ? (sunday + 6) % 7 : sunday}.`;
          const source = `${store.externalId} ${day} ${type}`;
          yield { ...tentativeResult(isMonday, reason, exchange, base.exchange, kept.exchange), source };
        }
      }
    }
    throw new Missing("fill rates on days whose expectations differ from those of the next day");
  },
  readings: { monday: (isMonday) => isMonday, sunday: (isMonday) => !isMonday },
});
