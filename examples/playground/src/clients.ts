import { type Fetch, FleetClient, StoreClient } from "shelfleet";
import { pathNames } from "./call-arguments.ts";
import type { Operation } from "./operations.ts";
import { fleetOptions, storeOptions } from "./settings.ts";

/** Creates a client with the options that the code shows, and a `fetch` that records its requests. */
export function newClient(api: Operation["api"], fetch: Fetch): StoreClient | FleetClient {
  return api === "store"
    ? new StoreClient({ ...storeOptions(), fetch })
    : new FleetClient({ ...fleetOptions(), fetch });
}

/** Calls the method of an operation. The signal cancels the call. */
export function callMethod(
  client: StoreClient | FleetClient,
  operation: Operation,
  args: unknown[],
  signal: AbortSignal,
): unknown {
  const [resource = "", name = ""] = operation.call.split(".");
  // x-method names a method of the client: the SDK's type tests compare both
  const methods = client[resource as keyof typeof client] as unknown as Record<
    string,
    (...args: unknown[]) => unknown
  >;
  const method = methods[name];
  if (method === undefined) throw new Error(`${resource} has no method ${name}`);
  return method.apply(methods, [...withEveryArgument(operation, args), { signal }]);
}

/** Adds `undefined` for an omitted query, because the options of a call come after it. */
function withEveryArgument(operation: Operation, args: unknown[]): unknown[] {
  const hasInput =
    operation.body !== null || operation.parameters.some((parameter) => parameter.in === "query");
  const count = pathNames(operation).length + (hasInput ? 1 : 0);
  return args.length < count ? [...args, undefined] : args;
}
