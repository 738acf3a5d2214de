import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await createRuns(db);
  await createPlaces(db);
  await db.schema
    .createTable("stores")
    .addColumn("store_id", "text", (column) => column.primaryKey())
    .addColumn("external_id", "text")
    .addColumn("data", "json", (column) => column.notNull())
    .execute();
  for (const name of ["protocols", "photos", "fill_rates"]) {
    await db.schema
      .createTable(name)
      .addColumn("external_id", "text", (column) => column.notNull())
      .addColumn("key", "text", (column) => column.notNull())
      // not jsonb, which rejects some strings and reorders properties: the original text is kept
      .addColumn("data", "json", (column) => column.notNull())
      .addPrimaryKeyConstraint(`${name}_pkey`, ["external_id", "key"])
      .execute();
  }
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const name of ["fill_rates", "photos", "protocols", "stores", "places", "runs"])
    await db.schema.dropTable(name).execute();
}

async function createRuns(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("runs")
    .addColumn("id", "serial", (column) => column.primaryKey())
    .addColumn("source", "text", (column) => column.notNull())
    .addColumn("range_from", "text", (column) => column.notNull())
    .addColumn("range_to", "text", (column) => column.notNull())
    .addColumn("state", "text", (column) => column.notNull().defaultTo("running"))
    .addColumn("stop_reason", "text")
    .addColumn("started_at", "timestamptz", (column) => column.notNull().defaultTo(sql`now()`))
    .addColumn("finished_at", "timestamptz")
    .execute();
  // only one run can be unfinished, even if several processes start one
  await sql`create unique index runs_open on runs ((true)) where state <> 'finished'`.execute(db);
}

async function createPlaces(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("places")
    .addColumn("run_id", "integer", (column) => column.notNull().references("runs.id").onDelete("cascade"))
    .addColumn("external_id", "text", (column) => column.notNull())
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("resume", "text")
    .addColumn("pages", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("rows", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("retries", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("error", "text")
    .addColumn("done_at", "timestamptz")
    .addColumn("failed_at", "timestamptz")
    .addPrimaryKeyConstraint("places_pkey", ["run_id", "external_id", "kind"])
    .execute();
  await sql`create index places_open on places (run_id, external_id, kind)
            where done_at is null and failed_at is null`.execute(db);
}
