import { ConfigurationError } from "../core/errors/errors.ts";
import { checkNames } from "../core/errors/unknown-name.ts";
import type { CursorList } from "../core/pagination/list.ts";
import type { CallOptions } from "../core/options/options.ts";
import type { Api } from "../core/request/api.ts";
import { serializeDateTime } from "../core/request/serialize-query.ts";
import type { SentItem } from "../core/request/shape.ts";
import { isObject, type JsonObject } from "../../wire/json.ts";
import type { ItemIdentity } from "./pull-keys.ts";
import type { PullTimes } from "./pull-plan.ts";
import type { Instant, ListQuery } from "./query.ts";

/** The options of every pull besides the filters of its list. */
export interface PullOptions extends Omit<ListQuery, "resume"> {
  /** The `state` of the last saved batch; omitted for the first run. */
  state?: string | undefined;
  /** The start of the first run. */
  since: Instant;
  /**
   * The longest time after its instant at which an item may still appear, in ms. Each run reads this range again.
   * Include differences between clocks and the delay until items are stored.
   */
  allowedLateness: number;
  /** Returns the ID of an item as the service sent it. An item without an ID is identified by its content. */
  identify?: ((item: JsonObject) => string) | undefined;
  /**
   * Returns the part of an item, as the service sent it, whose change is a change of the item (default: the whole
   * item). Leave out what differs between two reads, such as a signed URL.
   */
  fingerprint?: ((item: JsonObject) => unknown) | undefined;
  /** The end of the range (default and maximum: now, by the earlier one of the clocks of program and service). */
  until?: (() => Date) | undefined;
  /** The number of items on a page. */
  limit?: number | undefined;
}

/** The query of one time range of a pull. */
export interface PullRange extends JsonObject {
  from: string;
  to: string;
  resume: string | undefined;
  identify: PullOptions["identify"];
}

/** The list that a pull reads. */
export interface PulledList<T> {
  api: Api<never>;
  operation: string;
  /** The IDs in the path. */
  path: Readonly<Record<string, string>>;
  /** The query parameters of the list that are filters. */
  filters: readonly string[];
  /** The properties that may hold the ID of an item. */
  idProperties: readonly string[];
  /** The function of the client. */
  identify: ItemIdentity["identify"];
  /** See `rangePrecisions`. */
  precision: number;
  open(range: PullRange, options: CallOptions | undefined): CursorList<SentItem<T>>;
}

const names = ["state", "since", "allowedLateness", "identify", "fingerprint", "until", "limit"];

export function checkOptions<T>(list: PulledList<T>, options: PullOptions) {
  if (!isObject(options))
    throw new ConfigurationError("pull: the options must be an object { since, allowedLateness }");
  const known = [...names, ...list.filters, "extra", "maxIdleRequests"];
  checkNames("Unknown option", options, known);
  const { allowedLateness, fingerprint, until = () => new Date(8.64e15) } = options;
  const { identify = list.identify } = options;
  const since = serializeDateTime(options.since);
  if (typeof since === "object") throw new ConfigurationError(`since ${since.problem}`);
  if (!(typeof allowedLateness === "number" && allowedLateness >= 0 && allowedLateness < Infinity))
    throw new ConfigurationError("allowedLateness must be a number of ms of at least 0");
  for (const [name, value] of Object.entries({ identify, fingerprint, until })) {
    if (value !== undefined && typeof value !== "function")
      throw new ConfigurationError(`${name} must be a function`);
  }
  const readTimes = (): PullTimes => {
    const end: unknown = until();
    if (!(end instanceof Date) || Number.isNaN(end.getTime()))
      throw new ConfigurationError("until must return a valid Date");
    const now = Math.min(end.getTime(), Math.floor(list.api.config.runtime.Date.now()));
    const start = Date.parse(since);
    if (options.state === undefined && start > now)
      throw new ConfigurationError("since must not be later than now, and than `until`");
    return { since: start, now, allowedLateness, precision: list.precision };
  };
  const filters = Object.fromEntries([...list.filters, "extra"].map((name) => [name, options[name]]));
  return { readTimes, identity: { idProperties: list.idProperties, identify, fingerprint }, filters };
}
