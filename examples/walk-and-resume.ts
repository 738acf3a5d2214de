// Reads the protocols of a store page by page, and continues where the last run stopped.
//
//   npm install shelfleet
//   node walk-and-resume.ts --pages 3     three pages, then it stops
//   node walk-and-resume.ts               the rest
//
// Without SHELFLEET_STORE_URL and SHELFLEET_TOKEN it reads from the reference server, which has the same data in each run.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type StoreClient, storeFromEnv } from "shelfleet";
import { createReferenceServer } from "shelfleet/mock";

const { values } = parseArgs({
  options: {
    store: { type: "string", default: "S-1" },
    place: { type: "string", default: "place.json" },
    pages: { type: "string", default: "Infinity" },
  },
});

/** The place of a walk. `resume` is null after the last page. Treat it as opaque. */
interface Place {
  resume: string | null;
  read: number;
}

function readPlace(): Place | undefined {
  return existsSync(values.place) ? (JSON.parse(readFileSync(values.place, "utf8")) as Place) : undefined;
}

/** Renames a complete file, so that a killed program does not leave a part of one. */
function savePlace(place: Place): void {
  writeFileSync(`${values.place}.new`, JSON.stringify(place));
  renameSync(`${values.place}.new`, values.place);
}

async function walk(store: StoreClient, maxPages: number): Promise<Place> {
  let place = readPlace() ?? { resume: null, read: 0 };
  if (place.read > 0 && place.resume === null) return place;
  const range = { from: "2025-12-01T00:00:00Z", to: "2026-01-01T00:00:00Z", limit: 10 };
  let pages = 0;
  for await (const { items, resume } of store.protocols
    .list(values.store, { ...range, resume: place.resume ?? undefined })
    .pages()) {
    // Save the items here. A program that is killed before the next line reads this page again.
    place = { resume, read: place.read + items.length };
    savePlace(place);
    pages += 1;
    if (pages === maxPages) break;
  }
  return place;
}

const demo = createReferenceServer({ store: { stores: 1, protocolsPerStore: 75 } });
const store = storeFromEnv(process.env["SHELFLEET_STORE_URL"] === undefined ? demo.storeOptions : {});
const { read, resume } = await walk(store, Number(values.pages));
console.log(`${read} protocols read, ${resume === null ? "all of them" : "more remain"}`);
