import { largestPage, storePath } from "../../../routes.ts";
import { control, isAnswer, succeeds } from "../../controls.ts";
import { isOk, rowsOf } from "../../exchange.ts";
import { type Control, type ExperimentResult, experiment, observation } from "../../experiment.ts";
import {
  type ExperimentTools,
  type Range,
  type RangeReader,
  hintOf,
  openParts,
  storeOf,
} from "../../experiment-tools.ts";
import { Missing } from "../../failures.ts";
import type { JsonObject } from "../../../../wire/json.ts";
import type { Query } from "../../../sender/sender.ts";
import {
  RANGED,
  RATES,
  getInRange,
  photosIn,
  rangeOf,
  storesWithPhotos,
  storesWithProtocols,
} from "./data.ts";
import { instantOf, isDateTime, keysOf, sortingTime, timeProperties } from "./identity.ts";
import { RATED, rateCandidates, rateReader } from "./store-times.ts";
import { shiftTime, simplestRow, requireMilliseconds, comparesExactly, readerOf } from "./range-reader.ts";
import { timedLists } from "./timed-lists.ts";

interface Ends {
  readonly from: boolean;
  readonly to: boolean;
}

/** Reads the ranges that begin and end at the instant of an item; nothing if a range around it does not contain it. */
async function* endsAt(
  ask: RangeReader,
  key: string,
  time: string,
): AsyncGenerator<ExperimentResult<Ends>, void> {
  const [before, instant, after] = [shiftTime(time, -1), shiftTime(time, 0), shiftTime(time, 1)];
  const around = await ask(before, after);
  if (!around.keys.includes(key)) return;
  const isExact = await comparesExactly(ask, time, [key]);
  const [fromIt, toIt] = [await ask(instant, after), await ask(before, instant)];
  const observed = { from: fromIt.keys.includes(key), to: toIt.keys.includes(key) };
  const all = [around, fromIt, toIt].map(({ exchange }) => exchange);
  const controls: [Control, ...Control[]] = [
    isExact,
    control("both ranges succeed", isOk(fromIt.exchange) && isOk(toIt.exchange)),
  ];
  if (observed.from !== observed.to) {
    // a time that is displayed with less precision than it is stored looks like one of the two mixed readings
    const exact = await (observed.from
      ? ask(instant, instant.replace("Z", "001Z"))
      : ask(before.replace("Z", "999Z"), instant));
    controls.push(control("the instant is exact to a microsecond", exact.keys.includes(key)));
    all.push(exact.exchange);
  }
  if (observed.to) {
    const earlier = await ask(shiftTime(time, -20), shiftTime(time, -2));
    const isAfter = isOk(earlier.exchange) && !earlier.keys.includes(key);
    controls.push(control("a range that ends 2 ms earlier does not contain it", isAfter));
  }
  if (!observed.from && !observed.to) {
    const wider = await ask(shiftTime(time, -2), shiftTime(time, 2));
    controls.push(control("a wider range still contains the instant", wider.keys.includes(key)));
    all.push(wider.exchange);
  }
  const reason = `An instant ${observed.from ? "belongs" : "does not belong"} to a range from it, and ${observed.to ? "belongs" : "does not belong"} to a range to it.`;
  yield observation(key, observed, reason, controls, ...all);
}

/** Reads the ends of ranges of protocols, or in later rounds of photos. */
async function* endsOfLists(tools: ExperimentTools) {
  for await (const { list, path, rows, property } of timedLists(tools)) {
    const isSubmission = hintOf(tools, "time-range.instant") === "submission";
    const names = timeProperties(rows).toSorted((a, b) => rank(b, isSubmission) - rank(a, isSubmission));
    for (const name of names.slice(0, 2)) {
      const shown = rows.filter((row) => isDateTime(row[name]));
      const row = simplestRow(shown) ?? shown[0] ?? rows[0] ?? {};
      const results = endsAt(readerOf(tools, path, rows, property), String(row[property]), String(row[name]));
      for await (const result of results) {
        yield { ...result, subject: list };
        // another row would give the same result
        return;
      }
      yield undefined;
    }
  }
}

/** The number of stores whose fill rates are read. */
const MAX_RATED = 2;

/** Yields instants by which the fill rates of a store may be found. */
export async function* instantsOfRates(
  tools: ExperimentTools,
): AsyncGenerator<{ read: RangeReader; instant: string }, void> {
  const stores = storesWithPhotos(tools, 1);
  for (let count = 0; count < MAX_RATED; count += 1) {
    const { value } = await stores.next();
    if (value === undefined) return;
    const { externalId, rows } = value;
    const path = storePath(externalId, "protocols");
    const protocols = rowsOf(await getInRange(tools, "protocols", path, largestPage(path)));
    const read = rateReader(tools, externalId);
    for (const { instant } of rateCandidates({ photos: rows, protocols })) yield { read, instant };
  }
}

/** Reads the ends of ranges of fill rates, at an instant by which they are found. */
async function* endsOfRates(
  tools: ExperimentTools,
): AsyncGenerator<ExperimentResult<Ends> | undefined, void> {
  for await (const { read, instant } of instantsOfRates(tools)) {
    for await (const result of endsAt(read, RATED, instant)) {
      // other photos may be close to this one
      if (!result.controls.every(({ holds }) => holds)) continue;
      yield { ...result, subject: "fill-rates" };
      return;
    }
    yield undefined;
  }
}

export const rangeEnds = experiment<"time-range.ends", Ends>({
  gap: "time-range.ends",
  cost: 2,
  chance: 0.6,
  after: ["time-range.precision"],
  needs: "protocols that show the time by which they are found",
  assumes: "All fill rates are compared with a range in the same way.",
  parts: RANGED,
  observe: async function* observe(tools) {
    requireMilliseconds(tools);
    yield* endsOfLists(tools);
    // the first round asks as little as possible
    if (tools.round > 1 && !tools.isSeen("fill-rates")) yield* endsOfRates(tools);
  },
  readings: {
    "half-open": ({ from, to }) => from && !to,
    inclusive: ({ from, to }) => from && to,
    exclusive: ({ from, to }) => !from && !to,
    "left-open": ({ from, to }) => !from && to,
  },
});

/** Times by which the service does not find protocols come last. */
function rank(name: string, isSubmission: boolean): number {
  return Number(/^submi/i.test(name) === isSubmission);
}

/** The paths of a store whose query has a range, and other fill rates, whose ranges a service may check elsewhere. */
const INVERTED = [...RANGED, "fill rates of several stores", "fill rates of an exposition"] as const;

/** Returns the path and the other parameters of a request with a range; `undefined` if the store has no exposition. */
async function requestOf(
  tools: ExperimentTools,
  part: (typeof INVERTED)[number],
  externalId: string,
): Promise<readonly [path: string, query: Query] | undefined> {
  if (part === "fill rates of several stores") return [RATES, { externalIds: externalId }];
  if (part === "fill rates of an exposition") {
    const [row] = rowsOf(await storeOf(tools).get(storePath(externalId, "expositions")));
    if (typeof row?.expositionId !== "string") return undefined;
    return [storePath(externalId, "expositions", row.expositionId, "fill-rate"), {}];
  }
  const path = storePath(externalId, part);
  return [path, part === "fill-rates" ? {} : largestPage(path)];
}

export const invertedRange = experiment({
  gap: "time-range.inverted",
  cost: 1.2,
  needs: "a store with a protocol",
  assumes: "Two inverted ranges of one path get the same status.",
  parts: INVERTED,
  observe: async function* observe(tools) {
    for await (const { externalId, rows } of storesWithProtocols(tools, 1)) {
      const { from, to } = firstPart(tools, rows, sortingTime(rows, MIN_TIMES)?.name);
      // the first round asks as little as possible
      for (const part of openParts(tools, tools.round === 1 ? RANGED : INVERTED)) {
        const [path, query] = (await requestOf(tools, part, externalId)) ?? [];
        if (path === undefined) continue;
        const forward = await storeOf(tools).get(path, { from, to, ...query });
        yield undefined;
        if (!isOk(forward) || photosIn(forward).length === 0) continue;
        const inverted = await tools.ask(storeOf(tools), path, { from: to, to: from, ...query });
        const observed = { status: inverted.status, count: photosIn(inverted).length };
        const reason = `The ${part} of a range whose from is after its to: status ${observed.status}, ${observed.count} rows.`;
        yield observation(part, observed, reason, [succeeds(forward), isAnswer(inverted)]);
      }
    }
  },
  readings: {
    reject: { status: 400 },
    empty: { status: 200, count: 0 },
  },
});

/** The number of different times of which one is in the middle. */
const MIN_TIMES = 3;

const DAY = 86_400_000;

/**
 * Returns the range of the protocols before the middle one, by one of their times; the whole range if they show none.
 *
 * @throws {Missing} if the service ignores ranges
 */
export function firstPart(
  tools: ExperimentTools,
  rows: readonly JsonObject[],
  name = timeProperties(rows)[0],
): Range {
  const range = rangeOf(tools, "protocols");
  if (name === undefined) return range;
  const times = keysOf(rows, name).toSorted((a, b) => instantOf(a) - instantOf(b));
  const [only = range.to, ...others] = times;
  const middle = times[Math.floor(times.length / 2)] ?? range.to;
  // a range that ends with the only protocol may not contain it
  const to = others.length === 0 ? shiftTime(only, DAY) : shiftTime(middle, 0);
  if (to > range.from) return { from: range.from, to };
  throw new Missing("protocols within the range that was asked for");
}
