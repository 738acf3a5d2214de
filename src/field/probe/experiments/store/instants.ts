import { largestPage, storePath } from "../../../routes.ts";
import { control, succeeds } from "../../controls.ts";
import { isOk, rowsOf } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { type ExperimentTools, openParts, storeOf } from "../../experiment-tools.ts";
import type { JsonObject } from "../../../../wire/json.ts";
import { type StoreList, getInRange, listIn, storesWithPhotos } from "./data.ts";
import {
  PHOTO_IDS,
  PROTOCOL_IDS,
  findLabelProperty,
  findUniqueProperty,
  instantOf,
  isDateTime,
} from "./identity.ts";
import { type RangeReader, comparesExactly, readerOf, requireMilliseconds, shiftTime } from "./ranges.ts";
import { isRated, rateOf } from "./rate-groups.ts";

/** The instant by which photos, their fill rates or protocols are found; `created`: a protocol by its creation. */
type InstantObserved = "creation" | "submission" | "own" | "created";

const INSTANT_PARTS = ["photos", "protocols", "fill rates"] as const;
const UNSUBMITTED = "a protocol that was not submitted";

export const rangeInstant = experiment<"time-range.instant", InstantObserved>({
  gap: "time-range.instant",
  cost: 2.5,
  chance: 0.6,
  after: ["photos.page-shape", "time-range.precision"],
  needs: "photos and protocols that show when they were created and submitted",
  assumes:
    "The properties of photos and protocols that begin with creat, taken, captur and submi are what they say, and all fill rates are found by one instant.",
  parts: INSTANT_PARTS,
  observe: async function* observe(tools) {
    requireMilliseconds(tools);
    for await (const list of storesWithPhotos(tools, 2)) {
      const path = storePath(list.externalId, "protocols");
      const exchange = await getInRange(tools, "protocols", path, largestPage(path));
      const protocols = isOk(exchange) ? rowsOf(exchange) : [];
      const all = { photos: list.rows, protocols };
      const times = protocolTimes(protocols);
      const parts = openParts(tools, INSTANT_PARTS);
      yield* observePhotos(tools, list, all);
      yield undefined;
      const isOpen = (): boolean => times?.unsubmitted !== undefined && !tools.isSeen(UNSUBMITTED);
      if (times !== undefined && isOpen()) yield* observeUnsubmitted(tools, path, times);
      // the first round asks as little as possible, and a protocol that is found by another time has no reading
      if (tools.round === 1 || isOpen()) continue;
      if (times !== undefined && parts.includes("protocols")) yield* observeSubmitted(tools, path, times);
      if (parts.includes("fill rates")) yield* observeRates(tools, list.externalId, all);
    }
  },
  readings: {
    creation: (observed) => observed === "created" || observed === "creation",
    "own-instant": (observed) => observed === "created" || observed === "own",
    submission: "submission",
  },
});

/** The photos and protocols of a store. */
interface StoreRows {
  readonly photos: readonly JsonObject[];
  readonly protocols: readonly JsonObject[];
}

/** Reads photos in two milliseconds around each kind of instant. */
async function* observePhotos(tools: ExperimentTools, { path, rows }: StoreList, all: StoreRows) {
  const key = findUniqueProperty(rows, PHOTO_IDS);
  if (key === undefined) return;
  const read = readerOf(tools, path, rows, key);
  const own = timesIn(rows, OWN)[0];
  for (const { name, instant } of candidates(all)) {
    const { exchange, keys } = await read(shiftTime(instant, -1), shiftTime(instant, 1));
    const found = rows.filter((row) => keys.includes(String(row[key])));
    if (found.length === 0) continue;
    // under every other reading the found photos would have this time
    const isOwn = own !== undefined && found.every((row) => isNear(row[own.name], instant));
    if (isOwn !== (name === "own")) continue;
    const isExact = await comparesExactly(read, instant, keys);
    const isOfOne = control("the found photos have one protocol", name === "own" || isOneProtocol(found));
    const reason = `Photos are found by ${TIMES[name]}.`;
    yield observation<InstantObserved>("photos", name, reason, [isExact, isOfOne], exchange);
    return;
  }
}

/** Reads the fill rates of a store in two milliseconds around each kind of instant. */
async function* observeRates(tools: ExperimentTools, externalId: string, all: StoreRows) {
  const path = storePath(externalId, "fill-rates");
  const read: RangeReader = async (from, to) => {
    const exchange = await tools.ask(storeOf(tools), path, { from, to });
    const isFound = isOk(exchange) && (listIn(exchange)?.rows ?? []).some((row) => Number(rateOf(row)) > 0);
    return { exchange, keys: isFound ? ["rates"] : [] };
  };
  for (const { name, instant } of candidates(all, ratedRows(all))) {
    const { exchange, keys } = await read(shiftTime(instant, -1), shiftTime(instant, 1));
    if (keys.length === 0) continue;
    const isExact = await comparesExactly(read, instant, keys);
    const reason = `Fill rates of photos are found by ${TIMES[name]}.`;
    yield observation<InstantObserved>("fill rates", name, reason, [isExact, succeeds(exchange)], exchange);
    return;
  }
}

/** The protocols of a store, and the names of their ID and times. */
interface ProtocolTimes {
  readonly rows: readonly JsonObject[];
  readonly key: string;
  readonly created: string;
  readonly submitted: string;
  readonly unsubmitted: JsonObject | undefined;
}

function protocolTimes(rows: readonly JsonObject[]): ProtocolTimes | undefined {
  const key = findLabelProperty(rows, PROTOCOL_IDS);
  const [submitted, created] = [timesIn(rows, SUBMITTED)[0]?.name, timesIn(rows, CREATED)[0]?.name];
  if (key === undefined || submitted === undefined || created === undefined) return undefined;
  const unsubmitted = rows.find((row) => row[submitted] === null && isDateTime(row[created]));
  return { rows, key, created, submitted, unsubmitted };
}

/** Reads a protocol that was not submitted in two milliseconds around its creation. */
async function* observeUnsubmitted(
  tools: ExperimentTools,
  path: string,
  { rows, key, created, unsubmitted: row = {} }: ProtocolTimes,
) {
  const time = String(row[created]);
  const read = readerOf(tools, path, rows, key);
  const { exchange, keys } = await read(shiftTime(time, -1), shiftTime(time, 1));
  const isFound = control("a range around its creation contains it", keys.includes(String(row[key])));
  const isExact = await comparesExactly(read, time, keys);
  const reason = "A protocol that was not submitted is found by its creation.";
  yield observation<InstantObserved>(UNSUBMITTED, "created", reason, [isFound, isExact], exchange);
}

/** Reads a protocol in two milliseconds around its creation, and otherwise around its submission. */
async function* observeSubmitted(
  tools: ExperimentTools,
  path: string,
  { rows, key, created, submitted }: ProtocolTimes,
) {
  const row = rows.find(
    (one) => isDateTime(one[created]) && isDateTime(one[submitted]) && !isNear(one[created], one[submitted]),
  );
  if (row === undefined) return;
  const read = readerOf(tools, path, rows, key);
  for (const name of [created, submitted]) {
    const time = String(row[name]);
    const { exchange, keys } = await read(shiftTime(time, -1), shiftTime(time, 1));
    if (!keys.includes(String(row[key]))) continue;
    const isExact = await comparesExactly(read, time, [String(row[key])]);
    const observed = name === created ? "created" : "submission";
    const reason = `A protocol that was submitted is found by its ${name === created ? "creation" : observed}.`;
    yield observation<InstantObserved>(
      "protocols",
      observed,
      reason,
      [isExact, succeeds(exchange)],
      exchange,
    );
    return;
  }
}

function isOneProtocol(photos: readonly JsonObject[]): boolean {
  return new Set(photos.map(({ protocolId }) => protocolId)).size === 1;
}

export const OWN = /^(creat|taken|captur)/i;
export const CREATED = /^creat/i;
export const SUBMITTED = /^submi/i;

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

/** Returns instants of some rows of a store at which only one kind of range finds photos. */
function candidates(all: StoreRows, some: StoreRows = all): Candidate[] {
  const own = instantsIn(all.photos, OWN);
  const creation = instantsIn(all.protocols, CREATED);
  const submission = instantsIn(all.protocols, SUBMITTED);
  const created = distinctFrom(instantsIn(some.protocols, CREATED), submission, own);
  const submitted = distinctFrom(instantsIn(some.protocols, SUBMITTED), creation, own);
  return [
    ...named("own", distinctFrom(instantsIn(some.photos, OWN), creation, submission).slice(0, 1)),
    ...named("creation", created.slice(0, MAX_PROTOCOLS)),
    ...named("submission", submitted.slice(0, MAX_PROTOCOLS)),
  ];
}

function named(name: Candidate["name"], instants: readonly string[]): Candidate[] {
  return instants.map((instant) => ({ name, instant }));
}

/** Returns the photos that may have a fill rate, and their protocols. */
function ratedRows({ photos, protocols }: StoreRows): StoreRows {
  const completed = protocols.filter(({ status = "completed" }) => status === "completed");
  const others = new Set(
    protocols.flatMap((row) => (completed.includes(row) ? [] : [row.protocolId ?? row.id])),
  );
  const rated = photos.filter((photo) => isRated(photo) && !others.has(photo.protocolId));
  const ids = new Set(rated.map(({ protocolId }) => protocolId));
  const own = completed.filter((row) => ids.has(row.protocolId ?? row.id));
  return { photos: rated, protocols: own.length > 0 ? own : completed };
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

export function instantsIn(rows: readonly JsonObject[], pattern: RegExp): string[] {
  return timesIn(rows, pattern)[0]?.instants ?? [];
}

/** Whether two instants are within the few milliseconds of a range. */
function isNear(value: unknown, time: string): boolean {
  return isDateTime(value) && Math.abs(instantOf(value) - instantOf(time)) < 3;
}
