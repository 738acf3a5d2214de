import { isObject, type JsonObject } from "../wire/json.ts";
import { hashContent, identifyWith, warn } from "./callbacks.ts";
import {
  type CallOptions,
  callOptions,
  ConfigurationError,
  InvalidRequestError,
  isRefusedPosition,
  PaginationError,
  type SyncList,
  type SyncPage,
} from "./clients.ts";
import { finishJob } from "./errors.ts";
import { hashJson } from "./json.ts";
import { omitUndefined } from "../wire/names.ts";
import { identify, readState } from "./list-state.ts";
import { addPage, firstPass, nextPass, restartPass } from "./passes.ts";
import { Details, type FreshItem, type ReadItems } from "./pull-details.ts";
import {
  type PhotoSource,
  type ProtocolSource,
  type PullBatch,
  type PullOptions,
  readTimes,
} from "./pull-options.ts";
import {
  judgeSection,
  overlapOf,
  planRun,
  type PullRun,
  type PullState,
  type Section,
} from "./pull-state.ts";

/**
 * Delivers the protocols or photos of a store that are new or have changed since the last run, page by page. Save
 * `state` with the items and pass it to the next run; an interrupted run continues after the last page that was saved. Each
 * range is read twice.
 * @throws {InvalidRequestError} for the state of another list, and if `since` is not an instant of the past
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
  const given = { ...options, extra: structuredClone(options.extra) };
  return new Pull(source as PullSource, externalId, given).batches(); // `get` was checked
}

/** Photos, which have no details, or protocols. A filter that a list does not have is refused by its request. */
type PullSource = PhotoSource<unknown> & Pick<ProtocolSource<unknown, unknown>, "get">;

type Batch = PullBatch<unknown>;
type Pages = AsyncIterableIterator<SyncPage<unknown>, void>;

const filterNames = ["status", "protocolId", "expositionId", "extra"] as const;
const largestPhotoPage = 500;

/** A run of a pull: its sections are read one after the other, each of them twice. */
class Pull {
  readonly #source: PullSource;
  readonly #externalId: string;
  readonly #options: PullOptions;
  readonly #times: ReturnType<typeof readTimes>;
  readonly #filters: JsonObject;
  readonly #call: CallOptions;
  /** A list for the IDs of items and for the identity of the state. */
  readonly #list: SyncList<unknown>;
  readonly #label: string;
  readonly #state: PullState;
  readonly #details: Details;
  /** The items of the last run, and those of this one, that the next run may read again. */
  readonly #before: ReadonlyMap<string, string>;
  #known = new Map<string, string>();
  /** The state of the batch before. */
  #last: string | undefined;

  constructor(source: PullSource, externalId: string, options: PullOptions) {
    this.#source = source;
    this.#externalId = externalId;
    this.#options = options;
    this.#times = readTimes(options);
    this.#call = callOptions(options);
    this.#filters = Object.fromEntries(filterNames.map((name) => [name, options[name]]));
    this.#list = this.#open({ from: this.#times.since, to: this.#times.now });
    this.#label = `pull of ${this.#list.operation}`;
    this.#state = this.#readState();
    const { details = false, concurrency, signal } = options;
    const get = (id: string): PromiseLike<unknown> => source.get(externalId, id, this.#call);
    this.#details = new Details(details ? get : undefined, { concurrency, signal }, this.#state);
    this.#before = new Map(this.#state.known);
    this.#last = options.state ?? undefined;
  }

  /** Delivers what is new or has changed, page by page. */
  async *batches(): AsyncGenerator<Batch, void, void> {
    const unfinished = this.#state.run;
    const { run, first } =
      unfinished === null ? await this.#begin() : { run: { ...unfinished }, first: undefined };
    this.#known = new Map(run.known);
    const waiting = await this.#details.readPending();
    if (waiting !== undefined) yield this.#batchOf(run, waiting);
    let pages = first;
    let mayRestart = run.resume !== null;
    while (run.section < run.sections.length) {
      try {
        yield* this.#readPass(run, pages);
      } catch (error) {
        // only the position of an earlier run is tried again from the start of its range
        if (!mayRestart || !isRefusedPosition(error)) throw error;
        run.resume = null;
        run.pass = restartPass(run.pass);
      }
      mayRestart = false;
      pages = undefined;
    }
    finishJob("pull", this.#details.failures.all, undefined);
  }

  /** Opens the list of a time range, from the first page or where a run is. */
  #open({ from, to }: Pick<Section, "from" | "to">, run?: PullRun): SyncList<unknown> {
    const { identify: own, limit } = this.#options;
    const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    const others = {
      ...this.#filters,
      limit: run?.pass.limit ?? limit,
      resume: run?.resume ?? undefined,
      identify: own && ((item: JsonObject) => identifyWith("pull", own, item)),
    };
    return this.#source.list(this.#externalId, { ...range, ...omitUndefined(others) }, this.#call);
  }

  #readState(): PullState {
    const { state: saved, allowedLateness } = this.#options;
    const { since } = this.#times;
    const identity = identify(this.#list, { externalId: this.#externalId, ...this.#filters });
    if (saved === undefined || saved === null)
      return { v: 2, list: identity, since, end: null, known: [], pending: [], run: null };
    const state = readState(this.#label, saved, identity) as PullState; // its identity says so
    const first = new Date(state.since).toISOString();
    const message = `is before that of the first run, ${first}: what is between the two would not be read`;
    if (since < state.since - overlapOf(allowedLateness))
      throw new InvalidRequestError(this.#label, [{ path: "since", message }]);
    return state;
  }

  /** Begins a run. A service whose clock is behind may still show items that are older than its time. */
  async #begin(): Promise<{ run: PullRun; first: Pages | undefined }> {
    const overlap = overlapOf(this.#options.allowedLateness);
    const { end, since } = this.#state;
    const { now } = this.#times;
    const run = this.#plan(now);
    if (end !== null && now < end - overlap)
      this.#warn("the clock went back since the last run: everything since `since` is read again");
    const pages = this.#open(sectionOf(run), run).pages();
    const page = (await pages.next()).value as SyncPage<unknown>; // a list has at least one page
    const time = await readServerTime(page);
    if (time >= now - overlap) return { run, first: prepend(page, pages) };
    await pages.return?.();
    const minutes = Math.round((now - time) / 60_000);
    this.#warn(
      `the clock of the service is ${minutes} minutes behind; runs read that much again until it is right`,
    );
    return { run: this.#plan(Math.max(time, since)), first: undefined };
  }

  #plan(end: number): PullRun {
    const { allowedLateness } = this.#options;
    const sections = planRun(this.#state, { now: this.#times.now, end, allowedLateness });
    return { end, sections, section: 0, resume: null, known: [], pass: firstPass };
  }

  #warn(message: string): void {
    warn(this.#options, `${this.#label}: ${message}`);
  }

  /** Reads the pages that are left of a pass over a section. */
  async *#readPass(run: PullRun, first: Pages | undefined): AsyncGenerator<Batch, void, void> {
    const section = sectionOf(run);
    for await (const page of first ?? this.#open(section, run).pages()) {
      const result = await this.#readPage(run, section, page);
      run.resume = page.resume;
      const isGivenUp = page.resume === null && !this.#endPass(run, section);
      if (run.section === run.sections.length) await this.#details.giveUpMissing();
      yield this.#batchOf(run, result);
      if (isGivenUp)
        throw new PaginationError(
          this.#label,
          "5 passes over a range had different items (verify): the next run reads it again",
        );
    }
  }

  /** Reads the items of a page, and their details if they are new or have changed. */
  async #readPage(run: PullRun, { isKept }: Section, page: SyncPage<unknown>): Promise<ReadItems> {
    const all = page.sent.map((sent, index) => this.#readItem(sent, page.items[index]));
    const ids = all.map(({ id }) => id);
    run.pass = addPage(run.pass, ids);
    // the items of the other sections are not known: a second pass only counts them, a third one delivers them again
    const isDelivered = isKept || run.pass.turn % 2 === 1;
    const isFresh = ({ key, content }: FreshItem): boolean =>
      (this.#known.get(key) ?? this.#before.get(key)) !== content;
    const result = await this.#details.read(isDelivered ? all.filter(isFresh) : []);
    if (!isKept) return result;
    const lost = new Set(result.failed.map(({ id }) => id));
    for (const { name, key, content } of all) if (!lost.has(name)) this.#known.set(key, content);
    return result;
  }

  #readItem(sent: unknown, item: unknown): FreshItem {
    if (!isObject(sent)) throw new PaginationError(this.#label, "an item is not an object");
    const id = this.#list.idOf(sent);
    const content = hashContent("pull", sent, this.#options.fingerprint);
    return { item, id, name: id ?? content, key: id === undefined ? content : hashJson(id), content };
  }

  /** Moves a run behind the last page of a pass. Returns false if it gives up. */
  #endPass(run: PullRun, section: Section): boolean {
    const { verify = true } = this.#options;
    const verdict = judgeSection(run.pass, section, verify);
    if (verdict === "next") run.section += 1;
    const largest = this.#list.operation === "listPhotos" ? largestPhotoPage : undefined;
    run.pass = verdict === "again" ? nextPass(run.pass, largest) : firstPass;
    return verdict !== "give up";
  }

  #batchOf(run: PullRun, { read, failed }: ReadItems): Batch {
    const isFinished = run.section === run.sections.length;
    const known = [...this.#known];
    const progress = isFinished ? { end: run.end, known, run: null } : { run: { ...run, known } };
    const state = JSON.stringify({ ...this.#state, ...this.#details.state, ...progress });
    const before = this.#last;
    this.#last = state;
    return {
      items: read.map(({ item }) => item),
      ids: read.map(({ name }) => name),
      failed,
      state,
      before,
      completeUntil: new Date(isFinished ? run.end : (this.#state.end ?? this.#state.since)),
    };
  }
}

/** Returns the section that a run reads. */
function sectionOf({ sections, section }: PullRun): Section {
  return sections[section] as Section; // a run has one or two of them
}

async function* prepend(page: SyncPage<unknown>, rest: Pages): Pages {
  yield page;
  yield* rest;
}

/** Returns the latest time that the service's clock may have shown; `Infinity` without a `Date` header. */
async function readServerTime(page: SyncPage<unknown>): Promise<number> {
  const { response } = await page.withResponse();
  const time = Date.parse(response.headers.get("date") ?? "");
  return Number.isNaN(time) ? Infinity : time + 999; // the header has whole seconds
}
