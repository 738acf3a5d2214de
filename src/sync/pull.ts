import { isObject, type JsonObject } from "../wire/json.ts";
import { hashContent, identifyWith, notify } from "./callbacks.ts";
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
import { hashJson, withoutUndefined } from "./json.ts";
import { addToDigest, emptyDigest, identify, largestPage, readState } from "./list-state.ts";
import { Details, type FreshItem, type ReadItems } from "./pull-details.ts";
import {
  type PhotoSource,
  type ProtocolSource,
  type PullBatch,
  type PullOptions,
  type PullTimes,
  readTimes,
} from "./pull-options.ts";
import {
  firstPass,
  judgeSection,
  KnownItems,
  nextPass,
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
  return runPull(source as PullSource, externalId, { ...options, extra: structuredClone(options.extra) }); // `get` was checked
}

async function* runPull(
  source: PullSource,
  externalId: string,
  options: PullOptions,
): AsyncGenerator<PullBatch<unknown>, void, void> {
  yield* new Pull(source, externalId, options, readTimes(options)).batches();
}

/** Photos, which have no details, or protocols. A filter that a list does not have is refused by its request. */
export type PullSource = PhotoSource<unknown> & Pick<ProtocolSource<unknown, unknown>, "get">;

type Batch = PullBatch<unknown>;
type Pages = AsyncIterableIterator<SyncPage<unknown>, void>;

/** A page size, and the token of a page. */
interface Place {
  limit: number | null;
  resume: string | null;
}

const filterNames = ["status", "protocolId", "expositionId", "extra"] as const;
const largestPhotoPage = 500;

/** A run of a pull: its sections are read one after the other, each of them twice. */
export class Pull {
  readonly #source: PullSource;
  readonly #externalId: string;
  readonly #options: PullOptions;
  readonly #times: PullTimes;
  readonly #filters: JsonObject;
  readonly #call: CallOptions;
  /** A list for the IDs of items and for the identity of the state. */
  readonly #list: SyncList<unknown>;
  readonly #label: string;
  readonly #state: PullState;
  readonly #details: Details;
  /** The items of the last run, and those of this one, that the next run may read again. */
  readonly #before: KnownItems;
  #known = new KnownItems("");
  /** The state of the batch before. */
  #last: PullState | undefined;

  constructor(source: PullSource, externalId: string, options: PullOptions, times: PullTimes) {
    this.#source = source;
    this.#externalId = externalId;
    this.#options = options;
    this.#times = times;
    this.#call = callOptions(options);
    this.#filters = Object.fromEntries(filterNames.map((name) => [name, options[name]]));
    this.#list = this.#open({ from: times.since, to: times.now }, { limit: null, resume: null });
    this.#label = `pull of ${this.#list.operation}`;
    this.#state = this.#readState();
    const { details = false, concurrency } = options;
    const get = (id: string): PromiseLike<unknown> => source.get(externalId, id, this.#call);
    this.#details = new Details(
      { get: details ? get : undefined, concurrency, call: this.#call },
      this.#state,
    );
    this.#before = new KnownItems(this.#state.known);
  }

  /** Delivers what is new or has changed, page by page. */
  async *batches(): AsyncGenerator<Batch, void, void> {
    const unfinished = this.#state.run;
    const { run, first } =
      unfinished === null ? await this.#begin() : { run: { ...unfinished }, first: undefined };
    this.#known = new KnownItems(run.known);
    const waiting = await this.#details.readPending();
    if (waiting !== undefined) yield this.#batchOf(run, waiting);
    let pages = first;
    let mayRestart = run.resume !== null;
    for (
      let section = run.sections[run.section];
      section !== undefined;
      section = run.sections[run.section]
    ) {
      try {
        yield* this.#readPass(run, section, pages);
      } catch (error) {
        // only the position of an earlier run is tried again from the start of its range
        if (!mayRestart || !isRefusedPosition(error)) throw error;
        run.resume = null;
        run.pass = { ...(run.pass ?? firstPass), now: emptyDigest };
      }
      mayRestart = false;
      pages = undefined;
    }
    finishJob("pull", this.#details.failures, undefined);
  }

  /** Opens the list of a section, from the first or the resumed page. */
  #open({ from, to }: Pick<Section, "from" | "to">, { limit, resume }: Place): SyncList<unknown> {
    const own = this.#options.identify;
    const query = {
      ...this.#filters,
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      limit: limit ?? undefined,
      resume: resume ?? undefined,
      identify: own && ((item: JsonObject) => identifyWith("pull", own, item)),
    };
    return this.#source.list(this.#externalId, withoutUndefined(query), this.#call);
  }

  #readState(): PullState {
    const { state: saved, allowedLateness } = this.#options;
    const { since } = this.#times;
    const identity = identify(this.#list, { externalId: this.#externalId, ...this.#filters });
    if (saved === undefined || saved === null)
      return { v: 1, list: identity, since, end: null, known: "", pending: [], run: null };
    const state = readState(this.#label, saved, identity) as PullState; // its identity says so
    const first = new Date(state.since).toISOString();
    const message = `is before that of the first run, ${first}: what is between the two would not be read`;
    if (since < state.since - overlapOf(allowedLateness))
      throw new InvalidRequestError(this.#label, [{ path: "since", message }]);
    return state;
  }

  /** Begins a run. A service whose clock is behind may still show items that are older than its time. */
  async #begin(): Promise<{ run: PullRun; first: Pages | undefined }> {
    const { allowedLateness } = this.#options;
    const { end } = this.#state;
    const { now } = this.#times;
    const run = this.#plan(now);
    if (end !== null && now < end - overlapOf(allowedLateness))
      this.#warn("the clock went back since the last run: everything since `since` is read again");
    const [section] = run.sections as [Section]; // a plan has one or two sections
    const pages = this.#open(section, run).pages();
    const page = (await pages.next()).value as SyncPage<unknown>; // a list has at least one page
    const time = await readServerTime(page);
    if (time >= now - overlapOf(allowedLateness)) return { run, first: prepend(page, pages) };
    await pages.return?.();
    const minutes = Math.round((now - time) / 60_000);
    this.#warn(
      `the clock of the service is ${minutes} minutes behind; runs read that much again until it is right`,
    );
    return { run: this.#plan(Math.max(time, this.#state.since)), first: undefined };
  }

  #plan(end: number): PullRun {
    const { limit = null, allowedLateness } = this.#options;
    const sections = planRun(this.#state, { now: this.#times.now, end, allowedLateness });
    return { end, sections, section: 0, resume: null, limit, known: "", pass: firstPass };
  }

  #warn(message: string): void {
    // oxlint-disable-next-line no-console -- without `onWarning`, the only place where a user can see it
    notify(this.#options.onWarning ?? console.warn, `${this.#label}: ${message}`);
  }

  /** Reads the pages that are left of a pass over a section. */
  async *#readPass(
    run: PullRun,
    section: Section,
    first: Pages | undefined,
  ): AsyncGenerator<Batch, void, void> {
    const limit = run.pass?.limit ?? run.limit;
    for await (const page of first ?? this.#open(section, { limit, resume: run.resume }).pages()) {
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
  async #readPage(run: PullRun, section: Section, page: SyncPage<unknown>): Promise<ReadItems> {
    const pass = run.pass ?? firstPass;
    const all = page.sent.map((sent, index) => this.#readItem(sent, page.items[index]));
    run.pass = {
      ...pass,
      longest: Math.max(pass.longest, all.length),
      now: addToDigest(
        pass.now,
        all.map(({ id }) => id),
      ),
    };
    // the items of the other sections are not known: a second pass only counts them, a third one delivers them again
    const isDelivered = section.isKept || pass.turn % 2 === 1;
    const isFresh = ({ key, content }: FreshItem): boolean =>
      (this.#known.get(key) ?? this.#before.get(key)) !== content;
    const result = await this.#details.read(isDelivered ? all.filter(isFresh) : []);
    this.#details.noteListed(all.at(-1)?.id);
    if (!section.isKept) return result;
    const lost = new Set(result.failed.map(({ id }) => id));
    for (const { id, key, content } of all) if (!lost.has(id ?? key)) this.#known.set(key, content);
    return result;
  }

  #readItem(sent: unknown, item: unknown): FreshItem {
    if (!isObject(sent)) throw new PaginationError(this.#label, "an item is not an object");
    const id = this.#list.idOf(sent);
    const content = hashContent("pull", sent, this.#options.fingerprint);
    return { item, id, key: id === undefined ? content : hashJson(id), content };
  }

  /** Moves a run behind the last page of a pass. Returns false if it gives up. */
  #endPass(run: PullRun, section: Section): boolean {
    const { verify = true } = this.#options;
    const pass = run.pass ?? firstPass;
    const verdict = judgeSection(pass, section, verify);
    if (verdict === "next") run.section += 1;
    const largest = this.#list.operation === "listPhotos" ? largestPhotoPage : largestPage;
    run.pass = verdict === "again" ? nextPass(pass, largest) : firstPass;
    return verdict !== "give up";
  }

  #batchOf(run: PullRun, { read, failed }: ReadItems): Batch {
    const isFinished = run.section === run.sections.length;
    const { text } = this.#known;
    const progress = isFinished ? { end: run.end, known: text, run: null } : { run: { ...run, known: text } };
    const state: PullState = { ...this.#state, ...this.#details.state, ...progress };
    const before = this.#last;
    const first = this.#options.state ?? undefined;
    this.#last = state;
    return {
      items: read.map(({ item }) => item),
      ids: read.map(({ id, key }) => id ?? key),
      failed,
      get state() {
        return JSON.stringify(state);
      },
      get before() {
        return before === undefined ? first : JSON.stringify(before);
      },
      completeUntil: new Date(isFinished ? run.end : (this.#state.end ?? this.#state.since)),
    };
  }
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
