// A company's own instance of ky, with its hooks, as the `fetch` of a client.
//
//   npm install shelfleet ky
//   node ky.ts
import ky from "ky";
import { StoreClient } from "shelfleet";
import { createReferenceServer } from "shelfleet/mock";
import { serve } from "shelfleet/mock/node";

const ref = createReferenceServer();
const served = await serve(ref, { port: 0 });
const { storeUrl } = served;
ref.on("getStore").once({ status: 503 });
const { token } = ref;

// from docs/runtimes.md, where "https://stores.example.com" is storeUrl
const company = ky.create({
  hooks: { beforeRequest: [({ request }) => request.headers.set("x-team", "shelves")] },
});
// the client retries, and has the time limits and the errors
const fetch = company.extend({ throwHttpErrors: false, retry: 0, timeout: false });
const store = new StoreClient({ baseUrl: storeUrl, token, fetch });
// end

console.log((await store.stores.get("S-1")).externalId);
for (const { status, headers } of ref.journal.all()) console.log(status, headers["x-team"]);
await served.close();
