// Causes one error of each class, and prints how a program can react to it.
//
//   npm install shelfleet
//   node error-handling.ts
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
} from "shelfleet";
import { createReferenceServer } from "shelfleet/mock";

/** Handles an error, the most specific classes first. Errors of other packages are thrown. */
function advice(error: unknown): string {
  if (!(error instanceof ShelfleetError)) throw error;
  if (error instanceof InvalidRequestError)
    return `correct ${error.issues.map(({ path }) => path).join(", ")}`;
  if (error instanceof StoreApiError) return storeAdvice(error);
  if (error instanceof ScopeError) return `request a key with ${error.missing.join(", ")}`;
  if (error instanceof FleetApiError)
    return `${error.status} ${error.code ?? ""}: check the ID and the input`;
  if (error instanceof TimeoutError) return `retry later: no response within ${error.after} ms`;
  if (error instanceof ConnectionError) return `retry later: no response after ${error.attempts} attempts`;
  if (error instanceof UnexpectedResponseError)
    return `check the base URL and proxies, the body begins with ${error.body.slice(0, 15)}…`;
  if (error instanceof PaginationError) return `start again from ${error.lastCursor ?? "the beginning"}`;
  if (error instanceof ConfigurationError) return "correct the options";
  return error.message;
}

function storeAdvice({ status, code, issues, attempts }: StoreApiError): string {
  switch (code) {
    case "not_found":
      return "create it first";
    case "unauthorized":
      return "use another token";
    case "validation_failed":
      return `correct ${issues.map(({ path }) => path).join(", ")}`;
    default: // a code that this program does not know, or none
      return `${status} after ${attempts} attempts: report it to the operator of the service`;
  }
}

const ref = createReferenceServer();
const quick = { timeout: 100, retry: { limit: 1, maxDelay: 10 } };
const store = new StoreClient({ ...ref.storeOptions, ...quick });
const unauthorized = new StoreClient({ ...ref.storeOptions, token: "of-another-service", ...quick });
const key = `demo_${"0".repeat(64)}`;
const reader = createReferenceServer({ fleet: { keys: [{ key, scopes: ["vehicles:read"] }] } });
const fleet = new FleetClient({ ...reader.fleetOptions, ...quick });

ref.on("getStore").once({ status: 500 }).once({ status: 500 });
ref.on("getContacts").fault("reset");
ref.on("getExpectations").fault("stall");
ref.on("getExpositions").fault("html");
ref.on("listStores").paging("repeat-cursor");

const cases: Record<string, () => PromiseLike<unknown>> = {
  "an error of the server": () => store.stores.get("S-1"),
  "an unknown store": () => store.stores.get("nobody"),
  "a wrong token": () => unauthorized.stores.get("S-1"),
  "an invalid request": () => store.stores.list({ limit: 1_000 }),
  "a lost connection": () => store.contacts.get("S-1"),
  "a response that never arrives": () => store.expectations.get("S-1"),
  "a page of a proxy": () => store.expositions.get("S-1"),
  "a list that repeats a cursor": () => store.stores.list({ limit: 10 }).toArray(),
  "a key without a scope": () => fleet.vehicles.delete("1"),
  "an unknown vehicle": () => fleet.vehicles.get("nobody"),
  "a base URL without TLS": async () =>
    new StoreClient({ baseUrl: "http://stores.example.com", token: "secret" }),
};

for (const [name, attempt] of Object.entries(cases)) {
  try {
    await attempt();
    console.log(`${name}: no error`);
  } catch (error) {
    console.log(`${name}: ${(error as Error).name}: ${advice(error)}`);
  }
}
