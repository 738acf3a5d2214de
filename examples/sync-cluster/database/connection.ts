import { Kysely, PostgresDialect } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import { Pool } from "pg";
import { describeError } from "../failure.ts";
import type { Log } from "../log.ts";
import * as tables from "./migrations/0001-tables.ts";
import * as ranges from "./migrations/0002-ranges-of-dead-letters.ts";
import * as replaced from "./migrations/0003-replaced-rows.ts";
import type { Tables } from "./tables.ts";

export type Database = Kysely<Tables>;

const migrations: Record<string, Migration> = {
  "0001-tables": tables,
  "0002-ranges-of-dead-letters": ranges,
  "0003-replaced-rows": replaced,
};

/** Connects on first use. An idle connection that breaks is replaced; one in use fails its query. */
export function openDatabase(url: string, connections: number, log: Log): Database {
  const pool = new Pool({ connectionString: url, max: connections, connectionTimeoutMillis: 10_000 });
  pool.on("error", (error) => log.problem("database", error));
  // an error between two queries of a transaction has no other listener and would end the process
  pool.on("connect", (client) => client.on("error", (error) => log.problem("database", error)));
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/** Runs the missing migrations, or those up to a name. Several processes may call this at the same time. */
export async function migrate(db: Database, target?: string): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } });
  const { error } = await (target === undefined ? migrator.migrateToLatest() : migrator.migrateTo(target));
  if (error !== undefined)
    throw new Error(`the tables could not be migrated: ${describeError(error)}`, { cause: error });
}
