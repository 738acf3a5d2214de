import {
  type api,
  type CallOptions,
  callOptions,
  concernOf,
  ConfigurationError,
  InvalidRequestError,
  isNotFound,
  isRefusedPosition,
  type SyncList,
  type SyncPage,
  type SyncRuntime,
} from "./clients.ts";
import { hashContent } from "./callbacks.ts";
import type { JsonObject } from "../wire/json.ts";
import { finishJob, type JobFailure, RowError } from "./errors.ts";
import { identify, readState } from "./identity.ts";
import { hashJson, withoutUndefined } from "./json.ts";
import { KnownItems, overlapOf, planRun, type PullRun, type PullState, type Section } from "./pull-state.ts";
import type { SavedBatch } from "./sink.ts";
import { runEach } from "./tasks.ts";

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
  /** The start of the first run. */
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
  /** The ID of each item, or a hash of its content if it has no ID: the key of its row. */
  ids: string[];
  /** The items whose details could not be read. The next run tries them again. */
  failed: JobFailure[];
  /** Save it together with the items. A later run in any process continues from it. Treat it as opaque. */
  readonly state: string;
  /** The state that `state` replaces: that of the batch before, or the given one. */
  readonly before: string | undefined;
  /** The instant up to which everything that the service shows has been delivered. */
  completeUntil: Date;
}

const filterNames = ["status", "protocolId", "expositionId", "extra"] as const;
const maxPending = 1000;
const noId = "is needed: the item has no ID";

/**
 * Delivers the protocols or photos of a store that are new or have changed since the last run, page by page. Save
 * `state` with the items and pass it to the next run; an interrupted run continues after the last page that was saved.
 * @throws {InvalidRequestError} for the state of another list
 * @throws {JobError} after the last batch, if details could not be read. Nothing is thrown if the loop is left.
 * @throws the reason of the signal if it is aborted
 * @example
 * for await (const { items, state } of pull(store.protocols, "S-1", { since, state: saved, allowedLateness: 3_600_000 }))
 *   await save(items, state); // in one transaction
 */
export function pull<P, D>(
  source: ProtocolSource<P, D>,
  externalId: string,
  options: PullOptions & { details: true },
): AsyncGenerator<PullBatch<D>, void, void>;
export function pull<P>(
  source: PhotoSource<P> | ProtocolSource<P, unknown>,
  externalId: string,
  options: PullOptions & { details?: false | undefined },
): AsyncGenerator<PullBatch<P>, void, void>;
export function pull(
  source: PhotoSource<unknown> | ProtocolSource<unknown, unknown>,
  externalId: string,
  options: PullOptions,
): AsyncGenerator<PullBatch<unknown>, void, void> {
  if (options.details === true && !("get" in source))
    throw new ConfigurationError("pull: only protocols have details");
  return runPull(source as PullSource, externalId, { ...options }); // `get` was checked
}

/** Photos, which have no details, or protocols. A filter that a list does not have is refused by its request. */
type PullSource = PhotoSource<unknown> & Pick<ProtocolSource<unknown, unknown>, "get">;

/** A new or changed item of a page. */
interface FreshItem {
  item: unknown;
  /** The ID; undefined if the item has no ID. */
  id: string | undefined;
  /** The hashes of the ID and of the content. */
  key: string;
  content: string;
}

async function* runPull(
  source: PullSource,
  externalId: string,
  options: PullOptions,
): AsyncGenerator<PullBatch<unknown>, void, void> {
  const { since, now } = readTimes(options);
  const { concurrency, details = false } = options;
  const call = callOptions(options);
  const filters = Object.fromEntries(filterNames.map((name) => [name, options[name]]));
  const openSection: OpenSection = ({ from, to }, limit, resume) => {
    const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    const place = { limit: limit ?? undefined, resume: resume ?? undefined, identify: options.identify };
    return source.list(externalId, withoutUndefined({ ...filters, ...range, ...place }), call);
  };
  const list = openSection({ from: since, to: now }, null, null); // for its identity and the IDs
  const state = readProgress(list, { externalId, ...filters }, options, since);
  const begun =
    state.run === null
      ? await beginRun(state, now, options, openSection)
      : { run: state.run, first: undefined };
  const run = { ...begun.run };
  let { first } = begun;
  const before = new KnownItems(state.known);
  const items = new KnownItems(run.known);
  const pending = new Map(state.pending);

  const readItem = (sent: unknown, item: unknown): FreshItem => {
    const id = list.idOf(sent);
    const content = hashContent("pull", sent, options.fingerprint);
    return { item, id, key: id === undefined ? content : hashJson(id), content };
  };
  const open: JobFailure[] = [];
  const readDetails = async (fresh: readonly FreshItem[]) => {
    const failed: PullBatch<unknown>["failed"] = [];
    const read = await runEach(fresh, { concurrency, signal: call.signal }, async (entry) => {
      const { item, id, key } = entry;
      if (!details) return { ...entry, item };
      try {
        if (id === undefined)
          throw new InvalidRequestError("pull: details", [{ path: "identify", message: noId }]);
        const detail = await source.get(externalId, id, call);
        pending.delete(id);
        return { ...entry, item: detail };
      } catch (error) {
        call.signal?.throwIfAborted();
        if (concernOf(error) !== "one") throw error;
        if (id !== undefined) postpone(pending, id, isNotFound(error));
        failed.push({ id: id ?? key, error: new RowError(id ?? key, "details", error) });
        return undefined;
      }
    });
    open.push(...failed);
    return { read: read.filter((entry) => entry !== undefined), failed };
  };
  let last: PullState | undefined;
  const batchOf = ({ read, failed }: Awaited<ReturnType<typeof readDetails>>): PullBatch<unknown> => {
    const isFinished = run.section === run.sections.length;
    const saved = { ...run, known: items.text };
    const previous = last;
    const next: PullState = {
      ...state,
      pending: [...pending],
      ...(isFinished ? { end: run.end, known: items.text, run: null } : { run: saved }),
    };
    last = next;
    return {
      items: read.map(({ item }) => item),
      ids: read.map(({ id, key }) => id ?? key),
      failed,
      get state() {
        return JSON.stringify(next);
      },
      get before() {
        return previous === undefined ? (options.state ?? undefined) : JSON.stringify(previous);
      },
      completeUntil: new Date(isFinished ? run.end : (state.end ?? state.since)),
    };
  };

  if (pending.size > 0 && details) {
    // their content is not known: the list may deliver them again
    const waiting = [...pending.keys()].map((id) => ({ item: undefined, id, key: id, content: "" }));
    yield batchOf(await readDetails(waiting));
  }
  let mayRestart = run.resume !== null;
  for (let section = run.sections[run.section]; section !== undefined; section = run.sections[run.section]) {
    try {
      for await (const page of first ?? openSection(section, run.limit, run.resume).pages()) {
        const all = page.sent.map((sent, index) => readItem(sent, page.items[index]));
        const fresh = all.filter(({ key, content }) => (items.get(key) ?? before.get(key)) !== content);
        const result = await readDetails(fresh);
        const lost = new Set(result.failed.map(({ id }) => id));
        const kept = section.isKept ? all.filter(({ id, key }) => !lost.has(id ?? key)) : [];
        for (const { key, content } of kept) items.set(key, content);
        run.resume = page.resume;
        if (page.resume === null) run.section += 1;
        yield batchOf(result);
      }
    } catch (error) {
      // only the position of an earlier run is tried again from the start of its range
      if (!mayRestart || !isRefusedPosition(error)) throw error;
      run.resume = null;
    }
    mayRestart = false;
    first = undefined;
  }
  finishJob("pull", open, undefined);
}

/** Opens the list of a section, from the first or the resumed page. */
type OpenSection = (
  range: Pick<Section, "from" | "to">,
  limit: number | null,
  resume: string | null,
) => SyncList<unknown>;

type Pages = AsyncIterableIterator<SyncPage<unknown>, void>;

async function* prepend(page: SyncPage<unknown>, rest: Pages): Pages {
  yield page;
  yield* rest;
}

/** Begins a run. A service whose clock is behind may still show items that are older than its time. */
async function beginRun(
  state: PullState,
  now: number,
  // oxlint-disable-next-line no-console -- without `onWarning`, the only place where a user can see it
  { allowedLateness, limit, onWarning = console.warn }: PullOptions,
  openSection: OpenSection,
): Promise<{ run: PullRun; first: Pages | undefined }> {
  const warn = (message: string): void => onWarning(`pull of ${list.operation}: ${message}`);
  const plan = (end: number): PullRun => {
    const sections = planRun(state, { now, end, allowedLateness });
    return { end, sections, section: 0, resume: null, limit: limit ?? null, known: "" };
  };
  const run = plan(now);
  const list = openSection(run.sections[0] as Section, run.limit, null); // a plan has one or two sections
  if (state.end !== null && now < state.end - overlapOf(allowedLateness))
    warn("the clock went back since the last run: everything since `since` is read again");
  const pages = list.pages();
  const page = (await pages.next()).value as SyncPage<unknown>; // a list has at least one page
  const time = await readServerTime(page);
  if (time >= now - overlapOf(allowedLateness)) return { run, first: prepend(page, pages) };
  await pages.return?.();
  const minutes = Math.round((now - time) / 60_000);
  warn(`the clock of the service is ${minutes} minutes behind; runs read that much again until it is right`);
  return { run: plan(Math.max(time, state.since)), first: undefined };
}

/** Returns the latest time that the service's clock may have shown; `Infinity` without a `Date` header. */
async function readServerTime(page: SyncPage<unknown>): Promise<number> {
  const { response } = await page.withResponse();
  const time = Date.parse(response.headers.get("date") ?? "");
  return Number.isNaN(time) ? Infinity : time + 999; // the header has whole seconds
}

/** Remembers an item without details. One that is not found in two runs was deleted. */
function postpone(pending: Map<string, number>, id: string, isMissing: boolean): void {
  const misses = isMissing ? (pending.get(id) ?? 0) + 1 : 0;
  pending.set(id, misses);
  if (misses >= 2) pending.delete(id);
  if (pending.size > maxPending)
    throw new RowError(id, "details", `the details of more than ${maxPending} items could not be read`);
}

function readTimes({ since, allowedLateness, until, runtime = globalThis }: PullOptions) {
  if (!(typeof allowedLateness === "number" && allowedLateness >= 0 && allowedLateness < Infinity))
    throw new ConfigurationError("pull: allowedLateness must be a number of ms of at least 0");
  const start = new Date(since).getTime();
  const now = Math.floor(Math.min(runtime.Date.now(), until?.().getTime() ?? Infinity));
  if (Number.isNaN(start) || Number.isNaN(now))
    throw new ConfigurationError("pull: since and until must be instants");
  return { since: start, now };
}

function readProgress(
  list: SyncList<unknown>,
  parts: JsonObject,
  { state: saved, allowedLateness }: PullOptions,
  since: number,
): PullState {
  const identity = identify(list, parts);
  const label = `pull of ${list.operation}`;
  if (saved === undefined || saved === null)
    return { v: 1, list: identity, since, end: null, known: "", pending: [], run: null };
  const state = readState(label, saved, identity) as PullState; // its identity says so
  const first = new Date(state.since).toISOString();
  const message = `is before that of the first run, ${first}: what is between the two would not be read`;
  if (since < state.since - overlapOf(allowedLateness))
    throw new InvalidRequestError(label, [{ path: "since", message }]);
  return state;
}
