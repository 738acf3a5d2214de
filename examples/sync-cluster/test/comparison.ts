import assert from "node:assert/strict";
import { type JsonObject, StoreClient } from "../../../src/index.ts";
import { tallies } from "../database/runs.ts";
import type { TestCluster } from "./cluster.ts";

type Rows = Map<string, unknown>;

/** Checks that the database has exactly the rows of the server, and that each was saved once. Returns their number. */
export async function assertSameAsServer(
  cluster: TestCluster,
  except: readonly string[] = [],
): Promise<number> {
  const wanted = await serverRows(cluster, except);
  let count = 0;
  for (const [table, rows] of wanted) {
    const held = await readRows(cluster, table);
    for (const [key, data] of rows) assert.deepEqual(held.get(key), data, `${table} ${key}`);
    assert.deepEqual(
      [...held.keys()].filter((key) => !rows.has(key)),
      [],
      `${table}: rows that the server lacks`,
    );
    count += rows.size;
  }
  const runs = await cluster.db.selectFrom("runs").selectAll().execute();
  const saved = (await tallies(cluster.db, runs[0]?.id ?? 0)).reduce((sum, { rows }) => sum + rows, 0);
  if (runs.length === 1 && except.length === 0)
    assert.equal(saved, count, "the number of rows that all pages saved");
  return count;
}

async function readRows({ db }: TestCluster, table: Table): Promise<Rows> {
  if (table === "stores") {
    const rows = await db.selectFrom("stores").selectAll().execute();
    return new Map(rows.map(({ store_id, data }): [string, unknown] => [store_id, data]));
  }
  const rows = await db.selectFrom(table).selectAll().execute();
  return new Map(
    rows.map(({ external_id, key, data }): [string, unknown] => [`${external_id} ${key}`, data]),
  );
}

type Table = "stores" | "protocols" | "photos" | "fill_rates";

async function serverRows(
  { ref, db, settings }: TestCluster,
  except: readonly string[],
): Promise<Map<Table, Rows>> {
  const { stores, protocols, photos } = ref.state.store;
  const of = (list: Map<string, JsonObject[]>, id: string): Rows =>
    new Map(
      [...list]
        .filter(([store]) => !except.includes(store))
        .flatMap(([store, items]) =>
          items.map((item): [string, unknown] => [`${store} ${String(item[id])}`, item]),
        ),
    );
  const fillRates: Rows = new Map();
  const client = new StoreClient({ baseUrl: ref.storeUrl, token: ref.token ?? "", fetch: ref.fetch });
  const written = await db
    .selectFrom("fill_rates")
    .innerJoin("runs", "runs.id", "fill_rates.run_id")
    .select(["external_id", "range_from", "range_to", "started_at"])
    .execute();
  const ranges = new Map(
    written.map(({ external_id: id, range_from: from, range_to: to, started_at: at }) => [
      id,
      from !== null && to !== null
        ? { from, to }
        : { from: new Date(at.getTime() - settings.days * 86_400_000).toISOString(), to: at.toISOString() },
    ]),
  );
  for (const [store, { externalId }] of stores) {
    const range = ranges.get(store);
    if (externalId === null || except.includes(store)) continue; // gap stores.null-external-id
    if (range === undefined && (protocols.get(store)?.length ?? 0) === 0) continue; // nothing new, so no report
    if (range === undefined) throw new Error(`${store} has no fill rates`);
    for (const groupBy of ["protocol", "exposition", "category"] as const)
      fillRates.set(`${store} ${groupBy}`, await client.fillRates.forStore(store, { ...range, groupBy }));
  }
  return new Map([
    ["stores", new Map([...stores.values()].map((store): [string, unknown] => [store.storeId, store]))],
    ["protocols", of(protocols, "protocolId")],
    ["photos", of(photos, "photoId")],
    ["fill_rates", fillRates],
  ]);
}
