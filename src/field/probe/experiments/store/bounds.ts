import { control, succeeds } from "../../controls.ts";
import { type Exchange, isOk } from "../../exchange.ts";
import { type ExperimentResult, experiment, observation } from "../../experiment.ts";
import type { ExperimentTools } from "../../experiment-tools.ts";
import { type Rate, type RateQuery, daysOf, labelOf, labelledRates, ratedTogether } from "./rate-groups.ts";

/** The number of days of a store that are examined. */
const MAX_DAYS = 3;

/** Half the width of bounds that only a rate between them can be in, if it is not rounded. */
const WIDTH = 1e-7;

/** A set of groups that can be requested with bounds. */
interface RateList {
  readonly subject: string;
  readonly scale: string;
  readonly query: RateQuery;
  readonly ask: (query: RateQuery) => Promise<Exchange>;
}

/** Yields the groups of stores, and those of their days: groups of few photos have rates that are rounded least. */
async function* rateLists(tools: ExperimentTools): AsyncGenerator<RateList, void> {
  for await (const stores of ratedTogether(tools)) {
    const ask = async (query: RateQuery): Promise<Exchange> => (await stores.ask(query)).exchange;
    const list = (query: RateQuery): RateList => ({
      subject: `${stores.subject} ${String(query.from)}`,
      scale: stores.scale,
      query,
      ask,
    });
    yield list({});
    if (!("externalId" in stores)) continue;
    for (const { from, to } of (await daysOf(stores)).slice(0, MAX_DAYS)) yield list({ from, to });
  }
}

/** The groups that bounds at the rate of one of them keep. */
interface BoundsObserved {
  /** Whether equal bounds at its rate keep the group, and whether bounds close around it do. */
  readonly isKept: boolean;
  readonly isKeptBetween: boolean;
  /** The number of groups outside the bounds, and of those that remain. */
  readonly outside: number;
  readonly outsideKept: number;
}

/** Whether a rate has no rounding error as a floating-point number. */
function isExact({ rate }: Rate): boolean {
  return rate > 0 && rate < 100 && Number.isInteger(rate * 4);
}

async function boundsAt(
  tools: ExperimentTools,
  { subject, scale, query, ask }: RateList,
  base: Exchange,
  { label, rate }: Rate,
): Promise<ExperimentResult<BoundsObserved> | undefined> {
  const name = labelOf(base);
  const outside = labelledRates(base, scale, name).filter((other) => Math.abs(other.rate - rate) > 1);
  if (outside.length === 0) return undefined;
  const within = async (low: number, high: number): Promise<{ exchange: Exchange; labels: Set<string> }> => {
    const exchange = await ask({ ...query, minFillRate: String(low), maxFillRate: String(high) });
    return { exchange, labels: new Set(labelledRates(exchange, scale, name).map((one) => one.label)) };
  };
  const equal = await within(rate, rate);
  const between = await within(Number((rate - WIDTH).toFixed(7)), Number((rate + WIDTH).toFixed(7)));
  await tools.once("bounds", async () => between.exchange);
  const outsideKept = outside.filter((other) => equal.labels.has(other.label)).length;
  const observed = {
    isKept: equal.labels.has(label),
    isKeptBetween: between.labels.has(label),
    outside: outside.length,
    outsideKept,
  };
  const reason = `Bounds at the rate of a group ${observed.isKept ? "keep" : "drop"} it, and keep ${outsideKept} of ${outside.length} others.`;
  const isPositive = control("bounds around the rate keep the group", observed.isKeptBetween);
  const isAnswered = control("both requests succeed", isOk(equal.exchange) && isOk(between.exchange));
  const controls = [succeeds(base), isAnswered, isPositive] as const;
  return observation(subject, observed, reason, controls, base, between.exchange, equal.exchange);
}

export const bounds = experiment<"fill-rates.bounds", BoundsObserved>({
  gap: "fill-rates.bounds",
  // fill-rates.below-expectation sends one of the requests
  cost: 2.2,
  after: ["fill-rates.calculation", "fill-rates.shape"],
  needs: "groups with different fill rates that are not rounded",
  assumes: "The two bounds work in the same way, and a rate that is a multiple of 0.25 is not rounded.",
  observe: async function* observe(tools) {
    for await (const list of rateLists(tools)) {
      const base = await list.ask(list.query);
      const rate = labelledRates(base, list.scale, labelOf(base)).find(isExact);
      yield rate === undefined ? undefined : await boundsAt(tools, list, base, rate);
    }
  },
  readings: {
    inclusive: { isKept: true, outsideKept: 0 },
    exclusive: { isKept: false, outsideKept: 0 },
    ignored: ({ isKept, outside, outsideKept }) => isKept && outsideKept === outside,
  },
});
