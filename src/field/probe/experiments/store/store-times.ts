import { storePath } from "../../../routes.ts";
import { isOk } from "../../exchange.ts";
import { type ExperimentTools, type RangeReader, storeOf } from "../../experiment-tools.ts";
import type { JsonObject } from "../../../../wire/json.ts";
import { listIn } from "./data.ts";
import { instantOf, isDateTime } from "./identity.ts";
import { isRated, rateOf } from "./rate-groups.ts";

export const OWN = /^(creat|taken|captur)/i;
export const CREATED = /^creat/i;
export const SUBMITTED = /^submi/i;

/** The key that a reader of fill rates finds. */
export const RATED = "rates";

/** The photos and protocols of a store. */
export interface StoreRows {
  readonly photos: readonly JsonObject[];
  readonly protocols: readonly JsonObject[];
}

/** Returns the instants that are not close to any of the others. */
function distinctFrom(times: readonly string[], ...others: readonly string[][]): string[] {
  return times.filter((time) => !others.flat().some((other) => isNear(other, time)));
}

/** An instant by which photos may be found: their own time, or the creation or submission of their protocol. */
interface Candidate {
  readonly name: "own" | "creation" | "submission";
  readonly instant: string;
}

/** The number of protocols that are tried. */
const MAX_PROTOCOLS = 2;

/** Returns instants of some rows of a store at which only one kind of range finds photos. */
export function candidates(all: StoreRows, some: StoreRows = all): Candidate[] {
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

/** Returns instants at which only one kind of range finds fill rates. */
export function rateCandidates(all: StoreRows): Candidate[] {
  return candidates(all, ratedRows(all));
}

/** Returns a reader of ranges that finds one key if the store has fill rates in them. */
export function rateReader(tools: ExperimentTools, externalId: string): RangeReader {
  return async (from, to) => {
    const exchange = await tools.ask(storeOf(tools), storePath(externalId, "fill-rates"), { from, to });
    const rows = isOk(exchange) ? (listIn(exchange)?.rows ?? []) : [];
    return { exchange, keys: rows.some((row) => Number(rateOf(row)) > 0) ? [RATED] : [] };
  };
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

/** Returns the properties with a matching name whose values are times, or null, with these times. */
export function columnsOf(
  rows: readonly JsonObject[],
  pattern: RegExp,
): { name: string; instants: string[] }[] {
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
  return columnsOf(rows, pattern)[0]?.instants ?? [];
}

/** Whether two instants are within the few milliseconds of a range. */
export function isNear(value: unknown, time: string): boolean {
  return isDateTime(value) && Math.abs(instantOf(value) - instantOf(time)) < 3;
}
