import assert from "node:assert/strict";
import { type JsonObject, StoreClient } from "../../../src/index.ts";
import { latestRun, tallies } from "../database/runs.ts";
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
  const run = await latestRun(cluster.db);
  const saved = (await tallies(cluster.db, run?.id ?? 0)).reduce((sum, { rows }) => sum + rows, 0);
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
  { ref, settings }: TestCluster,
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
  const { from = "", to = "" } = settings;
  for (const [store, { externalId }] of stores) {
    if (externalId === null || except.includes(store)) continue; // gap stores.null-external-id
    for (const groupBy of ["protocol", "exposition", "category"] as const)
      fillRates.set(`${store} ${groupBy}`, await client.fillRates.forStore(store, { from, to, groupBy }));
  }
  return new Map([
    ["stores", new Map([...stores.values()].map((store): [string, unknown] => [store.storeId, store]))],
    ["protocols", of(protocols, "protocolId")],
    ["photos", of(photos, "photoId")],
    ["fill_rates", fillRates],
  ]);
}
