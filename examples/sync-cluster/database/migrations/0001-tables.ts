import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await createRuns(db);
  await createPositions(db);
  await createStores(db);
  for (const name of ["protocols", "photos", "fill_rates"]) {
    await db.schema
      .createTable(name)
      .addColumn("external_id", "text", (column) => column.notNull())
      .addColumn("key", "text", (column) => column.notNull())
      // not jsonb, which rejects some strings and reorders properties: the original text is kept
      .addColumn("data", "json", (column) => column.notNull())
      .addColumn("run_id", "integer", (column) => column.notNull())
      .addPrimaryKeyConstraint(`${name}_pkey`, ["external_id", "key"])
      .execute();
  }
  await db.schema
    .createTable("pulls")
    .addColumn("external_id", "text", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("pulls_pkey", ["external_id", "kind"])
    .execute();
  await db.schema
    .createTable("dead_letters")
    .addColumn("external_id", "text", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("run_id", "integer", (column) => column.notNull())
    .addColumn("reason", "text", (column) => column.notNull())
    .addColumn("at", "timestamptz", (column) => column.notNull().defaultTo(sql`now()`))
    .addPrimaryKeyConstraint("dead_letters_pkey", ["external_id", "kind"])
    .execute();
  await createFleet(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  const names = ["mirrors", "fleet", "dead_letters", "pulls", "fill_rates", "photos", "protocols", "stores"];
  for (const name of [...names, "positions", "runs"]) await db.schema.dropTable(name).execute();
}

async function createRuns(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("runs")
    .addColumn("id", "serial", (column) => column.primaryKey())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("source", "text", (column) => column.notNull())
    .addColumn("range_from", "text")
    .addColumn("range_to", "text")
    .addColumn("state", "text", (column) => column.notNull().defaultTo("running"))
    .addColumn("stop_reason", "text")
    .addColumn("stores_before", "integer")
    .addColumn("started_at", "timestamptz", (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn("finished_at", "timestamptz")
    .execute();
  // only one run can be unfinished, even if several processes start one
  await sql`create unique index runs_open on runs ((true)) where state in ('running', 'stopped')`.execute(db);
}

async function createPositions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("positions")
    .addColumn("run_id", "integer", (column) => column.notNull().references("runs.id").onDelete("cascade"))
    .addColumn("external_id", "text", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("resume", "text")
    .addColumn("pages", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("rows", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("retries", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("failures", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("throttled", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("error", "text")
    .addColumn("done_at", "timestamptz")
    .addColumn("failed_at", "timestamptz")
    .addColumn("deleted_at", "timestamptz")
    .addPrimaryKeyConstraint("positions_pkey", ["run_id", "external_id", "kind"])
    .execute();
  await sql`create index positions_open on positions (run_id, external_id, kind)
            where done_at is null and failed_at is null`.execute(db);
}

async function createStores(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("stores")
    .addColumn("store_id", "text", (column) => column.primaryKey())
    .addColumn("external_id", "text")
    .addColumn("data", "json", (column) => column.notNull())
    .addColumn("run_id", "integer", (column) => column.notNull())
    .addColumn("listed_run", "integer", (column) => column.notNull())
    .addColumn("deleted_at", "timestamptz")
    .addColumn("active_at", "timestamptz")
    .addColumn("due_at", "timestamptz", (column) => column.notNull().defaultTo(sql`'-infinity'`))
    .addColumn("rates_due", "boolean", (column) => column.notNull().defaultTo(false))
    .addColumn("is_skipped", "boolean", (column) => column.notNull().defaultTo(false))
    .execute();
  await db.schema.createIndex("stores_external_id").on("stores").column("external_id").execute();
}

async function createFleet(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("fleet")
    .addColumn("resource", "text", (column) => column.notNull())
    .addColumn("id", "text", (column) => column.notNull())
    .addColumn("data", "json", (column) => column.notNull())
    .addColumn("hash", "text", (column) => column.notNull())
    .addColumn("pass", "integer", (column) => column.notNull())
    .addColumn("run_id", "integer", (column) => column.notNull())
    .addColumn("deleted_at", "timestamptz")
    .addPrimaryKeyConstraint("fleet_pkey", ["resource", "id"])
    .execute();
  await db.schema
    .createTable("mirrors")
    .addColumn("resource", "text", (column) => column.primaryKey())
    .addColumn("state", "text", (column) => column.notNull())
    .execute();
}
