import { notify } from "./callbacks.ts";
import {
  type api,
  type CallOptions,
  callOptions,
  concernOf,
  ConfigurationError,
  findOne,
  isNotFound,
} from "./clients.ts";
import { finishJob, RowError } from "./errors.ts";
import { checkExternalId, refuse } from "./parts.ts";
import { pull } from "./pull.ts";
import { type PhotoSource, type ProtocolSource, type PullOptions, readTimes } from "./pull-options.ts";
import { type Awaitable, type PullSink, readRecords, type RecordSink } from "./sink.ts";
import { runEach } from "./tasks.ts";

/** The part of a `StoreClient` that `pullStores` uses. */
export interface PullStoresApi {
  readonly stores: Pick<api.Stores, "list" | "get">;
  readonly protocols: ProtocolSource<unknown, unknown>;
  readonly photos: PhotoSource<unknown>;
}

/** The options of `pullStores`: those of `pull` for each store, and which stores. */
export interface PullStoresOptions extends Omit<PullOptions, "state" | "until"> {
  /** The external IDs of the stores (default: those of the list of stores). */
  stores?: Iterable<string> | undefined;
  /** The number of stores that are read at the same time (default: 4), each with up to four details at the same time. */
  concurrency?: number | undefined;
  /** The number of stores that fail one after the other before the others are not tried: the service is down (default: 20). */
  maxFailed?: number | undefined;
}

/** The result of a run. */
export interface PullStoresResult {
  /** The number of stores that were read to their end. */
  stores: number;
  /** The number of new and changed items. */
  items: number;
  /** The number of stores that were deleted meanwhile. Their rows stay. */
  skipped: number;
  /** The number of stores without external ID, which cannot be read. */
  withoutExternalId: number;
  /** The number of stores that were not tried: 0, unless this is the `results` of a `JobError`. */
  notTried: number;
}

/**
 * Pulls the protocols or photos of all stores into a sink, several stores at a time, first those whose last run began first.
 * A store that fails is tried once more at the end. A run that was killed continues in the next one, page by page.
 * @throws {JobError} if stores have failed twice; the others are done, unless `maxFailed` stores failed one after the other
 * @throws the error of the list of stores or of the sink, and one that concerns all stores, such as a rejected token
 * @throws the reason of the signal if it is aborted
 * @example
 * await pullStores(store, "protocols", sqliteSink(db, "protocols"), { since, allowedLateness: 3_600_000 });
 */
export async function pullStores(
  store: PullStoresApi,
  kind: "protocols" | "photos",
  sink: PullSink & RecordSink,
  options: PullStoresOptions,
): Promise<PullStoresResult> {
  const { stores, maxFailed = 20, extra } = options;
  const given = stores && [...new Set(stores)];
  const since = new Date(readTimes(options).since);
  if (!(maxFailed >= 1)) throw new ConfigurationError("pullStores: maxFailed must be a number of at least 1");
  refuse("pullStores", given?.flatMap(checkExternalId) ?? []);
  const all = { ...options, since, extra: structuredClone(extra), maxFailed };
  return new StoresRun({ store, kind, sink, options: all, given }).pullAll();
}

interface RunSettings {
  store: PullStoresApi;
  kind: "protocols" | "photos";
  sink: PullSink & RecordSink;
  options: PullStoresOptions & { maxFailed: number };
  /** The external IDs of the caller; undefined for those of the list. */
  given: readonly string[] | undefined;
}

class StoresRun {
  /** Ends the run with the first error that concerns all stores. */
  readonly #stop = new AbortController();
  /** That, or the signal of the caller. */
  readonly #signal: AbortSignal;
  readonly #settings: RunSettings;
  readonly #call: CallOptions;
  readonly #failures = new Map<string, RowError>();
  #failedInRow = 0;
  readonly #results = { stores: 0, items: 0, skipped: 0, withoutExternalId: 0, notTried: 0 };
  readonly #warnings = new Set<string>();
  /** When a run last began with a store, by its external ID: instants, which sort as texts. */
  #begun: ReadonlyMap<string, string> = new Map();
  #lastBegin = 0;

  constructor(settings: RunSettings) {
    this.#settings = settings;
    const { signal = this.#stop.signal } = settings.options;
    this.#signal = AbortSignal.any([signal, this.#stop.signal]);
    this.#call = { ...callOptions(settings.options), signal: this.#signal };
  }

  async pullAll(): Promise<PullStoresResult> {
    const signal = this.#signal;
    signal.throwIfAborted();
    const { given, options } = this.#settings;
    const ids = await this.#sort(given ?? (await this.#listStores()));
    const limits = { concurrency: options.concurrency, signal };
    await runEach(ids, limits, this.#tryStore);
    // one wrong response need not cost a store its run
    await runEach([...this.#failures.keys()], limits, this.#tryStore);
    const results = this.#results;
    results.notTried = ids.length - results.stores - results.skipped - this.#failures.size;
    if (results.notTried > 0)
      this.#warn(
        `pullStores: ${this.#failedInRow} stores failed one after the other, ${results.notTried} were not tried`,
      );
    const failed = [...this.#failures].map(([id, error]) => ({ id, error }));
    return finishJob("pullStores", failed, results);
  }

  /** Returns the external IDs of all stores. */
  async #listStores(): Promise<string[]> {
    const ids = new Set<string>();
    const others: string[] = [];
    const { verify = true } = this.#settings.options;
    for await (const { externalId, storeId } of this.#settings.store.stores.list({ verify }, this.#call))
      if (externalId === null || checkExternalId(externalId).length > 0) others.push(storeId);
      else ids.add(externalId);
    this.#results.withoutExternalId = others.length;
    const named = others.slice(0, 5).join(", ") + (others.length > 5 ? ", …" : "");
    if (others.length > 0)
      this.#warn(`pullStores: ${others.length} stores without external ID cannot be read: storeId ${named}`);
    return [...ids];
  }

  /** Sorts the stores: first those with which no run has begun, last that with which the last one began. */
  async #sort(ids: readonly string[]): Promise<string[]> {
    this.#begun = await this.#use(() => readRecords(this.#settings.sink, ids.map(this.#keyOf)));
    for (const text of this.#begun.values())
      this.#lastBegin = Math.max(this.#lastBegin, Date.parse(text) || 0);
    const begin = (id: string): string => this.#begun.get(this.#keyOf(id)) ?? "";
    return ids.toSorted((a, b) => Number(begin(a) > begin(b)) - Number(begin(a) < begin(b)));
  }

  readonly #keyOf = (id: string): string => `pullStores/${this.#settings.kind}/${id}`;

  /** Pulls a store. An error that concerns all stores ends the run. */
  readonly #tryStore = async (id: string): Promise<void> => {
    if (this.#failedInRow >= this.#settings.options.maxFailed) return;
    try {
      await this.#pullStore(id);
      this.#failures.delete(id);
      this.#failedInRow = 0;
    } catch (error) {
      this.#signal.throwIfAborted();
      if (concernOf(error) === "everything") throw this.#end(error);
      this.#failures.set(id, new RowError(id, this.#settings.kind, error));
      this.#failedInRow += 1;
    }
  };

  async #pullStore(id: string): Promise<void> {
    const { store, kind, sink, given } = this.#settings;
    await this.#use(() => this.#noteBegin(id));
    const state = (await this.#use(() => sink.loadState(id))) ?? undefined;
    const own = { state, concurrency: undefined, onWarning: this.#warn };
    const options = { ...this.#settings.options, ...this.#call, ...own };
    // photos have no `get`, and `pull` refuses details of them
    const source = store[kind] as ProtocolSource<unknown, unknown>;
    try {
      for await (const batch of pull(source, id, options as PullOptions & { details: true })) {
        await this.#use(() => sink.saveBatch(id, batch));
        this.#results.items += batch.items.length;
      }
      this.#results.stores += 1;
    } catch (error) {
      this.#signal.throwIfAborted();
      // an external ID of the caller that was never read may be misspelt
      const mayBeDeleted = isNotFound(error) && (given === undefined || state !== undefined);
      // the 404 of its protocols is not believed alone
      if (!mayBeDeleted || (await findOne(store.stores.get(id, this.#call))) !== undefined) throw error;
      this.#results.skipped += 1;
    }
  }

  async #noteBegin(id: string): Promise<void> {
    const { runtime = globalThis } = this.#settings.options;
    this.#lastBegin = Math.max(runtime.Date.now(), this.#lastBegin + 1);
    const key = this.#keyOf(id);
    // if another program has begun with it meanwhile, `saveBatch` refuses one of the two
    await this.#settings.sink.saveRecord(key, this.#begun.get(key), new Date(this.#lastBegin).toISOString());
  }

  /** Calls the sink. What it throws concerns all stores. */
  async #use<R>(call: () => Awaitable<R>): Promise<R> {
    try {
      return await call();
    } catch (error) {
      throw this.#end(error);
    }
  }

  #end(error: unknown): unknown {
    this.#stop.abort(error);
    return this.#signal.reason;
  }

  /** Gives each warning once: that of a clock is the same for all stores. */
  readonly #warn = (message: string): void => {
    if (this.#warnings.has(message)) return;
    this.#warnings.add(message);
    // oxlint-disable-next-line no-console -- without `onWarning`, the only place where a user can see it
    notify(this.#settings.options.onWarning ?? console.warn, message);
  };
}
