import type { Outcome, Side } from "../job.ts";
import { describeStores, parseRows } from "../jobs/plan.ts";

export const planSide: Side = {
  start({ fetch, ref }) {
    const { storeUrl, token } = ref;
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    // shown
    /** Writes each row of a table, and its contacts. */
    async function run(csv: string): Promise<Outcome> {
      let written = 0;
      for (const { externalId, name, contacts } of parseRows(csv)) {
        const url = `${storeUrl}/v1/stores/${externalId}`;
        try {
          await fetch(url, { method: "PUT", headers, body: JSON.stringify({ name }) });
          if (contacts !== undefined)
            await fetch(`${url}/contacts`, {
              method: "PUT",
              headers,
              body: JSON.stringify({ items: contacts }),
            });
          written += 1;
        } catch (error) {
          console.debug(`${externalId} could not be written`, error);
        }
      }
      return { summary: `${written} written`, ...describe(csv) };
    }
    // end
    const describe = (csv: string) => describeStores(ref.state, csv);
    return run;
  },
  reasons: [
    [/^PUT .*\/contacts/, "the contacts; the status of the response is not looked at"],
    [/^PUT /, "each row, changed or not; after an error the rest of the row is skipped"],
  ],
};
