import type { Sink } from "./sink.ts";
import {
  createTables,
  readTables,
  type SqlDriver,
  sqlSink,
  type SqlStatement,
  type SqlTables,
} from "./sql-sink.ts";

/** A connection of `pg`, as far as a sink uses it. */
export interface PostgresConnection {
  /** Runs a statement. */
  query(sql: string, values?: unknown[]): PromiseLike<{ rows: object[] }>;
  on(event: "error", listener: (error: Error) => void): unknown;
  removeListener(event: "error", listener: (error: Error) => void): unknown;
  /** Gives the connection back to the pool, or closes it. */
  release(isBroken?: boolean): unknown;
}

/** A `Pool` of `pg`, as far as a sink uses it. A sink needs one connection at a time. */
export interface PostgresPool {
  connect(): PromiseLike<PostgresConnection>;
}

const types: Pick<SqlDriver, "binary" | "json"> = { binary: '"C"', json: "json" };

/** PostgreSQL cuts longer names off, so that two tables would be one. */
const longestName = 63;

/**
 * A sink over a `Pool` of `pg`. The table has the columns `id`, `ref`, `hash`, `pass`, `data` (JSON) and `detail` (JSON or null),
 * and those that you add. It is created at its first use if it does not exist, as are `<table>_seen` and `<table>_state`.
 * Only new and changed rows are written. Each transaction locks the state that it replaces.
 * @param table the name: `vehicles`, or `fleet.vehicles` in a schema that exists
 * @throws {ConfigurationError} for another name
 * @example await mirror(fleet.vehicles, postgresSink(new Pool({ connectionString }), "vehicles"));
 */
export function postgresSink<T = unknown, D = undefined>(pool: PostgresPool, table: string): Sink<T, D> {
  const tables = readTables("postgresSink", table, longestName);
  let creation: Promise<void> | undefined;
  const use = async <R>(run: (query: Query) => Promise<R>): Promise<R> => {
    creation ??= connect(pool, (query) => transact(query, () => prepareTables(query, tables)));
    try {
      await creation;
    } catch (error) {
      creation = undefined; // the next use tries it again
      throw error;
    }
    return connect(pool, run);
  };
  return sqlSink(
    {
      // a join with given IDs uses the index from the first page on; `ANY` reads the whole table until it was analyzed
      givenIds: "json_array_elements_text(CAST(? AS json)) AS given (id)",
      givenRows:
        "json_to_recordset(CAST(? AS json)) AS given (id text, ref text, hash text, pass integer, data text, detail text)",
      ...types,
      read: (statement) => use((query) => query(statement)),
      // the first statement locks the state until the end of the transaction
      write: (first, others) =>
        use((query) =>
          transact(query, async () => {
            if ((await query(first)).length === 0) return false;
            for (const statement of others) await query(statement);
            return true;
          }),
        ),
    },
    tables,
  );
}

/** Runs a statement. Every column that it selects is text, because the user's pool may read other types in its own way. */
type Query = (statement: SqlStatement) => Promise<unknown[][]>;

/** A connection that is lost also rejects its query; without a listener it would end the process. */
function ignore(): void {}

/** Runs a function with a connection of the pool, which is closed after a failure. */
async function connect<R>(pool: PostgresPool, run: (query: Query) => Promise<R>): Promise<R> {
  const connection = await pool.connect();
  connection.on("error", ignore);
  try {
    const result = await run(async ([sql, ...values]) => {
      const { rows } = await connection.query(numberParameters(sql), values);
      return rows.map((row) => Object.values(row) as unknown[]);
    });
    connection.removeListener("error", ignore);
    connection.release();
    return result;
  } catch (error) {
    // which ends its transaction
    connection.release(true);
    throw error;
  }
}

/** Writes `?` as PostgreSQL does, `$1`, except in the names of the user. */
function numberParameters(sql: string): string {
  let count = 0;
  return sql.replaceAll(/"[^"]*"|\?/g, (part) => (part === "?" ? `$${(count += 1)}` : part));
}

/** Runs a function in a transaction. Closing the connection after a failure ends it. */
async function transact<R>(query: Query, run: () => Promise<R>): Promise<R> {
  // statements that wait for a lock see what the other transaction has saved, whatever the default of the database
  await query(["BEGIN ISOLATION LEVEL READ COMMITTED"]);
  const result = await run();
  await query(["COMMIT"]);
  return result;
}

/** Creates the tables that do not exist. */
async function prepareTables(query: Query, tables: SqlTables): Promise<void> {
  const names = JSON.stringify(Object.values(tables));
  const [[found] = []] = await query([
    "SELECT CAST(count(to_regclass(name)) AS text) FROM json_array_elements_text(CAST(? AS json)) AS name",
    names,
  ]);
  // the user's role may not create tables
  if (Number(found) === 3) return;
  // one program at a time; the key is any number that others are unlikely to use
  await query(["SELECT pg_advisory_xact_lock(4802146975383154)::text"]);
  for (const statement of createTables(tables, types)) await query([statement]);
}
