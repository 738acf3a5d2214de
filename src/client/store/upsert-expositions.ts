import { storeBodyLimits } from "../../../generated/store.limits.ts";
import { storeOperations } from "../../../generated/store.operations.ts";
import type { Exposition, ExpositionInput, ExpositionList } from "../../../generated/store.ts";
import { isObject } from "../../wire/json.ts";
import { InvalidRequestError } from "../core/errors/errors.ts";
import type { Issue } from "../core/errors/issue.ts";
import { check } from "../core/options/check.ts";
import type { CallOptions } from "../core/options/options.ts";
import { runInOrder } from "../core/request/write-queue.ts";
import { matchExpositions } from "./match-expositions.ts";
import type { ExpositionUpserter } from "./modify-list.ts";
import { checkList, expositionRules, findLost } from "./list-rules.ts";
import { refuseDifference } from "./modify.ts";

const most = storeBodyLimits.ExpositionUpsert.expositions.maxItems;
const { method, path } = storeOperations.putExpositions;
const label = `${method} ${path}`;

/** Options of `upsertExpositions`. */
export interface UpsertExpositionsOptions extends CallOptions {
  /**
   * The effect of an upsert on stored expositions that it does not name (gap `expositions.absent`). With `keep`, only
   * new and changed expositions are sent. Without it, every exposition of the store is sent in one request, so that
   * more than 500 are an error.
   */
  absent?: "keep" | undefined;
  /** Called after each request. An error that it throws, or that its promise rejects with, ends the run. */
  onChunk?: ((progress: { done: number; total: number }) => unknown) | undefined;
}

/** The part of a `StoreClient` that `upsertExpositions` uses. */
export interface ExpositionWriter {
  readonly expositions: ExpositionUpserter;
  /** The readings of the client; `expositions.matching` tells which properties identify an exposition without ID. */
  readonly readings?: { readonly "expositions.matching"?: string | undefined };
}

/** See `upsertExpositions` of `functions.ts`. */
export async function upsertExpositions(
  store: ExpositionWriter,
  externalId: string,
  expositions: readonly ExpositionInput[],
  options: UpsertExpositionsOptions = {},
): Promise<ExpositionList> {
  check("upsertExpositions: the options must be an object", options, isObject);
  const { absent, onChunk, ...call } = options;
  check('absent must be "keep", or be omitted', absent, (value) => value === "keep");
  check("onChunk must be a function", onChunk, (value) => typeof value === "function");
  if (!Array.isArray(expositions))
    throw new InvalidRequestError(label, [{ path: "expositions", message: "must be an array" }]);
  return writeExpositions(store, externalId, Array.from<ExpositionInput>(expositions), {
    mayOmit: absent === "keep",
    onChunk,
    call,
  });
}

/** The settings of one write. */
interface WriteSettings {
  /** Whether the service keeps what a request does not name. */
  mayOmit: boolean;
  onChunk?: UpsertExpositionsOptions["onChunk"];
  call: CallOptions;
  /** Called before the first write with the stored expositions; may throw. */
  inspect?: (stored: readonly Exposition[]) => void;
}

/** Reads the expositions of a store, sends what differs, and compares what is stored afterwards. */
export async function writeExpositions(
  { expositions, readings }: ExpositionWriter,
  externalId: string,
  given: readonly ExpositionInput[],
  { mayOmit, onChunk, call, inspect }: WriteSettings,
): Promise<ExpositionList> {
  const reading = readings?.["expositions.matching"];
  refuse(matchExpositions([], given, reading).issues);
  refuseTooMany(given.length, mayOmit);
  return runInOrder(expositions, externalId, call.signal, async () => {
    const before = checkList(expositionRules, await expositions.get(externalId, call), externalId);
    const { all, changed, untouched, issues } = matchExpositions(before.items, given, reading);
    refuse(issues);
    if (changed.length === 0) return before;
    inspect?.(before.items);
    const body = mayOmit ? changed : all;
    refuseTooMany(body.length, mayOmit);
    for (let done = 0; done < body.length; done += most) {
      const written = await expositions.upsert(externalId, body.slice(done, done + most), call);
      checkList(expositionRules, written, externalId, before);
      await onChunk?.({ done: Math.min(done + most, body.length), total: body.length });
    }
    const stored = await expositions.get(externalId, call);
    const after = checkList(expositionRules, stored, externalId, before, true);
    const missed = matchExpositions(after.items, given, reading);
    refuseDifference(label, [
      ...missed.issues,
      ...missed.changedAt.map((index) => ({ path: `${index}`, message: "is not stored as it was given" })),
      ...findLost(expositionRules, untouched, after.items).map(({ path: at, message }) => ({
        path: `(stored exposition ${at})`,
        message: `was changed although no element refers to it: ${message}`,
      })),
    ]);
    return after;
  });
}

function refuse(issues: readonly Issue[]): void {
  if (issues.length > 0) throw new InvalidRequestError(label, issues);
}

function refuseTooMany(count: number, mayOmit: boolean): void {
  if (count <= most || mayOmit) return;
  const message =
    `${count} elements need several requests, each of which omits the others; set absent: "keep" if the service keeps ` +
    "omitted expositions (gap expositions.absent)";
  refuse([{ path: "expositions", message }]);
}
