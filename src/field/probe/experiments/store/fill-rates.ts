import { type Exchange, bodyOf, isOk } from "../../exchange.ts";
import { experiment, conclusiveResult, tentativeResult } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import { storeOf } from "../../experiment-tools.ts";
import { ALL_TIME, fillRates, listIn, ratedStores } from "./data.ts";
import { rateProperty } from "./rate-groups.ts";

const OPERATIONS: ReadonlySet<string> = new Set([
  "getFillRates",
  "getStoreFillRates",
  "getExpositionFillRate",
]);

function isRates({ operation }: Exchange): boolean {
  return operation !== undefined && OPERATIONS.has(operation);
}

export const ratesShape = experiment({
  gap: "fill-rates.shape",
  consent: "read",
  cost: 1,
  needs: "a store",
  examine: (exchange) => {
    if (!isRates(exchange) || !isOk(exchange)) return undefined;
    const body = bodyOf(exchange);
    const observed = { groups: Array.isArray(body.groups), items: Array.isArray(body.items) };
    const reason = `Fill rates have the properties ${Object.keys(body).join(", ")}.`;
    return (listIn(exchange)?.rows.length ?? 0) > 0
      ? conclusiveResult(observed, reason, exchange)
      : tentativeResult(observed, reason, exchange);
  },
  observe: async function* observe(tools) {
    await fillRates(tools);
    yield undefined;
    await fillRates(tools, { groupBy: "day" });
    yield undefined;
  },
  readings: {
    groups: ({ groups, items }) => groups && !items,
    items: ({ groups, items }) => items && !groups,
  },
});

export const calculation = experiment({
  gap: "fill-rates.calculation",
  consent: "read",
  cost: 1,
  needs: "stores with fill rates",
  examine: (exchange) => {
    if (!isRates(exchange) || !isOk(exchange)) return undefined;
    const rows = listIn(exchange)?.rows ?? [];
    const property = rateProperty(rows);
    if (property === undefined) return undefined;
    const values = rows.map((row) => Number(row[property])).filter((value) => value !== 0 && value !== 1);
    const highest = Math.max(...values);
    const reason = `The highest of ${rows.length} fill rates is ${highest}.`;
    if (highest > 1) return conclusiveResult(highest, reason, exchange);
    return new Set(values).size > 2 ? tentativeResult(highest, reason, exchange) : undefined;
  },
  observe: async function* observe(tools) {
    for (const groupBy of ["store", "day", "expositionType"]) {
      await fillRates(tools, groupBy === "store" ? {} : { groupBy });
      yield undefined;
    }
    throw new Missing("stores with several fill rates");
  },
  readings: {
    percent: (highest) => highest > 1 && highest <= 100,
    fraction: (highest) => highest > 0 && highest <= 1,
  },
});

export const invertedBounds = experiment({
  gap: "fill-rates.inverted-bounds",
  consent: "read-odd",
  cost: 1,
  needs: "stores with fill rates",
  observe: async function* observe(tools) {
    const base = await fillRates(tools);
    if ((listIn(base)?.rows.length ?? 0) === 0) throw new Missing("stores with fill rates");
    const exchange = await fillRates(tools, { minFillRate: "60", maxFillRate: "40" });
    const observed = { status: exchange.status, count: listIn(exchange)?.rows.length };
    yield conclusiveResult(
      observed,
      `Bounds of 60 to 40: status ${observed.status}, ${observed.count ?? 0} groups.`,
      base,
      exchange,
    );
  },
  readings: {
    reject: ({ status }) => status === 400,
    empty: ({ status, count }) => status === 200 && count === 0,
  },
});

export const unknownStores = experiment({
  gap: "fill-rates.unknown-stores",
  consent: "read-odd",
  cost: 1,
  needs: "a store",
  observe: async function* observe(tools) {
    const [id = ""] = await ratedStores(tools);
    const exchange = await storeOf(tools).get("/v1/fill-rate", {
      ...ALL_TIME,
      externalIds: `${id},${tools.marker}`,
    });
    yield conclusiveResult(
      exchange.status,
      `An unknown external ID beside a known one: status ${exchange.status}.`,
      exchange,
    );
  },
  readings: { skipped: (status) => status === 200, rejected: (status) => status === 400 },
});
