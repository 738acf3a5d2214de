import { type Insertable, type Kysely, sql, type Transaction } from "kysely";
import type { Store } from "../../../src/index.ts";
import { type Kind, kinds, type Range, type RowPage } from "../kinds.ts";
import type { Database } from "./connection.ts";
import type { RunState, StoreTable, Tables } from "./tables.ts";

/** The subject of a job. */
export interface Task {
  runId: number;
  /** `stores`: the walk over the stores, of which a run has one. */
  kind: Kind | "stores";
  externalId: string;
}

/** The job that lists the stores and adds all others. */
export function walkOf(runId: number): Task {
  return { runId, kind: "stores", externalId: "" };
}

/** The progress of a job, with the state and the range of its run. */
export interface Place extends Task {
  resume: string | undefined;
  pages: number;
  done: boolean;
  failed: boolean;
  state: RunState;
  range: Range;
}

/** Another worker has continued this job. */
export class StalePlaceError extends Error {
  override readonly name = "StalePlaceError";
}

const tableOf = { protocols: "protocols", photos: "photos", "fill-rates": "fill_rates" } as const;

export async function findPlace(db: Database, task: Task): Promise<Place | undefined> {
  const row = await at(db.selectFrom("places").innerJoin("runs", "runs.id", "places.run_id"), task)
    .select(["resume", "pages", "done_at", "failed_at", "state", "range_from", "range_to"])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    ...task,
    resume: row.resume ?? undefined,
    pages: row.pages,
    done: row.done_at !== null,
    failed: row.failed_at !== null,
    state: row.state,
    range: { from: row.range_from, to: row.range_to },
  };
}

/** Saves a page of a store's rows together with the progress of its job. */
export async function saveRows(db: Database, place: Place, page: RowPage): Promise<Place> {
  if (place.kind === "stores") throw new TypeError("saveRows does not save stores. Use saveStores");
  const table = tableOf[place.kind];
  const { externalId } = place;
  return db.transaction().execute(async (tx) => {
    const moved = await move(tx, place, page.resume, page.rows.length);
    // one statement cannot upsert a key twice; the last row with a key is saved
    const rows = new Map(page.rows.map(({ key, data }) => [key, JSON.stringify(data)]));
    await upsert(tx, table, externalId, rows);
    return moved;
  });
}

async function upsert(
  tx: Transaction<Tables>,
  table: (typeof tableOf)[Kind],
  externalId: string,
  rows: Map<string, string>,
): Promise<void> {
  if (rows.size === 0) return;
  await sql`
    insert into ${sql.table(table)} (external_id, key, data)
    select ${externalId}, key, data::json from unnest(${[...rows.keys()]}::text[], ${[...rows.values()]}::text[]) as page (key, data)
    on conflict (external_id, key) do update set data = excluded.data
  `.execute(tx);
}

/** Saves a page of stores, the places of their jobs, and the progress of the walk. */
export async function saveStores(
  db: Database,
  place: Place,
  stores: readonly Store[],
  resume: string | null,
): Promise<{ place: Place; tasks: Task[] }> {
  const unique = [...new Map(stores.map((store) => [store.storeId, store])).values()];
  const rows = unique.map(
    (store): Insertable<StoreTable> => ({
      store_id: store.storeId,
      external_id: store.externalId,
      data: JSON.stringify(store),
    }),
  );
  const tasks = unique.flatMap(({ externalId }) => tasksOf(place.runId, externalId));
  return db.transaction().execute(async (tx) => {
    const moved = await move(tx, place, resume, stores.length);
    if (rows.length > 0) {
      await tx
        .insertInto("stores")
        .values(rows)
        .onConflict((on) =>
          on.column("store_id").doUpdateSet((row) => ({
            external_id: row.ref("excluded.external_id"),
            data: row.ref("excluded.data"),
          })),
        )
        .execute();
    }
    await addPlaces(tx, tasks);
    return { place: moved, tasks };
  });
}

/** A store without an external ID cannot be requested. gap stores.null-external-id */
function tasksOf(runId: number, externalId: string | null): Task[] {
  return externalId === null ? [] : kinds.map((kind) => ({ runId, kind, externalId }));
}

export async function addPlaces(db: Kysely<Tables>, tasks: readonly Task[]): Promise<void> {
  if (tasks.length === 0) return;
  await db
    .insertInto("places")
    .values(tasks.map(({ runId, kind, externalId }) => ({ run_id: runId, kind, external_id: externalId })))
    .onConflict((on) => on.doNothing())
    .execute();
}

/**
 * The first statement of a transaction. It locks the row: if two workers have the same job, one waits here and then
 * throws `StalePlaceError`.
 */
async function move(
  tx: Transaction<Tables>,
  place: Place,
  resume: string | null,
  rows: number,
): Promise<Place> {
  const { numUpdatedRows } = await at(tx.updateTable("places"), place)
    .set({
      resume,
      pages: place.pages + 1,
      rows: sql<number>`rows + ${rows}`,
      error: null,
      failed_at: null,
      ...(resume === null && { done_at: new Date() }),
    })
    .where("pages", "=", place.pages)
    .where("done_at", "is", null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n) throw new StalePlaceError("another worker has continued this job");
  return { ...place, resume: resume ?? undefined, pages: place.pages + 1, done: resume === null };
}

/** Marks the job of a deleted store as done. The saved rows are kept. */
export async function closePlace(db: Database, task: Task, reason: string): Promise<void> {
  await at(db.updateTable("places"), task)
    .set({ done_at: new Date(), resume: null, error: reason })
    .execute();
}

/** Records a failed attempt. */
export async function countRetry(db: Database, task: Task, reason: string): Promise<void> {
  await at(db.updateTable("places"), task)
    .set({ retries: sql<number>`retries + 1`, error: reason })
    .execute();
}

/** Marks a job as a dead letter. */
export async function markDead(db: Database, task: Task, reason: string): Promise<void> {
  await at(db.updateTable("places"), task)
    .set({ failed_at: new Date(), error: reason })
    .where("done_at", "is", null)
    .execute();
}

/** Removes the mark of a dead letter, because the job runs again. */
export async function reopenPlace(db: Database, task: Task): Promise<void> {
  await at(db.updateTable("places"), task).set({ failed_at: null, error: null }).execute();
}

/** Returns the unfinished jobs in batches of at most 600. */
export async function* openTasks(db: Database, runId: number): AsyncGenerator<Task[]> {
  let last = { external_id: "", kind: "" };
  for (;;) {
    const rows = await db
      .selectFrom("places")
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
    // only `addPlaces` inserts rows
    yield rows.map(({ external_id: externalId, kind }) => ({ runId, externalId, kind: kind as Kind }));
  }
}

interface Filterable<Q> {
  where(column: "run_id", operator: "=", value: number): Q;
  where(column: "external_id" | "kind", operator: "=", value: string): Q;
}

/** Narrows a query to one place. */
function at<Q>(query: Filterable<Q>, { runId, externalId, kind }: Task): Q {
  const narrowed = query.where("run_id", "=", runId) as Q & Filterable<Q>; // a narrowed query keeps its type
  return (narrowed.where("external_id", "=", externalId) as Q & Filterable<Q>).where("kind", "=", kind);
}
