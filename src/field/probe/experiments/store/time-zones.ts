import { largestPage, storePath } from "../../../routes.ts";
import { control, isAnswer, succeeds } from "../../controls.ts";
import { type Exchange, bodyOf, isOk, rowsOf } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { type ExperimentTools, hintOf, storeOf, unseenFirst } from "../../experiment-tools.ts";
import { Missing } from "../../failures.ts";
import { isObject } from "../../../../wire/json.ts";
import { externalIds, getInRange, photosIn, rangeOf, storesWithProtocols } from "./data.ts";
import { hasOffset, instantOf, isDateTime } from "./identity.ts";
import { CREATED, OWN, SUBMITTED, instantsIn } from "./instants.ts";
import { requireMilliseconds, shiftTime } from "./ranges.ts";
import { type RatedStore, dayLabels, ratedOneByOne } from "./rate-groups.ts";

const HOUR = 3_600_000;

/** Returns the side of midnight on which a local day differs from the day in UTC, if the offset is at least an hour. */
function sideOf(time: string): "late" | "early" | undefined {
  const ofDay = instantOf(time) % (24 * HOUR);
  if (ofDay >= 23 * HOUR) return "late";
  return ofDay < HOUR ? "early" : undefined;
}

/** Whether a day is that of an instant in some time zone. */
function isNextDay(day: string, time: string): boolean {
  return Math.abs(Date.parse(day) + 12 * HOUR - instantOf(time)) < 36 * HOUR;
}

/** Returns the instants by which the service finds the fill rates of a store, if it shows them. */
async function ratedInstants(tools: ExperimentTools, externalId: string): Promise<string[]> {
  const instant = hintOf(tools, "time-range.instant");
  const list = instant === "own-instant" ? "photos" : "protocols";
  const path = storePath(externalId, list);
  const exchange = await getInRange(tools, list, path, largestPage(path));
  if (list === "photos") return instantsIn(photosIn(exchange), OWN);
  return instantsIn(rowsOf(exchange), instant === "submission" ? SUBMITTED : CREATED);
}

/** Returns the day of the fill rates of an instant; `undefined` unless it is exactly one day. */
async function dayOf(
  store: RatedStore,
  at: string,
): Promise<{ day: string | undefined; exchange: Exchange }> {
  const { exchange } = await store.ask({ from: shiftTime(at, -1), to: shiftTime(at, 1), groupBy: "day" });
  const [day, ...others] = dayLabels(exchange);
  return { day: others.length === 0 ? day : undefined, exchange };
}

export const timeZones = experiment<"time-zones.meaning", { isUtc: boolean; sides: number }>({
  gap: "time-zones.meaning",
  cost: 2,
  chance: 0.3,
  after: ["fill-rates.calculation", "fill-rates.shape", "time-range.instant"],
  needs: "fill rates of instants within an hour of midnight, before and after it",
  assumes: "A local zone is at least an hour away from UTC, and all stores have the same one.",
  observe: async function* observe(tools) {
    requireMilliseconds(tools);
    const sides = new Set<string>();
    for await (const store of ratedOneByOne(tools)) {
      for (const time of await ratedInstants(tools, store.externalId)) {
        const side = sideOf(time);
        if (side === undefined || sides.has(side)) continue;
        const { day, exchange } = await dayOf(store, time);
        if (day === undefined) continue;
        const isUtc = day === new Date(instantOf(time)).toISOString().slice(0, 10);
        const reason = `Fill rates of ${time} are in the group of ${day}.`;
        if (isUtc) sides.add(side);
        const observed = { isUtc, sides: sides.size };
        const beside = await store.ask({ from: shiftTime(time, 2), to: shiftTime(time, 20), groupBy: "day" });
        const isExact = control(
          "a range that begins 2 ms later has no group",
          isOk(beside.exchange) && dayLabels(beside.exchange).length === 0,
        );
        const isOneDay = control("the group is the day of the instant in some zone", isNextDay(day, time));
        yield observation(`${store.externalId} ${time}`, observed, reason, [isExact, isOneDay], exchange);
      }
      yield undefined;
    }
    throw new Missing("fill rates of instants within an hour of midnight, before and after it");
  },
  // a zone east of UTC is visible late in the day, a zone west of it early
  readings: { utc: { isUtc: true }, local: ({ isUtc, sides }) => !isUtc || sides < 2 },
});

/** Yields every date-time within a value. */
function dateTimesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(dateTimesIn);
  if (isObject(value)) return Object.values(value).flatMap(dateTimesIn);
  return isDateTime(value) ? [value] : [];
}

interface Forms {
  /** Whether responses have an offset. */
  readonly isOffset?: boolean;
  /** The status of a query without an offset. */
  readonly status?: number;
}

export const dateTimeForms = experiment<"date-times.forms", Forms>({
  gap: "date-times.forms",
  cost: 1,
  needs: "a store with a date-time in one of its lists",
  assumes: "All date-times of responses have one form, and all ranges are parsed in one way.",
  mayVary: true,
  shownBy: ["getContacts", "getExpectations", "listProtocols", "getProtocol", "listPhotos"],
  examine: (exchange) => {
    // only the rows: any response may also say when it was sent
    const times = dateTimesIn(Object.values(bodyOf(exchange)).filter(Array.isArray));
    if (times.length === 0) return undefined;
    const without = times.filter((time) => !hasOffset(time)).length;
    if (without > 0 && without < times.length) return undefined;
    const reason = `Date-times of responses have ${without > 0 ? "no" : "an"} offset.`;
    return { observed: { isOffset: without === 0 }, reason };
  },
  observe: async function* observe(tools) {
    for (const id of unseenFirst(tools, await externalIds(tools)).slice(0, 2)) {
      const path = storePath(id, "protocols");
      const base = await getInRange(tools, "protocols", path, largestPage(path));
      const { from, to } = rangeOf(tools, "protocols");
      const query = { ...base.query, from: withoutOffset(from), to: withoutOffset(to) };
      const exchange = await tools.ask(storeOf(tools), path, query);
      const reason = `A range without offsets: status ${exchange.status}.`;
      const controls = [succeeds(base), isAnswer(exchange)] as const;
      yield observation(id, { status: exchange.status }, reason, controls, base, exchange);
    }
    for await (const _ of storesWithProtocols(tools, 1)) yield undefined;
  },
  readings: {
    rfc3339: ({ isOffset = true, status = 400 }) => isOffset && status === 400,
    "iso-utc": ({ isOffset = true, status = 200 }) => isOffset && status === 200,
    "responses-without-offset": ({ isOffset = false, status = 400 }) => !isOffset && status === 400,
  },
});

function withoutOffset(time: string): string {
  return new Date(instantOf(time)).toISOString().replace(/(?:\.\d+)?Z$/, "");
}
