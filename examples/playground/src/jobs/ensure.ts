import { ensure } from "shelfleet/sync";
import type { Job, Outcome, Side } from "../job.ts";

const plates = ["WX 10001", "WX 10002", "WX 10003"];

export const ensureSide: Side = {
  start({ fleet, ref }) {
    // shown
    /** Creates what is missing, once, also if the response to a POST is lost. */
    async function run(): Promise<Outcome> {
      const desired = plates.map((plateNumber) => ({ plateNumber, brand: "MAN" }));
      const results = await ensure(fleet.vehicles, desired, { key: "plateNumber", sink: "none" });
      const written = results.filter(({ outcome }) => outcome === "done").length;
      return { summary: `${written} written`, ...describe() };
    }
    // end
    const describe = () => describePlates(ref.state);
    return run;
  },
  reasons: [
    [/^GET /, "which of the vehicles exist, by their plates"],
    [/^POST /, "a vehicle that does not exist; a POST is never sent twice"],
    [/^(?:PUT|PATCH) /, "a vehicle with other values"],
    [/failed/, "the error names each vehicle that is not there"],
  ],
};

/** The vehicles with the plates of the job. */
export function describePlates({ fleet }: Parameters<Job["change"]["apply"]>[0]["ref"]["state"]) {
  const found = [...fleet.vehicles].filter(([, { plateNumber }]) => plates.includes(String(plateNumber)));
  const rows = found.map(([id, { plateNumber }]) => ({ plate: String(plateNumber), id }));
  return { rows, ids: rows.map(({ plate }) => plate) };
}

export const ensureJob: Job = {
  title: "Ensure",
  about: "Three vehicles by their plates, each of them once.",
  writes: true,
  expect: () => plates,
  change: {
    label: "Somebody deletes WX 10002",
    apply({ ref: { state } }) {
      for (const [id, { plateNumber }] of state.fleet.vehicles)
        if (plateNumber === "WX 10002") state.fleet.vehicles.delete(id);
    },
  },
};
