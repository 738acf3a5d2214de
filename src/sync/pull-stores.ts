import { warn } from "./callbacks.ts";
import { type api, type CallOptions, callOptions, findOne, isNotFound } from "./clients.ts";
import { finishJob, RowError } from "./errors.ts";
import { checkExternalId, refuse } from "./parts.ts";
import { pull } from "./pull.ts";
import { type PhotoSource, type ProtocolSource, type PullOptions, readTimes } from "./pull-options.ts";
import type { Awaitable, PullSink, RecordSink } from "./sink.ts";
import { maxOutage, OutageGuard, readRecords, runEach } from "./tasks.ts";

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
}

/**
 * Pulls the protocols or photos of all stores into a sink, several stores at a time, first those whose last run began first.
 * A store that fails is tried once more at the end. A run that was killed continues in the next one, page by page.
 * @throws {JobError} if stores have failed twice; the others are done
 * @throws the error of the list of stores or of the sink, and one that concerns all stores: a rejected token, or the tenth one
 * in a row that says that the service is down
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
  const stores = options.stores && [...new Set(options.stores)];
  const since = new Date(readTimes(options).since);
  refuse("pullStores", stores?.flatMap(checkExternalId) ?? []);
  const all = { ...options, stores, since, extra: structuredClone(options.extra) };
  return new StoresRun({ store, kind, sink, options: all }).pullAll();
}

interface RunSettings {
  store: PullStoresApi;
  kind: "protocols" | "photos";
  sink: PullSink & RecordSink;
  options: PullStoresOptions & { stores: readonly string[] | undefined };
}

class StoresRun {
  /** Ends the run with the first error that concerns all stores. */
  readonly #stop = new AbortController();
  /** That, or the signal of the caller. */
  readonly #signal: AbortSignal;
  readonly #settings: RunSettings;
  readonly #call: CallOptions;
  readonly #failures = new Map<string, RowError>();
  readonly #outage = new OutageGuard();
  readonly #results = { stores: 0, items: 0, skipped: 0, withoutExternalId: 0 };
  readonly #warnings = new Set<string>();
  /** When a run last began with a store, by its external ID: instants, which sort as texts. */
  #begun: ReadonlyMap<string, string> = new Map();

  constructor(settings: RunSettings) {
    this.#settings = settings;
    const { signal = this.#stop.signal } = settings.options;
    this.#signal = AbortSignal.any([signal, this.#stop.signal]);
    this.#call = { ...callOptions(settings.options), signal: this.#signal };
  }

  async pullAll(): Promise<PullStoresResult> {
    const signal = this.#signal;
    signal.throwIfAborted();
    const { stores, concurrency } = this.#settings.options;
    const ids = await this.#sort(stores ?? (await this.#listStores()));
    const limits = { concurrency, signal };
    await runEach(ids, limits, this.#tryStore);
    const again = [...this.#failures.keys()];
    this.#outage.noteSuccess();
    // one wrong response need not cost a store its run
    if (again.length < maxOutage) await runEach(again, limits, this.#tryStore);
    const failed = [...this.#failures].map(([id, error]) => ({ id, error }));
    return finishJob("pullStores", failed, this.#results);
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
    const begin = (id: string): string => this.#begun.get(this.#keyOf(id)) ?? "";
    return ids.toSorted((a, b) => Number(begin(a) > begin(b)) - Number(begin(a) < begin(b)));
  }

  readonly #keyOf = (id: string): string => `pullStores/${this.#settings.kind}/${id}`;

  /** Pulls a store. An error that concerns all stores ends the run. */
  readonly #tryStore = async (id: string): Promise<void> => {
    try {
      await this.#pullStore(id);
      this.#failures.delete(id);
      this.#outage.noteSuccess();
    } catch (error) {
      this.#signal.throwIfAborted();
      if (this.#outage.isEnd(error)) throw this.#end(error);
      this.#failures.set(id, new RowError(id, this.#settings.kind, error));
    }
  };

  async #pullStore(id: string): Promise<void> {
    const { store, kind, sink, options: given } = this.#settings;
    await this.#use(() => this.#noteBegin(id));
    const state = (await this.#use(() => sink.loadState(id))) ?? undefined;
    const own = { state, concurrency: undefined, onWarning: this.#warn };
    const options = { ...given, ...this.#call, ...own };
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
      const mayBeDeleted = isNotFound(error) && (given.stores === undefined || state !== undefined);
      // the 404 of its protocols is not believed alone
      if (!mayBeDeleted || (await findOne(store.stores.get(id, this.#call))) !== undefined) throw error;
      this.#results.skipped += 1;
    }
  }

  async #noteBegin(id: string): Promise<void> {
    const { runtime = globalThis } = this.#settings.options;
    const now = new Date(runtime.Date.now()).toISOString();
    const key = this.#keyOf(id);
    // if another program has begun with it meanwhile, `saveBatch` refuses one of the two
    await this.#settings.sink.saveRecord(key, this.#begun.get(key), now);
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
    warn(this.#settings.options, message);
  };
}
