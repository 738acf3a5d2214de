import {
  type CallOptions,
  callOptions,
  concernsOne,
  ConfigurationError,
  isNotFound,
  isRefusedPosition,
  type SyncList,
  type SyncPage,
} from "./clients.ts";
import { isObject, type JsonObject } from "../wire/json.ts";
import { finishJob, type JobFailure, MirrorError, RowError } from "./errors.ts";
import { identify, type ListIdentity, readState } from "./identity.ts";
import { hashContent } from "./json.ts";
import type { MirrorChanges, MirrorSink, UnseenEntry } from "./sink.ts";
import { runEach } from "./tasks.ts";

/** A resource of a client, such as `fleet.vehicles` or `store.stores`: the part that a mirror uses. */
export interface MirrorSource<T> {
  /** Lists the entries. */
  list(query?: JsonObject, options?: CallOptions): SyncList<T>;
  /** Reads one entry. A source without it deletes what two runs have missed. */
  get?(id: string, options?: CallOptions): PromiseLike<unknown>;
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
  /** The entries whose details could not be read, or that could not be checked before a deletion; empty without a `JobError`. */
  failed: JobFailure[];
}

/** The progress of a mirror. */
interface MirrorState {
  v: 1;
  list: ListIdentity;
  /** The number of the last pass that was begun. */
  last: number;
  /** The number of the last pass that was finished without a change of the list's total. */
  finished: number;
  /** The unfinished pass. */
  pass: MirrorPass | null;
}

interface MirrorPass {
  /** The token of the next page. */
  next: string | null;
  /** The number of its entries that were saved before. */
  known: number;
  /** The total of the first page; null for a list without totals. */
  total: number | null;
}

const maxFailed = 1000;

/**
 * Copies a list into a database, each page in one transaction, and keeps the copy up to date. A run that was killed
 * continues after the last page that was saved. An entry is deleted after the service has said that it does not exist, or,
 * if the resource cannot read one entry, after two runs have missed it.
 * @throws {InvalidRequestError} for the state of another list
 * @throws {MirrorError} if the list lacks more entries than `maxDeleted` allows; nothing is deleted
 * @throws {JobError} if entries could not be read; everything else is done, and the next run tries them again
 * @throws the reason of the signal if it is aborted
 * @example const { added, changed, deleted } = await mirror(fleet.vehicles, sqliteSink(db, "vehicles"));
 */
export async function mirror<T, D = undefined>(
  source: MirrorSource<T>,
  sink: MirrorSink<T, D>,
  options: MirrorOptions<T, D> = {},
): Promise<MirrorResult> {
  const { fingerprint, maxDeleted = 0.1, details = false } = options;
  const query: JsonObject = { ...options.query };
  checkArguments(source, query, options);
  const call = callOptions(options);
  const { concurrency } = options;
  const list = source.list(query, call);
  const label = `mirror of ${list.operation}`;
  // a store is read with its external ID, which may be null
  const areStores = list.operation === "listStores";
  const result: MirrorResult = { read: 0, added: 0, changed: 0, deleted: 0, kept: 0, failed: [] };
  const { limit: _, ...filters } = query; // a token refuses another page size where it matters
  const identity = identify(list, filters);
  let saved = (await sink.load()) ?? undefined;
  let state: MirrorState =
    saved === undefined
      ? { v: 1, list: identity, last: 0, finished: 0, pass: null }
      : (readState(label, saved, identity) as MirrorState); // its identity says so
  const finishedBefore = state.finished;
  const pass = await readPass();
  await deleteMissing(pass);
  return finishJob("mirror", result.failed, result);

  async function save(changes: Partial<MirrorChanges<T, D>>): Promise<void> {
    const next = JSON.stringify(state);
    const all = { entries: [], seen: [], deleted: [], ...changes };
    await sink.save({ ...all, pass: state.last, state: next, before: saved });
    saved = next;
  }

  /** Reads the pages of a new pass, or those that are left of an unfinished one. */
  async function readPass(): Promise<MirrorPass> {
    const unfinished = state.pass;
    try {
      if (unfinished !== null) return await readPages(unfinished);
    } catch (error) {
      // the position may no longer exist
      if (!isRefusedPosition(error)) throw error;
    }
    state = { ...state, last: state.last + 1 };
    return readPages({ next: null, known: 0, total: null });
  }

  async function readPages(begun: MirrorPass): Promise<MirrorPass> {
    let current = begun;
    const { next } = begun;
    // a token refuses a page whose rows have moved since
    const rest = next === null ? list : source.list({ ...query, resume: next }, call);
    for await (const page of rest.pages()) current = await savePage(current, page);
    return current;
  }

  /** Saves the new and changed entries of a page. Returns the pass after it. */
  async function savePage(before: MirrorPass, page: SyncPage<T>): Promise<MirrorPass> {
    const { last } = state;
    const read = new Map(page.sent.map((sent, index) => readEntry(sent, page.items[index] as T)));
    const found = await sink.find([...read.keys()]);
    if ([...found.values()].some((entry) => entry.pass > last))
      throw new MirrorError(
        `${label}: the sink has entries that are newer than its state: drop both, or neither`,
      );
    const fresh = [...read.values()].filter(({ id, hash }) => found.get(id)?.hash !== hash);
    const entries = (
      await forEach(fresh, async (entry) => {
        const isNew = !found.has(entry.id);
        return { ...entry, isNew, detail: await readDetail(entry) };
      })
    ).filter((entry) => entry !== undefined);
    const { resume: next, pagination } = page;
    const lastTotal = pagination?.totalCount ?? null;
    const total = before.total ?? lastTotal;
    const after = { next, known: before.known + found.size, total };
    const isFinished = next === null && total === lastTotal;
    state = { ...state, finished: isFinished ? last : state.finished, pass: next === null ? null : after };
    await save({ entries, seen: [...read.keys()] });
    result.read += read.size;
    for (const { isNew } of entries) result[isNew ? "added" : "changed"] += 1;
    return after;
  }

  function readEntry(sent: unknown, item: T) {
    const object = isObject(sent) ? sent : {};
    const id = options.identify === undefined ? list.idOf(sent) : options.identify(structuredClone(object));
    if (id === undefined || id === "")
      throw new MirrorError(`${label}: an entry has no ID: set \`identify\``);
    const given = areStores ? object["externalId"] : id;
    const ref = typeof given === "string" ? given : null;
    return [id, { id, ref, hash: hashContent(sent, fingerprint), item }] as const;
  }

  async function readDetail({ item, ref }: { item: T; ref: string | null }): Promise<D> {
    if (typeof details === "function") return details(item);
    if (!details) return undefined as D; // the type without the option
    // `get` was checked, and refuses the empty ID; its result is what the caller wants
    return source.get?.(ref ?? "", call) as Promise<D>;
  }

  /** Deletes the entries that the pass has missed and that the service does not have any more. */
  async function deleteMissing({ known: seen }: MirrorPass): Promise<void> {
    const { last, finished } = state;
    const unseen = await sink.countUnseen(last);
    // entries that are new do not make up for those that are missing: another tenant's list may be as long
    if (unseen > (maxDeleted === 0 ? 0 : Math.max(1, maxDeleted * (seen + unseen))))
      throw new MirrorError(
        `${label}: the list lacks ${unseen} of ${seen + unseen} saved entries, more than \`maxDeleted\` allows: ` +
          "nothing was deleted",
      );
    for (let after = "", rest = unseen; rest > 0; ) {
      const rows = await sink.findUnseen(last, after);
      if (rows.length === 0) return;
      const missing = await forEach(rows, async (row) => {
        const answer = await look(row);
        return answer === "unknown" ? finished === last && row.pass < finishedBefore : answer === "missing";
      });
      const deleted = rows.filter((__, index) => missing[index] === true).map(({ id }) => id);
      await save({ deleted });
      result.deleted += deleted.length;
      result.kept += rows.length - deleted.length;
      after = rows.at(-1)?.id ?? "";
      rest -= rows.length;
    }
  }

  /** Reads an entry that the list lacks. */
  async function look({ id, ref }: UnseenEntry): Promise<"exists" | "missing" | "unknown"> {
    // an ID of the caller's function may not be that of the service
    if (source.get === undefined || ref === null || options.identify !== undefined) return "unknown";
    try {
      const found: unknown = await source.get(ref, call);
      // another store may have the external ID now
      return areStores && isObject(found) && found["storeId"] !== id ? "unknown" : "exists";
    } catch (error) {
      if (isNotFound(error)) return "missing";
      throw error;
    }
  }

  /** Runs a task for each entry; collects the failures that are about one entry. */
  function forEach<E extends { id: string }, R>(entries: readonly E[], run: (entry: E) => Promise<R>) {
    return runEach(entries, { concurrency, signal: call.signal }, async (entry) => {
      try {
        return await run(entry);
      } catch (error) {
        const failure = new RowError(entry.id, "get", error);
        if (!concernsOne(error) || result.failed.push({ id: entry.id, error: failure }) > maxFailed)
          throw error;
        return undefined;
      }
    });
  }
}

function checkArguments<T, D>(
  source: MirrorSource<T>,
  query: JsonObject,
  options: MirrorOptions<T, D>,
): void {
  const { maxDeleted = 0, details } = options;
  const place = ["page", "cursor", "resume", "verify", "onDrift"].find((name) => name in query);
  if (place !== undefined)
    throw new ConfigurationError(`mirror: query.${place} cannot be given: a mirror reads the whole list`);
  if (!(maxDeleted >= 0 && maxDeleted <= 1))
    throw new ConfigurationError("mirror: maxDeleted must be a number from 0 to 1");
  if (details === true && source.get === undefined)
    throw new ConfigurationError("mirror: details: true needs a resource with `get`");
}
