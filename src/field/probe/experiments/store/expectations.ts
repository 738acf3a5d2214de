import { control, isShown, succeeds } from "../../controls.ts";
import { type Exchange, isOk } from "../../exchange.ts";
import { type ExperimentResult, experiment, observation } from "../../experiment.ts";
import type { ExperimentTools } from "../../experiment-tools.ts";
import { Missing } from "../../failures.ts";
import type { JsonObject } from "../../../../wire/json.ts";
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

/** Whether the groups that a flag keeps have the rates that they had without it. */
function haveRates(base: readonly TypeRate[], kept: readonly TypeRate[]): boolean {
  const rates = new Map(base.map(({ type, rate }) => [type, rate]));
  return kept.every(({ type, rate }) => rates.get(type) === rate);
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
  // fill-rates.false-flag needs the same requests
  cost: 3,
  chance: 0.8,
  after: ["fill-rates.calculation", "fill-rates.shape"],
  needs: "two stores with fill rates over and under their expectations",
  assumes:
    "A group that meets the expectations of its type for every day, time and category is not below them.",
  observe: async function* observe(tools) {
    const scale = tools.premise("fill-rates.calculation");
    if (scale !== undefined) yield await belowOfAll(tools, scale);
    for await (const store of ratedOneByOne(tools)) {
      const base = await store.groups();
      yield undefined;
      if (base.rates.length === 0) continue;
      const kept = await store.ask(BELOW);
      if (!isOk(kept.exchange)) continue;
      const types = new Set(kept.rates.map(({ type }) => type));
      if (types.size < base.rates.length) {
        yield belowOfStore(store, base, kept);
        continue;
      }
      const { exchange, rows } = await store.expectations();
      yield belowOfStore(store, base, kept, { exchange, rows });
    }
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
  store: RatedStore,
  base: { exchange: Exchange; rates: readonly TypeRate[] },
  kept: { exchange: Exchange; rates: readonly TypeRate[] },
  expected?: { exchange: Exchange; rows: readonly JsonObject[] },
): ExperimentResult<BelowObserved> {
  const types = new Set(kept.rates.map(({ type }) => type));
  const met = base.rates.filter((group) => expected !== undefined && isSurelyMet(expected.rows, group));
  const all = base.rates.length;
  const metAndKept = met.filter(({ type }) => types.has(type)).length;
  const observed = { of: "store", all, kept: types.size, met: met.length, metAndKept } as const;
  const ending = expected === undefined ? "" : `; ${met.length} groups meet every expectation`;
  const reason = `belowExpectationOnly keeps ${types.size} of ${all} groups of a store${ending}.`;
  const isSame = control("the kept groups have the same rates", haveRates(base.rates, kept.rates));
  const exchanges = [base.exchange, ...(expected === undefined ? [] : [expected.exchange]), kept.exchange];
  return observation(store.externalId, observed, reason, [succeeds(base.exchange), isSame], ...exchanges);
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
  const dropped = all.filter(({ type }) => !rates.has(type)).length;
  const observed = { of: "stores", dropped, changed } as const;
  const reason = `belowExpectationOnly drops ${dropped} of ${all.length} groups of several stores and changes ${changed}.`;
  const again = changed === 0 ? base : await fillRates(tools, query, { fresh: true });
  const isSame = control("the rates stay the same", haveRates(all, typeRates(again, scale)));
  return observation("several stores", observed, reason, [isSame], base, again, kept);
}

export const nullCategory = experiment({
  gap: "expectations.null-category",
  cost: 2,
  chance: 0.1,
  after: ["fill-rates.below-expectation"],
  needs: "a type of exposition whose only expectations have no category and are not met",
  assumes: "A group under all expectations of its type for each day of the week is below one that applies.",
  observe: async function* observe(tools) {
    if (tools.premise("fill-rates.below-expectation") !== "groups")
      throw new Missing("belowExpectationOnly that keeps groups");
    for await (const store of ratedOneByOne(tools)) {
      const { exchange, rows } = await store.expectations();
      const base = await store.groups();
      const informative = base.rates.filter((group) => isNullOnly(rows, group));
      yield undefined;
      if (informative.length === 0) continue;
      const kept = await store.ask(BELOW);
      for (const { type } of informative) {
        const isKept = kept.rates.some((group) => group.type === type);
        const reason = `A group under all its expectations, which have no category, ${isKept ? "counts" : "does not count"} as below.`;
        const isPositive = control("another group of the store is kept", isKept || kept.rates.length > 0);
        const isSame = control("the kept groups have the same rates", haveRates(base.rates, kept.rates));
        const evidence = [exchange, base.exchange, kept.exchange];
        yield observation(store.externalId, isKept, reason, [isPositive, isSame], ...evidence);
      }
    }
  },
  readings: { "whole-display": true, "no-meaning": false },
});

/** Whether a rate is below every expectation of its type, all without a category and one for each day. */
function isNullOnly(rows: readonly JsonObject[], { type, rate }: TypeRate): boolean {
  const own = rows.filter(({ displayType }) => displayType === type);
  const days = new Set(own.map(({ weekday }) => weekday));
  const isNull = own.every(({ productCategory }) => (productCategory ?? null) === null);
  return isNull && days.size === 7 && ratiosOf(rows, type).every((ratio) => rate < ratio);
}

/** Whether a rate is below some, or none, of the expectations of a weekday, at any time and for any category. */
function isBelowOn(rows: readonly JsonObject[], { type, rate }: TypeRate, weekday: number): boolean {
  const own = rows.filter((row) => row.displayType === type && row.weekday === weekday);
  return own.some(({ expectedFillRatio }) => rate < Number(expectedFillRatio));
}

/** Whether a range is within one day in every time zone: gap time-zones.meaning. */
async function isOneDay(store: RatedStore, { day, from, to }: Day): Promise<boolean> {
  const days = await daysOf(store, { from, to });
  return days.length === 1 && days[0]?.day === day;
}

export const firstWeekday = experiment({
  gap: "weekdays.first",
  cost: 4,
  chance: 0.3,
  after: ["fill-rates.below-expectation"],
  needs: "fill rates on days whose expectations differ from those of the next day",
  assumes: "A group is below only if an expectation of its type and day is above its rate.",
  // no response shows the weekday of an opening time
  parts: ["opening times"],
  observe: async function* observe(tools) {
    if (tools.premise("fill-rates.below-expectation") !== "groups")
      throw new Missing("belowExpectationOnly that keeps groups");
    for await (const store of ratedOneByOne(tools)) {
      const { exchange, rows } = await store.expectations();
      if (rows.length === 0) continue;
      for (const { day, from, to } of await daysOf(store)) {
        const sunday = new Date(from).getUTCDay();
        const monday = (sunday + 6) % 7;
        const base = await store.groups({ from, to });
        // a group that is kept is below: under the other numbering nothing would be above its rate
        const informative = base.rates.filter(
          (group) => isBelowOn(rows, group, sunday) !== isBelowOn(rows, group, monday),
        );
        yield undefined;
        if (informative.length === 0 || !(await isOneDay(store, { day, from, to }))) continue;
        const kept = await store.ask({ from, to, ...BELOW });
        const below = informative.filter(({ type }) => kept.rates.some((group) => group.type === type));
        for (const group of below) {
          const isMonday = isBelowOn(rows, group, monday);
          const reason = `On ${day} a group was below the expectation of weekday ${isMonday ? monday : sunday}.`;
          const isSame = control("the kept groups have the same rates", haveRates(base.rates, kept.rates));
          const controls = [isShown(kept.exchange), isSame] as const;
          const evidence = [exchange, base.exchange, kept.exchange];
          yield observation("expectations", isMonday, reason, controls, ...evidence);
        }
      }
    }
  },
  readings: { monday: true, sunday: false },
});
