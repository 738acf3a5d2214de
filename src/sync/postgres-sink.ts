import type { MirrorChanges, SavedBatch, SavedEntry, Sink, UnseenEntry } from "./sink.ts";
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

/** PostgreSQL cuts longer names off, so that two tables would be one. */
const longestName = 63;

/**
 * A sink over a `Pool` of `pg`. The table has the columns `id`, `ref`, `hash`, `pass`, `data` (JSON) and `detail` (JSON or null),
 * and those that you add. It is created at its first use if it does not exist, as are `<table>_seen`, `<table>_state` and
 * `<table>_records`. Only new and changed rows are written. Each transaction locks the state that it replaces.
 * @param table the name: `vehicles`, `fleet.vehicles` in a schema that exists, or `"a.b"`
 * @throws {ConfigurationError} for another name
 * @example await mirror(fleet.vehicles, postgresSink(new Pool({ connectionString }), "vehicles"));
 */
export function postgresSink<T = unknown, D = undefined>(pool: PostgresPool, table: string): Sink<T, D> {
  const tables = readTables("postgresSink", table, longestName);
  const states: TextTable = { table: tables.state, key: "name", text: "state" };
  const records: TextTable = { table: tables.records, key: "key", text: "text" };
  let creation: Promise<void> | undefined;
  const use = async <R>(run: (query: Query) => Promise<R>): Promise<R> => {
    creation ??= connect(pool, (query) => transact(query, () => createTables(query, tables)));
    try {
      await creation;
    } catch (error) {
      creation = undefined; // the next use tries it again
      throw error;
    }
    return connect(pool, run);
  };
  const find = (texts: TextTable, keys: readonly string[]) => use((query) => findTexts(query, texts, keys));
  const loadState = async (name: string) => (await find(states, [name])).get(name);
  const saveState = (
    name: string,
    saved: SavedText,
    store: string | undefined,
    write: (query: Query) => Promise<void>,
  ) =>
    use((query) =>
      transact(query, async () => {
        // locks the state until the end of the transaction
        if (!(await replaceText(query, states, name, saved))) throw otherProgram(tables, store);
        await write(query);
      }),
    );
  return {
    load: () => loadState(mirrorState),
    find: (ids) => use((query) => findEntries(query, tables, ids)),
    save: (changes) =>
      saveState(mirrorState, changes, undefined, (query) => saveChanges(query, tables, changes)),
    countUnseen: (pass) => use((query) => countUnseen(query, tables, pass)),
    findUnseen: (pass, after) => use((query) => findUnseen(query, tables, pass, after)),
    loadState: (store) => loadState(stateOf(store)),
    saveBatch: (store, batch) =>
      saveState(stateOf(store), batch, store, (query) =>
        putRows(query, tables, pullRows(store, batch), "saved.pass = 0"),
      ),
    findRecords: (keys) => find(records, keys),
    saveRecord: (key, before, state) =>
      use((query) => transact(query, () => replaceText(query, records, checkText(key), { state, before }))),
  };
}

/** Runs a statement. Every column that it selects is text, because the user's pool may read other types in its own way. */
type Query = (sql: string, ...values: unknown[]) => Promise<Record<string, string | null>[]>;

type SavedText = Pick<SavedBatch, "state" | "before">;

/** A table of texts by their keys. */
interface TextTable {
  table: string;
  key: string;
  text: string;
}

/** A connection that is lost also rejects its query; without a listener it would end the process. */
function ignore(): void {}

/** Runs a function with a connection of the pool, which is closed after a failure. */
async function connect<R>(pool: PostgresPool, run: (query: Query) => Promise<R>): Promise<R> {
  const connection = await pool.connect();
  connection.on("error", ignore);
  try {
    const result = await run(async (sql, ...values) => {
      const { rows } = await connection.query(sql, values);
      return rows as Record<string, string | null>[]; // as the type of the function says
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

/** Runs a function in a transaction. Closing the connection after a failure ends it. */
async function transact<R>(query: Query, run: () => Promise<R>): Promise<R> {
  // statements that wait for a lock see what the other transaction has saved, whatever the default of the database
  await query("BEGIN ISOLATION LEVEL READ COMMITTED");
  const result = await run();
  await query("COMMIT");
  return result;
}

/** Creates the tables that do not exist. */
async function createTables(query: Query, { rows, seen, state, records }: SinkTables): Promise<void> {
  const names = [rows, seen, state, records];
  const found = await query("SELECT to_regclass(name)::text AS found FROM unnest($1::text[]) AS name", names);
  // the user's role may not create tables
  if (found.every((row) => row["found"] !== null)) return;
  // one program at a time; the key is any number that others are unlikely to use
  await query("SELECT pg_advisory_xact_lock(4802146975383154)::text");
  await query(
    `CREATE TABLE IF NOT EXISTS ${rows} (id text COLLATE "C" PRIMARY KEY, ref text, hash text NOT NULL, pass integer NOT NULL,
    data json NOT NULL, detail json)`,
  );
  await query(`SELECT id, ref, hash, pass, data, detail FROM ${rows} LIMIT 0`);
  await query(`CREATE TABLE IF NOT EXISTS ${seen} (id text COLLATE "C" PRIMARY KEY, pass integer NOT NULL)`);
  await query(`CREATE TABLE IF NOT EXISTS ${state} (name text COLLATE "C" PRIMARY KEY, state text NOT NULL)`);
  await query(`CREATE TABLE IF NOT EXISTS ${records} (key text COLLATE "C" PRIMARY KEY, text text NOT NULL)`);
}

async function findTexts(query: Query, { table, key, text }: TextTable, keys: readonly string[]) {
  const sql = `SELECT given.id AS key, ${text} AS text FROM ${givenIds} JOIN ${table} ON ${key} = given.id`;
  return new Map((await query(sql, keys)).map((row) => [String(row["key"]), String(row["text"])]));
}

/** Replaces a text. Returns whether it was the expected one. */
async function replaceText(query: Query, texts: TextTable, name: string, saved: SavedText): Promise<boolean> {
  const { table, key, text } = texts;
  const { state, before } = saved;
  const changed =
    before === undefined
      ? await query(
          `INSERT INTO ${table} (${key}, ${text}) VALUES ($1, $2) ON CONFLICT (${key}) DO NOTHING RETURNING ${key}`,
          name,
          state,
        )
      : await query(
          `UPDATE ${table} SET ${text} = $2 WHERE ${key} = $1 AND ${text} = $3 RETURNING ${key}`,
          name,
          state,
          before,
        );
  return changed.length > 0;
}

/** Whether a row has a given ID. The user's table may compare IDs in another way than byte for byte. */
const hasGivenId = 'saved.id = given.id AND saved.id COLLATE "C" = given.id';

/** A join with given IDs uses the index from the first page on; `ANY` reads the whole table until it was analyzed. */
const givenIds = "unnest($1::text[]) AS given (id)";

async function findEntries(query: Query, { rows, seen }: SinkTables, ids: readonly string[]) {
  const found = await query(
    `SELECT saved.id, saved.hash, greatest(saved.pass, seen.pass)::text AS pass
    FROM ${givenIds} JOIN ${rows} AS saved ON ${hasGivenId} AND saved.pass > 0
    LEFT JOIN ${seen} AS seen ON seen.id = given.id`,
    ids,
  );
  const entries = found.map(
    ({ id, hash, pass }) => [String(id), { hash: String(hash), pass: Number(pass) }] as const,
  );
  return new Map<string, SavedEntry>(entries);
}

const unseenIn = ({ rows, seen }: SinkTables): string =>
  `FROM ${seen} AS seen JOIN ${rows} AS saved ON saved.id = seen.id COLLATE "C" WHERE seen.pass < $1`;

async function countUnseen(query: Query, tables: SinkTables, pass: number): Promise<number> {
  const [found] = await query(`SELECT count(*)::text AS count ${unseenIn(tables)}`, pass);
  return Number(found?.["count"]);
}

async function findUnseen(
  query: Query,
  tables: SinkTables,
  pass: number,
  after: string,
): Promise<UnseenEntry[]> {
  const found = await query(
    `SELECT seen.id, saved.ref, seen.pass::text AS pass ${unseenIn(tables)} AND seen.id > $2 ORDER BY seen.id LIMIT 100`,
    pass,
    after,
  );
  return found.map(({ id, ref = null, pass: last }) => ({ id: String(id), ref, pass: Number(last) }));
}

/** Saves the changes of a mirror within a transaction. */
async function saveChanges(
  query: Query,
  tables: SinkTables,
  {
    entries,
    seen,
    deleted,
    pass,
  }: Pick<MirrorChanges<unknown, unknown>, "entries" | "seen" | "deleted" | "pass">,
): Promise<void> {
  const marked = new Set([...entries.map(({ id }) => id), ...seen]);
  await putRows(query, tables, mirrorRows(entries, pass), "saved.pass > 0");
  await query(
    `INSERT INTO ${tables.seen} (id, pass) SELECT given.id, $2 FROM ${givenIds}
    JOIN ${tables.rows} AS saved ON ${hasGivenId} AND saved.pass > 0 ON CONFLICT (id) DO UPDATE SET pass = excluded.pass`,
    [...marked],
    pass,
  );
  if (deleted.length === 0) return;
  await query(
    `DELETE FROM ${tables.rows} AS saved USING ${givenIds} WHERE ${hasGivenId} AND saved.pass > 0`,
    deleted,
  );
  await query(`DELETE FROM ${tables.seen} AS seen USING ${givenIds} WHERE seen.id = given.id`, deleted);
}

/** Updates the rows that fulfill a condition, and inserts the others. */
async function putRows(
  query: Query,
  tables: SinkTables,
  changed: readonly SinkRow[],
  condition: string,
): Promise<void> {
  if (changed.length === 0) return;
  const columns = (["id", "ref", "hash", "pass", "data", "detail"] as const).map((name) =>
    changed.map((row) => row[name]),
  );
  const given =
    "unnest($1::text[], $2::text[], $3::text[], $4::integer[], $5::text[], $6::text[]) AS given (id, ref, hash, pass, data, detail)";
  // an insert with a conflict clause would run the user's triggers for inserts, too
  await query(
    `UPDATE ${tables.rows} AS saved SET ref = given.ref, hash = given.hash, pass = given.pass, data = given.data::json,
    detail = given.detail::json FROM ${given} WHERE ${hasGivenId} AND ${condition}`,
    ...columns,
  );
  await query(
    `INSERT INTO ${tables.rows} (id, ref, hash, pass, data, detail)
    SELECT id, ref, hash, pass, data::json, detail::json FROM ${given}
    WHERE NOT EXISTS (SELECT FROM ${tables.rows} AS saved WHERE ${hasGivenId} AND ${condition})`,
    ...columns,
  );
}
