import { largestPage, storePath } from "../../../routes.ts";
import { control, succeeds } from "../../controls.ts";
import { isOk, rowsOf } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import { type ExperimentTools, openParts } from "../../experiment-tools.ts";
import type { JsonObject } from "../../../../wire/json.ts";
import { type StoreList, getInRange, storesWithPhotos } from "./data.ts";
import { PHOTO_IDS, PROTOCOL_IDS, findLabelProperty, findUniqueProperty, isDateTime } from "./identity.ts";
import { comparesExactly, readerOf, requireMilliseconds, shiftTime } from "./range-reader.ts";
import {
  CREATED,
  OWN,
  SUBMITTED,
  type StoreRows,
  candidates,
  columnsOf,
  isNear,
  rateCandidates,
  rateReader,
} from "./store-times.ts";

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

/** Reads photos in two milliseconds around each kind of instant. */
async function* observePhotos(tools: ExperimentTools, { path, rows }: StoreList, all: StoreRows) {
  const key = findUniqueProperty(rows, PHOTO_IDS);
  if (key === undefined) return;
  const read = readerOf(tools, path, rows, key);
  const own = columnsOf(rows, OWN)[0];
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
  const read = rateReader(tools, externalId);
  for (const { name, instant } of rateCandidates(all)) {
    const { exchange, keys } = await read(shiftTime(instant, -1), shiftTime(instant, 1));
    if (keys.length === 0) continue;
    const isExact = await comparesExactly(read, instant, keys);
    // other photos may be close to this one
    if (!isExact.holds) continue;
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
  const [submitted, created] = [columnsOf(rows, SUBMITTED)[0]?.name, columnsOf(rows, CREATED)[0]?.name];
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

const TIMES = {
  own: "their own time",
  creation: "the creation of their protocol",
  submission: "the submission of their protocol",
} as const;
