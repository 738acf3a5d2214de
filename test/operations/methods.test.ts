import { expect, it } from "vitest";
import { FleetClient } from "../../src/client/fleet/index.ts";
import { createReferenceServer } from "../../src/mock/index.ts";
import { StoreClient } from "../../src/client/store/index.ts";
import { operationsOf } from "./operations.ts";
import { callSample } from "./sample-arguments.ts";

const operations = [...operationsOf("store"), ...operationsOf("fleet")];

it.each(operations)("the client method of $id sends $method $path", async (operation) => {
  const ref = createReferenceServer();
  const { fetch } = ref;
  const store = new StoreClient({ baseUrl: ref.storeUrl, token: ref.token, fetch });
  const fleet = new FleetClient({ baseUrl: ref.fleetUrl, key: ref.keys[0]?.key ?? "", fetch });
  await callSample({ ref, store, fleet }, operation);
  expect(ref.journal.all().map((entry) => entry.operation)).toEqual([operation.id]);
  expect(ref.journal.violations()).toEqual([]);
});
