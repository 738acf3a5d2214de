import { sql } from "kysely";
import type { Kind, Range } from "../kinds.ts";
import type { Database } from "./connection.ts";
import { addPlaces, walkOf } from "./places.ts";
import type { RunState } from "./tables.ts";

export interface Run {
  id: number;
  state: RunState;
  stopReason: string | null;
  range: Range;
  source: string;
}

/** The unfinished run in the database is about another service. */
export class OtherRunError extends Error {
  override readonly name = "OtherRunError";
}

/** Resumes the unfinished run, or begins a new one. */
export async function openRun(db: Database, source: string, range: Range): Promise<Run> {
  const held = await unfinishedRun(db);
  if (held === undefined) {
    await db
      .insertInto("runs")
      .values({ source, range_from: range.from, range_to: range.to })
      .onConflict((on) => on.doNothing())
      .execute();
  } else {
    if (held.source !== source)
      throw new OtherRunError(
        `run ${held.id} of ${held.source} is not finished. Finish it, or use another database for ${source}`,
      );
    await db
      .updateTable("runs")
      .set({ state: "running", stop_reason: null })
      .where("id", "=", held.id)
      .execute();
  }
  const run = await unfinishedRun(db);
  if (run === undefined) return openRun(db, source, range); // another process has just finished it
  await addPlaces(db, [walkOf(run.id)]);
  return run;
}

export async function latestRun(db: Database): Promise<Run | undefined> {
  const row = await db.selectFrom("runs").selectAll().orderBy("id", "desc").limit(1).executeTakeFirst();
  return row && toRun(row);
}

async function unfinishedRun(db: Database): Promise<Run | undefined> {
  const row = await db.selectFrom("runs").selectAll().where("state", "<>", "finished").executeTakeFirst();
  return row && toRun(row);
}

function toRun(row: {
  id: number;
  state: RunState;
  stop_reason: string | null;
  range_from: string;
  range_to: string;
  source: string;
}): Run {
  const { id, state, stop_reason: stopReason, range_from: from, range_to: to, source } = row;
  return { id, state, stopReason, range: { from, to }, source };
}

/** Stops a run for all workers. The first reason is kept. */
export async function stopRun(db: Database, runId: number, reason: string): Promise<void> {
  await db
    .updateTable("runs")
    .set({ state: "stopped", stop_reason: reason })
    .where("id", "=", runId)
    .where("state", "=", "running")
    .execute();
}

/** Returns the ID of the run that is not finished or stopped. */
export async function runningRun(db: Database): Promise<number | undefined> {
  const query = db.selectFrom("runs").select("id").where("state", "=", "running");
  return (await query.executeTakeFirst())?.id;
}

/** Marks a run as finished if no job is left. Returns whether it is finished. */
export async function finishRun(db: Database, runId: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update runs set state = 'finished', finished_at = now()
    where id = ${runId} and state = 'running'
      and exists (select 1 from places where run_id = runs.id and kind = 'stores' and done_at is not null)
      and not exists (select 1 from places where run_id = runs.id and done_at is null and failed_at is null)
  `.execute(db);
  return numAffectedRows === 1n;
}

/** The progress of the jobs of one kind. */
export interface Tally {
  kind: Kind | "stores";
  jobs: number;
  done: number;
  failed: number;
  rows: number;
  retries: number;
}

export async function tallies(db: Database, runId: number): Promise<Tally[]> {
  const { rows } = await sql<Tally>`
    select kind, count(*)::int as jobs, count(done_at)::int as done, count(failed_at)::int as failed,
           sum(rows)::int as rows, sum(retries)::int as retries
    from places where run_id = ${runId} group by kind
  `.execute(db);
  return rows;
}

/** A job that failed too often. */
export interface DeadLetter {
  externalId: string;
  kind: Kind;
  error: string | null;
}

export async function deadLetters(db: Database, runId: number): Promise<DeadLetter[]> {
  const rows = await db
    .selectFrom("places")
    .select(["external_id", "kind", "error"])
    .where("run_id", "=", runId)
    .where("failed_at", "is not", null)
    .orderBy("external_id")
    .orderBy("kind")
    .execute();
  // only `addPlaces` inserts rows
  return rows.map(({ external_id: externalId, kind, error }) => ({ externalId, kind: kind as Kind, error }));
}

/** Schedules the dead letters of the last run again, for its next start. Returns their number. */
export async function reviveDeadLetters(db: Database): Promise<number> {
  const run = await latestRun(db);
  if (run === undefined) return 0;
  return db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable("places")
      .set({ failed_at: null })
      .where("run_id", "=", run.id)
      .where("failed_at", "is not", null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n)
      await tx.updateTable("runs").set({ state: "running" }).where("id", "=", run.id).execute();
    return Number(numUpdatedRows);
  });
}
