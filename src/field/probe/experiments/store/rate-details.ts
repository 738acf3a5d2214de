import { control, isAnswer, succeeds } from "../../controls.ts";
import { type Exchange, isOk, rowsOf } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { storeOf } from "../../experiment-tools.ts";
import type { JsonObject } from "../../json.ts";
import { expositionTypes } from "../../../../../generated/store.enums.ts";
import { listIn, storePath } from "./data.ts";
import { type RateQuery, type RatedStore, daysOf, ratedOneByOne, ratedTogether } from "./rate-groups.ts";

function groupsText(exchange: Exchange): string {
  return JSON.stringify(listIn(exchange)?.rows ?? []);
}

export const falseFlag = experiment({
  gap: "fill-rates.false-flag",
  cost: 1,
  chance: 0.7,
  after: ["fill-rates.below-expectation"],
  needs: "fill rates that belowExpectationOnly narrows",
  assumes: "Fill rates do not change between two requests.",
  observe: async function* observe(tools) {
    for await (const store of ratedTogether(tools)) {
      const base = (await store.groups()).exchange;
      const narrowed = (await store.groups({ belowExpectationOnly: "true" })).exchange;
      yield undefined;
      if (!isOk(base) || !isOk(narrowed) || groupsText(base) === groupsText(narrowed)) continue;
      const { exchange } = await store.ask({ belowExpectationOnly: "false" });
      const found = groupsText(exchange);
      const observed = { isAll: found === groupsText(base), isNarrowed: found === groupsText(narrowed) };
      const what = observed.isAll
        ? "the groups without it"
        : observed.isNarrowed
          ? "the groups of true"
          : "others";
      const again = observed.isNarrowed ? (await store.ask({}, { fresh: true })).exchange : base;
      const isSame = control("the groups without it stay the same", groupsText(again) === groupsText(base));
      const reason = `belowExpectationOnly=false: ${what}.`;
      yield observation(
        store.subject,
        observed,
        reason,
        [isAnswer(exchange), succeeds(exchange), isSame],
        base,
        narrowed,
        exchange,
      );
    }
  },
  readings: { same: { isAll: true }, "counts-as-true": { isNarrowed: true } },
});

interface EmptyGroups {
  /** The number of active types without a group, and of groups whose rate is null or that have no photo. */
  readonly missing: number;
  readonly nulls: number;
  readonly zeros: number;
}

const TYPES: ReadonlySet<unknown> = new Set(expositionTypes);

function rateOf(row: JsonObject): unknown {
  return Object.entries(row).find(
    ([name, value]) => /rate/i.test(name) && (value === null || typeof value === "number"),
  )?.[1];
}

function emptyGroupsIn(rows: readonly JsonObject[], types: readonly unknown[]): EmptyGroups {
  const shown = new Set(rows.map((row) => Object.values(row).find((value) => TYPES.has(value))));
  return {
    missing: types.filter((type) => !shown.has(type)).length,
    nulls: rows.filter((row) => rateOf(row) === null).length,
    zeros: rows.filter((row) => Object.values(row).filter((value) => value === 0).length > 1).length,
  };
}

/** The number of days of a store that are examined. */
const MAX_DAYS = 2;

/** Yields the whole range, whose rates other experiments also request, and then days, on which more types lack photos. */
async function* rangesOf(store: RatedStore): AsyncGenerator<{ name: string; query: RateQuery }, void> {
  yield { name: "In all", query: {} };
  for (const { day, from, to } of (await daysOf(store)).slice(0, MAX_DAYS))
    yield { name: `On ${day}`, query: { from, to } };
}

export const emptyGroups = experiment<"fill-rates.empty-groups", EmptyGroups>({
  gap: "fill-rates.empty-groups",
  cost: 3,
  chance: 0.75,
  needs: "expositions of a type without an evaluated photo, in a range with others",
  assumes:
    "Every type of the store's active expositions would have a group if groups without photos had one.",
  everyEntity: true,
  after: ["fill-rates.calculation"],
  observe: async function* observe(tools) {
    for await (const store of ratedOneByOne(tools)) {
      const expositions = rowsOf(await storeOf(tools).get(storePath(store.externalId, "expositions")));
      const types = expositions.filter(({ status }) => status === "active").map((row) => row.expositionType);
      if (types.length < 2) continue;
      yield undefined;
      for await (const { name, query } of rangesOf(store)) {
        const { exchange } = await store.ask(query);
        const rows = listIn(exchange)?.rows ?? [];
        const observed = emptyGroupsIn(rows, types);
        if (observed.missing + observed.nulls + observed.zeros === 0) continue;
        const reason = `${name} ${observed.missing} of ${types.length} types have no group, ${observed.nulls} the rate null.`;
        const hasOthers = control(
          "another group has a rate",
          rows.some((row) => Number(rateOf(row)) > 0),
        );
        yield observation(store.externalId, observed, reason, [succeeds(exchange), hasOthers], exchange);
        break;
      }
    }
  },
  readings: {
    "left-out": ({ missing, nulls, zeros }) => missing > 0 && nulls + zeros === 0,
    "null-rate": ({ missing, nulls }) => nulls > 0 && missing === 0,
    "zero-rate": ({ missing, nulls, zeros }) => missing === 0 && nulls === 0 && zeros > 0,
  },
});
