import { Pool } from "pg";

/** Opens the database and creates the tables of the workers. Those of the lists are created by their sinks. */
export async function openDatabase(url: string): Promise<Pool> {
  const pool = new Pool({ connectionString: url, max: 10 });
  // the connections end if the server is restarted; queries in progress fail, and the next one opens another connection
  pool.on("error", () => {});
  // the statements of one message are one transaction; workers that start together would create the tables at the same time
  await pool.query(`
    SELECT pg_advisory_xact_lock(1);
    CREATE TABLE IF NOT EXISTS failures (job text PRIMARY KEY, error text NOT NULL, at timestamptz NOT NULL);
    CREATE TABLE IF NOT EXISTS round (id int PRIMARY KEY, started_at timestamptz NOT NULL);
    INSERT INTO round VALUES (1, '-infinity') ON CONFLICT DO NOTHING`);
  return pool;
}

/** Begins a round if one is due. One of all workers gets true. */
export async function beginRound(pool: Pool, every: number): Promise<boolean> {
  const sql = "UPDATE round SET started_at = now() WHERE started_at <= now() - $1 * interval '1 ms'";
  return (await pool.query(sql, [every])).rowCount === 1;
}

/** Returns the external IDs of the stores that the mirror has. */
export async function findStores(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ ref: string }>("SELECT ref FROM stores WHERE ref IS NOT NULL");
  return rows.map(({ ref }) => ref);
}

/** Records the failure of a job, or that it has none. */
export async function recordResult(pool: Pool, job: string, error: string | undefined): Promise<void> {
  const sql =
    error === undefined
      ? "DELETE FROM failures WHERE job = $1"
      : "INSERT INTO failures VALUES ($1, $2, now()) ON CONFLICT (job) DO UPDATE SET error = $2, at = now()";
  await pool.query(sql, error === undefined ? [job] : [job, error]);
}
