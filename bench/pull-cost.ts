/**
 * Prints the processor time of a pull and the size of its state, for runs of different lengths.
 * `node bench/pull-cost.ts [items…]`
 */
import { StoreClient } from "../src/client/store/index.ts";

const counts = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [10_000, 20_000, 40_000, 80_000];
const pageSize = 100;
const spacing = 60_000;
const start = Date.parse("2026-01-01T00:00:00Z");

/** A service with an item each minute. */
function respond(count: number, url: string): Response {
  const query = new URL(url).searchParams;
  const instant = (name: string): number => (Date.parse(query.get(name) ?? "") - start) / spacing;
  const first = Math.max(0, Math.ceil(instant("from")));
  const end = Math.min(count, Math.ceil(instant("to")));
  const from = first + Number(query.get("cursor") ?? 0);
  const to = Math.min(end, from + pageSize);
  const items = Array.from({ length: Math.max(0, to - from) }, (_, index) => ({
    protocolId: `P-${from + index}`,
    status: "completed",
    createdAt: new Date(start + (from + index) * spacing).toISOString(),
  }));
  return Response.json({ externalId: "S-1", items, nextCursor: to < end ? `${to - first}` : null });
}

async function measure(count: number, isStateRead: boolean) {
  const store = new StoreClient({
    baseUrl: "https://store.example",
    token: "token",
    strategies: { "protocols.next-page": "cursor" },
    fetch: async (input) => respond(count, input),
  });
  const until = (): Date => new Date(start + count * spacing);
  const pulled = store.protocols.pull("S-1", { since: new Date(start), allowedLateness: 3_600_000, until });
  const before = process.cpuUsage();
  let [delivered, written, largest] = [0, 0, 0];
  for await (const batch of pulled) {
    delivered += batch.items.length;
    if (!isStateRead) continue;
    const { length } = batch.state;
    written += length;
    largest = Math.max(largest, length);
  }
  const { user, system } = process.cpuUsage(before);
  return { delivered, seconds: (user + system) / 1e6, written, largest };
}

await measure(1000, true); // compiles the code
console.log("| items | processor time | with the state read | all states | largest state |");
console.log("|---|---|---|---|---|");
for (const count of counts) {
  const plain = await measure(count, false);
  const read = await measure(count, true);
  if (plain.delivered !== count || read.delivered !== count) throw new Error(`not all ${count} items came`);
  const cells = [
    count,
    `${plain.seconds.toFixed(2)} s`,
    `${read.seconds.toFixed(2)} s`,
    `${(read.written / 1e6).toFixed(1)} MB`,
    `${(read.largest / 1e3).toFixed(1)} kB`,
  ];
  console.log(`| ${cells.join(" | ")} |`);
}
