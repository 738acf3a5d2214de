import { control, isAnswer, isShown, succeeds } from "../../controls.ts";
import { type Exchange, bodyOf, isOk, rowsOf } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { type ExperimentTools, hintOf, storeOf, unseenFirst } from "../../experiment-tools.ts";
import { Missing } from "../../failures.ts";
import { type JsonObject, isObject } from "../../json.ts";
import {
  type StoreList,
  externalIds,
  getInRange,
  photosIn,
  rangeOf,
  storePath,
  storesWithPhotos,
  storesWithProtocols,
} from "./data.ts";
import { findLabelProperty, findUniqueProperty, hasOffset, instantOf, isDateTime } from "./identity.ts";
import { PHOTO_IDS } from "./photos.ts";
import { PROTOCOL_IDS, comparesExactly, readerOf, requireMilliseconds, shiftTime } from "./ranges.ts";
import { type RatedStore, dayLabels, ratedOneByOne } from "./rate-groups.ts";

/** The instant by which photos are found, or that a protocol that was not submitted is found. */
type InstantObserved = "creation" | "submission" | "own" | "unsubmitted";

export const rangeInstant = experiment<"time-range.instant", InstantObserved>({
  gap: "time-range.instant",
  cost: 2.5,
  chance: 0.6,
  after: ["photos.page-shape", "time-range.precision"],
  needs: "photos and protocols that show when they were created and submitted",
  assumes:
    "The properties of photos and protocols that begin with creat, taken, captur and submi are what they say.",
  observe: async function* observe(tools) {
    requireMilliseconds(tools);
    for await (const list of storesWithPhotos(tools, 2)) {
      const path = storePath(list.externalId, "protocols");
      const protocols = await getInRange(tools, "protocols", path, { limit: "100" });
      const rows = isOk(protocols) ? rowsOf(protocols) : [];
      yield* observePhotos(tools, list, rows);
      yield undefined;
      yield* observeUnsubmitted(tools, { externalId: list.externalId, path, exchange: protocols, rows });
    }
  },
  readings: {
    creation: (observed) => observed === "unsubmitted" || observed === "creation",
    "own-instant": (observed) => observed === "unsubmitted" || observed === "own",
    submission: "submission",
  },
});

/** Reads photos in two milliseconds around each kind of instant. */
async function* observePhotos(
  tools: ExperimentTools,
  { externalId, path, rows }: StoreList,
  protocols: readonly JsonObject[],
) {
  const key = findUniqueProperty(rows, PHOTO_IDS);
  if (key === undefined) return;
  const read = readerOf(tools, path, key);
  const own = timesIn(rows, OWN)[0];
  for (const { name, instant } of candidates(rows, protocols)) {
    const { exchange, keys } = await read(shiftTime(instant, -1), shiftTime(instant, 1));
    const found = rows.filter((row) => keys.includes(String(row[key])));
    if (found.length === 0) continue;
    // under every other reading the found photos would have this time
    const isOwn = own !== undefined && found.every((row) => isNear(row[own.name], instant));
    if (isOwn !== (name === "own")) continue;
    const isExact = await comparesExactly(read, instant, keys);
    const isOfOne = control("the found photos have one protocol", name === "own" || isOneProtocol(found));
    const reason = `Photos are found by ${TIMES[name]}.`;
    yield observation<InstantObserved>(
      `${externalId} ${instant}`,
      name,
      reason,
      [isExact, isOfOne],
      exchange,
    );
    return;
  }
}

/** Reads a protocol that was not submitted in two milliseconds around its creation. */
async function* observeUnsubmitted(tools: ExperimentTools, { externalId, path, rows }: StoreList) {
  const [submitted, created] = [timesIn(rows, SUBMITTED)[0], timesIn(rows, CREATED)[0]];
  const key = findLabelProperty(rows, PROTOCOL_IDS);
  const row = rows.find((one) => submitted !== undefined && one[submitted.name] === null);
  const time = created === undefined ? undefined : row?.[created.name];
  if (key === undefined || row === undefined || !isDateTime(time)) return;
  const read = readerOf(tools, path, key);
  const { exchange, keys } = await read(shiftTime(time, -1), shiftTime(time, 1));
  const isFound = control("a range around its creation contains it", keys.includes(String(row[key])));
  const isExact = await comparesExactly(read, time, keys);
  const reason = "A protocol that was not submitted is found by its creation.";
  yield observation<InstantObserved>(
    `${externalId} ${time}`,
    "unsubmitted",
    reason,
    [isFound, isExact],
    exchange,
  );
}

function isOneProtocol(photos: readonly JsonObject[]): boolean {
  return new Set(photos.map(({ protocolId }) => protocolId)).size === 1;
}

const OWN = /^(creat|taken|captur)/i;
const CREATED = /^creat/i;
const SUBMITTED = /^submi/i;

const TIMES = {
  own: "their own time",
  creation: "the creation of their protocol",
  submission: "the submission of their protocol",
} as const;

/** Returns the instants that are not close to any of the others. */
function distinctFrom(times: readonly string[], ...others: readonly string[][]): string[] {
  return times.filter((time) => !others.flat().some((other) => isNear(other, time)));
}

interface Candidate {
  readonly name: keyof typeof TIMES;
  readonly instant: string;
}

/** The number of protocols that are tried. */
const MAX_PROTOCOLS = 2;

/** Yields instants at which only one kind of range finds photos. */
function candidates(photos: readonly JsonObject[], protocols: readonly JsonObject[]): Candidate[] {
  const own = instantsIn(photos, OWN);
  const creation = instantsIn(protocols, CREATED);
  const submission = instantsIn(protocols, SUBMITTED);
  return [
    ...named("own", distinctFrom(own, creation, submission).slice(0, 1)),
    ...named("creation", distinctFrom(creation, submission, own).slice(0, MAX_PROTOCOLS)),
    ...named("submission", distinctFrom(submission, creation, own).slice(0, MAX_PROTOCOLS)),
  ];
}

function named(name: Candidate["name"], instants: readonly string[]): Candidate[] {
  return instants.map((instant) => ({ name, instant }));
}

/** Returns the properties with a matching name whose values are times, or null. */
function timesIn(rows: readonly JsonObject[], pattern: RegExp): { name: string; instants: string[] }[] {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  return [...names].flatMap((name) => {
    const values = rows.map((row) => row[name]).filter((value) => value !== null && value !== undefined);
    const instants = values.filter(isDateTime);
    return pattern.test(name) && instants.length > 0 && instants.length === values.length
      ? [{ name, instants }]
      : [];
  });
}

function instantsIn(rows: readonly JsonObject[], pattern: RegExp): string[] {
  return timesIn(rows, pattern)[0]?.instants ?? [];
}

/** Whether two instants are within the few milliseconds of a range. */
function isNear(one: unknown, other: string): boolean {
  return isDateTime(one) && Math.abs(instantOf(one) - instantOf(other)) < 3;
}

const HOUR = 3_600_000;

/** Returns the side of midnight on which a local day differs from the day in UTC, if the offset is at least an hour. */
function sideOf(time: string): "late" | "early" | undefined {
  const ofDay = instantOf(time) % (24 * HOUR);
  if (ofDay >= 23 * HOUR) return "late";
  return ofDay < HOUR ? "early" : undefined;
}

/** Whether a day is that of an instant in some time zone. */
function isNextDay(day: string, at: string): boolean {
  return Math.abs(Date.parse(day) + 12 * HOUR - instantOf(at)) < 36 * HOUR;
}

/** Returns the instants by which the service finds the fill rates of a store, if it shows them. */
async function ratedInstants(tools: ExperimentTools, externalId: string): Promise<string[]> {
  const instant = hintOf(tools, "time-range.instant");
  const list = instant === "own-instant" ? "photos" : "protocols";
  const limit = list === "photos" ? "500" : "100";
  const exchange = await getInRange(tools, list, storePath(externalId, list), { limit });
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
      for (const at of await ratedInstants(tools, store.externalId)) {
        const side = sideOf(at);
        if (side === undefined || sides.has(side)) continue;
        const { day, exchange } = await dayOf(store, at);
        if (day === undefined) continue;
        const isUtc = day === new Date(instantOf(at)).toISOString().slice(0, 10);
        const reason = `Fill rates of ${at} are in the group of ${day}.`;
        if (isUtc) sides.add(side);
        const observed = { isUtc, sides: sides.size };
        const beside = await store.ask({ from: shiftTime(at, 2), to: shiftTime(at, 20), groupBy: "day" });
        const isExact = control(
          "a range that begins 2 ms later has no group",
          isOk(beside.exchange) && dayLabels(beside.exchange).length === 0,
        );
        const isOneDay = control("the group is the day of the instant in some zone", isNextDay(day, at));
        yield observation(`${store.externalId} ${at}`, observed, reason, [isExact, isOneDay], exchange);
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

/** Properties that repeat a value of the query. */
const ECHOED: ReadonlySet<string> = new Set(["from", "to"]);

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
  examine: (exchange) => {
    if (exchange.api !== "store" || !isOk(exchange)) return undefined;
    const own = Object.entries(bodyOf(exchange)).filter(([name]) => !ECHOED.has(name));
    const times = dateTimesIn(own.map(([, value]) => value));
    if (times.length === 0) return undefined;
    const without = times.filter((time) => !hasOffset(time)).length;
    if (without > 0 && without < times.length) return undefined;
    const reason = `Date-times of responses have ${without > 0 ? "no" : "an"} offset.`;
    return observation(exchange.path, { isOffset: without === 0 }, reason, [isShown(exchange)], exchange);
  },
  observe: async function* observe(tools) {
    for (const id of unseenFirst(tools, await externalIds(tools)).slice(0, 2)) {
      const path = storePath(id, "protocols");
      const base = await getInRange(tools, "protocols", path, { limit: "100" });
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
