// Watches the damages of a fleet until SIGTERM, which ends it within the time of one request.
//
//   node examples/watch-damages.ts
//
// A program with a real service leaves out the reference server and the last block, which sends the signal.
import { setTimeout as sleep } from "node:timers/promises";
import { FleetClient } from "../src/index.ts";
import { createReferenceServer } from "../src/mock/index.ts";

const ref = createReferenceServer();
ref.on("listDamages").always({ status: 500 }).times(3); // the first round fails, in spite of its retries
const fleet = new FleetClient({ ...ref.fleetOptions, retry: { maxDelay: 10 } });

const interval = 50; // in ms; a minute in a real program
const longest = 10 * interval;
const stop = new AbortController();
process.once("SIGTERM", () => {
  stop.abort();
  void fleet.drain(); // ends the waits for retries and rate limits, and lets the request in flight finish
});

const seen = new Set<unknown>();
let pause = interval;
while (!stop.signal.aborted) {
  try {
    for await (const { id } of fleet.damages.list({ limit: 50 }).items()) {
      if (seen.size === 0) console.log("first damage");
      seen.add(id);
    }
    pause = interval;
  } catch (error) {
    if (stop.signal.aborted) break;
    pause = Math.min(longest, 2 * pause);
    console.log(`${(error as Error).message}; next round in ${pause} ms`);
  }
  if (seen.size > 0) process.kill(process.pid, "SIGTERM"); // of this demonstration
  await sleep(pause, undefined, { signal: stop.signal }).catch(() => {}); // the signal ends the wait
}
await fleet.drain();
console.log("ended");
