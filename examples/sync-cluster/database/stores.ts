import { type Kysely, sql, type Transaction } from "kysely";
import type { Store } from "../../../src/index.ts";
import type { Database } from "./connection.ts";
import { addPositions, move, type Position } from "./positions.ts";
import { stopRun } from "./runs.ts";
import type { Tables } from "./tables.ts";
import { type Task, tasksOf } from "./tasks.ts";

/** A job with its priority: 1 is the highest. */
export interface PrioritizedTask extends Task {
  priority: number;
}

/** Saves a page of stores, the positions of the jobs of those that are due, and the progress of the list. */
export async function saveStores(
  db: Database,
  position: Position,
  stores: readonly Store[],
  resume: string | null,
): Promise<{ position: Position; tasks: PrioritizedTask[] }> {
  const { runId } = position;
  const unique = [...new Map(stores.map((store) => [store.storeId, store])).values()];
  return db.transaction().execute(async (tx) => {
    const moved = await move(tx, position, resume, stores.length);
    await separateStores(tx, unique);
    if (unique.length > 0) await upsert(tx, runId, unique);
    const due = await dueStores(tx, position, unique);
    const tasks = due.flatMap(({ externalId, priority }) =>
      tasksOf(runId, position.run.kind, externalId).map((task) => ({ ...task, priority })),
    );
    await addPositions(tx, tasks);
    if (resume === null) await markUnlisted(tx, runId);
    return { position: moved, tasks };
  });
}

async function upsert(tx: Transaction<Tables>, runId: number, stores: readonly Store[]): Promise<void> {
  await tx
    .insertInto("stores")
    .values(
      stores.map((store) => ({
        store_id: store.storeId,
        external_id: store.externalId,
        data: JSON.stringify(store),
        run_id: runId,
        listed_run: runId,
      })),
    )
    .onConflict((on) =>
      on.column("store_id").doUpdateSet((row) => ({
        external_id: row.ref("excluded.external_id"),
        data: row.ref("excluded.data"),
        run_id: runId,
        listed_run: runId,
        deleted_at: null,
        due_at: sql<Date>`case when stores.external_id is distinct from excluded.external_id then '-infinity' else stores.due_at end`,
      })),
    )
    .execute();
}

/**
 * Separates stores from earlier ones with the same external ID: marks the rows of the earlier store, and removes the
 * progress of its pulls, so that the store is read from the beginning.
 */
async function separateStores(tx: Transaction<Tables>, stores: readonly Store[]): Promise<void> {
  const named = stores.filter(({ externalId }) => externalId !== null);
  const { rows } = await sql<{ id: string }>`
    select external_id as id
    from unnest(${named.map(({ storeId }) => storeId)}::text[],
                ${named.map(({ externalId }) => externalId)}::text[]) as page (store_id, external_id)
    where not exists (
      select 1 from stores where stores.store_id = page.store_id and stores.external_id = page.external_id
    )
  `.execute(tx);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return;
  await tx.deleteFrom("pulls").where("external_id", "in", ids).execute();
  for (const table of ["protocols", "photos", "fill_rates"] as const)
    await tx
      .updateTable(table)
      .set({ replaced_at: sql<Date>`now()` })
      .where("external_id", "in", ids)
      .where("replaced_at", "is", null)
      .execute();
}

/** Stores without an external ID cannot be requested (gap stores.null-external-id). A backfill reads every store. */
async function dueStores(
  tx: Transaction<Tables>,
  { run }: Position,
  stores: readonly Store[],
): Promise<{ externalId: string; priority: number }[]> {
  const ids = stores.flatMap(({ externalId }) => (externalId === null ? [] : [externalId]));
  const { rows } = await sql<{ externalId: string; priority: number }>`
    select external_id as "externalId",
           -- whole hours since the last new item, as a power of two: recently active stores come first
           -- the clock may have been set back since
           1 + coalesce(ceil(log(2, 1 + greatest(extract(epoch from now() - active_at), 0)::numeric / 3600)), 0)::int as priority
    from stores
    where external_id = any(${ids}::text[]) and not is_skipped and (${run.kind} = 'backfill' or due_at <= now())
  `.execute(tx);
  return rows;
}

/** Marks the stores as deleted that the list of this run did not have. */
async function markUnlisted(tx: Transaction<Tables>, runId: number): Promise<void> {
  await tx
    .updateTable("stores")
    .set({ deleted_at: sql<Date>`now()` })
    .where("listed_run", "<>", runId)
    .where("deleted_at", "is", null)
    .execute();
}

/**
 * Marks a store as deleted, and its open jobs as done; the saved rows are kept. If more than `maximum` of the listed
 * stores are missing, the run stops and none of them counts as deleted. Returns whether the store is deleted.
 */
export async function recordMissing(
  db: Database,
  { runId, externalId }: Task,
  reason: string,
  maximum: (listed: number) => number,
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    // the lock makes the workers count one after the other
    const { rows } = await sql<{ id: number }>`
      select id from runs where id = ${runId} and state = 'running' for update
    `.execute(tx);
    if (rows.length === 0) return false;
    await sql`
      update positions set done_at = now(), deleted_at = now(), resume = null, error = ${reason}
      where run_id = ${runId} and external_id = ${externalId} and done_at is null
    `.execute(tx);
    await sql`update stores set deleted_at = now() where external_id = ${externalId}`.execute(tx);
    const listed = await countListed(tx, runId);
    const deleted = await countDeleted(tx, runId);
    if (deleted <= maximum(listed)) return true;
    const text = `${deleted} of ${listed} listed stores were not found. If that is right, raise SYNC_MAX_DELETED_PERCENT`;
    await restoreDeleted(tx, runId);
    await stopRun(tx, runId, text);
    return false;
  });
}

async function countDeleted(tx: Transaction<Tables>, runId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct external_id)::int as count from positions where run_id = ${runId} and deleted_at is not null
  `.execute(tx);
  return rows[0]?.count ?? 0;
}

async function restoreDeleted(tx: Transaction<Tables>, runId: number): Promise<void> {
  await sql`
    with restored as (
      update positions set done_at = null, deleted_at = null where run_id = ${runId} and deleted_at is not null
      returning external_id
    )
    update stores set deleted_at = null where external_id in (select external_id from restored)
  `.execute(tx);
}

/** Returns the number of stores that the list of a run has had so far. */
export async function countListed(db: Kysely<Tables>, runId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from stores where listed_run = ${runId}
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/** Excludes a store from the runs, or includes it again. Returns whether there is such a store. */
export async function setSkipped(db: Database, externalId: string, isSkipped: boolean): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("stores")
      .set({ is_skipped: isSkipped })
      .where("external_id", "=", externalId)
      .executeTakeFirstOrThrow();
    // its open jobs end at once
    if (isSkipped)
      await tx
        .updateTable("positions")
        .set({ done_at: sql<Date>`now()`, error: "skipped by an operator" })
        .where("external_id", "=", externalId)
        .where("done_at", "is", null)
        .execute();
    return numUpdatedRows > 0n;
  });
}
