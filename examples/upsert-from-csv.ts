// Creates and updates the stores of a CSV file and their contacts, only those that differ, and reports the rows that were
// rejected. A second run changes nothing.
//
//   node examples/upsert-from-csv.ts [file] [--dry-run]     stores.csv beside this file, into a reference server
import { createReadStream } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { parse } from "csv-parse";
import { applyPlan, type DesiredStore, planStores, StoreClient } from "../src/index.ts";
import { createReferenceServer } from "../src/mock/index.ts";

interface Row {
  record: Record<string, string>;
  info: { lines: number };
}

/** An empty cell is omitted: the property keeps its value. */
function toStore(record: Row["record"]): DesiredStore {
  const { externalId = "", opens = "", closes = "", contact = "", phone = "", ...row } = record;
  const openingTimes = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, from: opens, to: closes }));
  const filled = Object.entries(row).filter(([, cell]) => cell !== "");
  return {
    externalId,
    ...Object.fromEntries(filled),
    ...(opens !== "" && closes !== "" && { openingTimes }),
    ...(contact !== "" && phone !== "" && { contacts: [{ name: contact, phone }] }),
  };
}

/** Whether one of two cells that belong together is empty: the other one would be left out. */
const isHalf = (one = "", other = ""): boolean => (one === "") !== (other === "");

const options = { "dry-run": { type: "boolean", default: false } } as const;
const { values, positionals } = parseArgs({ allowPositionals: true, options });
const dryRun = values["dry-run"];
const file = positionals[0] ?? fileURLToPath(new URL("stores.csv", import.meta.url));
const ref = createReferenceServer({ store: { stores: [{ externalId: "K-003", name: "Galeria" }] } });
const store = new StoreClient(ref.storeOptions);
const lines = new Map<string, number>();
const desired: DesiredStore[] = [];
const refuse = (line: number | undefined, problem: string): void => {
  console.log(`line ${line}: ${problem}`);
  process.exitCode = 1;
};

try {
  const rows = createReadStream(file).pipe(parse({ columns: true, delimiter: ";", bom: true, info: true }));
  for await (const { record, info } of rows as AsyncIterable<Row>) {
    const one = toStore(record);
    const before = lines.get(one.externalId);
    if (one.externalId === "") refuse(info.lines, "externalId: is empty");
    else if (isHalf(record["opens"], record["closes"]))
      refuse(info.lines, "opens and closes: one of them is empty");
    else if (isHalf(record["contact"], record["phone"]))
      refuse(info.lines, "contact and phone: one of them is empty");
    else if (before !== undefined) refuse(info.lines, `${one.externalId} is already on line ${before}`);
    else lines.set(one.externalId, desired.push(one) && info.lines);
  }
  const plan = await planStores(desired, store.stores.list(), { store });
  const results = await applyPlan(store, plan, { dryRun });
  for (const { externalId, error } of results)
    if (error instanceof Error) refuse(lines.get(externalId), error.message);
  const differences = plan.update.flatMap(({ externalId, changes, before }) =>
    Object.entries<unknown>({ ...changes }).map(([property, to]) => {
      const from = before[property as keyof typeof before];
      return { externalId, property, from: JSON.stringify(from), to: JSON.stringify(to) };
    }),
  );
  if (dryRun) console.table(differences);
  const count = (wanted: string): number => results.filter(({ outcome }) => outcome === wanted).length;
  console.log(`${count("planned")} planned, ${count("done")} written, ${plan.unchanged.length} unchanged`);
} catch (error) {
  console.error(`${file}: ${(error as Error).message}`); // nothing is written if the file cannot be read
  process.exitCode = 2;
}
