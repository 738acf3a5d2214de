import { expectTypeOf, test } from "vitest";
import type { StoreOperationId } from "../../generated/store.operations.ts";
import type { Store } from "../../generated/store.ts";
import {
  type OperationId,
  type OverrideMatcher,
  type ReadingsOption,
  type ReferenceServerOptions,
  type StoreSeed,
  createReferenceServer,
} from "../../src/mock/index.ts";

const ref = createReferenceServer();

test("the operation IDs of the mock are those of both APIs", () => {
  expectTypeOf<StoreOperationId>().toExtend<OperationId>();
  expectTypeOf<"releaseDriverAssignment">().toExtend<OperationId>();
  expectTypeOf<"getShop">().not.toExtend<OperationId>();
  expectTypeOf(ref.on).parameter(0).toEqualTypeOf<OperationId | "*">();
});

test("a matcher knows the path parameters of its operation", () => {
  expectTypeOf<{ path: { externalId: string } }>().toExtend<OverrideMatcher<"getStore">>();
  expectTypeOf<{ path: { id: string } }>().not.toExtend<OverrideMatcher<"getStore">>();
  expectTypeOf<{ path: { id: string } }>().toExtend<OverrideMatcher>();
  ref.on("getDamage", { when: ({ operation }) => operation === "getDamage" });
});

test("the readings of the mock are those of the gaps that affect it", () => {
  expectTypeOf<{ "stores.omitted-fields": "reset" }>().toExtend<ReadingsOption>();
  expectTypeOf<{ "stores.omitted-fields": "drop" }>().not.toExtend<ReadingsOption>();
  expectTypeOf<keyof ReadingsOption>().extract<"errors.other-statuses">().toBeNever();
});

test("ref.fetch has the type of fetch, and the state consists of maps", () => {
  expectTypeOf(ref.fetch).toExtend<typeof fetch>();
  expectTypeOf(ref.state.store.stores.get("S-1")).toEqualTypeOf<Store | undefined>();
});

test("seeds accept any string for an enumeration", () => {
  expectTypeOf<{ externalId: string; storeType: "Kiosk" }>().toExtend<StoreSeed>();
  expectTypeOf<{ externalId: string; storeType: "Shop" }>().toExtend<StoreSeed>();
  expectTypeOf<{ now: "system" }>().toExtend<ReferenceServerOptions>();
});
