import { describe, expectTypeOf, it } from "vitest";
import type { Damage, Scope, TemplateItem, Vehicle } from "../../generated/fleet.ts";
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
  it("open the enums of answers and keep their known values", () => {
    expectTypeOf<Store["storeType"]>().toEqualTypeOf<StoreType | (string & {}) | null>();
    expectTypeOf<string>().toExtend<NonNullable<StoreErrorBody["error"]["code"]>>();
    expectTypeOf<string>().toExtend<TemplateItem["inputType"]>();
    expectTypeOf<string>().toExtend<NonNullable<Damage["status"]>>();
  });

  it("close the enums of inputs and the named enums themselves", () => {
    expectTypeOf<StoreUpsert["storeType"]>().toEqualTypeOf<StoreType | null | undefined>();
    expectTypeOf<string>().not.toExtend<StoreType>();
    expectTypeOf<string>().not.toExtend<Scope>();
    expectTypeOf<string>().not.toExtend<ExpositionInput["expositionType"]>();
  });

  it("require no input that has a default", () => {
    expectTypeOf<{ name: string; phone: string }>().toExtend<ContactInput>();
  });

  it("allow any member where the contract shows none", () => {
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
    expectTypeOf<Reading<"weekdays.first">>().toEqualTypeOf<"monday" | "sunday">();
    expectTypeOf<keyof FleetClientReadings>().toEqualTypeOf<
      "templates.group-filter" | "templates.title-filter" | "lists.unshown"
    >();
    expectTypeOf<NonNullable<Strategies["protocols.next-page"]>>().toEqualTypeOf<
      "auto" | "cursor" | "window" | "single"
    >();
  });
});
