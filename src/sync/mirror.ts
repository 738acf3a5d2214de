import {
  type CallOptions,
  callOptions,
  concernsOne,
  ConfigurationError,
  InvalidRequestError,
  isNotFound,
  isRefusedPosition,
  type SyncList,
  type SyncPage,
} from "./clients.ts";
import { isObject, type JsonObject } from "../wire/json.ts";
import { MirrorError, RowError } from "./errors.ts";
import { identify, type ListIdentity, readState } from "./identity.ts";
import { hashContent } from "./json.ts";
import type { MirrorEntry, MirrorSink } from "./sink.ts";
import { checkOptions, readCount, runEach } from "./tasks.ts";

/** A resource of a client, such as `fleet.vehicles` or `store.stores`: the part that a mirror uses. */
export interface MirrorSource<T, D> {
  list(query?: JsonObject, options?: CallOptions): SyncList<T>;
  /** Reads one entry. A source without it deletes what two runs have missed. */
  get?(id: string, options?: CallOptions): PromiseLike<D>;
}

/** The options of `mirror`. */
export interface MirrorOptions<T, D> extends CallOptions {
  /** The filters and the page size of the list. */
  query?: object | undefined;
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
  read: number;
  added: number;
  changed: number;
  deleted: number;
  /** The saved entries that the list lacks, and that were not deleted: the service has them, or it is not known yet. */
  kept: number;
  /** The entries whose details could not be read, or that could not be checked before a deletion. */
  failed: { id: string; error: RowError }[];
}

/** The progress of a mirror. */
interface MirrorState {
  v: 1;
  list: ListIdentity;
  /** The number of the last pass that was begun. */
  last: number;
  /** The number of the last pass that was finished without a change of the list's total. */
  finished: number;
  pass: MirrorPass | null;
}

/** An unfinished pass over the list. */
interface MirrorPass {
  /** The number or the token of the next page; null for the first page. */
  next: number | string | null;
  /** The number of its entries that were saved before. */
  known: number;
  /** The total of the first page and of the last one; null for a list without totals. */
  firstTotal: number | null;
  lastTotal: number | null;
}

const known = ["query", "details", "concurrency", "identify", "fingerprint", "maxDeleted"];
const maxFailed = 1000;

/**
 * Copies a list into a database, each page in one transaction, and keeps the copy up to date. A run that was killed
 * continues after the last page that was saved. An entry is deleted after the service has said that it does not exist, or,
 * if the resource cannot read one entry, after two runs have missed it.
 * @throws {InvalidRequestError} for the state of another list
 * @throws {MirrorError} if the list lacks more entries than `maxDeleted` allows; nothing is deleted
 * @throws the reason of the signal if it is aborted
 * @example const { added, changed, deleted } = await mirror(fleet.vehicles, sqliteSink(db, "vehicles"));
 */
export function mirror<T, D>(
  source: MirrorSource<T, D>,
  sink: MirrorSink<T, D>,
  options: MirrorOptions<T, D> & { details: true },
): Promise<MirrorResult>;
export function mirror<T, D = undefined>(
  source: MirrorSource<T, unknown>,
  sink: MirrorSink<T, D>,
  options?: MirrorOptions<T, D> & { details?: false | ((item: T) => D | PromiseLike<D>) | undefined },
): Promise<MirrorResult>;
export function mirror<T, D>(
  source: MirrorSource<T, D>,
  sink: MirrorSink<T, D>,
  options: MirrorOptions<T, D> = {},
): Promise<MirrorResult> {
  return new MirrorRun<T, D>(source, sink, options).run();
}

/** One run of a mirror: one pass over the list. */
class MirrorRun<T, D> {
  readonly #source: MirrorSource<T, D>;
  readonly #sink: MirrorSink<T, D>;
  readonly #options: MirrorOptions<T, D>;
  readonly #call: CallOptions;
  readonly #concurrency: number;
  readonly #list: SyncList<T>;
  readonly #result: MirrorResult = { read: 0, added: 0, changed: 0, deleted: 0, kept: 0, failed: [] };
  #state: MirrorState;
  #saved: string | undefined;

  constructor(source: MirrorSource<T, D>, sink: MirrorSink<T, D>, options: MirrorOptions<T, D>) {
    checkOptions("mirror", options, known);
    const { query = {}, concurrency, maxDeleted = 0.1, details } = options;
    const place = ["page", "cursor", "resume", "verify", "onDrift"].find((name) => name in query);
    if (place !== undefined)
      throw new ConfigurationError(`mirror: query.${place} cannot be given: a mirror reads the whole list`);
    if (!(maxDeleted >= 0 && maxDeleted <= 1))
      throw new ConfigurationError("mirror: maxDeleted must be a number from 0 to 1");
    if (details === true && source.get === undefined)
      throw new ConfigurationError("mirror: details: true needs a resource with `get`");
    this.#source = source;
    this.#sink = sink;
    this.#options = options;
    this.#call = callOptions(options);
    this.#concurrency = readCount("mirror: concurrency", concurrency, 4);
    this.#list = this.#open(null);
    const { limit: _, ...filters } = query as JsonObject;
    this.#state = { v: 1, list: identify(this.#list, filters), last: 0, finished: 0, pass: null };
  }

  async run(): Promise<MirrorResult> {
    const saved = (await this.#sink.load()) ?? undefined;
    if (saved !== undefined)
      this.#state = readState(`mirror of ${this.#list.operation}`, saved, this.#state.list, isMirrorState);
    this.#saved = saved;
    const before = this.#state.finished;
    const pass = await this.#readPass();
    await this.#deleteMissing(pass, before);
    return this.#result;
  }

  /** Reads the pages of a new pass, or those that are left of an unfinished one. */
  async #readPass(): Promise<MirrorPass> {
    const unfinished = this.#state.pass;
    if (unfinished === null || unfinished.next === null) return this.#readPages(this.#beginPass());
    try {
      return await this.#readPages(unfinished);
    } catch (error) {
      // the position may no longer exist
      if (this.#state.pass !== unfinished || !isRefusedPosition(error)) throw error;
      return this.#readPages(this.#beginPass());
    }
  }

  #beginPass(): MirrorPass {
    this.#state = { ...this.#state, last: this.#state.last + 1 };
    return { next: null, known: 0, firstTotal: null, lastTotal: null };
  }

  async #readPages(begun: MirrorPass): Promise<MirrorPass> {
    let pass = begun;
    const list = begun.next === null ? this.#list : this.#open(begun.next);
    for await (const page of list.pages()) pass = await this.#savePage(pass, page);
    return pass;
  }

  /** Saves the new and changed entries of a page. Returns the pass after it. */
  async #savePage(pass: MirrorPass, page: SyncPage<T>): Promise<MirrorPass> {
    const { last } = this.#state;
    const read = new Map(page.sent.map((sent, index) => this.#readEntry(sent, page.items[index] as T)));
    const saved = await this.#sink.find([...read.keys()]);
    if ([...saved.values()].some((entry) => entry.pass > last))
      throw new MirrorError("the sink has entries that are newer than its state: drop both, or neither");
    const fresh = [...read.values()].filter(({ id, hash }) => saved.get(id)?.hash !== hash);
    const entries = await this.#readDetails(
      fresh.map((entry) => ({ ...entry, isNew: !saved.has(entry.id) })),
    );
    const total = page.pagination?.totalCount ?? null;
    const next = page.resume !== null && page.pagination ? page.pagination.currentPage + 1 : page.resume;
    const after: MirrorPass = {
      next,
      known: pass.known + [...saved.values()].filter((entry) => entry.pass < last).length,
      firstTotal: pass.firstTotal ?? total,
      lastTotal: total,
    };
    const isSteady = after.firstTotal === after.lastTotal;
    const finished = next === null && isSteady ? last : this.#state.finished;
    this.#state = { ...this.#state, finished, pass: next === null ? null : after };
    await this.#save({ entries, seen: [...read.keys()] });
    this.#result.read += read.size;
    for (const { isNew } of entries) this.#result[isNew ? "added" : "changed"] += 1;
    return after;
  }

  #readEntry(sent: unknown, item: T): [id: string, Omit<MirrorEntry<T, D>, "detail" | "isNew">] {
    const { identify: identifyItem, fingerprint } = this.#options;
    const object = isObject(sent) ? sent : {};
    const id = identifyItem === undefined ? this.#list.idOf(sent) : identifyItem(structuredClone(object));
    if (id === undefined || id === "")
      throw new MirrorError(`mirror of ${this.#list.operation}: an entry has no ID: set \`identify\``);
    // a store is read with its external ID, which may be null
    const ref = this.#list.operation === "listStores" ? object["externalId"] : id;
    return [
      id,
      { id, ref: typeof ref === "string" ? ref : null, hash: hashContent(sent, fingerprint), item },
    ];
  }

  async #readDetails(entries: Omit<MirrorEntry<T, D>, "detail">[]): Promise<MirrorEntry<T, D>[]> {
    const { details } = this.#options;
    const { get } = this.#source;
    // without the option, the type of the detail is undefined
    if (details === undefined || details === false)
      return entries.map((entry) => ({ ...entry, detail: undefined as D }));
    const read = await this.#forEach(entries, async (entry) => {
      const { item, ref } = entry;
      if (details !== true) return { ...entry, detail: await details(item) };
      if (get === undefined || ref === null) throw withoutId();
      return { ...entry, detail: await get(ref, this.#call) };
    });
    return read.filter((entry) => entry !== undefined);
  }

  /** Deletes the entries that the pass has missed and that the service does not have any more. */
  async #deleteMissing({ known: seen }: MirrorPass, finishedBefore: number): Promise<void> {
    const { last, finished } = this.#state;
    const unseen = await this.#sink.countUnseen(last);
    const { maxDeleted = 0.1 } = this.#options;
    const allowed = maxDeleted === 0 ? 0 : Math.max(1, maxDeleted * (seen + unseen));
    if (unseen > allowed)
      throw new MirrorError(
        `mirror of ${this.#list.operation}: the list lacks ${unseen} of ${seen + unseen} saved entries, more than ` +
          "`maxDeleted` allows: nothing was deleted",
      );
    const isSteady = finished === last;
    for (let after = "", rest = unseen; rest > 0; ) {
      const rows = await this.#sink.findUnseen(last, after);
      if (rows.length === 0) return;
      const missing = await this.#forEach(rows, async (row) => {
        const answer = await this.#look(row);
        return answer === "unknown" ? isSteady && row.pass < finishedBefore : answer === "missing";
      });
      const deleted = rows.filter((_, index) => missing[index] === true).map(({ id }) => id);
      if (deleted.length > 0) await this.#save({ deleted });
      this.#result.deleted += deleted.length;
      this.#result.kept += rows.length - deleted.length;
      after = rows.at(-1)?.id ?? "";
      rest -= rows.length;
    }
  }

  /** Reads an entry that the list lacks. */
  async #look({ id, ref }: { id: string; ref: string | null }): Promise<"exists" | "missing" | "unknown"> {
    const { get } = this.#source;
    // an ID of the caller's function may not be that of the service
    if (get === undefined || ref === null || this.#options.identify !== undefined) return "unknown";
    try {
      const found: unknown = await get(ref, this.#call);
      // another store may have the external ID now
      const storeId = isObject(found) ? found["storeId"] : undefined;
      return this.#list.operation === "listStores" && storeId !== id ? "unknown" : "exists";
    } catch (error) {
      if (isNotFound(error)) return "missing";
      throw error;
    }
  }

  /** Runs a task for each entry; collects the failures that are about one entry. */
  #forEach<E extends { id: string }, R>(
    entries: readonly E[],
    run: (entry: E) => Promise<R>,
  ): Promise<(R | undefined)[]> {
    const { signal } = this.#call;
    return runEach(entries, { concurrency: this.#concurrency, signal }, async (entry) => {
      try {
        return await run(entry);
      } catch (error) {
        if (!concernsOne(error) && !(error instanceof InvalidRequestError)) throw error;
        const { failed } = this.#result;
        const failure = new RowError(entry.id, "details", error);
        failed.push({ id: entry.id, error: failure });
        if (failed.length > maxFailed) throw failure;
        return undefined;
      }
    });
  }

  async #save(changes: {
    entries?: MirrorEntry<T, D>[];
    seen?: string[];
    deleted?: string[];
  }): Promise<void> {
    const state = JSON.stringify(this.#state);
    const all = { entries: [], seen: [], deleted: [], ...changes };
    await this.#sink.save({ ...all, pass: this.#state.last, state, before: this.#saved });
    this.#saved = state;
  }

  #open(next: number | string | null): SyncList<T> {
    const place = next === null ? {} : typeof next === "number" ? { page: next } : { resume: next };
    return this.#source.list({ ...this.#options.query, ...place }, this.#call);
  }
}

function withoutId(): InvalidRequestError {
  return new InvalidRequestError("mirror: details", [{ path: "id", message: "is needed to read an entry" }]);
}

function isMirrorState({ v, last, finished, pass }: JsonObject): boolean {
  if (v !== 1 || !isCount(last) || !isCount(finished)) return false;
  if (pass === null) return true;
  if (!isObject(pass) || !isCount(pass.known)) return false;
  const { next, firstTotal, lastTotal } = pass;
  return (
    (typeof next === "string" || isCount(next)) &&
    [firstTotal, lastTotal].every((total) => total === null || isCount(total))
  );
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
