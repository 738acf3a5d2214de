import type { api, CallOptions, SyncList, SyncRuntime } from "./clients.ts";
import { ConfigurationError, InvalidRequestError } from "./clients.ts";
import { instantRule, parseInstant } from "../wire/instant.ts";
import type { JsonObject } from "../wire/json.ts";
import type { JobFailure } from "./errors.ts";
import type { SavedBatch } from "./sink.ts";

/** Protocols of a client: `store.protocols`. */
export interface ProtocolSource<P, D> {
  /** Lists the protocols of a store. */
  list(externalId: string, query: api.ProtocolListQuery, options?: CallOptions): SyncList<P>;
  /** Reads a protocol with its answers. */
  get(externalId: string, protocolId: string, options?: CallOptions): PromiseLike<D>;
}

/** Photos of a client: `store.photos`. */
export interface PhotoSource<P> {
  /** Lists the photos of a store. */
  list(externalId: string, query: api.PhotoListQuery, options?: CallOptions): SyncList<P>;
}

/** The options of `pull`. The filters are those of the list. */
export interface PullOptions
  extends CallOptions,
    Pick<api.PhotoListQuery, "status" | "protocolId" | "expositionId" | "limit" | "extra"> {
  /** The start of the first run: a `Date`, or an ISO 8601 date-time with an offset. */
  since: Date | string;
  /** The `state` of the last saved batch; omitted, undefined or null for the first run. */
  state?: string | null | undefined;
  /**
   * The longest time after its instant at which an item may still appear, in ms. Each run reads this range again. Include
   * differences between clocks, and at least a minute or a day if the service compares those.
   */
  allowedLateness: number;
  /** Returns the ID of an item as the service sent it. Without an ID, an item is identified by its content. */
  identify?: ((item: JsonObject) => string) | undefined;
  /** Returns the part of an item whose change is a change of the item. Leave out what differs between two reads. */
  fingerprint?: ((item: JsonObject) => unknown) | undefined;
  /** Reads each new or changed protocol with its images (default: false). */
  details?: boolean | undefined;
  /**
   * Whether each range is read twice, with different page sizes (default: true). Otherwise it is read once, with half of the
   * requests, and what a response did not show may never be read.
   */
  verify?: boolean | undefined;
  /** The number of details that are read at the same time (default: 4). */
  concurrency?: number | undefined;
  /** The end of the range (default and maximum: now). */
  until?: (() => Date) | undefined;
  /** Receives warnings about clocks (default: `console.warn`). */
  onWarning?: ((message: string) => void) | undefined;
  /** Replaces the clock of `globalThis`. */
  runtime?: SyncRuntime | undefined;
}

/** A page of a run. */
export interface PullBatch<T> extends SavedBatch {
  /** The items that are new or have changed since they were delivered. */
  items: T[];
  /** The items whose details could not be read now. A later page or the next run tries them again. */
  failed: JobFailure[];
  /** The instant up to which everything that the service shows has been delivered. */
  completeUntil: Date;
}

/** Reads the options about time: the start of the first run, as the caller says, and the end of this one, in ms. */
export function readTimes({ since, allowedLateness, until, runtime = globalThis }: PullOptions) {
  if (!(typeof allowedLateness === "number" && allowedLateness >= 0 && allowedLateness < Infinity))
    throw new ConfigurationError("pull: allowedLateness must be a number of ms of at least 0");
  const start = parseInstant(since);
  if (start === undefined) throw new InvalidRequestError("pull", [{ path: "since", message: instantRule }]);
  const end = until === undefined ? Infinity : parseInstant(until());
  if (end === undefined) throw new ConfigurationError("pull: until must return a Date");
  const now = Math.floor(Math.min(runtime.Date.now(), end));
  if (start > now) {
    const message = `is after the end of the range, ${new Date(now).toISOString()}: nothing would be read`;
    throw new InvalidRequestError("pull", [{ path: "since", message }]);
  }
  return { since: start, now };
}
