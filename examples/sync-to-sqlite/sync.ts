import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { parse } from "csv-parse/sync";
import type { FleetClient, StoreClient } from "shelfleet";
import {
  applyPlan,
  type ApplyResult,
  type DesiredStore,
  JobError,
  type MirrorResult,
  mirror,
  planStores,
  pullStores,
  sqliteSink,
} from "shelfleet/sync";

/** What the jobs of a round need. */
export interface Sync {
  store: StoreClient;
  fleet: FleetClient;
  db: DatabaseSync;
  /** The CSV file of the stores; undefined if another system maintains them. */
  csv?: string | undefined;
  /** The start of the first pull. */
  since: Date;
  signal: AbortSignal;
  log: (line: string) => void;
}

/** The longest time after its instant at which a protocol may still appear, in ms. */
const allowedLateness = 3_600_000;

/**
 * Opens the database and locks it against a second program. The lock ends with the process, also if it is killed.
 * @throws an error if another program has it
 */
export function openDatabase(file: string): DatabaseSync {
  const lock = new DatabaseSync(`${file}.lock`);
  lock.exec("BEGIN EXCLUSIVE");
  locks.add(lock);
  const db = new DatabaseSync(file);
  db.exec("PRAGMA journal_mode = WAL");
  return db;
}

/** A connection that is not reachable any more would be closed, and its lock with it. */
const locks = new Set<DatabaseSync>();

/**
 * Runs each job once. A job that fails does not stop the others; the next round tries it again.
 * @returns whether all succeeded
 * @throws the reason of the signal if it is aborted
 */
export async function runRound(sync: Sync): Promise<boolean> {
  const { store, fleet, db, log, signal } = sync;
  const jobs = {
    csv: () => writeStores(sync),
    stores: () => copy(mirror(store.stores, sqliteSink(db, "stores"), { signal })),
    protocols: () => pullProtocols(sync),
    vehicles: () => copy(mirror(fleet.vehicles, sqliteSink(db, "vehicles"), { signal })),
    inspections: () =>
      copy(mirror(fleet.inspections, sqliteSink(db, "inspections"), { details: true, signal })),
    damages: () => copy(mirror(fleet.damages, sqliteSink(db, "damages"), { details: true, signal })),
  };
  let isDone = true;
  for (const [name, run] of Object.entries(jobs)) {
    try {
      log(`${name.padEnd(12)} ${await run()}`);
    } catch (error) {
      signal.throwIfAborted();
      const failures = error instanceof JobError ? error.failed : [{ row: undefined, error }];
      // the job itself names the lines of its file
      for (const { row, error: reason } of failures)
        if (row === undefined) log(`${name.padEnd(12)} failed: ${messageOf(reason)}`);
      isDone = false;
    }
  }
  return isDone;
}

/** Reads a file of UTF-8. Excel's default is another encoding, whose letters would be replaced silently. */
function readText(file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Error(`${file} is not UTF-8: save it as "CSV UTF-8"`, { cause: error });
  }
}

/** Creates and updates the stores of the CSV file. */
async function writeStores({ csv, store, signal, log }: Sync): Promise<string> {
  if (csv === undefined) return "no file";
  const records = parse<{ record: Record<string, string>; info: { lines: number } }>(readText(csv), {
    columns: true,
    delimiter: ";",
    bom: true,
    info: true,
  });
  const desired = records.map(({ record }) => toStore(record));
  const plan = await planStores(desired, store, { signal });
  const onResult = ({ row, error }: ApplyResult) => {
    if (error !== undefined) log(`csv          failed: line ${records[row]?.info.lines}: ${error.message}`);
  };
  const results = await applyPlan(store, plan, { signal, onResult });
  const count = (outcome: string) => results.filter((result) => result.outcome === outcome).length;
  return `${count("done")} written, ${count("unchanged")} unchanged`;
}

/** An empty cell is omitted: the property keeps its value. */
function toStore({
  externalId = "",
  contact = "",
  phone = "",
  ...cells
}: Record<string, string>): DesiredStore {
  const contacts = contact + phone === "" ? undefined : [dropEmpty({ name: contact, phone })];
  return { externalId, ...dropEmpty(cells), contacts };
}

/** Returns the cells that are not empty. `planStores` refuses a row without those that the service requires. */
function dropEmpty<T extends Record<string, string>>(cells: T): T {
  return Object.fromEntries(Object.entries(cells).filter(([, cell]) => cell !== "")) as T;
}

/** Describes a mirror. */
async function copy(run: Promise<MirrorResult>): Promise<string> {
  const { read, added, changed, deleted } = await run;
  return `${read} read: ${added} new, ${changed} changed, ${deleted} deleted`;
}

/** Reads the new and changed protocols of all stores, with their images. */
async function pullProtocols({ store, db, since, signal }: Sync): Promise<string> {
  const options = { since, allowedLateness, details: true, signal };
  const { stores, items } = await pullStores(store, "protocols", sqliteSink(db, "protocols"), options);
  return `${stores} stores: ${items} new or changed`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
