import type { Exchange } from "../../exchange.ts";
import { type Sighting, experiment, proof, sighting } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import type { Lab } from "../../lab.ts";
import { fillRates } from "./data.ts";
import { type Rate, type RatedStore, daysOf, labelledRates, ratedOneByOne } from "./rate-groups.ts";

const NEEDS = "groups with different fill rates that are not rounded";

/** The number of excluded groups whose rate equals a bound that rules out rounding as the reason. */
const MOST_ROUNDED = 2;

/** The number of days of a store that are examined. */
const MOST_DAYS = 3;

/** A set of groups that can be requested with bounds. */
interface RateList {
  readonly exchange: Exchange;
  readonly rates: readonly Rate[];
  readonly within: (low: number, high: number) => Promise<{ exchange: Exchange; labels: Set<string> }>;
}

type Ask = (query: Readonly<Record<string, string>>) => Promise<Exchange>;

async function rateList(ask: Ask, scale: string): Promise<RateList> {
  const exchange = await ask({});
  return {
    exchange,
    rates: labelledRates(exchange, scale),
    within: async (low, high) => {
      const narrowed = await ask({ minFillRate: String(low), maxFillRate: String(high) });
      return {
        exchange: narrowed,
        labels: new Set(labelledRates(narrowed, scale).map(({ label }) => label)),
      };
    },
  };
}

/** Yields the groups that other experiments read, then groups of few photos, whose rates are rounded least. */
async function* rateLists(lab: Lab): AsyncGenerator<RateList, void> {
  let isFirst = true;
  for await (const store of ratedOneByOne(lab)) {
    if (isFirst) yield rateList((query) => fillRates(lab, query), store.scale);
    isFirst = false;
    yield rateList((query) => groupsOf(store, query), store.scale);
    for (const { from, to } of (await daysOf(store)).slice(0, MOST_DAYS))
      yield rateList((query) => groupsOf(store, { from, to, ...query }), store.scale);
  }
}

async function groupsOf(store: RatedStore, query: Readonly<Record<string, string>>): Promise<Exchange> {
  return (await store.groups(query)).exchange;
}

/** Whether two rates are equal, apart from rounding of floating-point numbers. */
function isExact({ rate }: Rate): boolean {
  return rate > 0 && rate <= 100 && Number.isInteger(rate * 4);
}

/** The groups that bounds at their rates keep. */
interface BoundsSeen {
  /** The number of groups whose rate is a bound, and the number of those that remain. */
  readonly ends: number;
  readonly staying: number;
  /** The number of groups outside the bounds, and the number of those that remain. */
  readonly outside: number;
  readonly outsideStaying: number;
  /** The number of groups with exact rates that were excluded so far. */
  readonly left: number;
}

/** Requests the groups between the rates of two groups. With equal bounds no other reading keeps a group. */
async function between(
  { exchange, rates, within }: RateList,
  low: Rate,
  high: Rate,
  left: number,
): Promise<Sighting<BoundsSeen> | undefined> {
  const ends = low === high ? [low] : [low, high];
  const outside = rates.filter(({ rate }) => rate < low.rate - 1 || rate > high.rate + 1);
  if (outside.length === 0) return undefined;
  const narrowed = await within(low.rate, high.rate);
  const stay = ({ label }: Rate): boolean => narrowed.labels.has(label);
  const exact = ends.filter((end) => isExact(end) && !stay(end)).length;
  const seen = {
    ends: ends.length,
    staying: ends.filter(stay).length,
    outside: outside.length,
    outsideStaying: outside.filter(stay).length,
    left: left + exact,
  };
  const where = low === high ? "the rate of a group" : "the rates of two groups";
  const because = `With bounds at ${where}, ${seen.staying} of ${seen.ends} at the bounds and ${seen.outsideStaying} of ${seen.outside} others stay.`;
  // a group whose rate is rounded may be between different bounds
  if (low !== high && seen.staying > 0) return undefined;
  if (seen.staying > 0) return proof(seen, because, exchange, narrowed.exchange);
  return { ...sighting(seen, because, exchange, narrowed.exchange), source: "fill-rates.bounds" };
}

export const bounds = experiment<"fill-rates.bounds", BoundsSeen>({
  gap: "fill-rates.bounds",
  consent: "read",
  cost: 1,
  after: ["fill-rates.calculation", "fill-rates.shape"],
  needs: NEEDS,
  observe: async function* observe(lab) {
    let left = 0;
    for await (const list of rateLists(lab)) {
      const exact = list.rates.filter(isExact).toSorted((a, b) => a.rate - b.rate);
      const [one = left === 0 ? list.rates[0] : undefined, ...others] = exact;
      if (one === undefined) continue;
      const first = await between(list, one, one, left);
      yield first;
      left = first?.seen.left ?? left;
      const [low, high] = [others[0], others.at(-1)];
      const second = low && high && left > 0 ? await between(list, low, high, left) : undefined;
      yield second;
      left = second?.seen.left ?? left;
      if (left > MOST_ROUNDED) return;
    }
    throw new Missing(NEEDS);
  },
  readings: {
    // a group may be excluded because its rate is rounded
    inclusive: ({ staying, outsideStaying, left }) =>
      outsideStaying === 0 && (staying > 0 || left <= MOST_ROUNDED),
    exclusive: ({ staying, outsideStaying }) => outsideStaying === 0 && staying === 0,
    ignored: ({ ends, staying, outside, outsideStaying }) => staying === ends && outsideStaying === outside,
  },
});
