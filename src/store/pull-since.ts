import { ConfigurationError, InvalidRequestError, PaginationError } from "../core/errors/errors.ts";
import type { CallOptions } from "../core/options/options.ts";
import { hash } from "../core/pagination/guard.ts";
import type { CursorPage } from "../core/pagination/page.ts";
import { isObject, type JsonObject } from "../internal/json.ts";

/** The query that `pullSince` opens a list with. */
export interface PullQuery {
  from: string;
  to: string;
  resume: string | undefined;
}

/** What `pullSince` takes. */
export interface PullOptions<T> {
  /** The `state` of the last batch that was saved; left out for the first run. */
  state?: string | undefined;
  /** Where the first run begins: a date-time. */
  since: string | Date;
  /**
   * How long after its instant an item may still appear, in ms. Each run reads this much again. Clocks that differ, and
   * protocols that are stored late, count too.
   */
  allowedLateness: number;
  /** The ID of an item (`protocolId`, `photoId`, then `id`; an item without one is known by its content). */
  identify?: ((item: T) => string) | undefined;
  /** The end of the range (now). */
  until?: (() => Date) | undefined;
  /** Ends the run; it rejects with the signal's own reason. */
  signal?: AbortSignal | undefined;
}

/** A page of a run. */
export interface PullBatch<T> {
  /** The items that are new, and those that changed since they were delivered. */
  items: T[];
  /** Save it with the items. A later run, in any process, goes on from there; treat it as opaque. */
  readonly state: string;
}

/** A list of one store over a range of time, such as `store.protocols.list("S-1", query, options)`. */
export type OpenRange<T> = (query: PullQuery, options: CallOptions) => PageSequence<T>;

/** The pages of a list. */
export interface PageSequence<T> {
  /** Yields every page. */
  pages(): AsyncIterableIterator<CursorPage<T>, void>;
}

/** How far the pull of one list is. */
interface PullState {
  v: 1;
  /** The run that is not finished: its range and the token of its next page. */
  run: { from: string; to: string; resume: string | null } | null;
  /** The end of the last finished run. */
  end: string | null;
  /** Hashes of ID and content of the items of the last finished run, which the next one may meet again. */
  known: [number, number][];
  /** The same of the run that is not finished. */
  met: [number, number][];
}

/** Which end belongs to a range is a gap (`time-range.ends`): neighboring ranges share at least this much, in ms. */
const leastOverlap = 1000;

/**
 * Pulls what is new in a list of protocols or photos since the last run, page by page. Each run reads the last
 * `allowedLateness` again and delivers what it has not delivered in this form: an item that came late, or that changed.
 * A run that was killed goes on where its last saved state stands. An item that appears later than `allowedLateness`
 * after its instant is not found.
 *
 * At least one batch comes, so that its state can be saved. A batch that was not saved is delivered again.
 * @throws {ConfigurationError} for a wrong option
 * @throws {InvalidRequestError} for a state of another kind
 * @throws {PaginationError} where items would be lost or repeated
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
  const { since, allowedLateness, identify, until, signal } = checkOptions(open, options);
  const before = options.state === undefined ? start : readState(options.state);
  const overlap = Math.max(leastOverlap, allowedLateness);
  const begin = before.end === null ? since.getTime() - leastOverlap : Date.parse(before.end) - overlap;
  // a clock that went back must not end this run before the last one: the items in between would be forgotten
  const earliestEnd = before.end === null ? begin + leastOverlap : Date.parse(before.end);
  const run = before.run ?? {
    from: new Date(begin).toISOString(),
    to: new Date(Math.max(earliestEnd, until().getTime())).toISOString(),
    resume: null,
  };
  const known = new Map(before.known);
  const met = new Map(before.met);
  const query = { from: run.from, to: run.to, resume: run.resume ?? undefined };
  for await (const page of open(query, { signal }).pages()) {
    const items = page.items.filter((item) => isNew(item, identify, known, met));
    const next: PullState =
      page.resume === null
        ? { v: 1, run: null, end: run.to, known: [...met], met: [] }
        : { v: 1, run: { ...run, resume: page.resume }, end: before.end, known: [...known], met: [...met] };
    yield {
      items,
      get state(): string {
        return JSON.stringify(next);
      },
    };
  }
}

/** gap protocols.equal-summaries */
const equalItems =
  "two items without an ID are equal, so that one of them would be taken for the other; tell them apart with `identify`";

const start: PullState = { v: 1, run: null, end: null, known: [], met: [] };

/** Whether an item was not delivered in this form; remembers it. */
function isNew<T extends object>(
  item: T,
  identify: PullOptions<T>["identify"],
  known: ReadonlyMap<number, number>,
  met: Map<number, number>,
): boolean {
  const content = JSON.stringify(item, sortMembers);
  const id = idOf(item, identify);
  const key = hash(id ?? content);
  if (id === undefined && met.has(key)) throw new PaginationError("pullSince", equalItems, {});
  const form = hash(content);
  const isDelivered = (met.get(key) ?? known.get(key)) === form;
  met.set(key, form);
  return !isDelivered;
}

function idOf<T extends object>(item: T, identify: PullOptions<T>["identify"]): string | undefined {
  if (identify !== undefined) {
    const id: unknown = identify(item);
    if (typeof id === "string" && id !== "") return `identify:${id}`;
    throw new ConfigurationError("identify must return a string that is not empty");
  }
  for (const member of ["protocolId", "photoId", "id"]) {
    const id = (item as JsonObject)[member];
    if (typeof id === "number" || (typeof id === "string" && id !== "")) return `${member}:${id}`;
  }
  return undefined;
}

function sortMembers(_: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

const names = ["state", "since", "allowedLateness", "identify", "until", "signal"];

function checkOptions<T>(open: unknown, options: PullOptions<T>) {
  if (typeof open !== "function")
    throw new ConfigurationError("pullSince takes a function that opens a list");
  if (!isObject(options)) throw new ConfigurationError("pullSince needs { since, allowedLateness }");
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new ConfigurationError(`Unknown option "${unknown}". Expected one of ${names.join(", ")}`);
  const { allowedLateness, identify, until = () => new Date(), signal } = options as PullOptions<T>;
  const since = new Date((options as PullOptions<T>).since);
  if (Number.isNaN(since.getTime())) throw new ConfigurationError("since must be a date-time");
  if (!(typeof allowedLateness === "number" && allowedLateness >= 0 && allowedLateness < Infinity))
    throw new ConfigurationError("allowedLateness must be a number of ms, 0 or more");
  for (const [name, value] of Object.entries({ identify, until })) {
    if (value !== undefined && typeof value !== "function")
      throw new ConfigurationError(`${name} must be a function`);
  }
  return { since, allowedLateness, identify, until, signal };
}

function readState(text: unknown): PullState {
  try {
    const state: unknown = JSON.parse(text as string); // anything else throws
    if (isState(state)) return state;
  } catch {
    // reported below
  }
  const message = "is not the `state` of a batch of pullSince";
  throw new InvalidRequestError("pullSince", [{ path: "state", message }]);
}

function isState(value: unknown): value is PullState {
  if (!isObject(value) || value.v !== 1) return false;
  const { run, end, known, met } = value;
  const isRun = run === null || (isObject(run) && isInstant(run.from) && isInstant(run.to));
  const hasToken = run === null || (isObject(run) && typeof run.resume === "string");
  return isRun && hasToken && (end === null || isInstant(end)) && arePairs(known) && arePairs(met);
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
