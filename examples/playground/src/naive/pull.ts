import type { Outcome, Side } from "../job.ts";
import { describeProtocols } from "../jobs/pull.ts";

interface Page {
  items: { protocolId: string }[];
}

export const pullSide: Side = {
  start({ fetch, ref: { storeUrl, token } }) {
    const saved = new Map<string, Record<string, unknown>>();
    const headers = { authorization: `Bearer ${token}` };
    let since = new Date(Date.now() - 30 * 86_400_000).toISOString();
    // shown
    /** Reads what is new since the last run. */
    async function run(): Promise<Outcome> {
      const to = new Date().toISOString();
      let count = 0;
      try {
        const url = `${storeUrl}/v1/stores/S-1/protocols?from=${since}&to=${to}`;
        const response = await fetch(url, { headers });
        const page = (await response.json()) as Page;
        for (const item of page.items) saved.set(item.protocolId, { ...item });
        count = page.items.length;
      } catch (error) {
        console.debug("a page could not be read", error);
      }
      since = to; // the next run begins here
      return { summary: `${count} new, ${saved.size} saved`, ...describe() };
    }
    // end
    const describe = () => describeProtocols(saved);
    return run;
  },
  reasons: [[/^GET .*\/protocols/, "the time since the last run; an error is logged, and the time moves on"]],
};
