import { type Kysely, sql, type Transaction, type UpdateObject } from "kysely";
import { StalePositionError } from "../failure.ts";
import { type Kind, kinds, type Range, type RowPage } from "../kinds.ts";
import type { Database } from "./connection.ts";
import type { RunKind, RunState, Tables } from "./tables.ts";

/** The subject of a job. */
export interface Task {
  runId: number;
  /** `stores`: the list of stores, of which a run has one. `fleet`: a resource of the fleet API. */
  kind: Kind | "stores" | "fleet";
  /** An external ID, or the name of a fleet resource; empty for the list of stores. */
  externalId: string;
}

/** The job that lists the stores and adds all others. */
export function listTask(runId: number): Task {
  return { runId, kind: "stores", externalId: "" };
}

/** The lists of the fleet API that are copied, with the tables' names of their rows. */
export const fleetResources = [
  "vehicles",
  "vehicleGroups",
  "inspections",
  "inspectionTemplates",
  "damages",
  "driverAssignments",
] as const;

export type FleetResource = (typeof fleetResources)[number];

/** One job for each list of the fleet API. */
export function fleetTasks(runId: number): Task[] {
  return fleetResources.map((externalId) => ({ runId, kind: "fleet", externalId }));
}

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

const tableOf = { protocols: "protocols", photos: "photos", "fill-rates": "fill_rates" } as const;

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

/**
 * Saves a page of a store's rows together with the progress of its job and of its pull. Returns the jobs that follow.
 * `period`: the hours within which every store is read again.
 */
export async function saveRows(
  db: Database,
  position: Position,
  page: RowPage,
  period: number,
): Promise<{ position: Position; tasks: Task[] }> {
  const { kind, externalId, runId } = position;
  if (kind === "stores" || kind === "fleet") throw new TypeError(`saveRows does not save ${kind}`);
  return db.transaction().execute(async (tx) => {
    const moved = await move(tx, position, page.resume, page.rows.length);
    // one statement cannot upsert a key twice; the last row with a key is saved
    const rows = new Map(page.rows.map(({ key, data }) => [key, JSON.stringify(data)]));
    if (rows.size > 0) await upsert(tx, tableOf[kind], { externalId, runId }, rows);
    if (page.state !== undefined) {
      await tx
        .insertInto("pulls")
        .values({ external_id: externalId, kind, state: page.state })
        .onConflict((on) => on.columns(["external_id", "kind"]).doUpdateSet({ state: page.state }))
        .execute();
    }
    if (kind !== "fill-rates" && rows.size > 0)
      await updateStore(tx, externalId, { active_at: sql<Date>`now()`, rates_due: true });
    if (kind === "fill-rates" && page.resume === null)
      await updateStore(tx, externalId, { rates_due: false });
    const isPull = position.run.kind === "sync" && kind !== "fill-rates";
    const tasks = isPull && page.resume === null ? await finishPull(tx, position, period) : [];
    return { position: { ...moved, pullState: page.state ?? position.pullState }, tasks };
  });
}

async function updateStore(
  tx: Transaction<Tables>,
  externalId: string,
  changes: UpdateObject<Tables, "stores">,
): Promise<void> {
  await tx.updateTable("stores").set(changes).where("external_id", "=", externalId).execute();
}

/**
 * Sets when a store is read next, once both of its pulls are done: a store with new items in every run, another one after
 * a quarter of the time since its last new item, and after `period` hours at the latest. New items need new fill rates.
 */
async function finishPull(
  tx: Transaction<Tables>,
  { runId, externalId }: Position,
  period: number,
): Promise<Task[]> {
  // the lock makes the second of two pulls that end at the same time see the end of the first one
  await sql`select 1 from stores where external_id = ${externalId} for update`.execute(tx);
  const open = await tx
    .selectFrom("positions")
    .select("kind")
    .where("run_id", "=", runId)
    .where("external_id", "=", externalId)
    .where("kind", "<>", "fill-rates")
    .where("done_at", "is", null)
    .executeTakeFirst();
  if (open !== undefined) return [];
  const { rows } = await sql<{ rates_due: boolean }>`
    update stores set due_at = case
      when rates_due then now()
      else now() + least(make_interval(hours => ${period}), coalesce((now() - active_at) / 4, make_interval(hours => ${period})))
    end
    where external_id = ${externalId} returning rates_due
  `.execute(tx);
  if (rows[0]?.rates_due !== true) return [];
  const task: Task = { runId, kind: "fill-rates", externalId };
  await addPositions(tx, [task]);
  return [task];
}

async function upsert(
  tx: Transaction<Tables>,
  table: (typeof tableOf)[Kind],
  { externalId, runId }: { externalId: string; runId: number },
  rows: Map<string, string>,
): Promise<void> {
  await sql`
    insert into ${sql.table(table)} (external_id, key, data, run_id)
    select ${externalId}, key, data::json, ${runId}::int
    from unnest(${[...rows.keys()]}::text[], ${[...rows.values()]}::text[]) as page (key, data)
    on conflict (external_id, key) do update set data = excluded.data, run_id = excluded.run_id
  `.execute(tx);
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
  if (isDone) await removeDeadLetter(tx, position);
  return { ...position, resume: resume ?? undefined, pages: position.pages + 1, isDone };
}

async function removeDeadLetter(tx: Kysely<Tables>, { externalId, kind }: Task): Promise<void> {
  await tx
    .deleteFrom("dead_letters")
    .where("external_id", "=", externalId)
    .where("kind", "=", kind)
    .execute();
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

/** Marks the job of a deleted store as done, and the store as deleted. The saved rows are kept. */
export async function markDeleted(db: Database, task: Task, reason: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const deleted = { done_at: sql<Date>`now()`, deleted_at: sql<Date>`now()`, resume: null, error: reason };
    await tx
      .updateTable("positions")
      .set(deleted)
      .where("run_id", "=", task.runId)
      .where("external_id", "=", task.externalId)
      .where("done_at", "is", null)
      .execute();
    await tx
      .updateTable("stores")
      .set({ deleted_at: sql<Date>`now()` })
      .where("external_id", "=", task.externalId)
      .execute();
  });
}

/** Returns the numbers of stores that a run has listed, and that were deleted during it. */
export async function countDeleted(
  db: Database,
  runId: number,
): Promise<{ listed: number; deleted: number }> {
  const { rows } = await sql<{ listed: number; deleted: number }>`
    select (select count(*)::int from stores where listed_run = ${runId}) as listed,
           (select count(distinct external_id)::int from positions
            where run_id = ${runId} and deleted_at is not null) as deleted
  `.execute(db);
  return rows[0] ?? { listed: 0, deleted: 0 };
}

/** Marks a job as a dead letter. */
export async function markDead(db: Database, task: Task, reason: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await at(tx.updateTable("positions"), task)
      .set({ failed_at: sql<Date>`now()`, error: reason })
      .where("done_at", "is", null)
      .execute();
    await tx
      .insertInto("dead_letters")
      .values({ external_id: task.externalId, kind: task.kind, run_id: task.runId, reason })
      .onConflict((on) =>
        on.columns(["external_id", "kind"]).doUpdateSet({ run_id: task.runId, reason, at: sql<Date>`now()` }),
      )
      .execute();
  });
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

/** The jobs of a store at the start of a run. Fill rates follow when a pull has found something new. */
export function tasksOf(runId: number, runKind: RunKind, externalId: string): Task[] {
  const first = runKind === "sync" ? (["protocols", "photos"] as const) : kinds;
  return first.map((kind) => ({ runId, kind, externalId }));
}
