import { ConfigurationError, InvalidRequestError, PaginationError } from "../core/errors/errors.ts";
import type { CallOptions } from "../core/options/options.ts";
import { hash, type Identity, keyOf, sortProperties } from "../core/pagination/guard.ts";
import type { CursorPage } from "../core/pagination/page.ts";
import { serializeDateTime } from "../core/request/build.ts";
import { isObject } from "../../wire/json.ts";

/** The query that `pullSince` opens a list with. */
export interface PullQuery {
  from: string;
  to: string;
  resume: string | undefined;
}

/** Options of `pullSince`. */
export interface PullOptions<T> {
  /** The `state` of the last saved batch; omitted for the first run. */
  state?: string | undefined;
  /** The start of the first run, a date-time. */
  since: string | Date;
  /**
   * The longest time after its instant at which an item may still appear, in ms. Each run reads this range again.
   * Include differences between clocks and the delay until protocols are stored.
   */
  allowedLateness: number;
  /**
   * Returns the ID of an item (by default `protocolId`, `photoId` or `id`; an item without one is identified by its
   * content).
   */
  identify?: ((item: T) => string) | undefined;
  /** The end of the range (default: now). */
  until?: (() => Date) | undefined;
  /** Ends the run, which rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** A page of a run. */
export interface PullBatch<T> {
  /** The items that are new or have changed since they were delivered. */
  items: T[];
  /** Save it together with the items. A later run in any process continues from it. Treat it as opaque. */
  readonly state: string;
}

/** A list of one store over a time range, such as `store.protocols.list("S-1", query, options)`. */
export type OpenRange<T> = (query: PullQuery, options: CallOptions) => PageSequence<T>;

/** The pages of a list. */
export interface PageSequence<T> {
  /** Iterates every page. */
  pages(): AsyncIterableIterator<CursorPage<T>, void>;
}

/** The progress of pulling one list. */
interface PullState {
  v: 1;
  /** The unfinished run: its range and the token of its next page. */
  run: { from: string; to: string; resume: string | null } | null;
  /** The end of the last finished run. */
  end: string | null;
  /** Hashes of the ID and content of those items of the last finished run that the next run may read again. */
  previous: [number, number][];
  /** The same hashes for the unfinished run. */
  current: [number, number][];
}

/**
 * Whether a range includes its ends is a gap (`time-range.ends`): neighboring ranges share at least this time, in ms.
 */
const minOverlap = 1000;

/** A date before it has no RFC 3339 form with four digits for the year. */
const earliestStart = Date.parse("0001-01-01T00:00:00Z");

/**
 * Pulls the new items of a list of protocols or photos since the last run, page by page. Each run reads the last
 * `allowedLateness` again and delivers the items that appeared late or changed. An interrupted run continues from its
 * last saved state. An item that appears later than `allowedLateness` after its instant is not found.
 *
 * Each run delivers at least one batch, so that its state can be saved. A batch that was not saved is delivered again.
 * @throws {ConfigurationError} for a wrong option
 * @throws {InvalidRequestError} for a state of another list
 * @throws {PaginationError} if items would be lost or repeated
 * @example
 * const open: OpenRange<Protocol> = (query, options) => store.protocols.list("S-1", query, options);
 * for await (const { items, state } of pullSince(open, { state: saved, since, allowedLateness: 3_600_000 })) {
 *   await save(items, state); // in one transaction
 * }
 */
export async function* pullSince<T extends object>(
  open: OpenRange<T>,
  options: PullOptions<T>,
): AsyncGenerator<PullBatch<T>, void, void> {
  const checked = checkOptions(open, options);
  const { identify, signal } = checked;
  const before = options.state === undefined ? start : readState(options.state);
  const run = before.run ?? newRun(before.end, checked);
  const previous = new Map(before.previous);
  const current = new Map(before.current);
  const query = { from: run.from, to: run.to, resume: run.resume ?? undefined };
  for await (const page of open(query, { signal }).pages()) {
    const items = page.items.filter((item) => isNew(item, identify, previous, current));
    const next: PullState =
      page.resume === null
        ? { v: 1, run: null, end: run.to, previous: [...current], current: [] }
        : {
            v: 1,
            run: { ...run, resume: page.resume },
            end: before.end,
            previous: [...previous],
            current: [...current],
          };
    yield {
      items,
      get state(): string {
        return JSON.stringify(next);
      },
    };
  }
}

/** Returns a run over the range from the end of the last run, or from `since`, to the present. */
function newRun<T>(
  lastEnd: string | null,
  { since, allowedLateness, until }: Checked<T>,
): NonNullable<PullState["run"]> {
  const overlap = Math.max(minOverlap, allowedLateness);
  const begin = lastEnd === null ? since.getTime() - minOverlap : Date.parse(lastEnd) - overlap;
  const now: unknown = until();
  if (!(now instanceof Date) || Number.isNaN(now.getTime()))
    throw new ConfigurationError("until must return a valid Date");
  // if the clock went back, this run must not end before the last one, or the items in between would be forgotten
  const earliestEnd = lastEnd === null ? begin + minOverlap : Date.parse(lastEnd);
  const to = new Date(Math.max(earliestEnd, now.getTime()));
  return { from: new Date(Math.max(earliestStart, begin)).toISOString(), to: to.toISOString(), resume: null };
}

/** gap protocols.equal-summaries */
const equalItems = "two items without an ID are equal and cannot be distinguished; set `identify`";

/** The properties that may hold the ID of an item. */
const idProperties = ["protocolId", "photoId", "id"];

const start: PullState = { v: 1, run: null, end: null, previous: [], current: [] };

/** Whether an item was not delivered with this content yet; remembers it. */
function isNew<T extends object>(
  item: T,
  identify: PullOptions<T>["identify"],
  previous: ReadonlyMap<number, number>,
  current: Map<number, number>,
): boolean {
  const content = serialize(item);
  const id = keyOf(item, { properties: idProperties, identify: identify as Identity["identify"] }); // T is its type
  const key = id ?? hash(content);
  if (id === undefined && current.has(key)) throw new PaginationError("pullSince", equalItems, {});
  const form = hash(content);
  const isDelivered = (current.get(key) ?? previous.get(key)) === form;
  current.set(key, form);
  return !isDelivered;
}

function serialize(item: unknown): string {
  try {
    return JSON.stringify(item, sortProperties);
  } catch {
    throw new PaginationError("pullSince", "an item is nested too deeply to be compared", {});
  }
}

const names = ["state", "since", "allowedLateness", "identify", "until", "signal"];

interface Checked<T> extends Pick<PullOptions<T>, "allowedLateness" | "identify" | "signal"> {
  since: Date;
  until: () => Date;
}

function checkOptions<T>(open: unknown, options: PullOptions<T>): Checked<T> {
  if (typeof open !== "function")
    throw new ConfigurationError("pullSince: the first argument must be a function that opens a list");
  if (!isObject(options))
    throw new ConfigurationError("pullSince: the options must be an object { since, allowedLateness }");
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new ConfigurationError(`Unknown option "${unknown}". Expected one of ${names.join(", ")}`);
  const { allowedLateness, identify, until = () => new Date(), signal } = options as PullOptions<T>;
  const since = serializeDateTime((options as PullOptions<T>).since);
  if ("problem" in since) throw new ConfigurationError(`since ${since.problem}`);
  if (!(typeof allowedLateness === "number" && allowedLateness >= 0 && allowedLateness < Infinity))
    throw new ConfigurationError("allowedLateness must be a number of ms of at least 0");
  for (const [name, value] of Object.entries({ identify, until })) {
    if (value !== undefined && typeof value !== "function")
      throw new ConfigurationError(`${name} must be a function`);
  }
  return { since: new Date(since.text), allowedLateness, identify, until, signal };
}

function readState(text: unknown): PullState {
  try {
    const state: unknown = JSON.parse(text as string); // other errors are thrown
    if (isState(state)) return state;
  } catch {
    // reported below
  }
  const message = "must be the `state` of a batch of pullSince";
  throw new InvalidRequestError("pullSince", [{ path: "state", message }]);
}

function isState(value: unknown): value is PullState {
  if (!isObject(value) || value.v !== 1) return false;
  const { run, end, previous, current } = value;
  return (
    (run === null || isRun(run)) &&
    (end === null || isInstant(end)) &&
    arePairs(previous) &&
    arePairs(current)
  );
}

function isRun(value: unknown): boolean {
  return isObject(value) && isInstant(value.from) && isInstant(value.to) && typeof value.resume === "string";
}

function isInstant(value: unknown): boolean {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}

function arePairs(value: unknown): boolean {
  return Array.isArray(value) && value.every(isPair);
}

function isPair(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every(Number.isSafeInteger);
}
