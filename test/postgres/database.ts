// A private PostgreSQL for the tests of a file.
import { Pool, type PoolConfig } from "pg";
import { createFolder, createPostgres } from "../../examples/sync-cluster/servers.ts";
import { postgresSink } from "../../src/sync/index.ts";
import type { UserDatabase } from "../sync/sinks.ts";

export interface PostgresDatabase extends UserDatabase {
  url: string;
  /** Returns a pool that is closed with the database. */
  pool(config?: PoolConfig): Pool;
}

/** Starts a server. Fails if PostgreSQL is not installed. */
export async function openPostgres(): Promise<PostgresDatabase> {
  const server = createPostgres(createFolder("postgres"));
  await server.start();
  const pools: Pool[] = [];
  const pool = (config: PoolConfig = {}): Pool => {
    const made = new Pool({ connectionString: server.url, ...config });
    made.on("error", () => {});
    pools.push(made);
    return made;
  };
  const [own, other] = [pool(), pool()];
  const run = async (sql: string) => void (await own.query(sql));
  const trigger = async (event: string, table: string, body: string) => {
    const name = `"on ${event} ${table}"`;
    const last = "IF TG_OP = 'DELETE' THEN RETURN old; END IF; RETURN new;";
    await run(
      `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body}; ${last} END $$`,
    );
    await run(`CREATE TRIGGER ${name} ${event} ON ${table} FOR EACH ROW EXECUTE FUNCTION ${name}()`);
  };
  return {
    url: server.url,
    pool,
    sink: (table) => postgresSink(own, table),
    otherSink: (table) => postgresSink(other, table),
    run,
    rows: async (sql) => (await own.query<Record<string, unknown>>(sql)).rows,
    onChange: trigger,
    refuse: (event, table, message) => trigger(`BEFORE ${event}`, table, `RAISE EXCEPTION '${message}'`),
    reset: () => run("DROP SCHEMA public CASCADE; CREATE SCHEMA public"),
    close: async () => {
      await Promise.all(pools.map((one) => one.end()));
      await server.kill();
    },
  };
}
