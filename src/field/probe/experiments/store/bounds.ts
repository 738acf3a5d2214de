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

/** The groups that bounds which begin or end at the rate of one of them keep. */
interface BoundsObserved {
  /** Whether bounds that begin at its rate keep the group, and whether those that end at it do. */
  readonly isKeptFrom: boolean;
  readonly isKeptTo: boolean;
  /** Whether the bounds drop every other group, and whether neither bound drops one. */
  readonly isBounded: boolean;
  readonly isIgnored: boolean;
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
  const others = labelledRates(base, scale, name).filter((other) => Math.abs(other.rate - rate) > 1);
  if (others.length === 0) return undefined;
  const sent: Exchange[] = [];
  const within = async (low: number, high: number): Promise<Set<string>> => {
    const [minFillRate = "", maxFillRate = ""] = [low, high].map((bound) => String(Number(bound.toFixed(7))));
    const exchange = await ask({ ...query, minFillRate, maxFillRate });
    sent.push(exchange);
    return new Set(labelledRates(exchange, scale, name).map((group) => group.label));
  };
  const from = await within(rate, rate + WIDTH);
  const to = await within(rate - WIDTH, rate);
  await tools.once("bounds", async () => sent[0]);
  const [isKeptFrom, isKeptTo] = [from.has(label), to.has(label)];
  const isNeither = !isKeptFrom && !isKeptTo;
  const between = isNeither ? await within(rate - WIDTH, rate + WIDTH) : new Set([...from, ...to]);
  const isAllKept = others.every((other) => from.has(other.label) && to.has(other.label));
  // without another group on one side, the bound of that side drops the group itself, unless it is ignored
  const isLowest = others.every((other) => other.rate > rate);
  const isHighest = others.every((other) => other.rate < rate);
  const isOneSided = isAllKept && (isLowest || isHighest);
  const beyond = isOneSided ? await within(isLowest ? rate + 1 : 0, isLowest ? 100 : rate - 1) : from;
  const isBounded = others.every((other) => !from.has(other.label) && !to.has(other.label));
  const observed = { isKeptFrom, isKeptTo, isBounded, isIgnored: isAllKept && beyond.has(label) };
  const ends = [isKeptFrom ? "from" : "", isKeptTo ? "to" : ""].filter((end) => end !== "").join(" and ");
  const reason = `A group is kept by bounds ${ends === "" ? "around its rate, but not from or to it" : `${ends} its rate`}; ${isAllKept ? "so are" : isBounded ? "they drop" : "they drop some of"} ${others.length} others.`;
  const isPositive = control("bounds around the rate keep the group", between.has(label));
  const isAnswered = control("all requests succeed", sent.every(isOk));
  const controls = [succeeds(base), isAnswered, isPositive] as const;
  return observation(subject, observed, reason, controls, base, ...sent);
}

export const bounds = experiment<"fill-rates.bounds", BoundsObserved>({
  gap: "fill-rates.bounds",
  // fill-rates.below-expectation sends one of the requests
  cost: 2.2,
  after: ["fill-rates.calculation", "fill-rates.shape"],
  needs: "groups with different fill rates that are not rounded",
  assumes: "A rate that is a multiple of 0.25 is not rounded.",
  observe: async function* observe(tools) {
    for await (const list of rateLists(tools)) {
      const base = await list.ask(list.query);
      const rate = labelledRates(base, list.scale, labelOf(base)).find(isExact);
      yield rate === undefined ? undefined : await boundsAt(tools, list, base, rate);
    }
  },
  readings: {
    inclusive: { isKeptFrom: true, isKeptTo: true, isBounded: true },
    exclusive: { isKeptFrom: false, isKeptTo: false, isBounded: true },
    ignored: { isIgnored: true },
  },
});
