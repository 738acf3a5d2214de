import { mirror } from "shelfleet/sync";
import type { Job, Outcome, Side } from "../job.ts";
import { memorySink } from "../sink.ts";

export const mirrorSide: Side = {
  start({ fleet }) {
    /** In place of a table of your database. */
    const table: Parameters<typeof memorySink>[0] = new Map();
    const sink = memorySink(table);
    // shown
    /** Keeps a table like a list: new, changed and deleted entries. */
    async function run(): Promise<Outcome> {
      const { added, changed, deleted } = await mirror(fleet.vehicles, sink, { query: { limit: 25 } });
      return { summary: `${added} new, ${changed} changed, ${deleted} deleted`, ...describe() };
    }
    // end
    const describe = () => describeVehicles([...table].map(([id, { item }]) => [id, item]));
    return run;
  },
  reasons: [
    [/^GET .*\/vehicles\/./, "the list lacks it: only a 404 of the entry itself deletes the row"],
    [/^GET .*\/vehicles\?.*limit=25/, "a page of the list"],
    [/^GET .*\/vehicles/, "the second pass with another page size: what the first one missed is seen now"],
    [/sent again/, "a read has no effect on the service, so it is asked again"],
    [/failed/, "the table keeps what was read, and nothing is deleted"],
  ],
};

/** Returns the rows and IDs of a copy. */
export function describeVehicles(entries: readonly (readonly [string, unknown])[]) {
  const rows = entries.map(([id, item]) => {
    const { plateNumber, brand } = item as Record<string, unknown>;
    return { vehicle: id, plate: String(plateNumber), brand: String(brand) };
  });
  return { rows, ids: entries.map(([id]) => id) };
}

export const mirrorJob: Job = {
  title: "Mirror",
  about: "Vehicles, a copy of the whole list: new, changed and deleted rows.",
  writes: false,
  expect: ({ ref }) => [...ref.state.fleet.vehicles.keys()],
  change: {
    label: "One vehicle is deleted, one gets another plate",
    apply({ ref: { state } }) {
      const [first, second] = state.fleet.vehicles.keys();
      const vehicle = state.fleet.vehicles.get(second ?? "");
      if (second !== undefined) state.fleet.vehicles.set(second, { ...vehicle, plateNumber: "NEW 1" });
      state.fleet.vehicles.delete(first ?? "");
    },
  },
};
