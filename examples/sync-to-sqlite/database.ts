import { hash, randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { JsonObject, MirrorMark, MirrorSink, Store } from "../../src/index.ts";
import { ForeignFileError, openFile, transact } from "./file.ts";

/** The state of the file at the start of a run. */
export interface Start {
  kind: "new" | "resumed" | "next";
  /** The start of the protocols, which the first run decides. */
  since: string;
}

/** The number of rows in the file; `nameless` is the number of stores without an external ID. */
export interface Counts {
  stores: number;
  protocols: number;
  nameless: number;
  fleet: number;
}

interface SyncRow {
  source: string;
  since: string;
  round: number;
  finished_at: string | null;
}

/** A second process writes to the file since; this one must not. */
export class TakenOverError extends Error {
  override readonly name = "TakenOverError";
}

/** The tables of the file: rows, and beside them the progress of each list, each page of both in one transaction. */
export class SyncDatabase {
  readonly #file: DatabaseSync;
  readonly #writer = randomUUID();
  readonly #statements: ReturnType<typeof prepareStatements>;
  #round = 0;

  constructor(path: string) {
    this.#file = openFile(path);
    this.#statements = prepareStatements(this.#file);
  }

  close(): void {
    this.#file.close();
  }

  /**
   * Starts a sync, or resumes the one in the file.
   * @throws {ForeignFileError} if the file holds the data of another service
   */
  begin(source: string, since: string): Start {
    return transact(this.#file, () => {
      const { begin, sync, counts } = this.#statements;
      const held = sync.get() as SyncRow | undefined; // as the schema says
      const isHeld = held !== undefined && (counts.get() as unknown as Counts).stores > 0; // as the statement says
      if (isHeld && held.source !== source)
        throw new ForeignFileError(`holds the stores of another service: ${held.source}`);
      if (!isHeld) this.#file.exec("DELETE FROM progress");
      const isFinished = held?.finished_at !== null;
      this.#round = (held?.round ?? 0) + (isFinished ? 1 : 0);
      const first = held?.source === source ? held.since : since;
      begin.run(source, this.#round, this.#writer, first);
      if (!isHeld) return { kind: "new", since: first };
      return { kind: isFinished ? "next" : "resumed", since: first };
    });
  }

  /** The sink of the list of stores. */
  stores(): MirrorSink<Store> {
    const { countStores, findStore, markStore, putStore, removeStores } = this.#statements;
    return this.#sink("stores", {
      find: (id) => findStore.get(id),
      put: ({ id, hash: mark, item }, pass) =>
        putStore.run(id, item.externalId, item.name, JSON.stringify(item), mark, pass),
      mark: (id, pass) => markStore.run(pass, id),
      count: (pass) => countStores.get(pass),
      remove: (pass) => removeStores.run(pass),
    });
  }

  /** The sink of a list of the fleet. */
  fleet(list: string): MirrorSink<object> {
    const { countEntries, findEntry, markEntry, putEntry, removeEntries } = this.#statements;
    return this.#sink(list, {
      find: (id) => findEntry.get(list, id),
      put: ({ id, hash: mark, item }, pass) => putEntry.run(list, id, JSON.stringify(item), mark, pass),
      mark: (id, pass) => markEntry.run(pass, list, id),
      count: (pass) => countEntries.get(list, pass),
      remove: (pass) => removeEntries.run(list, pass),
    });
  }

  #sink<T>(list: string, table: Table<T>): MirrorSink<T> {
    const { load } = this.#statements;
    return {
      load: () => (load.get(list) as { state: string } | undefined)?.state, // as the schema says
      find: (ids) =>
        new Map(
          ids.flatMap((id) => {
            const row = table.find(id) as MirrorMark | undefined; // as the statement says
            return row === undefined ? [] : [[id, row] as const];
          }),
        ),
      save: ({ entries, seen, pass, state }) =>
        this.#write(list, state, () => {
          for (const entry of entries) table.put(entry, pass);
          for (const id of seen) table.mark(id, pass);
        }),
      countUnseen: (pass) => (table.count(pass) as { rows: number }).rows, // as the statement says
      remove: (pass, state) => this.#write(list, state, () => void table.remove(pass)),
    };
  }

  /** The next store whose protocols this sync has not read, after the one with this ID. */
  nextStore(after: string): { externalId: string; state: string | undefined } | undefined {
    const row = this.#statements.nextStore.get(this.#round, after);
    if (row === undefined) return undefined;
    const { external_id: externalId, state } = row as { external_id: string; state: string | null }; // as the schema says
    return { externalId, state: state ?? undefined };
  }

  /** Saves a page of a store's protocols with the state of the pull. */
  saveProtocols(externalId: string, protocols: readonly JsonObject[], state: string): void {
    this.#write(pullOf(externalId), state, () => {
      for (const protocol of protocols) {
        const data = JSON.stringify(protocol);
        this.#statements.putProtocol.run(externalId, protocolKey(protocol, data), data);
      }
    });
  }

  /** Notes that this sync is done with the protocols of a store. The rows of a deleted store are kept. */
  finishStore(externalId: string): void {
    this.#transact(() => this.#statements.finishStore.run(pullOf(externalId), this.#round));
  }

  /** Notes that the sync has read everything. */
  finish(now: Date): void {
    this.#transact(() => this.#statements.finish.run(now.toISOString()));
  }

  counts(): Counts {
    return this.#statements.counts.get() as unknown as Counts; // as the statement says
  }

  /** The stores whose protocols can be requested, and those of them that this sync has read. */
  progress(): { done: number; of: number } {
    return this.#statements.progress.get(this.#round) as { done: number; of: number }; // as the statement says
  }

  #write(list: string, state: string, work: () => void): void {
    this.#transact(() => {
      work();
      this.#statements.save.run(list, state);
    });
  }

  #transact(work: () => unknown): void {
    transact(this.#file, () => {
      if (this.#statements.isWriter.get(this.#writer) === undefined) throw new TakenOverError();
      work();
    });
  }
}

/** The statements of one mirrored list. */
interface Table<T> {
  find(id: string): unknown;
  put(entry: { id: string; hash: string; item: T }, pass: number): unknown;
  mark(id: string, pass: number): unknown;
  count(pass: number): unknown;
  remove(pass: number): unknown;
}

function pullOf(externalId: string): string {
  return `protocols of ${externalId}`;
}

function prepareStatements(file: DatabaseSync) {
  return {
    sync: file.prepare("SELECT * FROM sync"),
    begin: file.prepare(
      "INSERT OR REPLACE INTO sync (one, source, round, writer, since) VALUES (1, ?, ?, ?, ?)",
    ),
    isWriter: file.prepare("SELECT 1 FROM sync WHERE writer = ?"),
    finish: file.prepare("UPDATE sync SET finished_at = ?"),
    load: file.prepare("SELECT state FROM progress WHERE list = ?"),
    save: file.prepare(
      "INSERT INTO progress (list, state) VALUES (?, ?) ON CONFLICT DO UPDATE SET state = excluded.state",
    ),
    finishStore: file.prepare(
      "INSERT INTO progress (list, round) VALUES (?, ?) ON CONFLICT DO UPDATE SET round = excluded.round",
    ),
    nextStore: file.prepare(
      `SELECT external_id, state FROM stores LEFT JOIN progress ON list = 'protocols of ' || external_id
       WHERE ifnull(round, 0) < ? AND external_id > ? ORDER BY external_id LIMIT 1`,
    ),
    findStore: file.prepare("SELECT hash, pass FROM stores WHERE store_id = ?"),
    putStore: file.prepare("INSERT OR REPLACE INTO stores VALUES (?, ?, ?, ?, ?, ?)"),
    markStore: file.prepare("UPDATE stores SET pass = ? WHERE store_id = ?"),
    countStores: file.prepare("SELECT count(*) AS rows FROM stores WHERE pass < ?"),
    removeStores: file.prepare("DELETE FROM stores WHERE pass < ?"),
    findEntry: file.prepare("SELECT hash, pass FROM fleet WHERE list = ? AND id = ?"),
    putEntry: file.prepare("INSERT OR REPLACE INTO fleet VALUES (?, ?, ?, ?, ?)"),
    markEntry: file.prepare("UPDATE fleet SET pass = ? WHERE list = ? AND id = ?"),
    countEntries: file.prepare("SELECT count(*) AS rows FROM fleet WHERE list = ? AND pass < ?"),
    removeEntries: file.prepare("DELETE FROM fleet WHERE list = ? AND pass < ?"),
    putProtocol: file.prepare("INSERT OR REPLACE INTO protocols VALUES (?, ?, ?)"),
    counts: file.prepare(
      `SELECT count(*) AS stores, count(*) - count(external_id) AS nameless,
       (SELECT count(*) FROM protocols) AS protocols, (SELECT count(*) FROM fleet) AS fleet FROM stores`,
    ),
    progress: file.prepare(
      `SELECT count(external_id) AS of, count(CASE WHEN round = ? THEN 1 END) AS done
       FROM stores LEFT JOIN progress ON list = 'protocols of ' || external_id`,
    ),
  };
}

/**
 * Identifies the protocols of a store as the client does. The contract shows none of their properties (gap
 * protocols.id-property).
 */
function protocolKey(protocol: JsonObject, data: string): string {
  const id = protocol["protocolId"] ?? protocol["id"];
  return typeof id === "string" || typeof id === "number" ? String(id) : `sha256:${hash("sha256", data)}`;
}
