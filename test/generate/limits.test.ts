import { expect, it } from "vitest";
import { fleetQueryLimits } from "../../generated/fleet.limits.ts";
import { fleetContract } from "../../generated/fleet.contract.ts";
import type { OperationContract } from "../../src/wire/operation.ts";
import { storeBodyLimits, storeQueryLimits } from "../../generated/store.limits.ts";
import * as enums from "../../generated/store.enums.ts";
import { storeContract } from "../../generated/store.contract.ts";
import * as contract from "./contract-table.ts";

it("the generated limits contain the contract's bounds and defaults for bodies (store 2 and 8)", () => {
  expect(storeBodyLimits).toMatchObject({
    OpeningTime: { weekday: { minimum: 0, maximum: 6 } },
    ContactInput: { contactType: { default: "store" }, hasWhatsapp: { default: false } },
    ExpectationInput: {
      weekday: { minimum: 0, maximum: 6 },
      expectedFillRatio: { minimum: 0, maximum: 100 },
    },
    ExpositionInput: { status: { default: "active" } },
    ExpositionUpsert: { expositions: { maxItems: contract.expositionLimit } },
  });
});

it("the generated limits contain the contract's defaults for queries (store 4 and 8, fleet 4 and 8)", () => {
  expect(storeQueryLimits).toMatchObject({
    listStores: { limit: { default: 100 } },
    listProtocols: { limit: { default: 100 } },
    listPhotos: { limit: { default: 100, maximum: contract.photoLimit } },
    getStoreFillRates: { status: { default: "completed" }, groupBy: { default: "protocol" } },
    getExpositionFillRate: { status: { default: "completed" } },
    getFillRates: { status: { default: "completed" }, groupBy: { default: "store" } },
  });
  for (const limits of Object.values(fleetQueryLimits)) {
    expect(limits).toMatchObject({
      page: { default: 1 },
      limit: { default: 50, maximum: contract.fleetPageLimit },
    });
  }
});

it("the generated limits of a parameter equal those in its operation's row", () => {
  const operations: Record<string, OperationContract<unknown>> = { ...storeContract, ...fleetContract };
  const all: Record<string, Record<string, { default?: unknown; minimum?: number }>> = {
    ...storeQueryLimits,
    ...fleetQueryLimits,
  };
  for (const [id, limits] of Object.entries(all)) {
    for (const [name, { default: _, ...bounds }] of Object.entries(limits)) {
      expect(operations[id]?.query?.[name], `${id} ${name}`).toMatchObject(bounds);
    }
  }
});

it.each([
  ["store types", enums.storeTypes, contract.storeTypes],
  ["product categories", enums.productCategories, contract.productCategories],
  ["exposition types", enums.expositionTypes, contract.expositionTypes],
  ["protocol statuses", enums.protocolStatuses, contract.protocolStatuses],
  ["image statuses", enums.imageStatuses, contract.imageStatuses],
])("the generated %s are those of the contract (store 2)", (_, generated, expected) => {
  expect(generated.toSorted()).toEqual(expected.toSorted());
});
