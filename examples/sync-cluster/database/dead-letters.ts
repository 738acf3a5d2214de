import { type Kysely, sql } from "kysely";
import type { Range } from "../kinds.ts";
import type { Database } from "./connection.ts";
import type { Tables } from "./tables.ts";
import type { Task } from "./tasks.ts";

/** A job that failed too often. */
export interface DeadLetter {
  externalId: string;
  kind: string;
  runId: number;
  reason: string;
  /** Only of a backfill. */
  range: Range | undefined;
}

/** Returns the dead letters of all runs, or of one store, that no later run has completed. */
export async function deadLetters(db: Database, externalId?: string): Promise<DeadLetter[]> {
  let query = db.selectFrom("dead_letters").selectAll().orderBy("external_id").orderBy("kind");
  if (externalId !== undefined) query = query.where("external_id", "=", externalId);
  const rows = await query.execute();
  return rows.map(({ external_id, kind, run_id: runId, reason, range_from: from, range_to: to }) => ({
    externalId: external_id,
    kind,
    runId,
    reason,
    range: from === "" ? undefined : { from, to },
  }));
}

/** Marks a job as a dead letter, with the time range of its run. */
export async function markDead(db: Database, task: Task, reason: string): Promise<void> {
  const { runId, externalId, kind } = task;
  await sql`
    with dead as (
      update positions set failed_at = now(), error = ${reason}
      where run_id = ${runId} and external_id = ${externalId} and kind = ${kind} and done_at is null
    )
    insert into dead_letters (external_id, kind, run_id, reason, range_from, range_to)
    select ${externalId}, ${kind}, id, ${reason}, coalesce(range_from, ''), coalesce(range_to, '')
    from runs where id = ${runId}
    on conflict (external_id, kind, range_from, range_to)
      do update set run_id = excluded.run_id, reason = excluded.reason, at = now()
  `.execute(db);
}

/** Removes the dead letters of a completed job: a backfill completes those of the ranges that it contains. */
export async function removeDeadLetters(
  db: Kysely<Tables>,
  { externalId, kind }: Task,
  range: Range | undefined,
): Promise<void> {
  const query = db.deleteFrom("dead_letters").where("external_id", "=", externalId).where("kind", "=", kind);
  const completed =
    range === undefined
      ? query.where("range_from", "=", "")
      : query.where("range_from", ">=", range.from).where("range_to", "<=", range.to);
  await completed.execute();
}

/**
 * Schedules dead letters again: those of the unfinished run in that run, the others in the next one. Returns those
 * that are scheduled, without those of a finished backfill, whose range no other run reads.
 */
export async function retryDeadLetters(db: Database, externalId?: string): Promise<DeadLetter[]> {
  const store = externalId ?? null;
  await sql`
    with wanted as (
      select * from dead_letters where ${store}::text is null or external_id = ${store}
    ), reopened as (
      update positions p set failed_at = null, failures = 0, throttled = 0
      from wanted w, runs r
      where p.external_id = w.external_id and p.kind = w.kind and p.run_id = r.id and r.id = w.run_id
        and r.state in ('running', 'stopped') and p.failed_at is not null
    )
    update stores s set due_at = '-infinity' from wanted w where s.external_id = w.external_id and w.range_from = ''
  `.execute(db);
  const open = await db
    .selectFrom("runs")
    .select("id")
    .where("state", "in", ["running", "stopped"])
    .executeTakeFirst();
  const letters = await deadLetters(db, externalId);
  return letters.filter(({ runId, range }) => range === undefined || runId === open?.id);
}
