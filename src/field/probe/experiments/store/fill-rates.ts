import { type OperationId, storePath } from "../../../routes.ts";
import { control, isAnswer, isShown, succeeds } from "../../controls.ts";
import { type Exchange, bodyOf, isOk, rowsOf } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { type ExperimentTools, openEntries, openParts, storeOf } from "../../experiment-tools.ts";
import { Missing } from "../../failures.ts";
import { objectsIn } from "../../../../wire/json.ts";
import {
  RATES,
  externalIds,
  fillRates,
  firstStore,
  getInRange,
  listIn,
  rangeOf,
  storeWithExposition,
  unknownIdLike,
} from "./data.ts";
import { dayLabels, rateProperty } from "./rate-groups.ts";

const OPERATIONS: ReadonlySet<OperationId | undefined> = new Set<OperationId>([
  "getFillRates",
  "getStoreFillRates",
  "getExpositionFillRate",
]);

function isRates({ operation, status }: Exchange): boolean {
  return OPERATIONS.has(operation) && status === 200;
}

/** Requests for fill rates by their operations. */
const RATE_REQUESTS: Readonly<Record<string, (tools: ExperimentTools) => Promise<Exchange>>> = {
  getFillRates: (tools) => fillRates(tools),
  getStoreFillRates: async (tools) =>
    getInRange(tools, "rates", storePath(await firstStore(tools), "fill-rates")),
  getExpositionFillRate: async (tools) => {
    const { id, exposition } = await storeWithExposition(tools);
    return getInRange(tools, "rates", storePath(id, "expositions", exposition, "fill-rate"));
  },
};

const NEEDS_RATES = "stores with fill rates";

export const ratesShape = experiment({
  gap: "fill-rates.shape",
  cost: 1,
  needs: NEEDS_RATES,
  assumes: "The array whose elements have a rate has one element for each group.",
  parts: Object.keys(RATE_REQUESTS),
  examine: (exchange) => {
    if (!isRates(exchange)) return undefined;
    const rated = Object.entries(bodyOf(exchange)).filter(
      ([, value]) => rateProperty(objectsIn(value)) !== undefined,
    );
    const [[name] = [], ...others] = rated;
    if (name === undefined) return undefined;
    const reason = `Fill rates are in the property ${name}.`;
    const isOnly = control("only one array has rates", others.length === 0);
    return observation(String(exchange.operation), name, reason, [isOnly], exchange);
  },
  observe: async function* observe(tools) {
    for (const [, send] of openEntries(tools, RATE_REQUESTS)) {
      const { path, query } = await send(tools);
      // two requests in a row reach both of two servers that take turns
      if (tools.round > 1) await tools.ask(storeOf(tools), path, query);
      yield undefined;
    }
  },
  readings: { groups: "groups", items: "items" },
});

/** A rate that is above 1 but may still be a fraction. */
const MAX_FRACTION = 2;

/** Returns the rates of a response that are the same number on only one scale. */
function valuesIn(exchange: Exchange): number[] {
  const rows = listIn(exchange)?.rows ?? [];
  const property = rateProperty(rows) ?? "";
  return rows.map((row) => Number(row[property])).filter((value) => value > 0 && value !== 1);
}

/** Returns the highest rate of a response, if it shows the scale. */
function clearRate(exchange: Exchange): number | undefined {
  const values = valuesIn(exchange);
  const highest = Math.max(...values);
  const isClear = highest > MAX_FRACTION || (highest <= 1 && new Set(values).size > 2);
  return isClear ? highest : undefined;
}

/** Whether the groups of weeks show, by one date for each, that weeks do not begin on Monday. */
function hasOtherWeeks(exchange: Exchange): boolean {
  const days = dayLabels(exchange);
  const isShownOnce = days.length === listIn(exchange)?.rows.length;
  return (
    exchange.query.groupBy === "week" && isShownOnce && days.some((day) => new Date(day).getUTCDay() !== 1)
  );
}

/** The number of stores, and of expositions of each, whose rates are read. */
const MAX_READ = 3;

/** Reads the fill rates of the expositions of stores, together and one by one. */
async function* scalesOfStores(tools: ExperimentTools) {
  for (const id of (await externalIds(tools)).slice(0, MAX_READ)) {
    const path = storePath(id, "fill-rates");
    const all = await getInRange(tools, "rates", path, { groupBy: "exposition" });
    yield undefined;
    const highest = clearRate(all);
    if (highest === undefined) continue;
    const known = rowsOf(await storeOf(tools).get(storePath(id, "expositions")));
    const rows = known.filter(({ expositionId }) =>
      listIn(all)?.rows.some((row) => Object.values(row).includes(expositionId)),
    );
    for (const { expositionId } of rows.slice(0, MAX_READ)) {
      const own = storePath(id, "expositions", String(expositionId), "fill-rate");
      const exchange = await tools.ask(storeOf(tools), own, rangeOf(tools, "rates"));
      const values = valuesIn(exchange);
      // one rate alone does not show a fraction
      const isSame = values.length > 0 && values.every((value) => valuesIn(all).includes(value));
      const reason = `The fill rate ${values.join()} of an exposition is the one that the rates of its store have.`;
      const controls = [isShown(all), isShown(exchange)] as const;
      yield isSame && clearRate(exchange) === undefined
        ? observation("getExpositionFillRate", { highest, isMonday: true }, reason, controls)
        : undefined;
    }
  }
}

export const calculation = experiment({
  gap: "fill-rates.calculation",
  cost: 1,
  needs: NEEDS_RATES,
  assumes: `Of three different percentages one is above 1, no fraction is above ${MAX_FRACTION}, and a rate is a mean.`,
  parts: Object.keys(RATE_REQUESTS),
  examine: (exchange) => {
    if (!isRates(exchange)) return undefined;
    const [highest = 0, isMonday] = [clearRate(exchange), !hasOtherWeeks(exchange)];
    if (highest === 0 && isMonday) return undefined;
    const reason = isMonday
      ? `The highest of ${listIn(exchange)?.rows.length ?? 0} fill rates is ${highest}.`
      : "Weeks of fill rates do not begin on Monday.";
    const observed = { highest, isMonday };
    return observation(String(exchange.operation), observed, reason, [isShown(exchange)], exchange);
  },
  observe: async function* observe(tools) {
    // the first round asks as little as possible
    const isFirst = tools.round === 1;
    const isOpen = isFirst || !tools.isSeen("getFillRates");
    if (!isFirst) await fillRates(tools, { groupBy: "week" });
    for (const groupBy of isOpen ? ["store", "day", "expositionType"] : []) {
      await fillRates(tools, groupBy === "store" ? {} : { groupBy });
      yield undefined;
    }
    if (!isFirst) yield* scalesOfStores(tools);
    throw new Missing("stores with several fill rates");
  },
  readings: {
    percent: ({ highest, isMonday }) => isMonday && highest > MAX_FRACTION && highest <= 100,
    fraction: ({ highest, isMonday }) => isMonday && highest > 0 && highest <= 1,
  },
});

export const invertedBounds = experiment({
  gap: "fill-rates.inverted-bounds",
  cost: 2.3,
  needs: NEEDS_RATES,
  assumes: "Any two inverted bounds get the same status.",
  everyEntity: true,
  observe: async function* observe(tools) {
    const base = await fillRates(tools);
    if ((listIn(base)?.rows.length ?? 0) === 0) throw new Missing(NEEDS_RATES);
    // fill-rates.bounds also sends bounds
    const upright = await tools.once("bounds", () =>
      fillRates(tools, { minFillRate: "40", maxFillRate: "60" }),
    );
    for (const [minFillRate, maxFillRate] of [
      ["60", "40"],
      ["90", "10"],
    ] as const) {
      const query = { ...upright.query, minFillRate, maxFillRate };
      const exchange = await tools.ask(storeOf(tools), RATES, query);
      const count = listIn(exchange)?.rows.length;
      const reason = `Bounds of ${minFillRate} to ${maxFillRate}: status ${exchange.status}, ${count ?? "no"} groups.`;
      const observed = { status: exchange.status, count };
      const controls = [succeeds(base), succeeds(upright), isAnswer(exchange)] as const;
      yield observation(minFillRate, observed, reason, controls, base, upright, exchange);
    }
  },
  readings: {
    reject: { status: 400 },
    empty: { status: 200, count: 0 },
  },
});

const UNKNOWN = ["beside known ones", "without known ones"] as const;

export const unknownStores = experiment({
  gap: "fill-rates.unknown-stores",
  cost: 1,
  needs: "a store",
  assumes: "No store has the invented external ID.",
  parts: UNKNOWN,
  observe: async function* observe(tools) {
    const base = await fillRates(tools);
    const known = String(base.query.externalIds).split(",");
    const [first = ""] = known;
    for (const part of openParts(tools, UNKNOWN)) {
      const id = unknownIdLike(tools, first);
      const isAlone = part === "without known ones";
      const ids = (isAlone ? [id] : [...known, id]).join();
      const exchange = await tools.ask(storeOf(tools), RATES, { ...base.query, externalIds: ids });
      const count = listIn(exchange)?.rows.length ?? 0;
      const reason = `An unknown external ID ${part}: status ${exchange.status}, ${count} groups.`;
      const observed = { status: exchange.status, isSkipped: isOk(exchange) && (!isAlone || count === 0) };
      const controls = [succeeds(base), isAnswer(exchange)] as const;
      yield observation(part, observed, reason, controls, base, exchange);
    }
  },
  readings: { skipped: { isSkipped: true }, rejected: { status: 400 } },
});
