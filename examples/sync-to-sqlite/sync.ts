import { InvalidRequestError, PaginationError, StoreApiError, type StoreClient } from "../../src/index.ts";
import type { Range, SyncDatabase, UnfinishedSync } from "./database.ts";

/** The progress of a run. */
export interface Tally {
  stores: number;
  protocols: number;
  requests: number;
  retries: number;
  /** Stores that the service did not know any more when their protocols were asked for. */
  gone: number;
  /** Stores whose protocols cannot be read; the next run tries them again. */
  failed: { externalId: string; error: Error }[];
}

export interface SyncOptions {
  client: StoreClient;
  database: SyncDatabase;
  range: Range;
  concurrency: number;
  pageSize: number;
  signal: AbortSignal;
  tally: Tally;
  /** After each page that was saved. */
  onPage: () => void;
}

/** Everything was tried, and the protocols of some stores could not be read. */
export class IncompleteError extends Error {
  override readonly name = "IncompleteError";

  constructor(failed: Tally["failed"]) {
    const [first] = failed;
    super(
      `the protocols of ${failed.length} of the stores could not be read; ${first?.externalId}: ${first?.error.message}`,
    );
  }
}

/** Copies the stores, then the protocols of each, several stores at a time. Goes on where the database is. */
export async function sync(options: SyncOptions): Promise<void> {
  options.signal.throwIfAborted();
  await copyStores(options);
  await copyEachStoresProtocols(options);
  options.database.finish(new Date());
}

async function copyStores({ client, database, pageSize, signal, tally, onPage }: SyncOptions): Promise<void> {
  const { resume, complete } = database.list();
  if (complete) return;
  const list = client.stores.list({ limit: pageSize, resume }, { signal });
  for await (const page of list.pages({ prefetch: 1 })) {
    database.saveStores(page.items, page.resume);
    tally.stores += page.items.length;
    onPage();
  }
}

async function copyEachStoresProtocols(options: SyncOptions): Promise<void> {
  const { database, concurrency } = options;
  const failure = new AbortController();
  const signal = AbortSignal.any([options.signal, failure.signal]);
  let position = 0;
  const runWorker = async (): Promise<void> => {
    for (;;) {
      const store = database.nextUnfinished(position);
      if (store === undefined) return;
      position = store.position;
      await copyOrSkip(store, { ...options, signal });
    }
  };
  const workers = Array.from({ length: concurrency }, () =>
    runWorker().catch((error: unknown) => failure.abort(error)),
  );
  // all have to be at their end before the database may be closed
  await Promise.all(workers);
  signal.throwIfAborted();
}

/** Copies one store's protocols; what concerns that store alone does not hold up the others. */
async function copyOrSkip(store: UnfinishedSync, options: SyncOptions): Promise<void> {
  const { database, tally } = options;
  try {
    await copyProtocols(store, options);
  } catch (error) {
    if (error instanceof StoreApiError && error.status === 404) {
      database.skipStore(store.externalId);
      tally.gone += 1;
    } else if (error instanceof PaginationError || error instanceof InvalidRequestError) {
      tally.failed.push({ externalId: store.externalId, error });
    } else {
      throw error;
    }
  }
}

async function copyProtocols({ externalId, resume }: UnfinishedSync, options: SyncOptions): Promise<void> {
  const { client, database, range, pageSize, signal, tally, onPage } = options;
  const list = client.protocols.list(externalId, { ...range, limit: pageSize, resume }, { signal });
  for await (const page of list.pages()) {
    database.saveProtocols(externalId, page.items, page.resume);
    tally.protocols += page.items.length;
    onPage();
  }
}
