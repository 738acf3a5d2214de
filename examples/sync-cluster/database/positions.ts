import { type Kysely, sql, type Transaction } from "kysely";
import { StalePositionError } from "../failure.ts";
import type { Range } from "../kinds.ts";
import type { Database } from "./connection.ts";
import { removeDeadLetters } from "./dead-letters.ts";
import type { RunKind, RunState, Tables } from "./tables.ts";
import type { Task } from "./tasks.ts";

/** The progress of a job, with its run. */
export interface Position extends Task {
  resume: string | undefined;
  /** The state of the last pull; undefined for the first one, and in a backfill. */
  pullState: string | undefined;
  pages: number;
  isDone: boolean;
  isDead: boolean;
  run: { kind: RunKind; state: RunState; source: string; range: Range | undefined; startedAt: Date };
}

export async function findPosition(db: Database, task: Task): Promise<Position | undefined> {
  const row = await at(db.selectFrom("positions").innerJoin("runs", "runs.id", "positions.run_id"), task)
    .leftJoin("pulls", (join) =>
      join
        .onRef("pulls.external_id", "=", "positions.external_id")
        .onRef("pulls.kind", "=", "positions.kind"),
    )
    .select(["resume", "pages", "done_at", "failed_at", "runs.state", "source", "runs.kind as run_kind"])
    .select(["range_from", "range_to", "started_at", "pulls.state as pull_state"])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { range_from: from, range_to: to } = row;
  return {
    ...task,
    resume: row.resume ?? undefined,
    pullState: row.pull_state ?? undefined,
    pages: row.pages,
    isDone: row.done_at !== null,
    isDead: row.failed_at !== null,
    run: {
      kind: row.run_kind,
      state: row.state,
      source: row.source,
      range: from !== null && to !== null ? { from, to } : undefined,
      startedAt: row.started_at,
    },
  };
}

export async function addPositions(db: Kysely<Tables>, tasks: readonly Task[]): Promise<void> {
  if (tasks.length === 0) return;
  await db
    .insertInto("positions")
    .values(tasks.map(({ runId, kind, externalId }) => ({ run_id: runId, kind, external_id: externalId })))
    .onConflict((on) => on.doNothing())
    .execute();
}

/**
 * The first statement of a transaction. It locks the row: if two workers have the same job, one waits here and then
 * throws `StalePositionError`.
 */
export async function move(
  tx: Transaction<Tables>,
  position: Position,
  resume: string | null,
  rows: number,
): Promise<Position> {
  const isDone = resume === null;
  const { numUpdatedRows } = await at(tx.updateTable("positions"), position)
    .set({
      resume,
      pages: position.pages + 1,
      rows: sql<number>`rows + ${rows}`,
      failures: 0,
      throttled: 0,
      error: null,
      failed_at: null,
      ...(isDone && { done_at: sql<Date>`now()` }),
    })
    .where("pages", "=", position.pages)
    .where("done_at", "is", null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n) throw new StalePositionError("another worker has continued this job");
  if (isDone) await removeDeadLetters(tx, position, position.run.range);
  return { ...position, resume: resume ?? undefined, pages: position.pages + 1, isDone };
}

/** Records a failed attempt. Returns how many have failed, and were throttled, since the last saved page. */
export async function countFailure(
  db: Database,
  task: Task,
  { reason, isThrottled }: { reason: string; isThrottled: boolean },
): Promise<{ failures: number; throttled: number }> {
  const counted = isThrottled
    ? { throttled: sql<number>`throttled + 1` }
    : { failures: sql<number>`failures + 1` };
  const row = await at(db.updateTable("positions"), task)
    .set({ ...counted, retries: sql<number>`retries + 1`, error: reason })
    .returning(["failures", "throttled"])
    .executeTakeFirst();
  return row ?? { failures: 0, throttled: 0 };
}

/** Removes the mark of a dead letter, because the job runs again. */
export async function reopenPosition(db: Database, task: Task): Promise<void> {
  await at(db.updateTable("positions"), task)
    .set({ failed_at: null, error: null, failures: 0, throttled: 0 })
    .execute();
}

/** Returns the unfinished jobs in batches of at most 600. */
export async function* openTasks(db: Database, runId: number): AsyncGenerator<Task[]> {
  let last = { external_id: "", kind: "" };
  for (;;) {
    const rows = await db
      .selectFrom("positions")
      .select(["external_id", "kind"])
      .where("run_id", "=", runId)
      .where("external_id", "<>", "")
      .where("done_at", "is", null)
      .where("failed_at", "is", null)
      .where(sql<boolean>`(external_id, kind) > (${last.external_id}, ${last.kind})`)
      .orderBy("external_id")
      .orderBy("kind")
      .limit(600)
      .execute();
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end;
    // only `addPositions` inserts rows
    yield rows.map(({ external_id: externalId, kind }) => ({
      runId,
      externalId,
      kind: kind as Task["kind"],
    }));
  }
}

interface Filterable<Q> {
  where(column: "run_id", operator: "=", value: number): Q;
  where(column: "positions.external_id" | "positions.kind", operator: "=", value: string): Q;
}

/** Narrows a query to one position. */
function at<Q>(query: Filterable<Q>, { runId, externalId, kind }: Task): Q {
  const narrowed = query.where("run_id", "=", runId) as Q & Filterable<Q>; // a narrowed query keeps its type
  return (narrowed.where("positions.external_id", "=", externalId) as Q & Filterable<Q>).where(
    "positions.kind",
    "=",
    kind,
  );
}
