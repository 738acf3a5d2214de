import type { MirrorChanges, SavedBatch, Sink } from "./sink.ts";
import {
  checkText,
  mirrorRows,
  mirrorState,
  otherProgram,
  pullRows,
  readTables,
  type SinkRow,
  type SinkTables,
  stateOf,
} from "./sink-rows.ts";

type SqlValue = string | number | null;

/** A database of `node:sqlite` or better-sqlite3, as far as a sink uses it. */
export interface SqliteDatabase {
  /** Runs SQL without values. */
  exec(sql: string): unknown;
  /** Prepares a statement. */
  prepare(sql: string): {
    /** Returns every row. */
    all(...values: SqlValue[]): unknown[];
    /** Runs the statement. */
    run(...values: SqlValue[]): unknown;
  };
}

/**
 * A sink over `node:sqlite` or better-sqlite3. The table has the columns `id`, `ref`, `hash`, `pass`, `data` (JSON) and `detail`
 * (JSON or null), and those that you add. It is created if it does not exist, as are `<table>_seen`, `<table>_state` and
 * `<table>_records`. Only new and changed rows are written. In a transaction of yours it uses savepoints.
 * @param table the name: `vehicles`, `archive.vehicles` in an attached database, or `"a.b"`
 * @throws {ConfigurationError} for another name
 * @example await mirror(fleet.vehicles, sqliteSink(new DatabaseSync("fleet.sqlite"), "vehicles"));
 */
export function sqliteSink<T = unknown, D = undefined>(db: SqliteDatabase, table: string): Sink<T, D> {
  const tables = readTables("sqliteSink", table);
  createTables(db, tables);
  const states = prepareTexts(db, tables.state, "name", "state");
  const records = prepareTexts(db, tables.records, "key", "text");
  const mirrored = prepareMirror(db, tables);
  const pulled = prepareRows(db, tables, "pass = 0 AND ref = ? AND hash = ?", ({ ref, hash }) => [ref, hash]);
  const replaceState = (name: string, { state, before }: SavedState, store?: string): void => {
    if (!states.replace(name, before, state)) throw otherProgram(tables, store);
  };
  return {
    load: () => states.find(mirrorState),
    find: mirrored.find,
    save: (changes) =>
      transact(db, () => {
        replaceState(mirrorState, changes);
        mirrored.save(changes);
      }),
    countUnseen: mirrored.countUnseen,
    findUnseen: mirrored.findUnseen,
    loadState: (store) => states.find(stateOf(store)),
    saveBatch: (store, batch) =>
      transact(db, () => {
        replaceState(stateOf(store), batch, store);
        for (const row of pullRows(store, batch)) {
          // version 0.1 did not escape the store
          const old = { ...row, id: `${store}/${row.ref}`, hash: "" };
          pulled.put(pulled.has(old) ? old : row);
        }
      }),
    findRecords: (keys) => {
      const texts = keys.map((key) => [key, records.find(key)] as const);
      return new Map(texts.filter((pair): pair is readonly [string, string] => pair[1] !== undefined));
    },
    saveRecord: (key, before, text) => transact(db, () => records.replace(checkText(key), before, text)),
  };
}

type SavedState = Pick<SavedBatch, "state" | "before">;

/** Creates the tables that do not exist. Leaves nothing behind if the first one is a table of another kind. */
function createTables(db: SqliteDatabase, { rows, seen, state, records }: SinkTables): void {
  db.exec(
    `CREATE TABLE IF NOT EXISTS ${rows} (id TEXT PRIMARY KEY, ref TEXT, hash TEXT NOT NULL, pass INTEGER NOT NULL, data TEXT NOT NULL, detail TEXT)`,
  );
  db.prepare(`SELECT id, ref, hash, pass, data, detail FROM ${rows}`);
  db.exec(
    `CREATE TABLE IF NOT EXISTS ${state} (name TEXT PRIMARY KEY, state TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS ${records} (key TEXT PRIMARY KEY, text TEXT NOT NULL)`,
  );
  try {
    db.prepare(`SELECT pass FROM ${seen}`);
  } catch {
    // version 0.1 had the passes in the rows
    transact(db, () =>
      db.exec(
        `CREATE TABLE IF NOT EXISTS ${seen} (id TEXT PRIMARY KEY, pass INTEGER NOT NULL) WITHOUT ROWID;
        INSERT INTO ${seen} (id, pass) SELECT id, pass FROM ${rows} WHERE pass > 0 ON CONFLICT DO NOTHING`,
      ),
    );
  }
}

/** Prepares a statement. Returns a function that returns its rows, whatever form the user's database gives them. */
function prepare(db: SqliteDatabase, sql: string): (...values: SqlValue[]) => unknown[][] {
  const statement = db.prepare(sql);
  return (...values) =>
    statement
      .all(...values)
      .map((row) => (Array.isArray(row) ? row : Object.values(row as object)) as unknown[]);
}

/** A table of texts by their keys. */
function prepareTexts(db: SqliteDatabase, table: string, key: string, text: string) {
  const select = prepare(db, `SELECT ${text} FROM ${table} WHERE ${key} = ?`);
  const insert = db.prepare(`INSERT INTO ${table} (${text}, ${key}) VALUES (?, ?)`);
  const update = db.prepare(`UPDATE ${table} SET ${text} = ? WHERE ${key} = ?`);
  const find = (name: string) => select(name)[0]?.[0] as string | undefined; // the column's type
  /** Replaces a text, within a transaction. Returns whether it was the expected one. */
  const replace = (name: string, before: string | undefined, next: string): boolean => {
    if (find(name) !== before) return false;
    (before === undefined ? insert : update).run(next, name);
    return true;
  };
  return { find, replace };
}

/** The rows that fulfill a condition about their values. */
function prepareRows(
  db: SqliteDatabase,
  { rows }: SinkTables,
  condition: string,
  valuesOf: (row: SinkRow) => SqlValue[],
) {
  const select = prepare(db, `SELECT 1 FROM ${rows} WHERE id = ? COLLATE BINARY AND ${condition}`);
  const update = db.prepare(
    `UPDATE ${rows} SET ref = ?, hash = ?, pass = ?, data = ?, detail = ? WHERE id = ? COLLATE BINARY`,
  );
  const insert = db.prepare(
    `INSERT INTO ${rows} (ref, hash, pass, data, detail, id) VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const has = (row: SinkRow): boolean => select(row.id, ...valuesOf(row)).length > 0;
  const put = (row: SinkRow): void => {
    const { id, ref, hash, pass, data, detail } = row;
    (has(row) ? update : insert).run(ref, hash, pass, data, detail, id);
  };
  return { has, put };
}

/** The statements of a mirror. Rows with pass 0 are those of a pull. */
function prepareMirror(db: SqliteDatabase, tables: SinkTables) {
  const { rows, seen } = tables;
  const { put } = prepareRows(db, tables, "pass > 0", () => []);
  const find = prepare(
    db,
    `SELECT hash, max(pass, coalesce((SELECT seen.pass FROM ${seen} AS seen WHERE seen.id = saved.id), 0))
    FROM ${rows} AS saved WHERE id = ? COLLATE BINARY AND pass > 0`,
  );
  const mark = db.prepare(
    `INSERT INTO ${seen} (id, pass) SELECT id, ? FROM ${rows} WHERE id = ? COLLATE BINARY AND pass > 0
    ON CONFLICT (id) DO UPDATE SET pass = excluded.pass`,
  );
  const remove = db.prepare(`DELETE FROM ${rows} WHERE id = ? COLLATE BINARY AND pass > 0`);
  const forget = db.prepare(`DELETE FROM ${seen} WHERE id = ?`);
  const unseen = `FROM ${seen} AS seen CROSS JOIN ${rows} AS saved ON saved.id = seen.id WHERE seen.pass < ?`;
  const count = prepare(db, `SELECT count(*) ${unseen}`);
  const page = prepare(
    db,
    `SELECT seen.id, ref, seen.pass ${unseen} AND seen.id > ? ORDER BY seen.id LIMIT 100`,
  );
  return {
    find: (ids: readonly string[]) =>
      new Map(
        ids.flatMap((id) =>
          find(id).map(([hash, pass]) => [id, { hash: String(hash), pass: Number(pass) }] as const),
        ),
      ),
    save: (changes: Pick<MirrorChanges<unknown, unknown>, "entries" | "seen" | "deleted" | "pass">): void => {
      const { entries, deleted, pass } = changes;
      for (const row of mirrorRows(entries, pass)) put(row);
      for (const id of new Set([...entries.map((entry) => entry.id), ...changes.seen])) mark.run(pass, id);
      for (const id of deleted) {
        remove.run(id);
        forget.run(id);
      }
    },
    countUnseen: (pass: number) => Number(count(pass)[0]?.[0]),
    findUnseen: (pass: number, after: string) =>
      page(pass, after).map(([id, ref, last]) => ({
        id: String(id),
        ref: ref as string | null, // the column's type
        pass: Number(last),
      })),
  };
}

/** Runs a function in a transaction, or within the transaction of the user. */
function transact<R>(db: SqliteDatabase, run: () => R): R {
  const { commit, rollback } = begin(db);
  try {
    const result = run();
    db.exec(commit);
    return result;
  } catch (error) {
    try {
      db.exec(rollback);
    } catch {
      // SQLite may have ended the transaction; the first error is the reason
    }
    throw error;
  }
}

function begin(db: SqliteDatabase): { commit: string; rollback: string } {
  try {
    db.exec("BEGIN IMMEDIATE");
    return { commit: "COMMIT", rollback: "ROLLBACK" };
  } catch (error) {
    if (!String(error).includes("within a transaction")) throw error;
    db.exec("SAVEPOINT shelfleet");
    return { commit: "RELEASE shelfleet", rollback: "ROLLBACK TO shelfleet; RELEASE shelfleet" };
  }
}
