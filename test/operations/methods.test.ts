import { expect, it } from "vitest";
import { FleetClient } from "../../src/client/fleet/index.ts";
import { createReferenceServer } from "../../src/mock/index.ts";
import { StoreClient } from "../../src/client/store/index.ts";
import { fleetIdsOf, fleetSamples } from "./fleet-samples.ts";
import { operationsOf } from "./operations.ts";
import { sampleArguments } from "./sample-arguments.ts";
import type { Sample } from "./sample.ts";
import { storeIdsOf, storeSamples } from "./store-samples.ts";

type Methods = Record<string, (...args: unknown[]) => PromiseLike<unknown>>;

const operations = [...operationsOf("store"), ...operationsOf("fleet")];

it.each(operations)("the client method of $id sends $method $path", async (operation) => {
  const ref = createReferenceServer();
  const { fetch } = ref;
  const clients = {
    store: new StoreClient({ baseUrl: ref.storeUrl, token: ref.token, fetch }),
    fleet: new FleetClient({ baseUrl: ref.fleetUrl, key: ref.keys[0]?.key ?? "", fetch }),
  };
  const samples: Record<string, Sample> = {
    ...storeSamples(storeIdsOf(ref)),
    ...fleetSamples(fleetIdsOf(ref)),
  };
  const { resource, name } = operation.client;
  // x-method names a method of the client (test/types/methods.test-d.ts)
  const methods = (clients[operation.api] as unknown as Record<string, Methods>)[resource];
  await methods?.[name]?.(...sampleArguments(operation, samples[operation.id] ?? {}));
  expect(ref.journal.all().map((entry) => entry.operation)).toEqual([operation.id]);
  expect(ref.journal.violations()).toEqual([]);
});
