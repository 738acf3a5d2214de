import { hash, randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import type { JsonObject, Store } from "../../src/index.ts";
import { ForeignFileError, openFile, transact } from "./file.ts";

/** The data to copy. The default range is that of the sync in the file, or the last 28 days. */
export interface SyncRequest {
  source: string;
  from: string | undefined;
  to: string | undefined;
  /** The end of those 28 days. */
  now: Date;
  anew: boolean;
}

export interface Range {
  from: string;
  to: string;
}

/** The state of the file at the start of a run. */
export interface Start {
  kind: "new" | "resumed" | "complete";
  range: Range;
  finishedAt: string | null;
}

/** A store whose protocols are still to be read. */
export interface UnfinishedSync {
  position: number;
  externalId: string;
  resume: string | undefined;
}

interface SyncRow {
  source: string;
  range_from: string;
  range_to: string;
  list_resume: string | null;
  list_complete: number;
  stores_seen: number;
  finished_at: string | null;
}

/** A second process writes to the file since; this one must not. */
export class TakenOverError extends Error {
  override readonly name = "TakenOverError";
}

/** A response cannot be stored. */
export class UnusableResponseError extends Error {
  override readonly name = "UnusableResponseError";
}

const defaultDays = 28;

/** The SQLite file: rows, and beside them the place to go on from, each page of both in one transaction. */
export class SyncDatabase {
  readonly #file: DatabaseSync;
  readonly #writer = randomUUID();
  readonly #statements: ReturnType<typeof prepareStatements>;

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
  begin(request: SyncRequest): Start {
    return transact(this.#file, () => {
      const held = this.#sync();
      if (held !== undefined && held.source !== request.source && this.counts().stores > 0)
        throw new ForeignFileError(`holds the stores of another service: ${held.source}`);
      const saved = held?.source === request.source ? held : undefined;
      if (saved === undefined || request.anew) return this.#beginNew(request);
      if (saved.list_complete === 0 && saved.list_resume === null) {
        // nothing was saved yet: another range is as good
        const { from = saved.range_from, to = saved.range_to } = request;
        return this.#beginNew({ ...request, from, to });
      }
      refuseOtherRange(saved, request);
      if (saved.finished_at === null) this.#statements.takeOver.run(this.#writer);
      return {
        kind: saved.finished_at === null ? "resumed" : "complete",
        range: { from: saved.range_from, to: saved.range_to },
        finishedAt: saved.finished_at,
      };
    });
  }

  #beginNew({ source, now, from, to = now.toISOString() }: SyncRequest): Start {
    const range = { from: from ?? new Date(Date.parse(to) - defaultDays * 86_400_000).toISOString(), to };
    this.#file.exec("DELETE FROM unfinished");
    this.#statements.begin.run(source, range.from, range.to, this.#writer);
    return { kind: "new", range, finishedAt: null };
  }

  /** Returns the position at which the list of stores continues, and whether the list is complete. */
  list(): { resume: string | undefined; complete: boolean } {
    const saved = this.#sync();
    return { resume: saved?.list_resume ?? undefined, complete: saved?.list_complete === 1 };
  }

  /** A page of stores with the place to go on from; null after the last. */
  saveStores(stores: readonly Store[], resume: string | null): void {
    const { upsertStore, addUnfinished, moveList } = this.#statements;
    this.#write(() => {
      let added = 0;
      for (const store of stores) {
        const { storeId, externalId, name } = checkStore(store);
        upsertStore.run(storeId, externalId, name, JSON.stringify(store));
        if (externalId !== null) added += Number(addUnfinished.run(externalId).changes);
      }
      moveList.run(resume, resume === null ? 1 : 0, added);
    });
  }

  /** The first store behind `position` whose protocols are still to be read. */
  nextUnfinished(position: number): UnfinishedSync | undefined {
    const row = this.#statements.nextUnfinished.get(position);
    if (row === undefined) return undefined;
    const {
      position: at,
      external_id: externalId,
      resume,
    } = row as {
      position: number;
      external_id: string;
      resume: string | null;
    }; // as the schema says
    return { position: at, externalId, resume: resume ?? undefined };
  }

  /** A page of a store's protocols with the place to go on from; null after the last. */
  saveProtocols(externalId: string, protocols: readonly JsonObject[], resume: string | null): void {
    const { upsertProtocol, moveStore, finishStore } = this.#statements;
    this.#write(() => {
      for (const protocol of protocols) {
        const data = JSON.stringify(protocol);
        upsertProtocol.run(externalId, protocolKey(protocol, data), data);
      }
      if (resume === null) finishStore.run(externalId);
      else moveStore.run(resume, externalId);
    });
  }

  /** The protocols of a deleted store cannot be read. Its saved rows are kept. */
  skipStore(externalId: string): void {
    this.#write(() => this.#statements.finishStore.run(externalId));
  }

  /** Marks the sync as complete where no store is left. */
  finish(now: Date): void {
    this.#write(() => this.#statements.finish.run(now.toISOString()));
  }

  /** The content of the file; `nameless` is the number of stores without an external ID. */
  counts(): { stores: number; protocols: number; nameless: number } {
    return this.#statements.counts.get() as { stores: number; protocols: number; nameless: number }; // as the statement says
  }

  /** Of the stores seen by this sync, how many have all their protocols; `listed`: whether all were seen. */
  progress(): { listed: boolean; done: number; of: number } {
    const { left } = this.#statements.left.get() as { left: number }; // as the statement says
    const { list_complete: listed = 0, stores_seen: of = 0 } = this.#sync() ?? {};
    return { listed: listed === 1, done: of - left, of };
  }

  #sync(): SyncRow | undefined {
    return this.#statements.sync.get() as SyncRow | undefined; // as the schema says
  }

  #write(work: () => void): void {
    transact(this.#file, () => {
      if (this.#statements.isWriter.get(this.#writer) === undefined) throw new TakenOverError();
      work();
    });
  }
}

function prepareStatements(file: DatabaseSync) {
  return {
    sync: file.prepare("SELECT * FROM sync"),
    begin: file.prepare(
      "INSERT OR REPLACE INTO sync (one, source, range_from, range_to, writer) VALUES (1, ?, ?, ?, ?)",
    ),
    takeOver: file.prepare("UPDATE sync SET writer = ?"),
    isWriter: file.prepare("SELECT 1 FROM sync WHERE writer = ?"),
    moveList: file.prepare(
      "UPDATE sync SET list_resume = ?, list_complete = ?, stores_seen = stores_seen + ?",
    ),
    finish: file.prepare("UPDATE sync SET finished_at = ? WHERE NOT EXISTS (SELECT 1 FROM unfinished)"),
    upsertStore: file.prepare(
      `INSERT INTO stores (store_id, external_id, name, data) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET external_id = excluded.external_id, name = excluded.name, data = excluded.data`,
    ),
    addUnfinished: file.prepare("INSERT INTO unfinished (external_id) VALUES (?) ON CONFLICT DO NOTHING"),
    nextUnfinished: file.prepare("SELECT * FROM unfinished WHERE position > ? ORDER BY position LIMIT 1"),
    moveStore: file.prepare("UPDATE unfinished SET resume = ? WHERE external_id = ?"),
    finishStore: file.prepare("DELETE FROM unfinished WHERE external_id = ?"),
    upsertProtocol: file.prepare(
      `INSERT INTO protocols (external_id, protocol_key, data) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET data = excluded.data`,
    ),
    counts: file.prepare(
      `SELECT count(*) AS stores, count(*) - count(external_id) AS nameless,
       (SELECT count(*) FROM protocols) AS protocols FROM stores`,
    ),
    left: file.prepare("SELECT count(*) AS left FROM unfinished"),
  };
}

function refuseOtherRange(
  saved: SyncRow,
  { from = saved.range_from, to = saved.range_to }: SyncRequest,
): void {
  if (from === saved.range_from && to === saved.range_to) return;
  throw new ForeignFileError(
    `holds a sync of another range, ${saved.range_from} to ${saved.range_to}: ` +
      "omit --from and --to to resume it, or add --anew to start another one",
  );
}

function checkStore(store: Store): Store {
  if (typeof store.storeId === "string") return store;
  throw new UnusableResponseError("GET /v1/stores: a store without a `storeId`");
}

/**
 * Identifies the protocols of a store as the client does. The contract shows none of their properties (gap
 * protocols.id-property).
 */
function protocolKey(protocol: JsonObject, data: string): string {
  const id = protocol["protocolId"] ?? protocol["id"];
  return typeof id === "string" || typeof id === "number" ? String(id) : `sha256:${hash("sha256", data)}`;
}
