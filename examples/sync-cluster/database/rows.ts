import { sql, type Transaction, type UpdateObject } from "kysely";
import type { Kind, RowPage } from "../kinds.ts";
import type { Database } from "./connection.ts";
import { addPositions, move, type Position } from "./positions.ts";
import type { Tables } from "./tables.ts";
import type { Task } from "./tasks.ts";

const tableOf = { protocols: "protocols", photos: "photos", "fill-rates": "fill_rates" } as const;

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
    on conflict (external_id, key) do update
      set data = excluded.data, run_id = excluded.run_id, replaced_at = null
  `.execute(tx);
}
