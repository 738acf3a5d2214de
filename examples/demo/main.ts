// npm run demo: the same job twice, in the same weather: by a loop around fetch, and by the lines of README. Each has a service of
// its own, in which somebody deletes a vehicle meanwhile, and which loses the responses of two writes, sends empty pages and a
// cached one, and breaks one of twenty connections.
// With a folder as argument, the table is also written there as a picture.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { FleetClient, StoreClient } from "shelfleet";
import type { ReferenceServer } from "shelfleet/mock";
import { ensure, mirror, sqliteSink } from "shelfleet/sync";
import {
  type Comparison,
  describeIds,
  formatTable,
  readIds,
  readReports,
  readService,
} from "./comparison.ts";
import { runNaiveLoop } from "./naive.ts";
import { drawTable } from "./picture.ts";
import { damages, startService } from "./weather.ts";

/** The lines of README: they finish the job, or throw an error. */
async function runShelfleet(ref: ReferenceServer, db: DatabaseSync): Promise<void> {
  const store = new StoreClient(ref.storeOptions);
  const fleet = new FleetClient(ref.fleetOptions);
  await mirror(store.stores, sqliteSink(db, "stores"));
  await mirror(fleet.vehicles, sqliteSink(db, "vehicles"));
  await mirror(fleet.inspections, sqliteSink(db, "inspections"));
  await ensure(fleet.damages, damages, {
    key: "description",
    update: false,
    sink: sqliteSink(db, "reported"),
  });
}

/** Runs a job, and says how it ended. */
async function attempt<T>(name: string, job: () => Promise<T>): Promise<T | undefined> {
  const began = performance.now();
  try {
    const result = await job();
    console.log(`${name} ended without an error after ${((performance.now() - began) / 1000).toFixed(1)} s`);
    return result;
  } catch (error) {
    console.log(`${name} failed: ${String(error)}`);
    return undefined;
  }
}

const [naiveService, ourService] = [startService(), startService()];
const db = new DatabaseSync(":memory:");
const found = await attempt("The naive loop", () => runNaiveLoop(naiveService, damages));
await attempt("shelfleet", () => runShelfleet(ourService, db));

const rows: Comparison[] = Object.entries(readService(ourService)).map(([name, expected]) => ({
  name,
  service: expected.size,
  naive: describeIds(found?.[name] ?? [], expected),
  shelfleet: describeIds(readIds(db, name), expected),
}));
const reports = new Set(damages.map(({ description }) => description));
rows.push({
  name: "reported damages",
  service: reports.size,
  naive: describeIds(readReports(naiveService), reports),
  shelfleet: describeIds(readReports(ourService), reports),
});
console.log(`\n${formatTable(rows)}`);
if (rows.some(({ service, shelfleet }) => shelfleet !== String(service))) process.exitCode = 1;

const folder = process.argv[2];
if (folder !== undefined)
  for (const theme of ["light", "dark"] as const)
    writeFileSync(join(folder, `demo-${theme}.svg`), drawTable(rows, theme));
