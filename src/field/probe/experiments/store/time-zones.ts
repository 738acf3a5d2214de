import { largestPage, storePath } from "../../../routes.ts";
import { control, isAnswer, succeeds } from "../../controls.ts";
import { type Exchange, bodyOf, isOk, rowsOf } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { type ExperimentTools, type Range, hintOf, openEntries, storeOf } from "../../experiment-tools.ts";
import { Missing } from "../../failures.ts";
import { type JsonObject, isObject } from "../../../../wire/json.ts";
import { externalIds, getInRange, photosIn, rangeOf, storesWithProtocols } from "./data.ts";
import { hasOffset, instantOf, isDateTime } from "./identity.ts";
import { CREATED, OWN, SUBMITTED, instantsIn } from "./store-times.ts";
import { requireMilliseconds, shiftTime, simplestRow, timesIn } from "./range-reader.ts";
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
  // no response shows the zone of a weekday or a time, and few services have photos within an hour of Monday's midnight
  parts: ["weeks, weekdays, protocolTime and opening times"],
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
        yield observation("days", observed, reason, [isExact, isOneDay], exchange);
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

/** Date-times that only some readings allow in a query. */
const FORMS: Readonly<Record<string, (time: string) => string>> = {
  "without offsets": (time) => new Date(instantOf(time)).toISOString().replace(/(?:\.\d+)?Z$/, ""),
  "in basic form": (time) => new Date(instantOf(time)).toISOString().replaceAll(/[-:]|\.\d+/g, ""),
};

/** Returns a date-time of RFC 3339, which every reading allows. */
function withOffset(time: string): string {
  return shiftTime(time, 2 * HOUR).replace("Z", "+02:00");
}

/** A range that is compared with a precision of a minute contains, with this margin, what it would contain otherwise. */
const MARGIN = 2 * 60_000;

/** Returns a range that begins just before the times of a row, and ends just after them. */
function closeRange(rows: readonly JsonObject[]): Range | undefined {
  const times = timesIn(simplestRow(rows) ?? {}).toSorted((a, b) => instantOf(a) - instantOf(b));
  const [first, last = first] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return { from: shiftTime(first, -MARGIN), to: shiftTime(last, MARGIN) };
}

/** Sends, once in a round, a range with offsets, which every reading allows, and one of days, which RFC 3339 does not. */
function otherForms(tools: ExperimentTools, { path, query }: Exchange, { from, to }: Range) {
  const send = (format: (time: string) => string): Promise<Exchange> =>
    storeOf(tools).get(path, { ...query, from: format(from), to: format(to) });
  return tools.once("date-time forms", async () => ({
    offset: await send(withOffset),
    days: await send((time) => shiftTime(time, 0).slice(0, 10)),
  }));
}

interface Forms {
  /** Whether responses have an offset. */
  readonly isOffset?: boolean;
  /** The status of a query in a form that only some readings allow. */
  readonly status?: number;
}

export const dateTimeForms = experiment<"date-times.forms", Forms>({
  gap: "date-times.forms",
  cost: 1,
  needs: "a store with a date-time in one of its lists",
  assumes: "All date-times of responses have one form, and all ranges are parsed in one way.",
  mayVary: true,
  parts: ["in a response", ...Object.keys(FORMS)],
  shownBy: ["getContacts", "getExpectations", "listProtocols", "getProtocol", "listPhotos"],
  examine: (exchange) => {
    // only the rows: any response may also say when it was sent
    const times = dateTimesIn(Object.values(bodyOf(exchange)).filter(Array.isArray));
    if (times.length === 0) return undefined;
    const without = times.filter((time) => !hasOffset(time)).length;
    if (without > 0 && without < times.length) return undefined;
    const reason = `Date-times of responses have ${without > 0 ? "no" : "an"} offset.`;
    return { subject: "in a response", observed: { isOffset: without === 0 }, reason };
  },
  observe: async function* observe(tools) {
    for (const id of (await externalIds(tools)).slice(0, 2)) {
      const path = storePath(id, "protocols");
      const base = await getInRange(tools, "protocols", path, largestPage(path));
      for (const [form, format] of openEntries(tools, FORMS)) {
        const { from, to } = closeRange(rowsOf(base)) ?? rangeOf(tools, "protocols");
        const query = { ...base.query, from: format(from), to: format(to) };
        const exchange = await tools.ask(storeOf(tools), path, query);
        // the first round asks as little as possible
        const isChecked = isOk(exchange) && tools.round > 1;
        const same = isChecked ? await storeOf(tools).get(path, { ...base.query, from, to }) : exchange;
        // in a local zone, the range would have other protocols
        const isUtc = rowsOf(exchange).length === rowsOf(same).length;
        const reason = `A range ${form}: status ${exchange.status}${isUtc ? "" : ", not in UTC"}.`;
        const others = tools.round > 1 ? await otherForms(tools, base, { from, to }) : undefined;
        const { offset = base, days = exchange } = others ?? {};
        const isStrict = control("a range of days is also refused", isOk(exchange) || !isOk(days));
        const controls = [succeeds(base), succeeds(offset), isStrict, isAnswer(exchange)] as const;
        yield observation(form, { status: isUtc ? exchange.status : 0 }, reason, controls, base, exchange);
      }
    }
    for await (const _ of storesWithProtocols(tools, 1)) yield undefined;
  },
  readings: {
    rfc3339: ({ isOffset = true, status = 400 }) => isOffset && status === 400,
    "iso-utc": ({ isOffset = true, status = 200 }) => isOffset && status === 200,
    "responses-without-offset": ({ isOffset = false, status = 400 }) => !isOffset && status === 400,
  },
});
