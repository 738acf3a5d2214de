import type { FleetClient } from "../../src/client/fleet/index.ts";
import type { StoreClient } from "../../src/client/store/index.ts";
import type { ReferenceServer } from "../../src/mock/index.ts";
import { fleetIdsOf, fleetSamples } from "./fleet-samples.ts";
import { type ApiOperation, pathNames } from "./operations.ts";
import type { Sample } from "./sample.ts";
import { storeIdsOf, storeSamples } from "./store-samples.ts";

/** The arguments of the client's method: the path ids in the order of the path, then the query or the body. */
export function sampleArguments(operation: ApiOperation, { path, query, body }: Sample): unknown[] {
  const ids = pathNames(operation).map((name) => (path as Record<string, unknown> | undefined)?.[name]);
  if (query !== undefined) return [...ids, query];
  if (body === undefined) return ids;
  const { bodyArgument } = operation.client;
  return [...ids, bodyArgument === undefined ? body : (body as Record<string, unknown>)[bodyArgument]];
}

type Methods = Record<string, (...args: unknown[]) => PromiseLike<unknown>>;

interface Clients {
  ref: ReferenceServer;
  store: StoreClient;
  fleet: FleetClient;
}

/** Calls the client's method of an operation with its sample. gap fleet.patch */
export async function callSample({ ref, ...clients }: Clients, operation: ApiOperation): Promise<unknown> {
  const samples: Record<string, Sample> = {
    ...storeSamples(storeIdsOf(ref)),
    ...fleetSamples(fleetIdsOf(ref)),
  };
  const { resource, name } = operation.client;
  // x-method names a method of the client (test/types/methods.test-d.ts)
  const methods = (clients[operation.api] as unknown as Record<string, Methods>)[resource];
  const sample = samples[operation.id] ?? {};
  const hasOwnShape = operation.method === "PATCH" && ref.readings["fleet.patch"] === "own-shape";
  const sent = hasOwnShape ? { ...sample, body: { changes: sample.body } } : sample;
  return methods?.[name]?.(...sampleArguments(operation, sent));
}
