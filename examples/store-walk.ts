// Walks over every store and counts them by type.
//
//   node examples/store-walk.ts                                  over a reference server, no backend needed
//   SHELFLEET_TOKEN=… node examples/store-walk.ts --base-url https://stores.example.com
import { parseArgs } from "node:util";
import { StoreClient, storeQueryLimits } from "../src/index.ts";
import { createReferenceServer } from "../src/mock/index.ts";

const { values } = parseArgs({ options: { "base-url": { type: "string" } } });

function connect(baseUrl: string | undefined): StoreClient {
  if (baseUrl !== undefined) return new StoreClient({ baseUrl, token: process.env["SHELFLEET_TOKEN"] ?? "" });
  const ref = createReferenceServer({ store: { stores: 250 } });
  return new StoreClient(ref.storeOptions);
}

const store = connect(values["base-url"]);
const byType = new Map<string, number>();
let total = 0;

// the next page is fetched while the current one is read; a repeated page is a PaginationError
const limit = storeQueryLimits.listStores.limit.maximum;
for await (const { storeType } of store.stores.list({ limit }).items({ prefetch: 1 })) {
  const type = storeType ?? "(none)";
  byType.set(type, (byType.get(type) ?? 0) + 1);
  total += 1;
}

for (const [type, count] of [...byType].toSorted(([, a], [, b]) => b - a)) {
  console.log(`${String(count).padStart(5)}  ${type}`);
}
console.log(`${String(total).padStart(5)}  stores`);
