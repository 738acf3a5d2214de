// A company's own instance of ky, with its hooks, as the `fetch` of a client.
//
//   npm install shelfleet ky
//   node ky.ts
import ky from "ky";
import { StoreClient } from "shelfleet";
import { createReferenceServer } from "shelfleet/mock";

const ref = createReferenceServer();
ref.on("getStore").once({ status: 503 });

// #region ky
const company = ky.create({
  hooks: {
    beforeRequest: [({ request }) => request.headers.set("x-team", "shelves")],
    afterResponse: [({ request, response }) => console.log(`${request.method} ${response.status}`)],
  },
});
// the client retries, and has the time limits and the errors
const fetch = company.extend({ throwHttpErrors: false, retry: 0, timeout: false, fetch: ref.fetch });
const store = new StoreClient({ ...ref.storeOptions, fetch });
// #endregion

console.log((await store.stores.get("S-1")).externalId);
console.log(ref.journal.all().map(({ headers }) => headers["x-team"]));
