import { type Exchange, bodyOf, isOk, rowsOf } from "../../exchange.ts";
import { experiment, conclusiveResult, tentativeResult } from "../../experiment.ts";
import { Missing } from "../../failures.ts";
import { type JsonObject, isObject } from "../../json.ts";
import { type ExperimentTools, storeOf } from "../../experiment-tools.ts";
import { ALL_TIME, firstStore, listIn, storePath, storesWithPhotos, storesWithProtocols } from "./data.ts";
import { hasOffset, instantOf, isDateTime } from "./identity.ts";
import { shiftTime } from "./ranges.ts";
import { type RatedStore, dayLabels, ratedOneByOne } from "./rate-groups.ts";

/** The result of a range of two milliseconds around an instant. */
interface InstantsObserved {
  /** Whether a protocol that was not submitted is in a range. */
  readonly isUnsubmittedListed?: boolean;
  /** The instant by which a protocol is found. */
  readonly ofProtocol?: "creation" | "submission";
  /** The instant by which a photo is found. */
  readonly ofPhoto?: "creation" | "submission" | "own";
}

function findProperty(rows: readonly JsonObject[], pattern: RegExp): string | undefined {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  return [...names].find((name) => pattern.test(name));
}

export const rangeInstant = experiment<"time-range.instant", InstantsObserved>({
  gap: "time-range.instant",
  consent: "read",
  cost: 2,
  after: ["photos.page-shape"],
  needs: "photos and protocols that show when they were created and submitted",
  examine: (exchange) => {
    if (exchange.operation !== "listProtocols" || !isOk(exchange)) return undefined;
    const rows = rowsOf(exchange);
    const property = findProperty(rows, /submi/i);
    if (property === undefined || !rows.some((row) => row[property] === null)) return undefined;
    return conclusiveResult(
      { isUnsubmittedListed: true },
      `A protocol whose ${property} is null is in a range.`,
      exchange,
    );
  },
  observe: async function* observe(tools) {
    for await (const { externalId, path, rows } of storesWithPhotos(tools, 2)) {
      const list = await storeOf(tools).get(storePath(externalId, "protocols"), {
        ...ALL_TIME,
        limit: "100",
      });
      yield undefined;
      for (const { name, instant } of candidates(rows, rowsOf(list))) {
        const range = { from: shiftTime(instant, -1), to: shiftTime(instant, 1), limit: "100" };
        const exchange = await storeOf(tools).get(path, range);
        const found = isOk(exchange) ? (listIn(exchange)?.rows ?? []) : [];
        if (found.length === 0) continue;
        // under every other reading the found photos would have this time
        const own = findProperty(found, OWN);
        const isOwn = found.every((row) => own !== undefined && isNear(row[own], instant));
        if (isOwn !== (name === "own")) continue;
        yield conclusiveResult({ ofPhoto: name }, `Photos are found by ${TIMES[name]}.`, exchange);
        break;
      }
    }
    throw new Missing("photos and protocols that show when they were created and submitted");
  },
  readings: {
    creation: ({ isUnsubmittedListed, ofPhoto = "creation" }) =>
      isUnsubmittedListed === true || ofPhoto === "creation",
    "own-instant": ({ isUnsubmittedListed, ofPhoto = "own" }) =>
      isUnsubmittedListed === true || ofPhoto === "own",
    submission: ({ isUnsubmittedListed, ofPhoto }) =>
      isUnsubmittedListed !== true && ofPhoto === "submission",
  },
});

const OWN = /^(creat|taken|captur)/i;

const TIMES = {
  own: "their own time",
  creation: "the creation of their protocol",
  submission: "the submission of their protocol",
} as const;

/** Returns the times that are not close to any of the others. */
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
  const own = timesIn(photos, OWN);
  const creation = timesIn(protocols, /^creat/i);
  const submission = timesIn(protocols, /^submi/i);
  return [
    ...named("own", distinctFrom(own, creation, submission).slice(0, 1)),
    ...named("creation", distinctFrom(creation, submission).slice(0, MAX_PROTOCOLS)),
    ...named("submission", distinctFrom(submission, creation).slice(0, MAX_PROTOCOLS)),
  ];
}

function named(name: Candidate["name"], instants: readonly string[]): Candidate[] {
  return instants.map((instant) => ({ name, instant }));
}

function timesIn(rows: readonly JsonObject[], pattern: RegExp): string[] {
  const property = findProperty(rows, pattern);
  return rows.flatMap((row) => (property !== undefined && isDateTime(row[property]) ? [row[property]] : []));
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

/** Returns the instants by which the service finds the fill rates of a store, if it shows them. */
async function ratedInstants(tools: ExperimentTools, externalId: string): Promise<string[]> {
  const instant = tools.reading("time-range.instant");
  const isOwn = instant === "own-instant";
  const path = storePath(externalId, isOwn ? "photos" : "protocols");
  const exchange = await storeOf(tools).get(path, { ...ALL_TIME, limit: isOwn ? "500" : "100" });
  const rows = isOwn ? (listIn(exchange)?.rows ?? []) : rowsOf(exchange);
  if (isOwn) return timesIn(rows, OWN);
  return timesIn(rows, instant === "submission" ? /^submi/i : /^creat/i);
}

/** Returns the day of the fill rates of an instant; `undefined` unless it is exactly one day. */
async function dayOf(
  store: RatedStore,
  at: string,
): Promise<{ day: string | undefined; exchange: Exchange }> {
  const range = { from: shiftTime(at, -1), to: shiftTime(at, 1), groupBy: "day" };
  const { exchange } = await store.groups(range);
  const [day, ...others] = dayLabels(exchange);
  return { day: others.length === 0 ? day : undefined, exchange };
}

export const timeZones = experiment<"time-zones.meaning", { isUtc: boolean; sides: number }>({
  gap: "time-zones.meaning",
  consent: "read",
  cost: 1,
  chance: 0.3,
  after: ["fill-rates.calculation", "fill-rates.shape", "time-range.instant"],
  needs: "fill rates of instants within an hour of midnight, before and after it",
  observe: async function* observe(tools) {
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
        yield isUtc
          ? tentativeResult(observed, reason, exchange)
          : conclusiveResult(observed, reason, exchange);
      }
      yield undefined;
    }
    throw new Missing("fill rates of instants within an hour of midnight, before and after it");
  },
  // a zone east of UTC is visible late in the day, a zone west of it early
  readings: { utc: ({ isUtc }) => isUtc, local: ({ isUtc, sides }) => !isUtc || sides < 2 },
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
  consent: "read-odd",
  cost: 1,
  needs: "a store with a date-time in one of its lists",
  examine: (exchange) => {
    if (exchange.api !== "store" || !isOk(exchange)) return undefined;
    const own = Object.entries(bodyOf(exchange)).filter(([name]) => !ECHOED.has(name));
    const times = dateTimesIn(own.map(([, value]) => value));
    if (times.length === 0) return undefined;
    const without = times.filter((time) => !hasOffset(time)).length;
    if (without > 0 && without < times.length) return undefined;
    const reason = `Date-times of responses have ${without > 0 ? "no" : "an"} offset.`;
    return conclusiveResult({ isOffset: without === 0 }, reason, exchange);
  },
  observe: async function* observe(tools) {
    const path = storePath(await firstStore(tools), "protocols");
    const query = { from: "2000-01-01T00:00:00", to: "2100-01-01T00:00:00" };
    const exchange = await storeOf(tools).get(path, query);
    yield conclusiveResult(
      { status: exchange.status },
      `A range without offsets: status ${exchange.status}.`,
      exchange,
    );
    for await (const _ of storesWithProtocols(tools, 1)) yield undefined;
    throw new Missing("a store with a date-time in one of its lists");
  },
  readings: {
    rfc3339: ({ isOffset = true, status = 400 }) => isOffset && status === 400,
    "iso-utc": ({ isOffset = true, status = 200 }) => isOffset && status === 200,
    "responses-without-offset": ({ isOffset = false, status = 400 }) => !isOffset && status === 400,
  },
});
