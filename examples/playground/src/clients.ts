import { type Fetch, FleetClient, StoreClient } from "shelfleet";
import type { Operation } from "./operations.ts";
import { fleetOptions, storeOptions } from "./settings.ts";

/** The clients as the code makes them, over a `fetch` that watches. */
export function newClient(api: Operation["api"], fetch: Fetch): StoreClient | FleetClient {
  return api === "store"
    ? new StoreClient({ ...storeOptions(), fetch })
    : new FleetClient({ ...fleetOptions(), fetch });
}

/** Calls the method that an operation is. */
export function callMethod(
  client: StoreClient | FleetClient,
  operation: Operation,
  args: unknown[],
): unknown {
  const [resource = "", name = ""] = operation.call.split(".");
  // x-method names a method of the client: the SDK's type tests compare both
  const methods = client[resource as keyof typeof client] as unknown as Record<
    string,
    (...args: unknown[]) => unknown
  >;
  const method = methods[name];
  if (method === undefined) throw new Error(`${resource} has no method ${name}`);
  return method.apply(methods, args);
}
