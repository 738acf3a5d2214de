import { Pool, type PoolClient } from "pg";
import type { MirrorSink, PullBatch, SavedEntry } from "shelfleet/sync";

/** Opens the database and creates the tables that do not exist. */
export async function openDatabase(url: string): Promise<Pool> {
  const pool = new Pool({ connectionString: url, max: 10 });
  // the connections end if the server is restarted; queries in progress fail, and the next one opens another connection
  pool.on("error", () => {});
  pool.on("connect", (client) => void client.on("error", () => {}));
  await transaction(pool, async (client) => {
    // workers that start together would create the tables at the same time
    await client.query("SELECT pg_advisory_xact_lock(1)");
    await client.query(`
      -- IDs are compared byte by byte
      CREATE TABLE IF NOT EXISTS entries (
        list text, id text COLLATE "C", ref text, hash text NOT NULL, pass int NOT NULL, data json NOT NULL, detail json,
        PRIMARY KEY (list, id));
      CREATE INDEX IF NOT EXISTS entries_pass ON entries (list, pass);
      CREATE TABLE IF NOT EXISTS states (name text PRIMARY KEY, state text NOT NULL);
      CREATE TABLE IF NOT EXISTS failures (job text PRIMARY KEY, error text NOT NULL, at timestamptz NOT NULL);
      CREATE TABLE IF NOT EXISTS round (id int PRIMARY KEY, started_at timestamptz NOT NULL);
      INSERT INTO round VALUES (1, '-infinity') ON CONFLICT DO NOTHING`);
  });
  return pool;
}

async function transaction(pool: Pool, run: (client: PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  let isDone = false;
  try {
    await client.query("BEGIN");
    await run(client);
    await client.query("COMMIT");
    isDone = true;
  } finally {
    // closes the connection after a failure, which also ends the transaction
    client.release(!isDone);
  }
}

/** Returns the state of a job; undefined before the first one. */
export async function loadState(pool: Pool, name: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ state: string }>("SELECT state FROM states WHERE name = $1", [name]);
  return rows[0]?.state;
}

/**
 * Replaces the state of a job.
 * @throws an error if it is not `before`: another worker has taken the job, because this one gave no sign of life
 */
async function saveState(
  client: PoolClient,
  name: string,
  state: string,
  before: string | undefined,
): Promise<void> {
  const { rowCount } = await client.query(
    "INSERT INTO states VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET state = $2 WHERE states.state = $3",
    [name, state, before],
  );
  if (rowCount !== 1) throw new Error(`another worker continues ${name}`);
}

interface Row {
  id: string;
  ref: string | null;
  hash: string;
  item: unknown;
  detail: unknown;
}

/** Returns the JSON of a value; null for undefined. */
function toJson(value: unknown): string | null {
  return JSON.stringify(value) ?? null;
}

/** Inserts or replaces rows. */
async function putRows(client: PoolClient, list: string, pass: number, rows: readonly Row[]): Promise<void> {
  await client.query(
    `INSERT INTO entries (list, pass, id, ref, hash, data, detail)
      SELECT $1, $2, id, ref, hash, data::json, detail::json
      FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[]) AS new (id, ref, hash, data, detail)
      ON CONFLICT (list, id) DO UPDATE SET
        pass = excluded.pass, ref = excluded.ref, hash = excluded.hash, data = excluded.data, detail = excluded.detail`,
    [
      list,
      pass,
      rows.map(({ id }) => id),
      rows.map(({ ref }) => ref),
      rows.map(({ hash }) => hash),
      rows.map(({ item }) => toJson(item)),
      rows.map(({ detail }) => toJson(detail)),
    ],
  );
}

/** Saves the items of a pull and its state. The ID of a row is `<external ID>/<protocol ID>`. */
export function saveBatch(
  pool: Pool,
  externalId: string,
  { items, ids, state }: PullBatch<unknown>,
  before: string | undefined,
): Promise<void> {
  const rows = items.map((item, index) => {
    const id = `${externalId}/${ids[index]}`;
    return { id, ref: null, hash: "", item, detail: undefined };
  });
  return transaction(pool, async (client) => {
    await saveState(client, `protocols/${externalId}`, state, before);
    await putRows(client, "protocols", 0, rows);
  });
}

/** The rows of a list in PostgreSQL. */
export function postgresSink<T, D>(pool: Pool, list: string): MirrorSink<T, D> {
  return {
    load: () => loadState(pool, list),
    find: async (ids) => {
      const sql = "SELECT id, hash, pass FROM entries WHERE list = $1 AND id = ANY ($2)";
      const { rows } = await pool.query<SavedEntry & { id: string }>(sql, [list, ids]);
      return new Map(rows.map(({ id, ...saved }) => [id, saved]));
    },
    save: ({ entries, seen, deleted, pass, state, before }) =>
      transaction(pool, async (client) => {
        await saveState(client, list, state, before);
        await putRows(client, list, pass, entries);
        await client.query("UPDATE entries SET pass = $3 WHERE list = $1 AND id = ANY ($2)", [
          list,
          seen,
          pass,
        ]);
        await client.query("DELETE FROM entries WHERE list = $1 AND id = ANY ($2)", [list, deleted]);
      }),
    countUnseen: async (pass) => {
      const sql = "SELECT count(*)::int AS count FROM entries WHERE list = $1 AND pass < $2";
      const { rows } = await pool.query<{ count: number }>(sql, [list, pass]);
      return rows[0]?.count ?? 0;
    },
    findUnseen: async (pass, after) => {
      const sql =
        "SELECT id, ref, pass FROM entries WHERE list = $1 AND pass < $2 AND id > $3 ORDER BY id LIMIT 100";
      return (await pool.query<{ id: string; ref: string | null; pass: number }>(sql, [list, pass, after]))
        .rows;
    },
  };
}

/** Begins a round if one is due. One of all workers gets true. */
export async function beginRound(pool: Pool, every: number): Promise<boolean> {
  const sql = "UPDATE round SET started_at = now() WHERE started_at <= now() - $1 * interval '1 ms'";
  return (await pool.query(sql, [every])).rowCount === 1;
}

/** Records the failure of a job, or that it has none. */
export async function recordResult(pool: Pool, job: string, error: string | undefined): Promise<void> {
  const sql =
    error === undefined
      ? "DELETE FROM failures WHERE job = $1"
      : "INSERT INTO failures VALUES ($1, $2, now()) ON CONFLICT (job) DO UPDATE SET error = $2, at = now()";
  await pool.query(sql, error === undefined ? [job] : [job, error]);
}
