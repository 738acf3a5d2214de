import { describe, expect, it } from "vitest";
import { fleetOperations } from "../../generated/fleet.operations.ts";
import { storeOperations } from "../../generated/store.operations.ts";
import type { Operation } from "../../src/wire/operation.ts";
import { Routes } from "../../src/mock/server/routes.ts";

const apis = { store: new Routes(storeOperations), fleet: new Routes(fleetOperations) };

describe("routes", () => {
  it.each<["store" | "fleet", Readonly<Record<string, Operation>>]>([
    ["store", storeOperations],
    ["fleet", fleetOperations],
  ])("find each operation of the %s API with its decoded IDs", (api, operations) => {
    for (const { id, method, path } of Object.values(operations)) {
      const match = apis[api].match(path.replaceAll(/\{\w+\}/g, "a%2Fb"));
      expect(match?.operations.get(method)).toBe(id);
      expect(Object.values(match?.params ?? {}).every((value) => value === "a/b")).toBe(true);
    }
  });

  it.each(["", ".", "..", "%2e", "%2E%2e", ".%2e", "%", "%zz", "%ff"])(
    "find none for the ID %j",
    (segment) => {
      expect(apis.store.match(`/v1/stores/${segment}`)).toBeUndefined();
      expect(apis.store.match(`/v1/stores/${segment}/contacts`)).toBeUndefined();
    },
  );
});
