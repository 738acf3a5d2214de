import { describe, expectTypeOf, it } from "vitest";
import type { Damage, Person, Scope, TemplateItem, Vehicle } from "../../generated/fleet.ts";
import type { Readings } from "../../generated/gaps.ts";
import type {
  ContactInput,
  ExpositionInput,
  JsonObject,
  paths,
  ProtocolDetail,
  Store,
  StoreErrorBody,
  StoreType,
  StoreUpsert,
} from "../../generated/store.ts";

describe("the generated types", () => {
  it("accept unknown enum values in responses and keep the known ones", () => {
    expectTypeOf<Store["storeType"]>().toEqualTypeOf<StoreType | (string & {}) | null>();
    expectTypeOf<string>().toExtend<NonNullable<StoreErrorBody["error"]["code"]>>();
    expectTypeOf<string>().toExtend<TemplateItem["inputType"]>();
    expectTypeOf<string>().toExtend<NonNullable<Damage["status"]>>();
  });

  it("suggest the known values of inputs and accept any string", () => {
    expectTypeOf<StoreUpsert["storeType"]>().toEqualTypeOf<StoreType | (string & {}) | null | undefined>();
    expectTypeOf<string>().toExtend<ExpositionInput["expositionType"]>();
  });

  it("accept only the known values in named enums and filters", () => {
    expectTypeOf<string>().not.toExtend<StoreType>();
    expectTypeOf<string>().not.toExtend<Scope>();
    type Filters = NonNullable<paths["/v1/stores/{externalId}/protocols"]["get"]["parameters"]["query"]>;
    expectTypeOf<string>().not.toExtend<NonNullable<Filters["status"]>>();
  });

  it("allow null for an unknown reporter or assignee of a damage", () => {
    expectTypeOf<Damage["reportedBy"]>().toEqualTypeOf<Person | null | undefined>();
    expectTypeOf<Damage["assignedTo"]>().toEqualTypeOf<Person | null | undefined>();
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
