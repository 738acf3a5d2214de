// A pull and two mirrors of many items into SQLite. Prints the heap and the processor time of an item at each of the given
// numbers.
import { DatabaseSync } from "node:sqlite";
import { StoreClient } from "../../src/index.ts";
import { mirror, pull, sqliteSink } from "../../src/sync/index.ts";

const [, , file = "", ...numbers] = process.argv;
const points = numbers.map(Number);
const total = points.at(-1) ?? 0;
const start = Date.parse("2026-01-01T00:00:00Z");
/** The time between two protocols, in ms. */
const step = 20_000;
const text = "x".repeat(200);
const makers: Record<string, (n: number) => object> = {
  stores: (n) => ({ storeId: `s${String(n).padStart(7, "0")}`, externalId: `S-${n}`, name: text }),
  protocols: (n) => ({ protocolId: `P-${n}`, createdAt: new Date(start + n * step).toISOString(), text }),
};

/** A service with the items 0 to `total`; the cursor is the number of the next one. */
async function fetch(url: string): Promise<Response> {
  const { pathname, searchParams: query } = new URL(url);
  const indexOf = (name: string, missing: number): number =>
    query.has(name) ? Math.ceil((Date.parse(query.get(name) ?? "") - start) / step) : missing;
  const first = Math.max(0, indexOf("from", 0), Number(query.get("cursor") ?? 0));
  const end = Math.min(total, indexOf("to", total));
  const last = Math.min(end, first + 100);
  const make = makers[pathname.split("/").at(-1) ?? ""] ?? makers["stores"];
  const items = Array.from({ length: Math.max(0, last - first) }, (_, n) => make?.(first + n));
  return Response.json({ externalId: "S-1", items, nextCursor: last < end ? String(last) : null });
}

const rows: object[] = [];
let began = process.cpuUsage();
let done = 0;
/** Measures after each page. */
function count(job: string, items: number): void {
  const before = done;
  done += items;
  if (!points.some((point) => before < point && done >= point)) return;
  const { user, system } = process.cpuUsage(began);
  const microseconds = Math.round((user + system) / done);
  globalThis.gc?.();
  rows.push({ job, done, microseconds, megabytes: Math.round(process.memoryUsage().heapUsed / 1e5) / 10 });
}

const store = new StoreClient({ baseUrl: "https://store.example", token: "some-token", fetch });
const db = new DatabaseSync(file);
db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF");
async function measure(job: () => Promise<unknown>): Promise<void> {
  [began, done] = [process.cpuUsage(), 0];
  await job();
}
const protocols = sqliteSink(db, "protocols");
await measure(async () => {
  const until = () => new Date(start + total * step);
  const options = { since: new Date(start), allowedLateness: 3_600_000, limit: 100, until };
  for await (const batch of pull(store.protocols, "S-1", options)) {
    protocols.saveBatch("S-1", batch);
    count("pull", batch.items.length);
  }
});
const sink = sqliteSink(db, "stores");
for (const job of ["mirror", "mirror again"])
  await measure(() =>
    mirror(store.stores, {
      ...sink,
      save(changes) {
        sink.save(changes);
        count(job, changes.seen.length);
      },
    }),
  );
const sizes = ["protocols", "stores"].map(
  (table) => db.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"],
);
process.stdout.write(JSON.stringify({ rows, sizes }));
