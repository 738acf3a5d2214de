import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import {
  type Call,
  type CallOptions,
  type Damage,
  type DamageSummary,
  type Drift,
  type DriverAssignment,
  type FleetApiError,
  FleetClient,
  type FleetClientOptions,
  type FleetOperationId,
  type Inspection,
  type InspectionSummary,
  type InspectionTemplate,
  type JsonObject,
  type NumberedPage,
  type PageList,
  type PageMeta,
  ScopeError,
  type Shape,
  type Vehicle,
  type VehicleField,
  type VehicleFieldEntry,
  type VehicleFieldEntryListMeta,
  type VehicleFieldListMeta,
  type VehicleGroup,
} from "../../../src/client/fleet/index.ts";

const base = { baseUrl: "https://fleet.example", key: "k" };
declare const client: FleetClient;
declare const options: CallOptions;
// nothing below is called: the compiler alone reads it

describe("options", () => {
  it("are a key and an address, or the environments' addresses, at least", () => {
    const made = (): FleetClient[] => [
      new FleetClient(base),
      new FleetClient({ key: () => "k", environments: { production: "x" } }),
      new FleetClient({
        key: async () => "k",
        baseUrl: "x",
        environments: { production: "x", sandbox: "y" },
      }),
    ];
    expectTypeOf(made).toBeFunction();
    // @ts-expect-error a key is required
    void (() => new FleetClient({ baseUrl: "x" }));
    // @ts-expect-error an address is required
    void (() => new FleetClient({ key: "x" }));
    // @ts-expect-error options are required
    void (() => new FleetClient());
    // @ts-expect-error a token is the store client's
    void (() => new FleetClient({ ...base, token: "x" }));
    // @ts-expect-error no such environment
    void (() => new FleetClient({ key: "k", environments: { staging: "x" } }));
  });

  it("take the gaps and readings that there are", () => {
    const all: FleetClientOptions = {
      ...base,
      keyPrefix: "acme",
      apiVersion: "v1",
      readings: {
        "templates.group-filter": "groupId",
        "templates.title-filter": "title",
        "lists.undocumented": "whole",
      },
      hooks: { onDrift: ({ operation, drift }) => void [operation, drift.kind] },
    };
    expectTypeOf(all.readings).toEqualTypeOf<FleetClientOptions["readings"]>();
    // @ts-expect-error no such reading
    void (() => new FleetClient({ ...base, readings: { "lists.undocumented": "all" } }));
    void (() => new FleetClient({ ...base, readings: { "photos.page-shape": "no-list" } }));
    // @ts-expect-error no such reading of a gap of the other API
    void (() => new FleetClient({ ...base, readings: { "photos.page-shape": "none" } }));
    // @ts-expect-error no such shape
    void (() => new FleetClient({ ...base, shapes: { inspection: z.object({}) } }));
    // @ts-expect-error no schema
    void (() => new FleetClient({ ...base, shapes: { vehicle: {} } }));
  });
});

describe("methods", () => {
  it("return what the contract shows", () => {
    expectTypeOf(client.vehicles.list()).toEqualTypeOf<PageList<Vehicle>>();
    expectTypeOf(client.vehicles.get("v", options)).toEqualTypeOf<Call<Vehicle>>();
    expectTypeOf(client.vehicles.delete("v")).toEqualTypeOf<Call<unknown>>();
    expectTypeOf(client.vehicleGroups.update("g", {})).toEqualTypeOf<Call<VehicleGroup>>();
    expectTypeOf(client.vehicleFields.list()).toEqualTypeOf<PageList<VehicleField, VehicleFieldListMeta>>();
    expectTypeOf(client.vehicleFields.listVehicles("f")).toEqualTypeOf<
      PageList<VehicleFieldEntry, VehicleFieldEntryListMeta>
    >();
    expectTypeOf(client.inspections.list()).toEqualTypeOf<PageList<InspectionSummary>>();
    expectTypeOf(client.inspections.get("i")).toEqualTypeOf<Call<Inspection>>();
    expectTypeOf(client.inspections.submit({})).toEqualTypeOf<Call<InspectionSummary>>();
    expectTypeOf(client.inspectionTemplates.list()).toEqualTypeOf<PageList<InspectionTemplate, PageMeta>>();
    expectTypeOf(client.inspectionTemplates.get("t")).toEqualTypeOf<Call<JsonObject>>();
    expectTypeOf(client.inspectionTemplates.create({})).toEqualTypeOf<Call<JsonObject>>();
    expectTypeOf(client.damages.get("d")).toEqualTypeOf<Call<Damage>>();
    expectTypeOf(client.damages.create({})).toEqualTypeOf<Call<DamageSummary>>();
    expectTypeOf(client.driverAssignments.release("a")).toEqualTypeOf<Call<unknown>>();
    expectTypeOf(client.driverAssignments.update("a", {})).toEqualTypeOf<Call<DriverAssignment>>();
  });

  it("reject what the contract does not have", () => {
    expectTypeOf(client.vehicleFields).not.toHaveProperty("create"); // gap fields.writes
    expectTypeOf(client.inspections).not.toHaveProperty("create");
    expectTypeOf(client.driverAssignments).not.toHaveProperty("delete");
    // @ts-expect-error an id is due
    void client.vehicles.get();
    // @ts-expect-error an id is a text
    void client.vehicles.get(5);
    // @ts-expect-error a body is due
    void client.vehicles.create();
    // @ts-expect-error a body is an object
    void client.vehicles.create("x");
    // @ts-expect-error a page is a number
    void client.vehicles.list({ page: "2" });
    // @ts-expect-error the list has numbered pages
    void client.vehicles.list({ cursor: "x" });
    // @ts-expect-error filters that the contract does not show are `extra`
    void client.vehicles.list({ plate: "x" });
    // @ts-expect-error no such status
    void client.vehicleFields.listVehicles("f", { status: "BROKEN" });
    // @ts-expect-error true or false
    void client.inspectionTemplates.list({ isActive: "true" });
    // @ts-expect-error no such way
    void client.damages.list({ onDrift: "ignore" });
    // @ts-expect-error toArray returns the whole list
    void client.damages.list().toArray({ limit: 5 });
    // @ts-expect-error a page list has no prefetch
    void client.damages.list().items({ prefetch: 1 });
  });

  it("give pages with their drift and their place to continue", async () => {
    const page = await client.vehicles.list();
    expectTypeOf(page).toEqualTypeOf<NumberedPage<Vehicle>>();
    expectTypeOf(page.drift).toEqualTypeOf<readonly Drift[]>();
    expectTypeOf(page.resume).toEqualTypeOf<string | null>();
    for await (const field of client.vehicleFields.list()) expectTypeOf(field).toEqualTypeOf<VehicleField>();
    const entries = await client.vehicleFields.listVehicles("f");
    expectTypeOf(entries.meta.field.label).toEqualTypeOf<string | undefined>();
    expectTypeOf(entries.items[0]?.status).toEqualTypeOf<VehicleFieldEntry["status"]>();
  });
});

describe("shapes", () => {
  const vehicle = z.object({ plate: z.string(), at: z.string().transform((text) => new Date(text)) });
  const input = z.object({ plate: z.string(), axles: z.coerce.number<string>().default(2) });
  const make = () =>
    new FleetClient({
      ...base,
      shapes: { vehicle, vehicleInput: input, damageSummary: mini.object({ id: mini.string() }) },
    });
  const shaped = null as unknown as ReturnType<typeof make>;
  interface Read {
    plate: string;
    at: Date;
  }

  it("type what they read, transforms included", () => {
    expectTypeOf(shaped.vehicles.list()).toEqualTypeOf<PageList<Read>>();
    expectTypeOf(shaped.vehicles.get("v")).toEqualTypeOf<Call<Read>>();
    expectTypeOf(shaped.damages.create({})).toEqualTypeOf<Call<{ id: string }>>();
    expectTypeOf(shaped.damages.get("d")).toEqualTypeOf<Call<Damage>>();
  });

  it("type what they take: the input of the schema", () => {
    expectTypeOf(shaped.vehicles.create).toBeCallableWith({ plate: "x" });
    void shaped.vehicles.update("v", { plate: "x", axles: "3" });
    // @ts-expect-error a plate is due
    void shaped.vehicles.create({});
    // @ts-expect-error axles are read from a text
    void shaped.vehicles.create({ plate: "x", axles: 3 });
    // @ts-expect-error no such property
    void shaped.vehicles.create({ plate: "x", wheels: 3 });
  });

  it("may be written by hand", () => {
    const own: Shape<{ name: string }> = {
      "~standard": { version: 1, validate: () => ({ value: { name: "x" } }) },
    };
    const byHand = () => new FleetClient({ ...base, shapes: { vehicleGroup: own } }).vehicleGroups.get("g");
    expectTypeOf(byHand).returns.toEqualTypeOf<Call<{ name: string }>>();
  });
});

describe("errors and scopes", () => {
  it("are typed openly", () => {
    const error = null as unknown as FleetApiError | ScopeError;
    expectTypeOf(error.errors[0]?.message).toEqualTypeOf<string | undefined>();
    if (error instanceof ScopeError) expectTypeOf(error.explanation).toEqualTypeOf<string>();
    expectTypeOf(client.scopes.check(["vehicles:read", "users:read"]).disputed).toEqualTypeOf<
      FleetOperationId[]
    >();
    // @ts-expect-error no such operation
    void client.scopes.for("getDamages");
  });
});
