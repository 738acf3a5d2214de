import { applyPlan, type DesiredStore, planStores } from "shelfleet/sync";
import type { Job, Outcome, Side } from "../job.ts";

export const planSide: Side = {
  start({ store, ref }) {
    // shown
    /** Creates and updates the stores of a table, only those that differ. */
    async function run(csv: string): Promise<Outcome> {
      const plan = await planStores(parseRows(csv), store);
      const results = await applyPlan(store, plan);
      const written = results.filter(({ outcome }) => outcome === "done").length;
      return { summary: `${written} written, ${plan.unchanged.length} unchanged`, ...describe(csv) };
    }
    // end
    const describe = (csv: string) => describeStores(ref.state, csv);
    return run;
  },
  reasons: [
    [/^GET .*\/v1\/stores\?/, "which of the stores exist"],
    [/^GET /, "what the service has: only a difference is written, and read again directly before"],
    [/^PUT .*\/contacts/, "the contacts of a store that has others"],
    [/^PUT /, "a store that is new, or has other values"],
    [/sent again/, "a PUT of the same store has the same effect twice, so it is sent again"],
    [/failed/, "the error names each row that is not done"],
  ],
};

/** The rows of the table that are on the service with their contacts. */
export function describeStores(
  { store }: Parameters<Job["change"]["apply"]>[0]["ref"]["state"],
  csv: string,
) {
  const rows = parseRows(csv).map(({ externalId, contacts }) => {
    const names = (store.contacts.get(externalId) ?? []).map(({ name }) => name);
    const isDone = store.stores.has(externalId) && (contacts ?? []).every(({ name }) => names.includes(name));
    return {
      store: externalId,
      name: String(store.stores.get(externalId)?.name),
      contacts: names.join(", "),
      isDone,
    };
  });
  return {
    rows: rows.map(({ isDone: _, ...row }) => row),
    ids: rows.filter(({ isDone }) => isDone).map((row) => row.store),
  };
}

/** The cells of this page have no quotes; use a library for real files. */
export function parseRows(csv: string): DesiredStore[] {
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
  expect: (_, csv) => parseRows(csv).map(({ externalId }) => externalId),
  change: {
    label: "Somebody renames S-2",
    apply({ ref: { state } }) {
      const store = state.store.stores.get("S-2");
      if (store !== undefined) state.store.stores.set("S-2", { ...store, name: "Renamed" });
    },
  },
};
