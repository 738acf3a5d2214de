import { largestPage, storePath } from "../../../routes.ts";
import { control } from "../../controls.ts";
import { isOk, rowsOf } from "../../exchange.ts";
import { experiment, observation } from "../../experiment.ts";
import type { ExperimentTools } from "../../experiment-tools.ts";
import type { JsonObject } from "../../../../wire/json.ts";
import { type StoreList, getInRange, storesWithPhotos } from "./data.ts";
import {
  PHOTO_IDS,
  PROTOCOL_IDS,
  findLabelProperty,
  findUniqueProperty,
  instantOf,
  isDateTime,
} from "./identity.ts";
import { comparesExactly, readerOf, requireMilliseconds, shiftTime } from "./ranges.ts";

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
      const protocols = await getInRange(tools, "protocols", path, largestPage(path));
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
  const read = readerOf(tools, path, rows, key);
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
    const subject = `${externalId} ${instant}`;
    yield observation<InstantObserved>(subject, name, reason, [isExact, isOfOne], exchange);
    return;
  }
}

/** Reads a protocol that was not submitted in two milliseconds around its creation. */
async function* observeUnsubmitted(tools: ExperimentTools, { externalId, path, rows }: StoreList) {
  const [submitted, created] = [timesIn(rows, SUBMITTED)[0], timesIn(rows, CREATED)[0]];
  const key = findLabelProperty(rows, PROTOCOL_IDS);
  const row = rows.find((candidate) => submitted !== undefined && candidate[submitted.name] === null);
  const time = created === undefined ? undefined : row?.[created.name];
  if (key === undefined || row === undefined || !isDateTime(time)) return;
  const read = readerOf(tools, path, rows, key);
  const { exchange, keys } = await read(shiftTime(time, -1), shiftTime(time, 1));
  const isFound = control("a range around its creation contains it", keys.includes(String(row[key])));
  const isExact = await comparesExactly(read, time, keys);
  const reason = "A protocol that was not submitted is found by its creation.";
  const subject = `${externalId} ${time}`;
  yield observation<InstantObserved>(subject, "unsubmitted", reason, [isFound, isExact], exchange);
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

export function instantsIn(rows: readonly JsonObject[], pattern: RegExp): string[] {
  return timesIn(rows, pattern)[0]?.instants ?? [];
}

/** Whether two instants are within the few milliseconds of a range. */
function isNear(value: unknown, time: string): boolean {
  return isDateTime(value) && Math.abs(instantOf(value) - instantOf(time)) < 3;
}
