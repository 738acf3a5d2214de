import {
  type FleetClient,
  InvalidRequestError,
  mirror,
  PaginationError,
  StoreApiError,
  type StoreClient,
} from "../../src/index.ts";
import type { SyncDatabase } from "./database.ts";

/** The longest time after its instant at which a protocol may still appear, in ms. */
const allowedLateness = 3_600_000;

/** The progress of a run. */
export interface Tally {
  stores: number;
  protocols: number;
  fleet: number;
  deleted: number;
  requests: number;
  retries: number;
  /** Stores that the service did not know any more when their protocols were asked for. */
  gone: number;
  /** Stores whose protocols cannot be read; the next run tries them again. */
  failed: { externalId: string; error: Error }[];
}

export interface SyncOptions {
  store: StoreClient;
  /** Undefined: only the stores and their protocols are copied. */
  fleet: FleetClient | undefined;
  database: SyncDatabase;
  /** The start of the protocols. */
  since: Date;
  now: () => Date;
  concurrency: number;
  pageSize: number;
  signal: AbortSignal;
  tally: Tally;
  /** Called after each page of protocols that was saved. */
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

/** Copies the stores and the fleet, then the new protocols of each store, several stores at a time. */
export async function sync(options: SyncOptions): Promise<void> {
  options.signal.throwIfAborted();
  await copyStores(options);
  await copyFleet(options);
  await copyEachStoresProtocols(options);
  if (options.tally.failed.length === 0) options.database.finish(options.now());
}

async function copyStores({ store, database, pageSize, signal, tally }: SyncOptions): Promise<void> {
  const stores = store.stores.list({ limit: pageSize }, { signal });
  const { added, changed, deleted } = await mirror(stores, database.stores());
  tally.stores += added + changed;
  tally.deleted += deleted;
}

async function copyFleet({ fleet, database, signal, tally }: SyncOptions): Promise<void> {
  if (fleet === undefined) return;
  const query = { limit: 100 };
  const lists = {
    vehicles: fleet.vehicles.list(query, { signal }),
    vehicleGroups: fleet.vehicleGroups.list(query, { signal }),
    inspections: fleet.inspections.list(query, { signal }),
    inspectionTemplates: fleet.inspectionTemplates.list(query, { signal }),
    damages: fleet.damages.list(query, { signal }),
    driverAssignments: fleet.driverAssignments.list(query, { signal }),
  };
  for (const [name, list] of Object.entries(lists)) {
    const { added, changed, deleted } = await mirror<object>(list, database.fleet(name));
    tally.fleet += added + changed;
    tally.deleted += deleted;
  }
}

async function copyEachStoresProtocols(options: SyncOptions): Promise<void> {
  const { database, concurrency } = options;
  const failure = new AbortController();
  const signal = AbortSignal.any([options.signal, failure.signal]);
  let last = "";
  const runWorker = async (): Promise<void> => {
    for (;;) {
      const next = database.nextStore(last);
      if (next === undefined) return;
      last = next.externalId;
      await copyOrSkip(next, { ...options, signal });
    }
  };
  const workers = Array.from({ length: concurrency }, () =>
    runWorker().catch((error: unknown) => failure.abort(error)),
  );
  // all have to be at their end before the database may be closed
  await Promise.all(workers);
  signal.throwIfAborted();
}

type NextStore = NonNullable<ReturnType<SyncDatabase["nextStore"]>>;

/** Copies one store's protocols; an error that concerns only that store does not stop the others. */
async function copyOrSkip(next: NextStore, options: SyncOptions): Promise<void> {
  const { database, tally } = options;
  try {
    await copyProtocols(next, options);
  } catch (error) {
    if (error instanceof StoreApiError && error.code === "not_found") tally.gone += 1;
    else if (error instanceof PaginationError || error instanceof InvalidRequestError)
      return void tally.failed.push({ externalId: next.externalId, error });
    else throw error;
  }
  database.finishStore(next.externalId);
}

async function copyProtocols({ externalId, state }: NextStore, options: SyncOptions): Promise<void> {
  const { store, database, since, now: until, pageSize: limit, signal, tally, onPage } = options;
  const query = { state, since, allowedLateness, until, limit };
  for await (const batch of store.protocols.pull(externalId, query, { signal })) {
    database.saveProtocols(externalId, batch.items, batch.state);
    tally.protocols += batch.items.length;
    onPage();
  }
}
