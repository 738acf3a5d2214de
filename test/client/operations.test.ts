import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { FleetClient, StoreClient } from "../../src/index.ts";
import { createReferenceServer } from "../../src/mock/index.ts";
import { mswVersions } from "../mock/msw-versions.ts";
import { operationsOf } from "../operations/operations.ts";
import { callSample } from "../operations/sample-arguments.ts";

describe.each(mswVersions)("over the global fetch and %s,", async (_, version) => {
  const { setupServer, mswHandlers, listenOptions } = await version.load();
  const ref = createReferenceServer();
  const server = setupServer(...mswHandlers(ref));
  beforeAll(() => server.listen(listenOptions()));
  afterEach(() => ref.reset());
  afterAll(() => server.close());

  it.each([...operationsOf("store"), ...operationsOf("fleet")])(
    "the method of $id sends $method $path, and its response fits the contract",
    async (operation) => {
      const store = new StoreClient({ baseUrl: ref.storeUrl, token: ref.token, validate: "full" });
      const fleet = new FleetClient({ baseUrl: ref.fleetUrl, key: ref.key, validate: "full" });
      await callSample({ ref, store, fleet }, operation);
      expect(ref.journal.all().map((entry) => entry.operation)).toEqual([operation.id]);
      expect(ref.journal.violations()).toEqual([]);
    },
  );
});
