// Compiled, not run. Each operation has one method, and each method has one operation (`x-method` in the documents). A
// compile error quotes the operation or the method.

import { describe, expectTypeOf, it } from "vitest";
import type { fleetContract } from "../../generated/fleet.contract.ts";
import type { FleetMethods, FleetOperationId } from "../../generated/fleet.operations.ts";
import type { storeContract } from "../../generated/store.contract.ts";
import type { StoreMethods, StoreOperationId } from "../../generated/store.operations.ts";
import type { FleetClient } from "../../src/client/fleet/index.ts";
import type { StoreClient } from "../../src/client/store/index.ts";

/** Does not compile if `T` has a property. */
type Nothing<T extends never> = T;

/** The operations whose method a client lacks. */
type OperationsWithoutMethod<Methods, Client> = {
  [Resource in keyof Methods]: {
    [Method in keyof Methods[Resource]]: Resource extends keyof Client
      ? Method extends keyof Client[Resource]
        ? never
        : Methods[Resource][Method]
      : Methods[Resource][Method];
  }[keyof Methods[Resource]];
}[keyof Methods];

/** The methods of a client that no operation names. */
type MethodsWithoutOperation<Methods, Client> = {
  [Resource in keyof Client & string]: Resource extends keyof Methods
    ? `${Resource}.${Exclude<keyof Client[Resource], keyof Methods[Resource]> & string}`
    : `${Resource}.${keyof Client[Resource] & string}`;
}[keyof Client & string];

type KeysOf<Value> = Value extends object ? keyof Value : never;

type ArgumentsOf<Method> = Method extends (...values: infer Values) => unknown ? Values[number] : never;

/** The parameters of a query whose names no gap leaves open. */
type NamesOf<Query> = {
  [Name in keyof Query & string]: Query[Name] extends { nameGap: string } ? never : Name;
}[keyof Query & string];

/** The query parameters that the method of their operation does not take; the lists send `cursor` themselves. */
type ParametersWithoutProperty<Methods, Client, Rows> = {
  [Resource in keyof Methods & keyof Client]: {
    [Method in keyof Methods[Resource] &
      keyof Client[Resource]]: Methods[Resource][Method] extends infer Id extends keyof Rows & string
      ? Rows[Id] extends { query: infer Query }
        ? `${Id}.${Exclude<NamesOf<Query>, KeysOf<ArgumentsOf<Client[Resource][Method]>> | "cursor">}`
        : never
      : never;
  }[keyof Methods[Resource] & keyof Client[Resource]];
}[keyof Methods & keyof Client];

type Operations<Methods> = {
  [Resource in keyof Methods]: Methods[Resource][keyof Methods[Resource]];
}[keyof Methods];

type StoreResources = Omit<StoreClient, "baseUrl" | "http" | "withOptions" | "drain">;
type FleetResources = Omit<FleetClient, "http" | "scopes" | "withOptions" | "drain">;

export type Checks = [
  Nothing<OperationsWithoutMethod<StoreMethods, StoreResources>>,
  Nothing<MethodsWithoutOperation<StoreMethods, StoreResources>>,
  Nothing<OperationsWithoutMethod<FleetMethods, FleetResources>>,
  Nothing<MethodsWithoutOperation<FleetMethods, FleetResources>>,
  Nothing<ParametersWithoutProperty<StoreMethods, StoreResources, typeof storeContract>>,
  Nothing<ParametersWithoutProperty<FleetMethods, FleetResources, typeof fleetContract>>,
];

interface Contract {
  things: { list: "listThings"; get: "getThing" };
  parts: { get: "getPart" };
}

describe("the check of methods", () => {
  it("covers every operation", () => {
    expectTypeOf<Operations<StoreMethods>>().toEqualTypeOf<StoreOperationId>();
    expectTypeOf<Operations<FleetMethods>>().toEqualTypeOf<FleetOperationId>();
  });

  it("names a query parameter that the method does not take", () => {
    interface Client {
      things: { list(query?: { search?: string }): void };
    }
    interface Rows {
      listThings: { query: { search: object; status: object } };
    }
    expectTypeOf<ParametersWithoutProperty<Contract, Client, Rows>>().toEqualTypeOf<"listThings.status">();
  });

  it("names an operation without a method", () => {
    interface Client {
      things: { list(): void };
    }
    expectTypeOf<OperationsWithoutMethod<Contract, Client>>().toEqualTypeOf<"getThing" | "getPart">();
  });

  it("names a method without an operation", () => {
    interface Client {
      things: { list(): void; get(): void; delete(): void };
      extras: { list(): void };
    }
    expectTypeOf<MethodsWithoutOperation<Contract, Client>>().toEqualTypeOf<
      "things.delete" | "extras.list"
    >();
  });
});
