import { ConfigurationError } from "./clients.ts";
import { MirrorError } from "./errors.ts";
import type { Awaitable, SavedBatch, SavedEntry, Sink, UnseenEntry } from "./sink.ts";

/** A database of `node:sqlite` or better-sqlite3, as far as a sink uses it. */
export interface SqliteDatabase {
  /** Runs SQL without values. */
  exec(sql: string): unknown;
  /** Prepares a statement. */
  prepare(sql: string): {
    /** Returns the first row. */
    get(...values: (string | number | null)[]): unknown;
    /** Returns every row. */
    all(...values: (string | number | null)[]): unknown[];
    /** Runs the statement. */
    run(...values: (string | number | null)[]): unknown;
  };
}

/** A table of a SQLite database. */
export interface SqliteSink<T, D = undefined> extends Sink<T, D> {
  /** Saves a state and whatever a function writes in one transaction. */
  saveState(name: string, state: string, write?: () => void): void;
}

/**
 * A sink, and a place for states, over `node:sqlite` or better-sqlite3. The table has the columns `id`, `ref`, `hash`,
 * `pass`, `data` (JSON) and `detail` (JSON or null); it is created if it does not exist, as is `<table>_state`.
 * @example await mirror(fleet.vehicles, sqliteSink(new DatabaseSync("fleet.sqlite"), "vehicles"));
 */
export function sqliteSink<T = unknown, D = undefined>(db: SqliteDatabase, table: string): SqliteSink<T, D> {
  if (!/^[A-Za-z_]\w*$/.test(table))
    throw new ConfigurationError("sqliteSink: the name of the table must have letters, digits and _ only");
  db.exec(
    `CREATE TABLE IF NOT EXISTS "${table}" (id TEXT PRIMARY KEY, ref TEXT, hash TEXT NOT NULL, pass INTEGER NOT NULL, data TEXT NOT NULL, detail TEXT);
    CREATE INDEX IF NOT EXISTS "${table}_pass" ON "${table}" (pass);
    CREATE TABLE IF NOT EXISTS "${table}_state" (name TEXT PRIMARY KEY, state TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS "${table}_records" (key TEXT PRIMARY KEY, text TEXT NOT NULL);`,
  );
  const load = db.prepare(`SELECT state FROM "${table}_state" WHERE name = ?`);
  const store = db.prepare(`INSERT OR REPLACE INTO "${table}_state" VALUES (?, ?)`);
  const find = db.prepare(`SELECT hash, pass FROM "${table}" WHERE id = ?`);
  const put = db.prepare(`INSERT OR REPLACE INTO "${table}" VALUES (?, ?, ?, ?, ?, ?)`);
  const mark = db.prepare(`UPDATE "${table}" SET pass = ? WHERE id = ?`);
  const remove = db.prepare(`DELETE FROM "${table}" WHERE id = ?`);
  const count = db.prepare(`SELECT count(*) AS rows FROM "${table}" WHERE pass < ?`);
  const unseen = db.prepare(
    `SELECT id, ref, pass FROM "${table}" WHERE pass < ? AND id > ? ORDER BY id LIMIT 100`,
  );
  const findRecord = db.prepare(`SELECT key, text FROM "${table}_records" WHERE key = ?`);
  const saveRecord = db.prepare(
    // the subquery is undefined before the first text
    `INSERT OR REPLACE INTO "${table}_records" SELECT ?1, ?3
    WHERE (SELECT text FROM "${table}_records" WHERE key = ?1) IS ?2 RETURNING key`,
  );
  const loadState = (name: string) => (load.get(name) as { state: string } | undefined)?.state; // as the statement says
  const saveState = (name: string, state: string, write = () => {}): void => {
    db.exec("BEGIN IMMEDIATE");
    try {
      write();
      store.run(name, state);
      db.exec("COMMIT");
    } catch (error) {
      db.exec("ROLLBACK");
      throw error;
    }
  };
  return {
    loadState,
    saveState,
    saveBatch: (name, { items, ids, state, before }: SavedBatch): Awaitable<void> =>
      saveState(name, state, () => {
        if (loadState(name) !== before)
          throw new MirrorError(`another program pulls ${name} into the table ${table}`);
        for (const [index, id] of ids.entries())
          put.run(`${name}/${id}`, id, "", 0, JSON.stringify(items[index]), null);
      }),
    findRecords: (keys) => {
      const rows = keys.flatMap((key) => findRecord.all(key)) as { key: string; text: string }[]; // as the statement says
      return new Map(rows.map(({ key, text }) => [key, text]));
    },
    saveRecord: (key, before, text) => saveRecord.get(key, before ?? null, text) !== undefined,
    load: () => loadState("mirror"),
    find: (ids) =>
      // as the statement says
      new Map(ids.flatMap((id) => find.all(id).map((row) => [id, row as SavedEntry] as const))),
    save: ({ entries, seen, deleted, pass, state, before }) =>
      saveState("mirror", state, () => {
        if (loadState("mirror") !== before)
          throw new MirrorError(`another program writes to the table ${table}`);
        for (const { id, ref, hash, item, detail } of entries)
          put.run(id, ref, hash, pass, JSON.stringify(item), JSON.stringify(detail) ?? null);
        for (const id of seen) mark.run(pass, id);
        for (const id of deleted) remove.run(id);
      }),
    countUnseen: (pass) => (count.get(pass) as { rows: number }).rows, // as the statement says
    findUnseen: (pass, after) => unseen.all(pass, after) as UnseenEntry[], // as the statement says
  };
}
