import { type Exchange, bodyOf, isOk } from "../../exchange.ts";
import { Missing, experiment, proof, sighting } from "../../experiment.ts";
import type { JsonObject } from "../../json.ts";
import { type Lab, storeOf } from "../../lab.ts";
import { WIDE, fillRates, listIn, ratedStores } from "./data.ts";

const OPERATIONS: ReadonlySet<string> = new Set(["getFillRates", "getStoreFillRates", "getExpositionFillRate"]);

function isRates({ operation }: Exchange): boolean {
  return operation !== undefined && OPERATIONS.has(operation);
}

/** The member that holds the rate of each group; `undefined` unless exactly one can be it. */
export function rateMember(rows: readonly JsonObject[]): string | undefined {
  const names = Object.keys(rows[0] ?? {}).filter(
    (name) =>
      /rate|ratio|percent/i.test(name) &&
      !/expect|target|count|min|max/i.test(name) &&
      rows.every((row) => typeof row[name] === "number"),
  );
  return names.length === 1 ? names[0] : undefined;
}

export const ratesShape = experiment({
  gap: "fill-rates.shape",
  consent: "read",
  cost: 1,
  needs: "a store",
  notice: (exchange) => {
    if (!isRates(exchange) || !isOk(exchange)) return undefined;
    const body = bodyOf(exchange);
    const seen = { groups: Array.isArray(body.groups), items: Array.isArray(body.items) };
    const because = `Fill rates have the members ${Object.keys(body).join(", ")}.`;
    return (listIn(exchange)?.rows.length ?? 0) > 0 ? proof(seen, because, exchange) : sighting(seen, because, exchange);
  },
  observe: async function* observe(lab) {
    await fillRates(lab);
    yield undefined;
    await fillRates(lab, { groupBy: "day" });
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
  notice: (exchange) => {
    if (!isRates(exchange) || !isOk(exchange)) return undefined;
    const rows = listIn(exchange)?.rows ?? [];
    const member = rateMember(rows);
    if (member === undefined) return undefined;
    const values = rows.map((row) => Number(row[member])).filter((value) => value !== 0 && value !== 1);
    const highest = Math.max(...values);
    const because = `The highest of ${rows.length} fill rates is ${highest}.`;
    if (highest > 1) return proof(highest, because, exchange);
    return new Set(values).size > 2 ? sighting(highest, because, exchange) : undefined;
  },
  observe: async function* observe(lab) {
    for (const groupBy of ["store", "day", "expositionType"]) {
      await fillRates(lab, groupBy === "store" ? {} : { groupBy });
      yield undefined;
    }
    throw new Missing("stores with several fill rates");
  },
  readings: {
    percent: (highest) => highest > 1 && highest <= 100,
    fraction: (highest) => highest > 0 && highest <= 1,
  },
});

/** A group of fill rates by store. */
interface StoreRate {
  readonly id: string;
  /** 0 to 100. */
  readonly rate: number;
}

/** The rates by store as percentages; stores are recognized by their external IDs. */
export function storeRates(exchange: Exchange, ids: readonly string[], scale: string | undefined): StoreRate[] {
  const rows = listIn(exchange)?.rows ?? [];
  const member = rateMember(rows);
  if (member === undefined || scale === undefined) return [];
  const factor = scale === "fraction" ? 100 : 1;
  return rows.flatMap((row) => {
    const id = ids.find((one) => Object.values(row).includes(one));
    return id === undefined ? [] : [{ id, rate: Number((Number(row[member]) * factor).toFixed(6)) }];
  });
}

/** Whether a rate and what a computer makes of it are the same number. */
function isExact({ rate }: StoreRate): boolean {
  return rate > 0 && rate < 100 && Number.isInteger(rate * 4);
}

async function ratesAndIds(lab: Lab): Promise<{ base: Exchange; ids: string[]; rates: StoreRate[] }> {
  const ids = await ratedStores(lab);
  const base = await fillRates(lab);
  return { base, ids, rates: storeRates(base, ids, lab.reading("fill-rates.calculation")) };
}

export const bounds = experiment({
  gap: "fill-rates.bounds",
  consent: "read",
  cost: 2,
  after: ["fill-rates.calculation", "fill-rates.shape"],
  needs: "stores with different fill rates",
  observe: async function* observe(lab) {
    const { base, ids, rates } = await ratesAndIds(lab);
    if (new Set(rates.map(({ rate }) => rate)).size < 2) throw new Missing("stores with different fill rates");
    const candidates = [...rates.filter(isExact), ...rates.filter((one) => !isExact(one))].slice(0, 4);
    for (const one of candidates) {
      const exchange = await fillRates(lab, { minFillRate: String(one.rate), maxFillRate: String(one.rate) });
      const found = storeRates(exchange, ids, lab.reading("fill-rates.calculation"));
      const isIn = found.some(({ id }) => id === one.id);
      const others = found.filter(({ rate }) => Math.abs(rate - one.rate) > 1).length;
      const because = `With both bounds at the rate of a group, ${isIn ? "it" : "it does not"} stay${isIn ? "s" : ""} and ${others} others do.`;
      const seen = { isIn, others, isWhole: found.length >= rates.length, isExact: isExact(one) };
      if (isIn) yield proof(seen, because, base, exchange);
      else yield { ...sighting(seen, because, base, exchange), source: "fill-rates.bounds" };
    }
  },
  readings: {
    inclusive: ({ isIn, others, isExact: exact }) => others === 0 && (isIn || !exact),
    exclusive: ({ isIn, others }) => others === 0 && !isIn,
    ignored: ({ isIn, others, isWhole }) => isIn && others > 0 && isWhole,
  },
});

export const invertedBounds = experiment({
  gap: "fill-rates.inverted-bounds",
  consent: "read-odd",
  cost: 1,
  needs: "stores with fill rates",
  observe: async function* observe(lab) {
    const base = await fillRates(lab);
    if ((listIn(base)?.rows.length ?? 0) === 0) throw new Missing("stores with fill rates");
    const exchange = await fillRates(lab, { minFillRate: "60", maxFillRate: "40" });
    const seen = { status: exchange.status, count: listIn(exchange)?.rows.length };
    yield proof(seen, `Bounds of 60 to 40: status ${seen.status}, ${seen.count ?? 0} groups.`, base, exchange);
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
  observe: async function* observe(lab) {
    const [id = ""] = await ratedStores(lab);
    const exchange = await storeOf(lab).get("/v1/fill-rate", { ...WIDE, externalIds: `${id},${lab.marker}` });
    yield proof(exchange.status, `An unknown external ID beside a known one: status ${exchange.status}.`, exchange);
  },
  readings: { skipped: (status) => status === 200, rejected: (status) => status === 400 },
});
