import { mirror } from "shelfleet/sync";
import type { Clients, Job, Outcome } from "../job.ts";
import { memorySink } from "../sink.ts";

/** In place of a table of your database. */
const table: Parameters<typeof memorySink>[0] = new Map();
const sink = memorySink(table);

// shown
/** Keeps a table like a list: new, changed and deleted entries. */
async function run({ fleet }: Clients): Promise<Outcome> {
  const { added, changed, deleted } = await mirror(fleet.vehicles, sink, { query: { limit: 25 } });
  return { summary: `${added} new, ${changed} changed, ${deleted} deleted`, rows: toRows() };
}
// end

function toRows(): Outcome["rows"] {
  return [...table].map(([id, { item }]) => {
    const { plateNumber, brand } = item as Record<string, unknown>;
    return { vehicle: id, plate: String(plateNumber), brand: String(brand) };
  });
}

export const mirrorJob: Job = {
  title: "Mirror",
  about:
    "Vehicles, a copy of the whole list. An entry that the list lacks is read by its ID before its row is deleted.",
  writes: false,
  run,
  change: {
    label: "One vehicle is deleted, one gets another plate",
    apply: ({ state }) => {
      const [first, second] = state.fleet.vehicles.keys();
      const vehicle = state.fleet.vehicles.get(second ?? "");
      if (second !== undefined) state.fleet.vehicles.set(second, { ...vehicle, plateNumber: "NEW 1" });
      state.fleet.vehicles.delete(first ?? "");
    },
  },
};
