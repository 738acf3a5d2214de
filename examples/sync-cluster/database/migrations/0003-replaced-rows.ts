import type { Kysely } from "kysely";

const names = ["protocols", "photos", "fill_rates"];

/** The rows of a store whose external ID another store has now can be distinguished from those of that store. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of names)
    await db.schema.alterTable(name).addColumn("replaced_at", "timestamptz").execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const name of names) await db.schema.alterTable(name).dropColumn("replaced_at").execute();
}
