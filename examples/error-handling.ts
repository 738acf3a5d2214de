// One of each error, and what a program does about it.
//
//   node examples/error-handling.ts
import {
  ConfigurationError,
  ConnectionError,
  FleetApiError,
  FleetClient,
  InvalidRequestError,
  PaginationError,
  ScopeError,
  ShelfleetError,
  StoreApiError,
  StoreClient,
  TimeoutError,
  UnexpectedResponseError,
} from "../src/index.ts";
import { createReferenceServer } from "../src/mock/index.ts";

/** Handles an error, the most specific classes first. Errors of other packages are thrown. */
function advice(error: unknown): string {
  if (!(error instanceof ShelfleetError)) throw error;
  if (error instanceof InvalidRequestError) return `mend ${error.issues.map(({ path }) => path).join(", ")}`;
  if (error instanceof StoreApiError) return storeAdvice(error);
  if (error instanceof ScopeError) return `ask for the scope ${error.missing.join(", ")}`;
  if (error instanceof FleetApiError) return `${error.status} ${error.code ?? ""}: ask the fleet's people`;
  if (error instanceof TimeoutError) return `later again: nothing within ${error.after} ms`;
  if (error instanceof ConnectionError) return `later again: no answer after ${error.attempts} attempts`;
  if (error instanceof UnexpectedResponseError)
    return `look at what stands between: ${error.body.slice(0, 15)}…`;
  if (error instanceof PaginationError) return `begin again from ${error.lastCursor ?? "the start"}`;
  if (error instanceof ConfigurationError) return "mend the configuration";
  return error.message;
}

function storeAdvice({ status, code, issues, attempts }: StoreApiError): string {
  switch (code) {
    case "not_found":
      return "create it first";
    case "unauthorized":
      return "get another token";
    case "validation_failed":
      return `mend ${issues.map(({ path }) => path).join(", ")}`;
    default: // a code that this program does not know, or none
      return `${status} after ${attempts} attempts: ask the store's people`;
  }
}

const ref = createReferenceServer();
const quick = { fetch: ref.fetch, timeout: 100, retry: { limit: 1, maxDelay: 10 } };
const store = new StoreClient({ baseUrl: ref.storeUrl, token: ref.token, ...quick });
const unauthorized = new StoreClient({ baseUrl: ref.storeUrl, token: "of-another-service", ...quick });
const key = `demo_${"0".repeat(64)}`;
const reader = createReferenceServer({ fleet: { keys: [{ key, scopes: ["vehicles:read"] }] } });
const fleet = new FleetClient({ baseUrl: reader.fleetUrl, key, ...quick, fetch: reader.fetch });

ref.on("getStore").once({ status: 500 }).once({ status: 500 });
ref.on("getContacts").fault("reset");
ref.on("getExpectations").fault("stall");
ref.on("getExpositions").fault("html");
ref.on("listStores").paging("repeat-cursor");

const cases: Record<string, () => PromiseLike<unknown>> = {
  "a store that breaks": () => store.stores.get("S-1"),
  "a store that nobody knows": () => store.stores.get("nobody"),
  "a wrong token": () => unauthorized.stores.get("S-1"),
  "a wrong request": () => store.stores.list({ limit: 1_000 }),
  "a lost connection": () => store.contacts.get("S-1"),
  "an answer that never comes": () => store.expectations.get("S-1"),
  "a proxy's page": () => store.expositions.get("S-1"),
  "a list that repeats itself": () => store.stores.list({ limit: 10 }).toArray({ limit: 100 }),
  "a key without the scope": () => fleet.vehicles.delete("1"),
  "an unknown vehicle": () => fleet.vehicles.get("nobody"),
  "a wrong address": async () => new StoreClient({ baseUrl: "http://stores.example.com", token: "secret" }),
};

for (const [name, attempt] of Object.entries(cases)) {
  try {
    await attempt();
    console.log(`${name}: nothing went wrong`);
  } catch (error) {
    console.log(`${name}: ${(error as Error).name}: ${advice(error)}`);
  }
}
