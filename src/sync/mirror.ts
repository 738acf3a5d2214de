import { wrongResult, hashContent, identifyWith } from "./callbacks.ts";
import {
  type CallOptions,
  callOptions,
  ConfigurationError,
  isRefusedPosition,
  type SyncList,
  type SyncPage,
} from "./clients.ts";
import { isObject, type JsonObject, objectOf } from "../wire/json.ts";
import { Failures, finishJob, type JobFailure, MirrorError, RowError } from "./errors.ts";
import { hashJson } from "./json.ts";
import { deleteMissing } from "./mirror-deletion.ts";
import { beginRun, fromStart, judgePass, maxIds, type MirrorPass, Progress } from "./mirror-state.ts";
import { addPage, nextPass } from "./passes.ts";
import type { MirrorEntry, MirrorSink } from "./sink.ts";
import { type Limits, readDetails } from "./tasks.ts";

/** A resource of a client, such as `fleet.vehicles` or `store.stores`: the part that a mirror uses. */
export interface MirrorSource<T> {
  /** Lists the entries. */
  list(query?: JsonObject, options?: CallOptions): SyncList<T>;
  /** Reads one entry. Without it, what two runs have missed is deleted. */
  get?(id: string, options?: CallOptions): PromiseLike<unknown>;
}

/** The options of `mirror`. */
export interface MirrorOptions<T, D> extends CallOptions {
  /** The filters and the page size of the list. */
  query?: object | undefined;
  /**
   * Whether the list is read until two passes with different page sizes had the same entries (default: true). Otherwise it is
   * read once, with half of the requests, and what a page did not show is missing in the copy until the next run.
   */
  verify?: boolean | undefined;
  /**
   * Reads more about each new or changed entry: with true through the `get` of the resource, or with a function (default:
   * false). An entry whose details cannot be read is left for the next run.
   */
  details?: boolean | ((item: T) => D | PromiseLike<D>) | undefined;
  /** The number of entries that are read at the same time (default: 4). */
  concurrency?: number | undefined;
  /** Returns the ID of an entry as the service sent it (default: the ID of the contract). */
  identify?: ((item: JsonObject) => string) | undefined;
  /** Returns the part of an entry whose change is a change of the entry. Leave out what differs between two reads. */
  fingerprint?: ((item: JsonObject) => unknown) | undefined;
  /** The largest share of the saved entries, 0 to 1, that a run deletes (default: 0.1). One entry is always allowed, except with 0. */
  maxDeleted?: number | undefined;
}

/** The result of a run. */
export interface MirrorResult {
  /** The number of entries of the list. */
  read: number;
  added: number;
  changed: number;
  deleted: number;
  /** The saved entries that the list lacks, and that were not deleted: the service has them, or it is not known yet. */
  kept: number;
  /** The entries that could not be read: empty, unless this is the `results` of a `JobError`. */
  failed: readonly JobFailure[];
}

/**
 * Copies a list into a database, each page in one transaction, and keeps the copy up to date. The list is read twice and
 * compared. A run that was killed continues after the last page that was saved. An entry is deleted after the service has said
 * that it does not exist or, where that cannot be asked, after two runs have missed it.
 * @throws {JobError} if entries could not be read; everything else is done, and the next run tries them again
 * @throws {InvalidRequestError} for the state of another list
 * @throws {MirrorError} if the list lacks more entries than `maxDeleted` allows, or is not the same twice; nothing is deleted
 * @throws {PaginationError} if the list is not whole; what was read is kept, and nothing is deleted
 * @throws the reason of the signal if it is aborted
 * @example const { added, changed, deleted } = await mirror(fleet.vehicles, sqliteSink(db, "vehicles"));
 */
export async function mirror<T, D = undefined>(
  source: MirrorSource<T>,
  sink: MirrorSink<T, D>,
  options: MirrorOptions<T, D> = {},
): Promise<MirrorResult> {
  const { extra, ...others }: JsonObject = { ...options.query };
  const query: JsonObject = { ...others, ...(extra !== undefined && { extra: structuredClone(extra) }) };
  const given = { ...options };
  checkArguments(source, query, given);
  const list = source.list(query, callOptions(given));
  const { limit: _, onDrift: __, ...filters } = query; // a token refuses another page size where it matters
  const progress = new Progress(list, filters, sink, (await sink.load()) ?? undefined);
  const run = new Mirror(source, query, given, progress);
  const pass = await run.readList();
  await run.deleteMissing(pass);
  return run.finish();
}

/** An entry of a page. */
type ReadEntry<T> = Omit<MirrorEntry<T, never>, "detail" | "isNew">;

/** A run: the list is read into the sink, pass after pass, and then what it lacks is deleted. */
class Mirror<T, D> {
  readonly #source: MirrorSource<T>;
  readonly #query: JsonObject;
  readonly #options: MirrorOptions<T, D>;
  readonly #call: CallOptions;
  readonly #limits: Limits;
  readonly #progress: Progress<T, D>;
  /** What the present pass could not read. */
  readonly #failures = new Failures();
  readonly #counts = { read: 0, added: 0, changed: 0, deleted: 0, kept: 0 };
  /** Why the pages of the list do not add up. */
  #drift: Error | undefined;
  /** Entries of the last page that had some. */
  #present: readonly ReadEntry<T>[] = [];

  constructor(
    source: MirrorSource<T>,
    query: JsonObject,
    options: MirrorOptions<T, D>,
    progress: Progress<T, D>,
  ) {
    this.#source = source;
    this.#query = query;
    this.#options = options;
    this.#call = callOptions(options);
    this.#limits = { concurrency: options.concurrency, signal: this.#call.signal };
    this.#progress = progress;
  }

  /** Reads the list until two passes agree, from the page after the last one that was saved. Returns the last pass. */
  async readList(): Promise<MirrorPass> {
    const { verify = true } = this.#options;
    const progress = this.#progress;
    const { pass: unfinished, last } = progress.state;
    let pass = unfinished ?? this.#begin(beginRun(last, await progress.countAll()));
    // what an interrupted run could not read is read again
    if (unfinished?.hasFailures === true) pass = this.#begin(fromStart(pass));
    for (;;) {
      pass = await this.#readPass(pass);
      const { isReported, first, now } = pass;
      const all = isReported ? (await progress.countAll()) - (await progress.countUnseen(first)) : now.count;
      const verdict = judgePass(pass, all, verify);
      if (verdict !== "again") {
        await this.#endRun(pass);
        if (verdict === "give up") throw this.#giveUp(pass);
        return pass;
      }
      pass = this.#begin(fromStart({ ...pass, ...nextPass(pass) }));
    }
  }

  /** Deletes the entries that the list lacks and that the service does not have any more. */
  async deleteMissing(pass: MirrorPass): Promise<void> {
    const { maxDeleted = 0.1, identify: own } = this.#options;
    const source = this.#source;
    const { list } = this.#progress;
    // an ID of the caller's function may not be that of the service
    const canGet = source.get !== undefined && own === undefined;
    const { doubtful, ...counts } = await deleteMissing(this.#progress, {
      readId: canGet ? async (ref) => list.idOf(await source.get?.(ref, this.#call)) : undefined,
      present: this.#present,
      failures: this.#failures,
      pass,
      maxDeleted,
      limits: this.#limits,
    });
    // then the entries of all passes are not those of the total
    if (pass.isReported && doubtful > 0) throw this.#giveUp(pass);
    Object.assign(this.#counts, counts);
  }

  /** @throws {JobError} if entries could not be read */
  finish(): MirrorResult {
    const failed = this.#failures.all;
    return finishJob("mirror", failed, { ...this.#counts, failed });
  }

  /** Begins a pass under the next number. It reads again what the pass before could not read. */
  #begin(pass: MirrorPass): MirrorPass {
    const { state } = this.#progress;
    this.#failures.clear();
    this.#progress.state = { ...state, last: state.last + 1, pass };
    return pass;
  }

  async #endRun({ now, hasOtherTotal }: MirrorPass): Promise<void> {
    this.#counts.read = now.count;
    const { state } = this.#progress;
    // a pass during which the list changed may have missed entries by that
    const finished = hasOtherTotal ? state.finished : state.last;
    this.#progress.state = { ...state, finished, pass: null };
    await this.#progress.save({});
  }

  /** Reads the pages that are left of a pass, or all of them if the saved position is not accepted any more. */
  async #readPass(pass: MirrorPass): Promise<MirrorPass> {
    if (pass.isRead) return pass;
    try {
      return await this.#readPages(pass);
    } catch (error) {
      const again = fromStart(this.#progress.state.pass ?? pass);
      if (pass.next !== null && isRefusedPosition(error)) return this.#readPages(this.#begin(again));
      if (!this.#mayReport(pass) || objectOf(error)["name"] !== "PaginationError") throw error;
      this.#drift = error as Error; // by its name
      return this.#readPages(this.#begin({ ...again, isReported: true }));
    }
  }

  /** Whether a list that does not add up is read once more as it is: a numbered one, which the passes are compared with. */
  #mayReport({ isReported }: MirrorPass): boolean {
    const { verify = true } = this.#options;
    const hasTotals = (this.#progress.state.pass?.total ?? null) !== null;
    return verify && hasTotals && !isReported && this.#query["onDrift"] === undefined;
  }

  async #readPages(begun: MirrorPass): Promise<MirrorPass> {
    const { next, limit, isReported } = begun;
    const place = {
      ...(limit !== null && { limit }),
      ...(next !== null && { resume: next }),
      ...(isReported && { onDrift: "report" }),
    };
    let pass = begun;
    const list = this.#source.list({ ...this.#query, ...place }, this.#call);
    for await (const page of list.pages()) pass = await this.#readPage(pass, page);
    return pass;
  }

  /** Saves a page, in parts that a sink can take. Returns the pass after it. */
  async #readPage(before: MirrorPass, page: SyncPage<T>): Promise<MirrorPass> {
    const all = page.sent.map((sent, index) => this.#readEntry(sent, page.items[index] as T));
    const entries = [...new Map(all.map((entry) => [entry.id, entry])).values()];
    const { resume: next, pagination } = page;
    const total = before.total ?? pagination?.totalCount ?? null;
    const hasOtherTotal = before.hasOtherTotal || (pagination?.totalCount ?? null) !== total;
    const longest = Math.max(before.longest, entries.length);
    let pass: MirrorPass = { ...before, total, hasOtherTotal, longest };
    for (let start = 0; start === 0 || start < entries.length; start += maxIds) {
      const isLast = start + maxIds >= entries.length;
      pass = { ...pass, ...(isLast && { next, isRead: next === null }) };
      pass = await this.#savePart(pass, entries.slice(start, start + maxIds));
    }
    if (entries.length > 0) this.#present = entries;
    return pass;
  }

  /** Saves the new and changed entries, and that the others were seen. Returns the pass after them. */
  async #savePart(before: MirrorPass, read: readonly ReadEntry<T>[]): Promise<MirrorPass> {
    const progress = this.#progress;
    const seen = read.map(({ id }) => id);
    const found = await progress.find(seen);
    for (const id of seen) this.#failures.delete(id);
    const fresh = read.filter(({ id, hash }) => found.get(id)?.hash !== hash);
    const fail = ({ id }: ReadEntry<T>, error: unknown): void =>
      this.#failures.add(new RowError(id, "get", error));
    const details = await readDetails(fresh, this.#limits, (entry) => this.#readDetail(entry), fail);
    const entries = details.map((entry) => ({ ...entry, isNew: !found.has(entry.id) }));
    // the others were on an earlier page
    const isUnseen = (id: string): boolean => found.get(id)?.pass !== progress.state.last;
    const hasFailures = this.#failures.size > 0;
    const pass = { ...addPage(before, seen.filter(isUnseen)), hasFailures };
    progress.state = { ...progress.state, pass };
    await progress.save({ entries, seen });
    for (const { isNew } of entries) this.#counts[isNew ? "added" : "changed"] += 1;
    return pass;
  }

  #readEntry(sent: unknown, item: T): ReadEntry<T> {
    const { identify: own, fingerprint, details = false } = this.#options;
    if (!isObject(sent)) throw new MirrorError(`${this.#progress.label}: an entry is not an object`);
    const id = own === undefined ? this.#progress.list.idOf(sent) : identifyWith("mirror", own, sent);
    if (id === undefined || id === "")
      throw new MirrorError(`${this.#progress.label}: an entry has no ID: set \`identify\``);
    // a store is read with its external ID, which may be null
    const given = this.#progress.list.operation === "listStores" ? sent["externalId"] : id;
    const ref = typeof given === "string" && given !== "" ? given : null;
    const content = hashContent("mirror", sent, fingerprint);
    // an entry that was saved without details is another one
    return { id, ref, hash: details === false ? content : hashJson([content]), item };
  }

  async #readDetail({ item, ref }: ReadEntry<T>): Promise<D> {
    const { details = false } = this.#options;
    if (typeof details === "function") {
      const detail = await details(item);
      if (detail !== undefined) return detail;
      throw wrongResult("mirror: details", "a value", detail);
    }
    // a store without external ID cannot be read; the list has all of it
    if (!details || ref === null) return undefined as D; // the type without the option
    return this.#source.get?.(ref, this.#call) as Promise<D>; // `get` was checked; its result is what the caller wants
  }

  #giveUp({ turn }: MirrorPass): Error {
    if (this.#drift !== undefined) return this.#drift;
    return new MirrorError(
      `${this.#progress.label}: ${turn} passes had different entries: what was read is saved, and nothing was deleted. Run it at a ` +
        "quieter time, or with `verify: false`",
    );
  }
}

function checkArguments<T, D>(
  source: MirrorSource<T>,
  query: JsonObject,
  { maxDeleted = 0, details }: MirrorOptions<T, D>,
): void {
  const wrong = ["page", "cursor", "resume", "verify"].find((name) => name in query);
  if (wrong !== undefined)
    throw new ConfigurationError(
      `mirror: query.${wrong} cannot be given: a mirror reads the whole list itself`,
    );
  if (!(maxDeleted >= 0 && maxDeleted <= 1))
    throw new ConfigurationError("mirror: maxDeleted must be a number from 0 to 1");
  if (details === true && source.get === undefined)
    throw new ConfigurationError("mirror: details: true needs a resource with `get`");
}
