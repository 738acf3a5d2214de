import { sql } from "kysely";
import type { Database } from "./connection.ts";

/** A job that failed too often. */
export interface DeadLetter {
  externalId: string;
  kind: string;
  runId: number;
  reason: string;
}

/** Returns the dead letters of all runs that no later run has completed. */
export async function deadLetters(db: Database): Promise<DeadLetter[]> {
  const rows = await db
    .selectFrom("dead_letters")
    .selectAll()
    .orderBy("external_id")
    .orderBy("kind")
    .execute();
  return rows.map(({ external_id: externalId, kind, run_id: runId, reason }) => ({
    externalId,
    kind,
    runId,
    reason,
  }));
}

/**
 * Schedules dead letters again: those of the unfinished run in that run, the others in the next one. Returns their
 * number.
 */
export async function retryDeadLetters(db: Database, externalId?: string): Promise<number> {
  const { rows } = await sql<{ external_id: string }>`
    with wanted as (
      select external_id, kind from dead_letters where ${externalId ?? null}::text is null or external_id = ${externalId ?? null}
    ), reopened as (
      update positions p set failed_at = null, failures = 0, throttled = 0
      from wanted w, runs r
      where p.external_id = w.external_id and p.kind = w.kind and p.run_id = r.id and r.state in ('running', 'stopped')
        and p.failed_at is not null
    ), due as (
      update stores s set due_at = '-infinity' from wanted w where s.external_id = w.external_id
    )
    select external_id from wanted
  `.execute(db);
  return rows.length;
}
