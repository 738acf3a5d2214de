import type { Exchange } from "../../exchange.ts";
import { type ExperimentResult, experiment, conclusiveResult, tentativeResult } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import type { ExperimentTools } from "../../experiment-tools.ts";
import { fillRates } from "./data.ts";
import { type Rate, type RatedStore, daysOf, labelledRates, ratedOneByOne } from "./rate-groups.ts";

const NEEDS = "groups with different fill rates that are not rounded";

/** The number of excluded groups whose rate equals a bound that rules out rounding as the reason. */
const MAX_ROUNDED = 2;

/** The number of days of a store that are examined. */
const MAX_DAYS = 3;

/** A set of groups that can be requested with bounds. */
interface RateList {
  readonly exchange: Exchange;
  readonly rates: readonly Rate[];
  readonly within: (low: number, high: number) => Promise<{ exchange: Exchange; labels: Set<string> }>;
}

type SendQuery = (query: Readonly<Record<string, string>>) => Promise<Exchange>;

async function rateList(sendQuery: SendQuery, scale: string): Promise<RateList> {
  const exchange = await sendQuery({});
  return {
    exchange,
    rates: labelledRates(exchange, scale),
    within: async (low, high) => {
      const narrowed = await sendQuery({ minFillRate: String(low), maxFillRate: String(high) });
      return {
        exchange: narrowed,
        labels: new Set(labelledRates(narrowed, scale).map(({ label }) => label)),
      };
    },
  };
}

/** Yields the groups that other experiments read, then groups of few photos, whose rates are rounded least. */
async function* rateLists(tools: ExperimentTools): AsyncGenerator<RateList, void> {
  let isFirst = true;
  for await (const store of ratedOneByOne(tools)) {
    if (isFirst) yield rateList((query) => fillRates(tools, query), store.scale);
    isFirst = false;
    yield rateList((query) => groupsOf(store, query), store.scale);
    for (const { from, to } of (await daysOf(store)).slice(0, MAX_DAYS))
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
interface BoundsObserved {
  /** The number of groups whose rate is a bound, and the number of those that remain. */
  readonly ends: number;
  readonly included: number;
  /** The number of groups outside the bounds, and the number of those that remain. */
  readonly outside: number;
  readonly outsideIncluded: number;
  /** The number of groups with exact rates that were excluded so far. */
  readonly left: number;
}

/** Requests the groups between the rates of two groups. With equal bounds no other reading keeps a group. */
async function between(
  { exchange, rates, within }: RateList,
  low: Rate,
  high: Rate,
  left: number,
): Promise<ExperimentResult<BoundsObserved> | undefined> {
  const ends = low === high ? [low] : [low, high];
  const outside = rates.filter(({ rate }) => rate < low.rate - 1 || rate > high.rate + 1);
  if (outside.length === 0) return undefined;
  const narrowed = await within(low.rate, high.rate);
  const isIncluded = ({ label }: Rate): boolean => narrowed.labels.has(label);
  const exact = ends.filter((end) => isExact(end) && !isIncluded(end)).length;
  const observed = {
    ends: ends.length,
    included: ends.filter(isIncluded).length,
    outside: outside.length,
    outsideIncluded: outside.filter(isIncluded).length,
    left: left + exact,
  };
  const where = low === high ? "the rate of a group" : "the rates of two groups";
  const reason = `With bounds at ${where}, ${observed.included} of ${observed.ends} at the bounds and ${observed.outsideIncluded} of ${observed.outside} others stay.`;
  // a group whose rate is rounded may be between different bounds
  if (low !== high && observed.included > 0) return undefined;
  if (observed.included > 0) return conclusiveResult(observed, reason, exchange, narrowed.exchange);
  return { ...tentativeResult(observed, reason, exchange, narrowed.exchange), source: "fill-rates.bounds" };
}

export const bounds = experiment<"fill-rates.bounds", BoundsObserved>({
  gap: "fill-rates.bounds",
  consent: "read",
  cost: 1,
  after: ["fill-rates.calculation", "fill-rates.shape"],
  needs: NEEDS,
  observe: async function* observe(tools) {
    let left = 0;
    for await (const list of rateLists(tools)) {
      const exact = list.rates.filter(isExact).toSorted((a, b) => a.rate - b.rate);
      const [one = left === 0 ? list.rates[0] : undefined, ...others] = exact;
      if (one === undefined) continue;
      const first = await between(list, one, one, left);
      yield first;
      left = first?.observed.left ?? left;
      const [low, high] = [others[0], others.at(-1)];
      const second = low && high && left > 0 ? await between(list, low, high, left) : undefined;
      yield second;
      left = second?.observed.left ?? left;
      if (left > MAX_ROUNDED) return;
    }
    throw new Missing(NEEDS);
  },
  readings: {
    // a group may be excluded because its rate is rounded
    inclusive: ({ included, outsideIncluded, left }) =>
      outsideIncluded === 0 && (included > 0 || left <= MAX_ROUNDED),
    exclusive: ({ included, outsideIncluded }) => outsideIncluded === 0 && included === 0,
    ignored: ({ ends, included, outside, outsideIncluded }) =>
      included === ends && outsideIncluded === outside,
  },
});
