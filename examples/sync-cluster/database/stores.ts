import { sql, type Transaction } from "kysely";
import type { Store } from "../../../src/index.ts";
import type { Database } from "./connection.ts";
import { addPositions, move, type Position, type Task, tasksOf } from "./positions.ts";
import type { Tables } from "./tables.ts";

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
      })),
    )
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
           1 + coalesce(ceil(log(2, 1 + extract(epoch from now() - active_at)::numeric / 3600)), 0)::int as priority
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

/** Returns the number of stores that the list of a run has had so far. */
export async function countListed(db: Database, runId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from stores where listed_run = ${runId}
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/** Returns the number of stores that are not deleted. */
export async function countStores(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom("stores")
    .select((all) => all.fn.countAll<string>().as("count"))
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
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
