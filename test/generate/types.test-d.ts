import { describe, expectTypeOf, it } from "vitest";
import type { Damage, Scope, Vehicle } from "../../generated/fleet.ts";
import type { Readings } from "../../generated/readings.ts";
import type {
  ContactInput,
  JsonObject,
  paths,
  ProtocolDetail,
  Store,
  StoreType,
  StoreUpsert,
} from "../../generated/store.ts";

describe("the generated types", () => {
  it("have the values of an enum that the contract lists, and any string where it shows some values", () => {
    expectTypeOf<Store["storeType"]>().toEqualTypeOf<StoreType | null>();
    expectTypeOf<StoreUpsert["storeType"]>().toEqualTypeOf<StoreType | null | undefined>();
    expectTypeOf<Damage["status"]>().toEqualTypeOf<string | undefined>();
  });

  it("accept undefined for an optional property of an input, so that what was read can be written", () => {
    expectTypeOf<{ email: string | null | undefined }>().toExtend<Pick<ContactInput, "email">>();
  });

  it("accept only the known values in named enums and filters", () => {
    expectTypeOf<string>().not.toExtend<StoreType>();
    expectTypeOf<string>().not.toExtend<Scope>();
    type Filters = NonNullable<paths["/v1/stores/{externalId}/protocols"]["get"]["parameters"]["query"]>;
    expectTypeOf<string>().not.toExtend<NonNullable<Filters["status"]>>();
  });

  it("require no input that has a default", () => {
    expectTypeOf<{ name: string; phone: string }>().toExtend<ContactInput>();
  });

  it("allow any property in objects that the contract does not describe", () => {
    expectTypeOf<Vehicle["anything"]>().toEqualTypeOf<unknown>();
    expectTypeOf<ProtocolDetail["images"]>().toExtend<JsonObject[]>();
    expectTypeOf<ProtocolDetail["anything"]>().toEqualTypeOf<unknown>();
  });

  it("name the schemas in the paths that openapi-fetch reads", () => {
    type Ok = paths["/v1/stores/{externalId}"]["get"]["responses"][200]["content"]["application/json"];
    expectTypeOf<Ok>().toEqualTypeOf<Store>();
  });

  it("are literal unions for gaps and readings", () => {
    expectTypeOf<{ "stores.omitted-fields": "reset" }>().toExtend<Readings>();
    expectTypeOf<{ "stores.omitted-fields": "other" }>().not.toExtend<Readings>();
  });
});
