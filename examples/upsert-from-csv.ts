// Creates or updates a store for each row of a CSV file and reports the rows that were refused, and why.
//
//   node examples/upsert-from-csv.ts [file]     stores.csv beside this file, into a reference server
import { createReadStream } from "node:fs";
import { fileURLToPath } from "node:url";
import { type CsvError, parse } from "csv-parse";
import { InvalidRequestError, StoreApiError, StoreClient, type StoreUpsert } from "../src/index.ts";
import { createReferenceServer } from "../src/mock/index.ts";

type Row = Record<"externalId" | "name" | "storeType" | "location" | "regionId" | "opens" | "closes", string>;

/** A row and the line of the file that it ends on. */
interface Numbered {
  record: Row;
  info: { lines: number };
}

const everyDay = [0, 1, 2, 3, 4, 5, 6];

/** An empty cell is left out; whether the field then stays as it was is a gap (`stores.omitted-fields`). */
function toStore({ name, storeType, location, regionId, opens, closes }: Row): StoreUpsert {
  return {
    ...(name && { name }),
    // any string: the server refuses a type that it does not know
    ...(storeType && { storeType }),
    ...(location && { location }),
    ...(regionId && { regionId }),
    ...(opens &&
      closes && { openingTimes: everyDay.map((weekday) => ({ weekday, from: opens, to: closes })) }),
  };
}

/** What is wrong with a row; empty where it was written. */
async function write(store: StoreClient, row: Row): Promise<string[]> {
  try {
    await store.stores.upsert(row.externalId, toStore(row));
    return [];
  } catch (error) {
    // before sending, or by the server: both name the member
    const refused = error instanceof InvalidRequestError || error instanceof StoreApiError;
    if (!refused || (error instanceof StoreApiError && error.code !== "validation_failed")) throw error;
    return error.issues.map(({ path, message }) => `${path}: ${message}`);
  }
}

async function upsertAll(store: StoreClient, file: string): Promise<{ written: number; refused: number }> {
  const firstLine = new Map<string, number>();
  const result = { written: 0, refused: 0 };
  const rows = createReadStream(file).pipe(parse({ columns: true, delimiter: ";", bom: true, info: true }));
  for await (const { record, info } of rows as AsyncIterable<Numbered>) {
    const before = firstLine.get(record.externalId);
    const again = before !== undefined && `externalId: ${record.externalId} is on line ${before} already`;
    const problems = again ? [again] : await write(store, record);
    firstLine.set(record.externalId, before ?? info.lines);
    for (const problem of problems) console.log(`line ${info.lines}: ${problem}`);
    result[problems.length === 0 ? "written" : "refused"] += 1;
  }
  return result;
}

const ref = createReferenceServer({ store: { stores: 0 } });
const store = new StoreClient({ baseUrl: ref.storeUrl, token: ref.token, fetch: ref.fetch });
const file = process.argv[2] ?? fileURLToPath(new URL("stores.csv", import.meta.url));
try {
  const { written, refused } = await upsertAll(store, file);
  console.log(`${written} rows written, ${refused} refused`);
  if (refused > 0) process.exitCode = 1;
} catch (error) {
  // no rows any more from where the file is broken; what was written before stays
  console.error(`${file}: ${(error as CsvError | Error).message}`);
  process.exitCode = 2;
}
