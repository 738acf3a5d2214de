import { expect, it } from "vitest";
import { FleetClient, StoreClient } from "../../src/index.ts";
import { createReferenceServer } from "../../src/mock/index.ts";
import { operationsOf } from "../operations/operations.ts";
import { callSample } from "../operations/sample-arguments.ts";

const operations = [...operationsOf("store"), ...operationsOf("fleet")];

it.each(operations)(
  "the method of $id sends $method $path, and its response fits the contract",
  async (operation) => {
    const ref = createReferenceServer();
    const { fetch } = ref;
    const options = { fetch, validate: "full" } as const;
    const store = new StoreClient({ ...options, baseUrl: ref.storeUrl, token: ref.token });
    const fleet = new FleetClient({ ...options, baseUrl: ref.fleetUrl, key: ref.keys[0]?.key ?? "" });
    await callSample({ ref, store, fleet }, operation);
    expect(ref.journal.all().map((entry) => entry.operation)).toEqual([operation.id]);
    expect(ref.journal.violations()).toEqual([]);
  },
);
