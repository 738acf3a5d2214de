import { type Kysely, sql } from "kysely";
import type { Range } from "../kinds.ts";
import type { Database } from "./connection.ts";
import { addPositions } from "./positions.ts";
import type { RunKind, RunState, Tables } from "./tables.ts";
import { fleetTasks, listTask, type Task } from "./tasks.ts";

export interface Run {
  id: number;
  kind: RunKind;
  state: RunState;
  stopReason: string | null;
  /** Only of a backfill. */
  range: Range | undefined;
  source: string;
  /** The number of stores before this run. */
  storesBefore: number;
}

/** The run that a start asks for. */
export interface RequestedRun {
  kind: RunKind;
  source: string;
  range: Range | undefined;
  /** The number of finished runs that are kept. */
  keepRuns: number;
  /** The fleet API is also copied. */
  hasFleet: boolean;
}

/** The unfinished run in the database is another one than the requested one. */
export class OtherRunError extends Error {
  override readonly name = "OtherRunError";
}

/** Resumes the unfinished run, or begins a new one. */
export async function openRun(db: Database, requested: RequestedRun): Promise<Run> {
  const held = await unfinishedRun(db);
  if (held === undefined) await insertRun(db, requested);
  else await resume(db, held, requested);
  const run = await unfinishedRun(db);
  if (run === undefined) return openRun(db, requested); // another process has just finished it
  const withFleet = requested.hasFleet && run.kind === "sync";
  await addPositions(db, [listTask(run.id), ...(withFleet ? fleetTasks(run.id) : [])]);
  return run;
}

async function insertRun(db: Database, { kind, source, range, keepRuns }: RequestedRun): Promise<void> {
  const other = await db.selectFrom("runs").select("source").where("source", "<>", source).executeTakeFirst();
  if (other !== undefined)
    throw new OtherRunError(`The database has rows of ${other.source}. Use another database for ${source}`);
  const latest = await latestRun(db);
  await db
    .insertInto("runs")
    .values({
      kind,
      source,
      range_from: range?.from ?? null,
      range_to: range?.to ?? null,
      stores_before: latest === undefined ? null : await countStores(db),
    })
    .onConflict((on) => on.doNothing())
    .execute();
  await sql`
    delete from runs where state in ('finished', 'abandoned') and id not in (
      select id from runs order by id desc limit ${keepRuns}
    )
  `.execute(db);
}

/** Returns the number of stores that are not deleted. */
async function countStores(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom("stores")
    .select((all) => all.fn.countAll<string>().as("count"))
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function resume(db: Database, held: Run, { kind, source, range }: RequestedRun): Promise<void> {
  const advice = `Finish it, or end it with "abandon"`;
  if (held.source !== source)
    throw new OtherRunError(
      `Run ${held.id} of ${held.source} is not finished; requested: ${source}. ${advice}`,
    );
  const isOther = held.range?.from !== range?.from || held.range?.to !== range?.to;
  if (held.kind !== kind || isOther)
    throw new OtherRunError(`${describeRun(held)} is not finished. ${advice}`);
  await db
    .updateTable("runs")
    .set({ state: "running", stop_reason: null })
    .where("id", "=", held.id)
    .execute();
}

/** Returns the kind, the range and the service of a run in words. */
export function describeRun({ id, kind, range, source }: Run): string {
  const of = range === undefined ? "" : `, ${range.from} to ${range.to}`;
  return `Run ${id} (${kind}${of}) of ${source}`;
}

export async function latestRun(db: Database): Promise<Run | undefined> {
  const row = await db.selectFrom("runs").selectAll().orderBy("id", "desc").limit(1).executeTakeFirst();
  return row && toRun(row);
}

export async function unfinishedRun(db: Database): Promise<Run | undefined> {
  const query = db.selectFrom("runs").selectAll().where("state", "in", ["running", "stopped"]);
  const row = await query.executeTakeFirst();
  return row && toRun(row);
}

export async function findRun(db: Database, id: number): Promise<Run | undefined> {
  const row = await db.selectFrom("runs").selectAll().where("id", "=", id).executeTakeFirst();
  return row && toRun(row);
}

function toRun(row: {
  id: number;
  kind: RunKind;
  state: RunState;
  stop_reason: string | null;
  range_from: string | null;
  range_to: string | null;
  source: string;
  stores_before: number | null;
}): Run {
  const { id, kind, state, stop_reason: stopReason, range_from: from, range_to: to, source } = row;
  const range = from !== null && to !== null ? { from, to } : undefined;
  return { id, kind, state, stopReason, range, source, storesBefore: row.stores_before ?? 0 };
}

/** Stops a run for all workers. The first reason is kept. */
export async function stopRun(db: Kysely<Tables>, runId: number, reason: string): Promise<void> {
  await db
    .updateTable("runs")
    .set({ state: "stopped", stop_reason: reason })
    .where("id", "=", runId)
    .where("state", "=", "running")
    .execute();
}

/** Ends the unfinished run as it is. The states of its pulls are kept. Returns the run. */
export async function abandonRun(db: Database): Promise<Run | undefined> {
  const run = await unfinishedRun(db);
  if (run === undefined) return undefined;
  const ended = { state: "abandoned", finished_at: new Date() } as const;
  await db.updateTable("runs").set(ended).where("id", "=", run.id).execute();
  return run;
}

/** Marks a run as finished if no job is left. Returns whether it is finished. */
export async function finishRun(db: Database, runId: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update runs set state = 'finished', finished_at = now()
    where id = ${runId} and state = 'running'
      and exists (select 1 from positions where run_id = runs.id and kind = 'stores' and done_at is not null)
      and not exists (select 1 from positions where run_id = runs.id and done_at is null and failed_at is null)
  `.execute(db);
  return numAffectedRows === 1n;
}

/** The progress of the jobs of one kind. */
export interface Tally {
  kind: Task["kind"];
  jobs: number;
  done: number;
  failed: number;
  deleted: number;
  rows: number;
  retries: number;
}

export async function tallies(db: Database, runId: number): Promise<Tally[]> {
  const { rows } = await sql<Tally>`
    select kind, count(*)::int as jobs, count(done_at)::int as done, count(failed_at)::int as failed,
           count(deleted_at)::int as deleted, sum(rows)::int as rows, sum(retries)::int as retries
    from positions where run_id = ${runId} group by kind
  `.execute(db);
  return rows;
}

/** Returns why a job of a run waits for its next attempt; undefined if none does. */
export async function lastError(db: Database, runId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom("positions")
    .select("error")
    .where("run_id", "=", runId)
    .where("done_at", "is", null)
    .where("failed_at", "is", null)
    .where("error", "is not", null)
    .executeTakeFirst();
  return row?.error ?? undefined;
}
