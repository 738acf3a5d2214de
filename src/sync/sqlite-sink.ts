import type { Sink } from "./sink.ts";
import {
  createTables,
  readTables,
  type SqlDriver,
  sqlSink,
  type SqlStatement,
  type SqlValue,
} from "./sql-sink.ts";

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
 * (JSON or null), and those that you add. It is created if it does not exist, as are `<table>_seen` and `<table>_state`.
 * Only new and changed rows are written. In a transaction of yours it uses savepoints.
 * @param table the name: `vehicles`, or `archive.vehicles` in an attached database
 * @throws {ConfigurationError} for another name
 * @example await mirror(fleet.vehicles, sqliteSink(new DatabaseSync("fleet.sqlite"), "vehicles"));
 */
export function sqliteSink<T = unknown, D = undefined>(db: SqliteDatabase, table: string): Sink<T, D> {
  const tables = readTables("sqliteSink", table);
  const driver = driverOf(db);
  db.exec(createTables(tables, driver).join(";"));
  return sqlSink(driver, tables);
}

function driverOf(db: SqliteDatabase): SqlDriver {
  const read = ([sql, ...values]: SqlStatement): unknown[][] =>
    db
      .prepare(sql)
      .all(...values)
      // whatever form the user's database gives them
      .map((row) => (Array.isArray(row) ? row : Object.values(row as object)) as unknown[]);
  const columns = ["id", "ref", "hash", "pass", "data", "detail"];
  const given = columns.map((name) => `json_extract(value, '$.${name}') AS ${name}`);
  return {
    givenIds: "(SELECT value AS id FROM json_each(?)) AS given",
    givenRows: `(SELECT ${given.join(", ")} FROM json_each(?)) AS given`,
    binary: "BINARY",
    json: "TEXT",
    read,
    write: (first, others) =>
      transact(db, () => {
        if (read(first).length === 0) return false;
        for (const [sql, ...values] of others) db.prepare(sql).run(...values);
        return true;
      }),
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
