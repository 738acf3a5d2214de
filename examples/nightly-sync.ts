// The program that runs every night, or every 15 minutes: it copies what is new, deletes what is gone, and its exit code says
// whether somebody has to act. A run that was stopped or killed is continued by the next one.
//
//   npm install shelfleet
//   node nightly-sync.ts
//
// Without SHELFLEET_STORE_URL, SHELFLEET_TOKEN, SHELFLEET_FLEET_URL and SHELFLEET_KEY it starts the reference server, and
// keeps nothing. docs/production.md says how to schedule it.
import { DatabaseSync } from "node:sqlite";
import { fleetFromEnv, logTo, ShelfleetError, storeFromEnv } from "shelfleet";
import { createReferenceServer } from "shelfleet/mock";
import { serve } from "shelfleet/mock/node";
import { JobError, mirror, pullStores, sqliteSink } from "shelfleet/sync";

let file = "copy.sqlite";
let end = async (): Promise<void> => {};
if (process.env["SHELFLEET_STORE_URL"] === undefined) {
  const ref = createReferenceServer({ now: "system", store: { stores: 20 } });
  const served = await serve(ref, { port: 0 });
  const { storeUrl, fleetUrl } = served;
  Object.assign(process.env, { SHELFLEET_STORE_URL: storeUrl, SHELFLEET_TOKEN: ref.token });
  Object.assign(process.env, { SHELFLEET_FLEET_URL: fleetUrl, SHELFLEET_KEY: ref.key });
  file = ":memory:";
  end = () => served.close();
}

// from docs/errors.md
/** Prints what a job could not do. Returns the exit code: 75 if the next run can do it, 1 if somebody has to act. */
function reportFailure(error: unknown): number {
  const failures = error instanceof JobError ? error.failed.map((failure) => failure.error) : [error];
  for (const failure of failures)
    console.error(failure instanceof ShelfleetError ? failure.message : failure);
  return failures.every(isTemporary) ? 75 : 1;
}

/** A job reads before it writes: its next run finds out whether a write without a response was processed. */
function isTemporary(failure: unknown): boolean {
  if (!(failure instanceof ShelfleetError)) return false;
  return failure.retryable || ("mayHaveBeenProcessed" in failure && failure.mayHaveBeenProcessed === true);
}
// end

// from docs/production.md
const stop = new AbortController();
process.once("SIGTERM", () => stop.abort(new Error("stopped")));
const { signal } = stop;
const settings = { timeout: 20_000, totalTimeout: 120_000, maxConcurrency: 8, validate: "full" } as const;
const log = logTo(console, "warn");
const store = storeFromEnv({ ...settings, log });
const fleet = fleetFromEnv({ ...settings, log });

const db = new DatabaseSync(file);
const since = new Date("2025-12-01T00:00:00Z");
const options = { since, allowedLateness: 3_600_000, signal };
const jobs = {
  vehicles: () => mirror(fleet.vehicles, sqliteSink(db, "vehicles"), { signal }),
  protocols: () => pullStores(store, "protocols", sqliteSink(db, "protocols"), options),
};
for (const [name, run] of Object.entries(jobs)) {
  try {
    console.log(name, await run());
  } catch (error) {
    const code = signal.aborted ? 75 : reportFailure(error); // what was saved stays
    if (process.exitCode !== 1) process.exitCode = code;
    if (signal.aborted) break;
  }
}
// end

db.close();
await end();
