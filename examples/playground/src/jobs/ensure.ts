import type { VehicleInput } from "shelfleet";
import { ensure, type EnsureResult } from "shelfleet/sync";
import type { Clients, Job, Outcome } from "../job.ts";

// shown
/** Creates what is missing, once, also if the response to a POST is lost. */
async function run({ fleet }: Clients): Promise<Outcome> {
  const desired = [
    { plateNumber: "WX 10001", brand: "MAN" },
    { plateNumber: "WX 10002", brand: "Volvo" },
    { plateNumber: "WX 10003", brand: "Krone" },
  ];
  const results = await ensure(fleet.vehicles, desired, { key: "plateNumber" });
  const written = results.filter(({ outcome }) => outcome === "done").length;
  return { summary: `${written} written`, rows: toRows(results) };
}
// end

function toRows(results: readonly EnsureResult<VehicleInput>[]): Outcome["rows"] {
  return results.map(({ desired, action, outcome, id, error }) => ({
    plate: String(desired["plateNumber"]),
    action: action ?? "none",
    outcome: error instanceof Error ? `${outcome}: ${error.message}` : outcome,
    id: id ?? "",
  }));
}

export const ensureJob: Job = {
  title: "Ensure",
  about: "Vehicles by their plates. A POST is not repeated: the list shows whether it was processed.",
  writes: true,
  run,
  change: {
    label: "Somebody deletes WX 10002",
    apply: ({ state }) => {
      for (const [id, { plateNumber }] of state.fleet.vehicles)
        if (plateNumber === "WX 10002") state.fleet.vehicles.delete(id);
    },
  },
};
