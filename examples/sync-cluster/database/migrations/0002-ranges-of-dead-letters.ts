import { type Kysely, sql } from "kysely";

/** A sync reads only what is new: it does not complete the job of a backfill. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table dead_letters
      add range_from text not null default '', add range_to text not null default '',
      drop constraint dead_letters_pkey, add primary key (external_id, kind, range_from, range_to)
  `.execute(db);
  await sql`
    update dead_letters d set range_from = r.range_from, range_to = r.range_to
    from runs r where r.id = d.run_id and r.kind = 'backfill'
  `.execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql`delete from dead_letters where range_from <> ''`.execute(db);
  await sql`
    alter table dead_letters
      drop constraint dead_letters_pkey, drop range_from, drop range_to, add primary key (external_id, kind)
  `.execute(db);
}
