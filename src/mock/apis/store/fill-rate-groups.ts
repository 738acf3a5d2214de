import type { CrossStoreGroupBy, FillRateGroupBy, JsonObject } from "../../../../generated/store.ts";
import type { MockReadings } from "../../server/readings.ts";
import type { Fact } from "./fill-rate-facts.ts";
import { localTime, mondayOf } from "./time-range.ts";

/** The properties that photos can be grouped by. */
export type GroupBy = FillRateGroupBy | CrossStoreGroupBy;

/** The sums over the photos of one group. */
export interface Group {
  readonly key: string | null;
  photos: number;
  rates: number;
  /** The number of photos with an expectation, and the sum of the expectations. */
  expecting: number;
  expected: number;
}

/** The property with the key of a group, and the keys of a photo: one with several categories is in each of their groups. */
const GROUPS: Record<GroupBy, readonly [property: string, keys: KeysOf]> = {
  protocol: ["protocolId", ({ protocol }) => [protocol.protocolId]],
  exposition: ["expositionId", ({ expositionId }) => (expositionId === null ? [] : [expositionId])],
  category: ["category", categoriesOf],
  store: ["externalId", ({ store }) => [store.externalId]],
  region: ["regionId", ({ store }) => [store.regionId]],
  expositionType: ["expositionType", ({ exposition }) => (exposition ? [exposition.expositionType] : [])],
  productCategory: ["productCategory", categoriesOf],
  day: ["day", ({ time }, readings) => [localTime(time, readings).date]],
  week: ["week", ({ time }, readings) => [mondayOf(localTime(time, readings))]],
};

type KeysOf = (fact: Fact, readings: MockReadings) => readonly (string | null)[];

function categoriesOf({ exposition }: Fact): readonly string[] {
  return exposition?.productCategories ?? [];
}

export class Groups {
  readonly #groups = new Map<string | null, Group>();
  readonly #groupBy: GroupBy;
  readonly #readings: MockReadings;

  constructor(groupBy: GroupBy, readings: MockReadings) {
    this.#groupBy = groupBy;
    this.#readings = readings;
  }

  add(facts: readonly Fact[]): void {
    for (const fact of facts) {
      for (const key of GROUPS[this.#groupBy][1](fact, this.#readings)) {
        const group = this.#groups.get(key) ?? { key, photos: 0, rates: 0, expecting: 0, expected: 0 };
        this.#groups.set(key, group);
        count(group, fact);
      }
    }
  }

  /** Returns the groups in the order of their keys. */
  sorted(): Group[] {
    return [...this.#groups.values()].toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  }
}

/** Groups photos, in the order of the keys. */
export function groupFacts(facts: readonly Fact[], groupBy: GroupBy, readings: MockReadings): Group[] {
  const groups = new Groups(groupBy, readings);
  groups.add(facts);
  return groups.sorted();
}

function count(group: Group, { rate, expected }: Fact): void {
  if (rate === null) return;
  group.photos += 1;
  group.rates += rate;
  if (expected === undefined) return;
  group.expecting += 1;
  group.expected += expected;
}

/** Compares groups by key; groups without a key are last. */
function sortKey({ key }: Group): string {
  return key ?? "\uffff";
}

/**
 * Returns the fill rate of a group: the arithmetic mean of its photos, 0 to 100; null or 0 without photos. gap
 * fill-rates.empty-groups
 */
export function rateOf({ rates, photos }: Group, readings: MockReadings): number | null {
  if (photos > 0) return round(meanOf(rates, photos), 2);
  return readings["fill-rates.empty-groups"] === "null-rate" ? null : 0;
}

export function isBelow(group: Group): boolean {
  return group.expecting > 0 && meanOf(group.rates, group.photos) < meanOf(group.expected, group.expecting);
}

/** gap fill-rates.calculation */
export function groupBody(group: Group, groupBy: GroupBy, readings: MockReadings): JsonObject {
  const percent = rateOf(group, readings);
  const isPercent = readings["fill-rates.calculation"] === "percent";
  const fillRate = percent === null || isPercent ? percent : round(percent / 100, 4);
  return { [GROUPS[groupBy][0]]: group.key, fillRate, photoCount: group.photos };
}

/** The order of the photos must not decide, which changes the last digits of a sum. */
function meanOf(sum: number, parts: number): number {
  return round(sum / parts, 9);
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
