import { DatabaseSync } from "node:sqlite";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { StoreClient } from "../../src/index.ts";
import { mirror, pull, sqliteSink } from "../../src/sync/index.ts";

/** `ITEMS=1000000` measures a million: minutes. */
const total = Number(process.env["ITEMS"] ?? 20_000);
const start = Date.parse("2026-01-01T00:00:00Z");
/** The time between two protocols, in ms. */
const step = 20_000;

/** A service with `total` stores and protocols; the cursor is the number of the next one. */
async function fetch(url: string): Promise<Response> {
  const query = new URL(url).searchParams;
  const indexOf = (name: string, missing: number): number =>
    query.has(name) ? Math.ceil((Date.parse(query.get(name) ?? "") - start) / step) : missing;
  const first = Math.max(0, indexOf("from", 0), Number(query.get("cursor") ?? 0));
  const end = Math.min(total, indexOf("to", total));
  const last = Math.min(end, first + 100);
  const items = Array.from({ length: Math.max(0, last - first) }, (_, n) => {
    const [protocolId, storeId] = [`P-${first + n}`, `s${String(first + n).padStart(7, "0")}`];
    return { protocolId, storeId, externalId: `S-${first + n}`, name: "x".repeat(200) };
  });
  return Response.json({ externalId: "S-1", items, nextCursor: last < end ? String(last) : null });
}

it("a pull, a mirror and a second mirror keep no more of an item than the walk of the client", async () => {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc") as () => void; // the flag adds it
  const store = new StoreClient({ baseUrl: "https://store.example", token: "some-token", fetch });
  const db = new DatabaseSync(":memory:");
  const heaps: number[] = [];
  const measure = (job: string) => {
    const began = process.cpuUsage();
    let done = 0;
    return (items: number): void => {
      done += items;
      if (![0.1, 0.5, 1].some((share) => done >= total * share && done - items < total * share)) return;
      const { user, system } = process.cpuUsage(began);
      gc();
      heaps.push(process.memoryUsage().heapUsed / 1e6);
      const cost = `${Math.round((user + system) / done)} µs each, heap ${heaps.at(-1)?.toFixed(1)} MB`;
      process.stdout.write(`${job}, ${done}: ${cost}\n`);
    };
  };
  const protocols = sqliteSink(db, "protocols");
  const pulled = measure("pull");
  const until = () => new Date(start + total * step);
  const options = { since: new Date(start), allowedLateness: 3_600_000, until };
  for await (const batch of pull(store.protocols, "S-1", options)) {
    await protocols.saveBatch("S-1", batch);
    pulled(batch.items.length);
  }
  const sink = sqliteSink(db, "stores");
  for (const job of ["mirror", "second mirror"]) {
    const mirrored = measure(job);
    const find: typeof sink.find = (ids) => {
      mirrored(ids.length);
      return sink.find(ids);
    };
    await mirror(store.stores, { ...sink, find });
  }
  for (const table of ["protocols", "stores"])
    expect(db.prepare(`SELECT count(*) AS n FROM ${table}`).get()).toEqual({ n: total });
  // the walk of a client keeps the ID of each item: 40 bytes for a short one
  expect(Math.max(...heaps) - Math.min(...heaps)).toBeLessThan(10 + (60 * total) / 1e6);
});
