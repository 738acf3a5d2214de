import { applyPlan, type DesiredStore, planStores } from "shelfleet/sync";
import type { Clients, Job, Outcome } from "../job.ts";

// shown
/** Creates and updates the stores of a table, only those that differ. */
async function run({ store }: Clients, csv: string): Promise<Outcome> {
  const plan = await planStores(parse(csv), store);
  const results = await applyPlan(store, plan);
  const written = results.filter(({ outcome }) => outcome === "done").length;
  return { summary: `${written} written, ${plan.unchanged.length} unchanged`, rows: toRows(results) };
}
// end

function toRows(results: Awaited<ReturnType<typeof applyPlan>>): Outcome["rows"] {
  return results.map(({ externalId, action, outcome, changes, error }) => ({
    store: externalId,
    action: action ?? "none",
    outcome,
    changes: error instanceof Error ? error.message : Object.keys(changes).join(", "),
  }));
}

/** The cells of this page have no quotes; use a library for real files. */
function parse(csv: string): DesiredStore[] {
  const [head = "", ...lines] = csv.trim().split("\n");
  const names = head.split(";");
  return lines.map((line) => {
    const cells = line.split(";");
    const row = Object.fromEntries(names.map((name, index) => [name.trim(), cells[index]?.trim()]));
    const { externalId = "", name, contact = "", phone = "" } = row;
    return { externalId, name, ...(contact !== "" && { contacts: [{ name: contact, phone }] }) };
  });
}

export const planJob: Job = {
  title: "Plan and apply",
  about:
    "Stores of a CSV file and their contacts. Edit the rows and run it again: what is equal is not written.",
  input: `externalId;name;contact;phone
K-1;Kiosk at the station;Anna;+48 22 100 20 30
S-2;Galeria;Jan;+48 12 100 20 30
S-3;Port;;`,
  writes: true,
  run,
  change: {
    label: "Somebody renames S-2",
    apply: ({ state }) => {
      const store = state.store.stores.get("S-2");
      if (store !== undefined) state.store.stores.set("S-2", { ...store, name: "Renamed" });
    },
  },
};
