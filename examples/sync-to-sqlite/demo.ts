// npm run demo: two rounds against the reference server in this process, which loses 5 % of its responses.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { FleetClient, StoreClient } from "shelfleet";
import { createReferenceServer } from "shelfleet/mock";
import { openDatabase, runRound } from "./sync.ts";

const ref = createReferenceServer({
  now: "system",
  store: { stores: 300, protocolsPerStore: 6 },
  fleet: { vehicles: 500, inspections: 250, damages: 250 },
  journal: { limit: 0 },
});
ref.on("*").fault("reset", { at: "after" }).rate(0.05);

let requests = 0;
let retries = 0;
const hooks = { onRequest: () => void (requests += 1), onRetry: () => void (retries += 1) };
const retry = { limit: 6, maxDelay: 1 };
const folder = mkdtempSync(join(tmpdir(), "shelfleet-demo-"));
const file = join(folder, "demo.sqlite");
const db = openDatabase(file);
const sync = {
  store: new StoreClient({ ...ref.storeOptions, retry, hooks }),
  fleet: new FleetClient({ ...ref.fleetOptions, retry, hooks }),
  db,
  csv: fileURLToPath(new URL("stores.csv", import.meta.url)),
  since: new Date(Date.now() - 30 * 86_400_000),
  signal: new AbortController().signal,
  log: (line: string) => console.log(`  ${line}`),
};

async function round(title: string): Promise<void> {
  console.log(title);
  const began = performance.now();
  [requests, retries] = [0, 0];
  await runRound(sync);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`  ${requests} requests in ${seconds} s; ${retries} of them because a response was lost\n`);
}

await round("First round: everything");
ref.state.fleet.vehicles.delete("vehicle-7");
const [protocol] = ref.state.store.protocols.get("S-1") ?? [];
if (protocol !== undefined) {
  const createdAt = new Date().toISOString();
  ref.state.store.protocols.get("S-1")?.push({ ...protocol, protocolId: "P-new", createdAt });
}
await round("Second round: one vehicle was deleted, one protocol is new");

const tables = {
  stores: ref.state.store.stores.size + ref.state.store.storesWithoutId.size,
  protocols: [...ref.state.store.protocols.values()].reduce((sum, rows) => sum + rows.length, 0),
  vehicles: ref.state.fleet.vehicles.size,
  inspections: ref.state.fleet.inspections.size,
  damages: ref.state.fleet.damages.size,
};
console.log("Rows                of the service  in the file");
for (const [name, expected] of Object.entries(tables)) {
  const { rows } = db.prepare(`SELECT count(*) AS rows FROM ${name}`).get() as { rows: number };
  console.log(`  ${name.padEnd(17)} ${String(expected).padStart(14)} ${String(rows).padStart(12)}`);
  if (rows !== expected) process.exitCode = 1;
}
db.close();
rmSync(folder, { recursive: true });
