import type { Outcome, Side } from "../job.ts";
import { describeVehicles } from "../jobs/mirror.ts";

interface Page {
  data: { id: string }[];
  meta: { pagination: { totalPages: number } };
}

export const mirrorSide: Side = {
  start({ fetch, ref: { fleetUrl, key } }) {
    const table = new Map<string, Record<string, unknown>>();
    const headers = { authorization: `Bearer ${key}` };
    // shown
    /** Keeps a table like a list: writes what the list has, and deletes what it lacks. */
    async function run(): Promise<Outcome> {
      const seen = new Set<string>();
      for (let page = 1, last = 1; page <= last; page += 1) {
        try {
          const response = await fetch(`${fleetUrl}/vehicles?limit=25&page=${page}`, { headers });
          const { data, meta } = (await response.json()) as Page;
          for (const vehicle of data) table.set(vehicle.id, { ...vehicle });
          for (const vehicle of data) seen.add(vehicle.id);
          last = meta.pagination.totalPages;
        } catch (error) {
          console.debug(`page ${page} could not be read`, error);
        }
      }
      let deleted = 0;
      for (const id of table.keys()) if (!seen.has(id) && table.delete(id)) deleted += 1;
      return { summary: `${seen.size} read, ${deleted} deleted`, ...describe() };
    }
    // end
    const describe = () => describeVehicles([...table]);
    return run;
  },
  reasons: [[/^GET .*\/vehicles/, "a page; if it is lost, its rows count as deleted"]],
};
