// Walks over the protocols of a store, stops in the middle, and resumes in the next run.
//
//   node examples/protocol-walk-resume.ts --place place.json --pages 3    three pages, then it stops
//   node examples/protocol-walk-resume.ts --place place.json              the rest
//
// The reference server is a new one in each run; its seeded protocols are the same.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { StoreClient } from "../src/index.ts";
import { createReferenceServer } from "../src/mock/index.ts";

/** The position of the walk. `resume` is opaque. */
interface Place {
  resume: string | null;
  handled: number;
}

const { values } = parseArgs({
  options: {
    place: { type: "string", default: "protocol-walk.json" },
    pages: { type: "string", default: "Infinity" },
  },
});

const pages = Number(values.pages);
if (!(pages >= 1)) throw new Error("--pages must be a number of at least 1");

function readPlace(): Place | undefined {
  return existsSync(values.place) ? (JSON.parse(readFileSync(values.place, "utf8")) as Place) : undefined;
}

/** A rename is whole or has not happened: no crash leaves half a file. */
function save(place: Place): void {
  writeFileSync(`${values.place}.new`, JSON.stringify(place));
  renameSync(`${values.place}.new`, values.place);
}

async function walk(store: StoreClient, from: Place | undefined): Promise<Place> {
  const place: Place = from ?? { resume: null, handled: 0 };
  if (from !== undefined && from.resume === null) return place;
  const range = { from: "2025-12-01T00:00:00Z", to: "2026-01-01T00:00:00Z", limit: 10 };
  const list = store.protocols.list("S-1", { ...range, resume: place.resume ?? undefined });
  let left = pages;
  for await (const page of list.pages()) {
    place.handled += page.items.length; // store the items here
    place.resume = page.resume;
    // If the program stops before the place is saved, the next run handles the page again: make the handling
    // idempotent, or write the page and its place in one transaction, as examples/sync-to-sqlite does.
    save(place);
    if (--left === 0) break;
  }
  return place;
}

const ref = createReferenceServer({ store: { stores: 1, protocolsPerStore: 75 } });
const store = new StoreClient(ref.storeOptions);
const { handled, resume } = await walk(store, readPlace());
console.log(`${handled} protocols handled, ${resume === null ? "all of them" : "more remain"}`);
