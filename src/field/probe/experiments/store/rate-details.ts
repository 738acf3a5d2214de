import { largestPage, storePath } from "../../../routes.ts";
import { control, isAnswer, succeeds } from "../../controls.ts";
import { type Exchange, isOk, rowsOf } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { type ExperimentTools, hintOf, storeOf } from "../../experiment-tools.ts";
import type { JsonObject } from "../../../../wire/json.ts";
import { expositionTypes } from "../../../../../generated/store.enums.ts";
import { getInRange, listIn, photosIn, rangeOf } from "./data.ts";
import { instantOf } from "./identity.ts";
import { shiftTime, timesIn } from "./range-reader.ts";
import {
  type RateQuery,
  type RatedStore,
  isRated,
  rangeOfDay,
  rateOf,
  storesOneByOne,
  ratedTogether,
} from "./rate-groups.ts";

const TYPES: ReadonlySet<unknown> = new Set(expositionTypes);

/** Returns the types of the groups with their numbers; other properties may change between reads. */
function groupsText(exchange: Exchange): string {
  const groups = (listIn(exchange)?.rows ?? []).map((row) =>
    Object.entries(row)
      .filter(([, value]) => value === null || typeof value === "number" || TYPES.has(value))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
  return JSON.stringify(groups);
}

export const falseFlag = experiment({
  gap: "fill-rates.false-flag",
  cost: 1,
  chance: 0.7,
  after: ["fill-rates.below-expectation"],
  needs: "fill rates that belowExpectationOnly narrows",
  assumes: "Fill rates do not change between two requests, and every form of false means the same.",
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
      const controls = [isAnswer(exchange), succeeds(exchange), isSame] as const;
      yield observation(store.subject, observed, reason, controls, base, narrowed, exchange);
    }
  },
  readings: { same: { isAll: true }, "counts-as-true": { isNarrowed: true } },
});

interface EmptyGroups {
  /** The number of keys without a group, and of groups whose rate is null or that have no photo. */
  readonly missing: number;
  readonly nulls: number;
  readonly zeros: number;
}

/** Returns the value of a group that is one of some keys. */
function keyIn(row: JsonObject, keys: ReadonlySet<unknown>): unknown {
  return Object.values(row).find((value) => keys.has(value));
}

function emptyGroupsIn(exchange: Exchange, keys: ReadonlySet<unknown>): EmptyGroups {
  const rows = listIn(exchange)?.rows ?? [];
  const shown = new Set(rows.map((row) => keyIn(row, keys)));
  return {
    missing: [...keys].filter((key) => !shown.has(key)).length,
    nulls: rows.filter((row) => rateOf(row) === null).length,
    zeros: rows.filter((row) => Object.values(row).filter((value) => value === 0).length > 1).length,
  };
}

function isEmpty({ missing, nulls, zeros }: EmptyGroups): boolean {
  return missing + nulls + zeros > 0;
}

/** Returns the keys of the groups that have a rate. */
function ratedKeys(exchange: Exchange, keys: ReadonlySet<unknown>): Set<unknown> {
  const rows = listIn(exchange)?.rows ?? [];
  const rated = rows.filter((row) => Number(rateOf(row)) > 0).map((row) => keyIn(row, keys));
  return new Set(rated.filter((key) => key !== undefined));
}

/** The number of days of a store that are examined. */
const MAX_DAYS = 2;

/** The number of expositions without photos that are examined. */
const MAX_EXPOSITIONS = 2;

/** Ranges that are compared with a precision of a minute contain, with this margin, what they would contain otherwise. */
const MARGIN = 2 * 60_000;

/** A protocol with the times that it and its photos show, and the types of its photos with a rate. */
interface RatedProtocol {
  readonly times: readonly string[];
  readonly types: ReadonlySet<unknown>;
}

/** Returns the completed protocols of a store with their known photos. */
async function ratedProtocols(
  tools: ExperimentTools,
  { externalId }: RatedStore,
  expositions: readonly JsonObject[],
): Promise<RatedProtocol[]> {
  const read = async (list: "photos" | "protocols"): Promise<Exchange> => {
    const path = storePath(externalId, list);
    return getInRange(tools, list, path, largestPage(path));
  };
  const protocols = rowsOf(await read("protocols"));
  const hasPhotos = hintOf(tools, "photos.page-shape") !== "no-list";
  const photos = hasPhotos ? photosIn(await read("photos")) : [];
  return protocols.flatMap((protocol) => {
    const own = photos.filter(({ protocolId }) => protocolId === (protocol.protocolId ?? protocol.id));
    const shown = new Set(own.filter(isRated).map(({ expositionId }) => expositionId));
    const rated = expositions.filter((row) => shown.has(row.expositionId));
    const times = [protocol, ...own].flatMap(timesIn).toSorted((a, b) => instantOf(a) - instantOf(b));
    return protocol.status === "completed" && times.length > 0
      ? [{ times, types: new Set(rated.map((row) => row.expositionType)) }]
      : [];
  });
}

/** Yields the range of a protocol that lacks a type, days of others, and then all times. */
async function* rangesOf(
  tools: ExperimentTools,
  store: RatedStore,
  expositions: readonly JsonObject[],
): AsyncGenerator<{ name: string; query: RateQuery }, void> {
  const protocols = await ratedProtocols(tools, store, expositions);
  const known = protocols.filter(({ types }) => types.size > 0);
  const isPart = ({ types }: RatedProtocol): boolean =>
    expositions.some(({ expositionType }) => !types.has(expositionType));
  const spans = known.filter(isPart).map(({ times: [first = "", ...others] }) => ({
    from: shiftTime(first, -MARGIN),
    to: shiftTime(others.at(-1) ?? first, MARGIN),
  }));
  // a service that compares only days would find a part of a longer range
  const span = spans.find(({ from, to }) => from.slice(0, 10) === to.slice(0, 10));
  if (span !== undefined) yield { name: `From ${span.from} to ${span.to}`, query: span };
  // a day with the end of a protocol may lack what the day before has
  const days = new Set(
    protocols.flatMap(({ times }) => times.map((time) => shiftTime(time, 0).slice(0, 10))),
  );
  // the photos show that no protocol lacks a type
  const isComplete = known.length > 0 && spans.length === 0;
  for (const day of [...days].slice(0, isComplete ? 1 : MAX_DAYS))
    yield { name: `On ${day}`, query: rangeOfDay(day) };
  if (!isComplete) yield { name: "In all", query: {} };
}

const EMPTY_PARTS = ["expositions of a store", "an exposition"] as const;

/** Asks for the fill rates of a store by exposition, and for those of an exposition, in a range that lacks some of them. */
async function* emptyExpositions(
  tools: ExperimentTools,
  externalId: string,
  expositions: readonly JsonObject[],
  range: RateQuery,
) {
  const ids = new Set(expositions.map(({ expositionId }) => expositionId));
  const ask = (query: RateQuery, ...path: readonly string[]): Promise<Exchange> =>
    tools.ask(storeOf(tools), storePath(externalId, ...path), { ...rangeOf(tools, "rates"), ...query });
  const all = await ask({ ...range, groupBy: "exposition" }, "fill-rates");
  const observed = emptyGroupsIn(all, ids);
  if (!isEmpty(observed)) return;
  const rated = ratedKeys(all, ids);
  const hasOthers = control("the group of another exposition has a rate", rated.size > 0);
  const reason = `${observed.missing} of ${ids.size} expositions have no group, ${observed.nulls} the rate null.`;
  yield observation(EMPTY_PARTS[0], observed, reason, [succeeds(all), hasOthers], all);
  for (const id of [...ids].filter((key) => !rated.has(key)).slice(0, MAX_EXPOSITIONS)) {
    const path = ["expositions", String(id), "fill-rate"] as const;
    const whole = await ask({}, ...path);
    const exchange = await ask(range, ...path);
    const single = {
      ...emptyGroupsIn(exchange, new Set()),
      missing: Number(listIn(exchange)?.rows.length === 0),
    };
    const rates = (listIn(whole)?.rows ?? []).map((row) => Number(rateOf(row)));
    if (!rates.some((rate) => rate > 0) || !isEmpty(single)) continue;
    const found = `An exposition without photos has ${single.missing > 0 ? "no group" : "a group"}.`;
    yield observation(EMPTY_PARTS[1], single, found, [succeeds(whole), succeeds(exchange)]);
  }
}

export const emptyGroups = experiment<"fill-rates.empty-groups", EmptyGroups>({
  gap: "fill-rates.empty-groups",
  cost: 3,
  chance: 0.75,
  needs: "expositions of a type without an evaluated photo, in a range with others",
  assumes:
    "Every active exposition and its type would have a group if groups without photos had one, and groups of other keys are alike.",
  everyEntity: true,
  parts: EMPTY_PARTS,
  after: ["fill-rates.calculation", "photos.page-shape"],
  observe: async function* observe(tools) {
    // the groups of all stores together would lead to the same readings
    for await (const store of storesOneByOne(tools)) {
      const expositions = rowsOf(await storeOf(tools).get(storePath(store.externalId, "expositions")));
      const active = expositions.filter(({ status }) => status === "active");
      const types = new Set(active.map((row) => row.expositionType));
      if (types.size < 2) continue;
      yield undefined;
      for await (const { name, query } of rangesOf(tools, store, active)) {
        const { exchange } = await store.ask(query);
        const observed = emptyGroupsIn(exchange, types);
        if (!isEmpty(observed)) continue;
        const reason = `${name} ${observed.missing} of ${types.size} types have no group, ${observed.nulls} the rate null.`;
        const hasOthers = control(
          "the group of another type has a rate",
          ratedKeys(exchange, TYPES).size > 0,
        );
        yield observation(store.externalId, observed, reason, [succeeds(exchange), hasOthers], exchange);
        // the first round asks as little as possible
        if (tools.round > 1) yield* emptyExpositions(tools, store.externalId, active, query);
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
