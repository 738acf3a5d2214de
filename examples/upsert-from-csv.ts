// Creates and updates the stores of a CSV file and their contacts, only those that differ, and names the lines that were
// rejected. A second run changes nothing.
//
//   npm install shelfleet csv-parse
//   node upsert-from-csv.ts [file] [--dry-run]      stores.csv beside this file
//
// Without SHELFLEET_STORE_URL and SHELFLEET_TOKEN it writes to the reference server.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { parse } from "csv-parse/sync";
import { storeFromEnv } from "shelfleet";
import { createReferenceServer } from "shelfleet/mock";
import { applyPlan, type ApplyResult, type DesiredStore, JobError, planStores } from "shelfleet/sync";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "dry-run": { type: "boolean", default: false } },
});

/** An empty cell is omitted: the property keeps its value. */
function toStore(row: Record<string, string>): DesiredStore {
  const { externalId = "", opens = "", closes = "", contact = "", phone = "", ...cells } = row;
  const openingTimes = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({
    weekday,
    ...dropEmpty({ from: opens, to: closes }),
  }));
  return {
    externalId,
    ...dropEmpty(cells),
    ...(opens + closes !== "" && { openingTimes }),
    ...(contact + phone !== "" && { contacts: [dropEmpty({ name: contact, phone })] }),
  };
}

/** Returns the cells that are not empty. `planStores` refuses a row without those that the service requires. */
function dropEmpty<T extends Record<string, string>>(cells: T): T {
  return Object.fromEntries(Object.entries(cells).filter(([, cell]) => cell !== "")) as T;
}

/** Reads a file of UTF-8. Excel's default is another encoding, whose letters would be replaced silently. */
function readText(file: string | URL): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Error(`${String(file)} is not UTF-8: save it as "CSV UTF-8"`, { cause: error });
  }
}

const text = readText(positionals[0] ?? new URL("stores.csv", import.meta.url));
const records = parse<{ record: Record<string, string>; info: { lines: number } }>(text, {
  columns: true,
  delimiter: ";",
  bom: true,
  info: true,
});

const demo = createReferenceServer({ store: { stores: [{ externalId: "K-003", name: "Galeria" }] } });
const store = storeFromEnv(process.env["SHELFLEET_STORE_URL"] === undefined ? demo.storeOptions : {});

const plan = await planStores(
  records.map(({ record }) => toStore(record)),
  store,
);
for (const { externalId } of plan.create) console.log(`${externalId}: new`);
for (const { externalId, changes, before } of plan.update)
  for (const [name, to] of Object.entries(changes)) {
    const from = before[name as keyof typeof before];
    console.log(`${externalId}: ${name}: ${JSON.stringify(from)} → ${JSON.stringify(to)}`);
  }

function report(row: number, message: string): void {
  console.error(`line ${records[row]?.info.lines}: ${message}`);
  process.exitCode = 1;
}

/** Writes the stores; names the lines that were rejected. */
async function write(): Promise<readonly ApplyResult[]> {
  try {
    return await applyPlan(store, plan);
  } catch (error) {
    if (!(error instanceof JobError)) throw error;
    for (const failure of error.failed) report(failure.row ?? 0, failure.error.message);
    return error.results as ApplyResult[]; // those of applyPlan
  }
}

if (values["dry-run"]) for (const { row, message } of plan.failed) report(row, message);
else {
  const done = (await write()).filter(({ outcome }) => outcome === "done");
  console.log(`${done.length} written, ${plan.unchanged.length} unchanged`);
}
