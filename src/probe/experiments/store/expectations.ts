import { isOk, rowsOf } from "../../exchange.ts";
import { experiment, proof, sighting } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import type { JsonObject } from "../../json.ts";
import { type RatedStore, type TypeRate, daysOf, ratedOneByOne } from "./rate-groups.ts";

const BELOW = { belowExpectationOnly: "true" } as const;

/** Whether two rates are equal, apart from rounding of floating-point numbers. */
function isExact({ rate }: TypeRate): boolean {
  return rate > 0 && rate < 100 && Number.isInteger(rate * 4);
}

/** Yields the groups of a store: first the whole store, then groups of few photos, whose rates are rounded least. */
async function* groupsOf(store: RatedStore) {
  yield { range: {}, ...(await store.groups()) };
  for (const { from, to } of (await daysOf(store)).slice(0, 3)) {
    const range = { from, to };
    yield { range, ...(await store.groups(range)) };
  }
}

export const bounds = experiment({
  gap: "fill-rates.bounds",
  consent: "read",
  cost: 3,
  after: ["fill-rates.calculation", "fill-rates.shape"],
  needs: "groups with different fill rates that are not rounded",
  observe: async function* observe(lab) {
    let excluded = 0;
    for await (const store of ratedOneByOne(lab)) {
      for await (const { range, exchange, rates } of groupsOf(store)) {
        const one = rates.find(isExact) ?? (excluded === 0 ? rates[0] : undefined);
        const far = rates.filter(({ rate }) => Math.abs(rate - (one?.rate ?? rate)) > 1);
        if (one === undefined || far.length === 0) continue;
        const bound = { minFillRate: String(one.rate), maxFillRate: String(one.rate) };
        const narrowed = await store.groups({ ...range, ...bound });
        const types = new Set(narrowed.rates.map(({ type }) => type));
        const seen = {
          isIn: types.has(one.type),
          others: far.filter(({ type }) => types.has(type)).length,
          all: far.length,
          isTelling: isExact(one) && excluded > 1,
        };
        const because = `With both bounds at the rate of a group, the group ${seen.isIn ? "stays" : "goes"} and ${seen.others} of ${seen.all} others stay.`;
        if (seen.isIn) yield proof(seen, because, exchange, narrowed.exchange);
        else yield { ...sighting(seen, because, exchange, narrowed.exchange), source: "fill-rates.bounds" };
        excluded += isExact(one) ? 1 : 0;
        if (excluded > 2) return;
      }
    }
    throw new Missing("groups with different fill rates that are not rounded");
  },
  readings: {
    // one group may be missing because its rate is rounded
    inclusive: ({ isIn, others, isTelling }) => others === 0 && (isIn || !isTelling),
    exclusive: ({ isIn, others }) => others === 0 && !isIn,
    ignored: ({ isIn, others, all }) => isIn && others === all,
  },
});

/** Returns the ratios that a store expects of a type, for any day, time and category. */
function ratiosOf(rows: readonly JsonObject[], type: string): number[] {
  return rows.filter(({ displayType }) => displayType === type).map((row) => Number(row.expectedFillRatio));
}

/** Whether a rate meets every possible expectation. */
function isSurelyMet(rows: readonly JsonObject[], { type, rate }: TypeRate): boolean {
  return ratiosOf(rows, type).every((ratio) => rate >= ratio);
}

export const belowExpectation = experiment({
  gap: "fill-rates.below-expectation",
  consent: "read",
  cost: 3,
  after: ["fill-rates.calculation", "fill-rates.shape"],
  needs: "two stores with fill rates over and under their expectations",
  observe: async function* observe(lab) {
    for await (const store of ratedOneByOne(lab)) {
      const base = await store.groups();
      if (base.rates.length === 0) continue;
      const kept = await store.groups(BELOW);
      if (!isOk(kept.exchange)) continue;
      const types = new Set(kept.rates.map(({ type }) => type));
      const isPart = types.size > 0 && types.size < base.rates.length;
      const expected = isPart ? kept : await store.expectations();
      const rows = isPart ? undefined : rowsOf(expected.exchange);
      const met = base.rates.filter((one) => rows !== undefined && isSurelyMet(rows, one));
      const seen = {
        all: base.rates.length,
        kept: types.size,
        met: met.length,
        metAndKept: met.filter(({ type }) => types.has(type)).length,
      };
      const because = `belowExpectationOnly keeps ${seen.kept} of ${seen.all} groups of a store; ${seen.met} groups meet every expectation.`;
      const all = [base.exchange, kept.exchange, expected.exchange];
      yield isPart ? proof(seen, because, ...all) : sighting(seen, because, ...all);
    }
    throw new Missing("two stores with fill rates over and under their expectations");
  },
  readings: {
    groups: ({ metAndKept }) => metAndKept === 0,
    stores: ({ all, kept, met }) => kept === 0 || (kept === all && met < all),
    ignored: ({ all, kept }) => kept === all,
  },
});

export const nullCategory = experiment({
  gap: "expectations.null-category",
  consent: "read",
  cost: 4,
  after: ["fill-rates.below-expectation"],
  needs: "a type of exposition whose only expectations have no category and are not met",
  observe: async function* observe(lab) {
    if (lab.reading("fill-rates.below-expectation") !== "groups")
      throw new Missing("belowExpectationOnly that keeps groups");
    for await (const store of ratedOneByOne(lab)) {
      const { exchange, rows } = await store.expectations();
      const base = await store.groups();
      const telling = base.rates.filter((one) => isNullOnly(rows, one));
      if (telling.length === 0) continue;
      const kept = await store.groups(BELOW);
      for (const { type } of telling) {
        const isKept = kept.rates.some((one) => one.type === type);
        const because = `A group under all its expectations, which have no category, ${isKept ? "counts" : "does not count"} as below.`;
        const source = `${store.externalId} ${type}`;
        yield { ...sighting(isKept, because, exchange, base.exchange, kept.exchange), source };
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

export const firstWeekday = experiment({
  gap: "weekdays.first",
  consent: "read",
  cost: 6,
  after: ["fill-rates.below-expectation"],
  needs: "fill rates on days whose expectations differ from those of the next day",
  observe: async function* observe(lab) {
    if (lab.reading("fill-rates.below-expectation") !== "groups")
      throw new Missing("belowExpectationOnly that keeps groups");
    for await (const store of ratedOneByOne(lab)) {
      const { exchange, rows } = await store.expectations();
      if (rows.length === 0) continue;
      for (const { day, from, to } of await daysOf(store)) {
        const sunday = new Date(from).getUTCDay();
        const base = await store.groups({ from, to });
        const telling = base.rates.flatMap((one) => {
          const ofSunday = isBelowOn(rows, one, sunday);
          const ofMonday = isBelowOn(rows, one, (sunday + 6) % 7);
          const tells = ofSunday !== undefined && ofMonday !== undefined && ofSunday !== ofMonday;
          return tells ? [{ type: one.type, ofMonday }] : [];
        });
        if (telling.length === 0) continue;
        const kept = await store.groups({ from, to, ...BELOW });
        for (const { type, ofMonday } of telling) {
          const isMonday = kept.rates.some((one) => one.type === type) === ofMonday;
          const because = `On ${day} a group was compared with the expectation of weekday ${isMonday ? (sunday + 6) % 7 : sunday}.`;
          const source = `${store.externalId} ${day} ${type}`;
          yield { ...sighting(isMonday, because, exchange, base.exchange, kept.exchange), source };
        }
      }
    }
    throw new Missing("fill rates on days whose expectations differ from those of the next day");
  },
  readings: { monday: (isMonday) => isMonday, sunday: (isMonday) => !isMonday },
});
