// What a program does about an error: it decides by `code` and by two flags, not by classes.
//
//   npm install shelfleet
//   node errors.ts
import { FleetClient, ShelfleetError, StoreClient } from "shelfleet";
import { createReferenceServer } from "shelfleet/mock";

// from docs/errors.md
/** What to do about an error that a second call would meet again: by the code of the service, or by the name of the error. */
const remedies: Readonly<Record<string, string>> = {
  not_found: "create it first",
  unauthorized: "set another token",
  validation_failed: "correct the input",
  FORBIDDEN: "request a key with the missing scopes",
  InvalidRequestError: "correct the input; nothing was sent",
  ConfigurationError: "correct the options",
};

function findRemedy(error: unknown): string {
  if (!(error instanceof ShelfleetError)) throw error; // an error of another package
  if (error.retryable) return "make the same call again, later";
  if ("mayHaveBeenProcessed" in error && error.mayHaveBeenProcessed)
    return "read the entity before you send it again";
  const code = "code" in error ? String(error.code) : error.name;
  return remedies[code] ?? `report it to the operator of the service: ${error.message}`;
}
// end

const key = `demo_${"0".repeat(64)}`;
const ref = createReferenceServer({
  fleet: { keys: [{ key, scopes: ["vehicles:read", "damages:write"] }] },
});
const quick = { timeout: 100, retry: 0 } as const;
const store = new StoreClient({ ...ref.storeOptions, ...quick });
const fleet = new FleetClient({ ...ref.fleetOptions, ...quick });

ref.on("getContacts").fault("reset");
ref.on("getExpectations").fault("stall");
ref.on("getExpositions").fault("html");
ref.on("createDamage").fault("reset", { at: "after" });

const cases: Readonly<Record<string, () => PromiseLike<unknown>>> = {
  "an unknown store": () => store.stores.get("nobody"),
  "a wrong token": () => store.withOptions({ token: "of-another-service" }).stores.get("S-1"),
  "an invalid request": () => store.stores.list({ limit: 1_000 }),
  "a lost connection": () => store.contacts.get("S-1"),
  "a response that never arrives": () => store.expectations.get("S-1"),
  "a page of a proxy": () => store.expositions.get("S-1"),
  "a key without a scope": () => fleet.vehicles.delete("1"),
  "a write whose response is lost": () => fleet.damages.create({ description: "Scratch" }),
  "a base URL without TLS": async () =>
    new StoreClient({ baseUrl: "http://stores.example.com", token: "secret" }),
};

for (const [name, attempt] of Object.entries(cases)) {
  try {
    await attempt();
    console.log(`${name}: no error`);
  } catch (error) {
    console.log(`${name}: ${findRemedy(error)}`);
  }
}
