import type { CrossStoreGroupBy, FillRateGroupBy, JsonObject } from "../../../generated/store.ts";
import type { MockReadings } from "../readings.ts";
import { type Fact, mean } from "./fill-rate-facts.ts";

/** What a group can stand for. */
export type GroupBy = FillRateGroupBy | CrossStoreGroupBy;

/** The photos of one group. */
export interface Group {
  readonly key: string | null;
  readonly facts: Fact[];
}

/** The keys that a photo falls under; one of several categories counts in each of them. */
const KEYS: Record<GroupBy, (fact: Fact) => readonly (string | null)[]> = {
  protocol: ({ protocol }) => [protocol.protocolId],
  exposition: ({ expositionId }) => (expositionId === null ? [] : [expositionId]),
  category: ({ exposition }) => exposition?.productCategories ?? [],
  store: ({ store }) => [store.externalId],
  region: ({ store }) => [store.regionId],
  expositionType: ({ exposition }) => (exposition === undefined ? [] : [exposition.expositionType]),
  productCategory: ({ exposition }) => exposition?.productCategories ?? [],
  day: ({ time }) => [dateOf(time)],
  week: ({ time }) => [dateOf(time - ((new Date(time).getUTCDay() + 6) % 7) * 86_400_000)],
};

/** The member that holds a group's key. */
const MEMBERS: Record<GroupBy, string> = {
  protocol: "protocolId",
  exposition: "expositionId",
  category: "category",
  store: "externalId",
  region: "regionId",
  expositionType: "expositionType",
  productCategory: "productCategory",
  day: "day",
  week: "week",
};

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Photos by what they are grouped by, in order of the keys. */
export function grouped(facts: readonly Fact[], groupBy: GroupBy): Group[] {
  const groups = new Map<string | null, Fact[]>();
  for (const fact of facts) {
    for (const key of KEYS[groupBy](fact)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [fact]);
      else group.push(fact);
    }
  }
  const found = [...groups].map(([key, members]) => ({ key, facts: members }));
  return found.toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
}

/** Groups without a key come last. */
function sortKey({ key }: Group): string {
  return key ?? "\uffff";
}

/** The fill rate of a group: the arithmetic mean of its photos, 0 to 100. */
export function rateOf({ facts }: Group): number {
  return mean(facts.map(({ rate }) => rate));
}

/** Whether the photos of a group hold less than is expected of those that somebody expects something of. */
export function isBelow(group: Group): boolean {
  const expected = group.facts.flatMap((fact) => fact.expected ?? []);
  return expected.length > 0 && rateOf(group) < mean(expected);
}

/** gap fill-rates.calculation */
export function groupBody(group: Group, groupBy: GroupBy, readings: MockReadings): JsonObject {
  const percent = rateOf(group);
  const fillRate =
    readings["fill-rates.calculation"] === "percent" ? rounded(percent, 2) : rounded(percent / 100, 4);
  return { [MEMBERS[groupBy]]: group.key, fillRate, photoCount: group.facts.length };
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
