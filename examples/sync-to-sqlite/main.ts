// Keeps a SQLite file up to date: node main.ts --help
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { fleetFromEnv, storeFromEnv, tokenBucket } from "shelfleet";
import { openDatabase, runRound } from "./sync.ts";

const usage = `node main.ts [options]

  --db <file>          the SQLite file (default: sync.sqlite)
  --csv <file>         writes the stores of this file to the service in each round
  --since <date>       the start of the first pull (default: 30 days ago)
  --every <minutes>    the time between two rounds (default: 15)
  --per-second <n>     requests per second, for each of the two services (default: 20)
  --once               one round; the exit code is 1 if a job failed

SHELFLEET_STORE_URL, SHELFLEET_TOKEN, SHELFLEET_FLEET_URL and SHELFLEET_KEY name the services; SHELFLEET_LOG=info logs
each call.`;

const { values } = parseArgs({
  options: {
    db: { type: "string", default: "sync.sqlite" },
    csv: { type: "string" },
    since: { type: "string", default: new Date(Date.now() - 30 * 86_400_000).toISOString() },
    every: { type: "string", default: "15" },
    "per-second": { type: "string", default: "20" },
    once: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(usage);
  process.exit();
}

const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => stop.abort());
const { signal } = stop;

const perSecond = Number(values["per-second"]);
const options = () => ({ maxConcurrency: 8, limiter: tokenBucket({ perSecond }) });
const store = storeFromEnv(options());
const fleet = fleetFromEnv(options());
const db = openDatabase(values.db);
const log = (line: string): void => console.log(`${new Date().toISOString()} ${line}`);
const sync = { store, fleet, db, csv: values.csv, since: new Date(values.since), signal, log };

try {
  for (;;) {
    const began = Date.now();
    const isDone = await runRound(sync);
    if (values.once) {
      process.exitCode = isDone ? 0 : 1;
      break;
    }
    const rest = Number(values.every) * 60_000 - (Date.now() - began);
    await sleep(Math.max(0, rest), undefined, { signal });
  }
} catch (error) {
  if (!signal.aborted) throw error;
  log("stopped; the next start continues");
} finally {
  // the calls that were aborted have ended
  await Promise.all([store.drain(), fleet.drain()]);
  db.close();
}
