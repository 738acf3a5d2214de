import { type Fetch, FleetClient, StoreClient } from "shelfleet";
import { calls } from "./call-table.ts";
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
  const [resource = "", name = ""] = calls[operation.id].method.split(".");
  // the table's type says that the client has both
  const methods = client[resource as keyof typeof client] as unknown as Record<
    string,
    (...args: unknown[]) => unknown
  >;
  const method = methods[name];
  if (method === undefined) throw new Error(`${resource} has no method ${name}`);
  return method.apply(methods, args);
}
