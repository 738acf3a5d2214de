import { describe, expectTypeOf, it } from "vitest";
import type { Damage, Person, Scope, TemplateItem, Vehicle } from "../../generated/fleet.ts";
import type { FleetClientReadings, Reading, Readings, Strategies } from "../../generated/gaps.ts";
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
  it("open the enums of responses and keep their known values", () => {
    expectTypeOf<Store["storeType"]>().toEqualTypeOf<StoreType | (string & {}) | null>();
    expectTypeOf<string>().toExtend<NonNullable<StoreErrorBody["error"]["code"]>>();
    expectTypeOf<string>().toExtend<TemplateItem["inputType"]>();
    expectTypeOf<string>().toExtend<NonNullable<Damage["status"]>>();
  });

  it("complete the known values of inputs and take any string", () => {
    expectTypeOf<StoreUpsert["storeType"]>().toEqualTypeOf<StoreType | (string & {}) | null | undefined>();
    expectTypeOf<string>().toExtend<ExpositionInput["expositionType"]>();
  });

  it("close the named enums themselves, and the filters", () => {
    expectTypeOf<string>().not.toExtend<StoreType>();
    expectTypeOf<string>().not.toExtend<Scope>();
    type Filters = NonNullable<paths["/v1/stores/{externalId}/protocols"]["get"]["parameters"]["query"]>;
    expectTypeOf<string>().not.toExtend<NonNullable<Filters["status"]>>();
  });

  it("allow null where nobody reported a damage or is assigned to it", () => {
    expectTypeOf<Damage["reportedBy"]>().toEqualTypeOf<Person | null | undefined>();
    expectTypeOf<Damage["assignedTo"]>().toEqualTypeOf<Person | null | undefined>();
  });

  it("require no input that has a default", () => {
    expectTypeOf<{ name: string; phone: string }>().toExtend<ContactInput>();
  });

  it("allow any property where the contract shows none", () => {
    expectTypeOf<Vehicle["anything"]>().toEqualTypeOf<unknown>();
    expectTypeOf<ProtocolDetail["images"]>().toExtend<JsonObject[]>();
    expectTypeOf<ProtocolDetail["anything"]>().toEqualTypeOf<unknown>();
  });

  it("name the schemas in the paths that openapi-fetch reads", () => {
    type Ok = paths["/v1/stores/{externalId}"]["get"]["responses"][200]["content"]["application/json"];
    expectTypeOf<Ok>().toEqualTypeOf<Store>();
  });

  it("know gaps, readings and strategies by name", () => {
    expectTypeOf<{ "stores.omitted-fields": "reset" }>().toExtend<Readings>();
    expectTypeOf<{ "stores.omitted-fields": "other" }>().not.toExtend<Readings>();
    expectTypeOf<Reading<"weekdays.first">>().toEqualTypeOf<"sunday" | "monday">();
    expectTypeOf<keyof FleetClientReadings>().toEqualTypeOf<
      "templates.group-filter" | "templates.title-filter" | "lists.unshown" | "templates.version-after-put"
    >();
    expectTypeOf<NonNullable<Strategies["protocols.next-page"]>>().toEqualTypeOf<
      "auto" | "cursor" | "window" | "single"
    >();
  });
});
