import type { Outcome, Side } from "../job.ts";
import { describePlates } from "../jobs/ensure.ts";

const plates = ["WX 10001", "WX 10002", "WX 10003"];

export const ensureSide: Side = {
  start({ fetch, ref }) {
    const { fleetUrl, key } = ref;
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const created = new Set<string>();
    // shown
    /** Creates each vehicle, and tries again after an error. */
    async function run(): Promise<Outcome> {
      let written = 0;
      for (const plateNumber of plates.filter((plate) => !created.has(plate)))
        for (let attempt = 1; attempt <= 3; attempt += 1)
          try {
            const body = JSON.stringify({ plateNumber, brand: "MAN" });
            await fetch(`${fleetUrl}/vehicles`, { method: "POST", headers, body });
            created.add(plateNumber);
            written += 1;
            break;
          } catch (error) {
            console.debug(`attempt ${attempt} failed`, error);
          }
      return { summary: `${written} created`, ...describe() };
    }
    // end
    const describe = () => describePlates(ref.state);
    return run;
  },
  reasons: [[/^POST /, "a vehicle; after an error it is sent again, although it may be there"]],
};
