// The first calls to both APIs.
//
//   npm install shelfleet
//   node quickstart.ts
//
// Without SHELFLEET_STORE_URL, SHELFLEET_TOKEN, SHELFLEET_FLEET_URL and SHELFLEET_KEY it starts the reference server.
import { fleetFromEnv, storeFromEnv } from "shelfleet";
import { createReferenceServer } from "shelfleet/mock";
import { serve } from "shelfleet/mock/node";

let stop = async (): Promise<void> => {};
if (process.env["SHELFLEET_STORE_URL"] === undefined) {
  const ref = createReferenceServer();
  const served = await serve(ref, { port: 0 });
  const { storeUrl, fleetUrl } = served;
  Object.assign(process.env, { SHELFLEET_STORE_URL: storeUrl, SHELFLEET_TOKEN: ref.token });
  Object.assign(process.env, { SHELFLEET_FLEET_URL: fleetUrl, SHELFLEET_KEY: ref.key });
  stop = () => served.close();
}

// from README.md
const store = storeFromEnv(); // SHELFLEET_STORE_URL, SHELFLEET_TOKEN
await store.stores.upsert("S-1", { name: "Dworzec Centralny" });
await store.contacts.replace("S-1", [{ name: "Anna", phone: "+48 600 100 200" }]);
console.log(await store.stores.get("S-1"));
// end

const fleet = fleetFromEnv(); // SHELFLEET_FLEET_URL, SHELFLEET_KEY
// from README.md
const vehicles = await fleet.vehicles.list({ verify: true }).toArray(); // the whole list, or an error
console.log(vehicles[0]);
for await (const { items, resume } of store.stores.list().pages()) console.log(items.length, resume !== null);
// end

await stop();
