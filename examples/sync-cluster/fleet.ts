import { type Kysely, sql } from "kysely";
import { nodeTransport } from "../../src/client/node/index.ts";
import { FleetClient, type Limiter, mirror, type MirrorSink, type PageList } from "../../src/index.ts";
import type { Database } from "./database/connection.ts";
import { move, type Position } from "./database/positions.ts";
import type { Tables } from "./database/tables.ts";
import { type FleetResource, fleetResources } from "./database/tasks.ts";
import type { Settings } from "./settings.ts";

/** The number of items on a page; the contract allows 100. */
const limit = 100;

interface FleetOptions {
  limiter: Limiter;
  signal: AbortSignal;
}

/** Copies one list of the fleet API: new and changed rows, and the marks of deleted ones. */
export async function copyFleet(
  db: Database,
  start: Position,
  { fleet }: Settings,
  { limiter, signal }: FleetOptions,
): Promise<void> {
  const resource = fleetResources.find((name) => name === start.externalId);
  if (fleet === undefined || resource === undefined)
    throw new Error(`the settings have no fleet API for ${start.externalId}`);
  const client = new FleetClient({ ...fleet, transport: nodeTransport(), limiter, retry: 0 });
  const sink = new FleetSink(db, start, resource);
  // the lists differ in their items only, of which the sink reads the JSON
  const list: PageList<object, unknown> = client[resource].list({ limit }, { signal });
  await mirror(list, sink);
  await sink.finish();
}

/** Saves each page with the progress of its job, so that a worker that has lost the job saves nothing more. */
class FleetSink implements MirrorSink<object> {
  readonly #db: Database;
  readonly #resource: FleetResource;
  #position: Position;

  constructor(db: Database, position: Position, resource: FleetResource) {
    this.#db = db;
    this.#position = position;
    this.#resource = resource;
  }

  load: MirrorSink<object>["load"] = async () => {
    const query = this.#db.selectFrom("mirrors").select("state").where("resource", "=", this.#resource);
    return (await query.executeTakeFirst())?.state;
  };

  find: MirrorSink<object>["find"] = async (ids) => {
    const { rows } = await sql<{ id: string; hash: string; pass: number }>`
      select id, hash, pass from fleet
      where resource = ${this.#resource} and id = any(${ids}::text[]) and deleted_at is null
    `.execute(this.#db);
    return new Map(rows.map(({ id, hash, pass }) => [id, { hash, pass }]));
  };

  save: MirrorSink<object>["save"] = ({ entries, seen, pass, state }) =>
    this.#transact(entries.length, state, async (tx) => {
      await sql`
        insert into fleet (resource, id, data, hash, pass, run_id)
        select ${this.#resource}, id, data::json, hash, ${pass}::int, ${this.#position.runId}::int
        from unnest(${entries.map(({ id }) => id)}::text[], ${entries.map(({ item }) => JSON.stringify(item))}::text[],
                    ${entries.map(({ hash }) => hash)}::text[]) as page (id, data, hash)
        on conflict (resource, id) do update
          set data = excluded.data, hash = excluded.hash, run_id = excluded.run_id, deleted_at = null
      `.execute(tx);
      await sql`
        update fleet set pass = ${pass} where resource = ${this.#resource} and id = any(${[...seen]}::text[])
      `.execute(tx);
    });

  countUnseen: MirrorSink<object>["countUnseen"] = async (pass) => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from fleet
      where resource = ${this.#resource} and pass < ${pass} and deleted_at is null
    `.execute(this.#db);
    return rows[0]?.count ?? 0;
  };

  /** The rows are kept and marked. */
  remove: MirrorSink<object>["remove"] = (pass, state) =>
    this.#transact(0, state, async (tx) => {
      await sql`
        update fleet set deleted_at = now()
        where resource = ${this.#resource} and pass < ${pass} and deleted_at is null
      `.execute(tx);
    });

  /** Marks the job as done. */
  async finish(): Promise<void> {
    await this.#db.transaction().execute((tx) => move(tx, this.#position, null, 0));
  }

  async #transact(rows: number, state: string, change: (tx: Kysely<Tables>) => Promise<void>): Promise<void> {
    this.#position = await this.#db.transaction().execute(async (tx) => {
      const moved = await move(tx, this.#position, "", rows);
      await change(tx);
      await tx
        .insertInto("mirrors")
        .values({ resource: this.#resource, state })
        .onConflict((on) => on.column("resource").doUpdateSet({ state }))
        .execute();
      return moved;
    });
  }
}
