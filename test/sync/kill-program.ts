// A job as a user writes it: a table of stores, the protocols with their images, and a mirror of the vehicles.
import { DatabaseSync } from "node:sqlite";
import { FleetClient, StoreClient } from "../../src/index.ts";
import { applyPlan, mirror, planStores, pullStores, sqliteSink } from "../../src/sync/index.ts";

const [, , file = "", storeUrl = "", fleetUrl = "", token = "", key = ""] = process.argv;
const isLossy = process.argv[7] === "lossy";

/** Loses one response in twenty after the service has processed the request. */
async function lossyFetch(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (isLossy && Math.random() < 0.05) throw new TypeError("fetch failed", { cause: new Error("reset") });
  return response;
}

const options = { fetch: lossyFetch, retry: { limit: 3, maxDelay: 5 } };
const store = new StoreClient({ baseUrl: storeUrl, token, ...options });
const fleet = new FleetClient({ baseUrl: fleetUrl, key, ...options });
const db = new DatabaseSync(file);
db.exec("PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF");

const rows = Array.from({ length: 20 }, (_, n) => ({
  externalId: n < 10 ? `S-${n + 1}` : `NEW-${n}`,
  name: `Kiosk ${n}`,
  contacts: [{ name: `Anna ${n}`, phone: `+48 600 100 ${n + 100}` }],
  expositions: [
    { label: `Rack ${n}`, productCategories: ["DRINKS" as const], expositionType: "FRIDGE_DRINKS" as const },
  ],
}));
await applyPlan(store, await planStores(rows, store));

await pullStores(store, "protocols", sqliteSink(db, "protocols"), {
  stores: rows.slice(0, 10).map(({ externalId }) => externalId),
  since: new Date(Date.now() - 60 * 86_400_000),
  allowedLateness: 3_600_000,
  limit: 5,
  details: true,
});
await mirror(fleet.vehicles, sqliteSink(db, "vehicles"), { query: { limit: 10 } });
db.close();
