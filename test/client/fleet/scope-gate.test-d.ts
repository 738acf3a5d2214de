import { describe, expectTypeOf, it } from "vitest";
import {
  type Call,
  FleetClient,
  type Forbidden,
  type PageList,
  type Scope,
  type Vehicle,
  type VehicleInput,
} from "../../../src/client/fleet/index.ts";

const base = { baseUrl: "https://fleet.example", key: "k" };
// nothing below is called: the compiler alone reads it

describe("declared scopes", () => {
  const make = () => new FleetClient({ ...base, scopes: ["vehicles:read", "inspections:write"] });
  const client = null as unknown as ReturnType<typeof make>;

  it("are inferred as literals", () => {
    expectTypeOf(client).toEqualTypeOf<FleetClient<object, "vehicles:read" | "inspections:write">>();
  });

  it("leave what they allow as it is", () => {
    expectTypeOf(client.vehicles.list()).toEqualTypeOf<PageList<Vehicle>>();
    expectTypeOf(client.vehicles.get("v")).toEqualTypeOf<Call<Vehicle>>();
    expectTypeOf(client.inspections.submit).toBeFunction();
    expectTypeOf(client.vehicleFields.list).toBeFunction();
  });

  it("leave what is disputed as it is", () => {
    expectTypeOf(client.damages.get).toBeFunction(); // gap scopes.get-damage
    expectTypeOf(client.vehicleFields.listVehicles).toBeFunction(); // gap scopes.field-vehicles
    expectTypeOf(client.inspections.list).toBeFunction(); // gap scopes.implications
    expectTypeOf(client.inspections.get).toBeFunction();
    expectTypeOf(client.inspectionTemplates.list).toBeFunction(); // both gaps at once
  });

  it("put a reason in the place of what they surely forbid", () => {
    expectTypeOf(client.vehicles.create).toEqualTypeOf<
      Forbidden<"createVehicle needs the scope vehicles:write, which this client was not given">
    >();
    expectTypeOf(client.driverAssignments.release).toEqualTypeOf<
      Forbidden<"releaseDriverAssignment needs the scope driver-assignments:write, which this client was not given">
    >();
    expectTypeOf(client.vehicles.update).not.toBeFunction();
    expectTypeOf(client.vehicles.delete).not.toBeFunction();
    expectTypeOf(client.vehicleGroups.list).not.toBeFunction();
    expectTypeOf(client.damages.list).not.toBeFunction();
    expectTypeOf(client.inspectionTemplates.create).not.toBeFunction();
  });

  it("name every scope that would do", () => {
    const other = null as unknown as FleetClient<object, "damages:read">;
    expectTypeOf(other.vehicleFields.list).toEqualTypeOf<
      Forbidden<"listVehicleFields needs the scope vehicle-fields:read or vehicles:read or vehicles:write, which this client was not given">
    >();
  });

  it("also apply to clients with shapes", () => {
    const shape = null as unknown as {
      "~standard": {
        version: 1;
        validate: (value: unknown) => { value: { plate: string } };
        types?: { input: unknown; output: { plate: string } };
      };
    };
    const shaped = () =>
      new FleetClient({ ...base, scopes: ["vehicles:read"], shapes: { vehicle: shape } }).vehicles;
    expectTypeOf<ReturnType<ReturnType<typeof shaped>["get"]>>().toEqualTypeOf<Call<{ plate: string }>>();
    expectTypeOf<ReturnType<typeof shaped>["create"]>().not.toBeFunction();
  });

  it("may be empty: everything is forbidden", () => {
    const none = () => new FleetClient({ ...base, scopes: [] });
    expectTypeOf<ReturnType<typeof none>["vehicles"]["list"]>().not.toBeFunction();
  });

  it("are the contract's", () => {
    const made = (): unknown[] => [
      // @ts-expect-error no such scope
      new FleetClient({ ...base, scopes: ["vehicle:read"] }),
      // @ts-expect-error a scope under review opens nothing
      new FleetClient({ ...base, scopes: ["users:read"] }),
    ];
    expectTypeOf(made).toBeFunction();
  });

  it("that are known at run time alone forbid nothing", () => {
    const scopes = [] as Scope[];
    const client2 = () => new FleetClient({ ...base, scopes });
    expectTypeOf<ReturnType<typeof client2>>().toEqualTypeOf<FleetClient>();
  });

  it("keep a client from a function that requires more", () => {
    type Reads = FleetClient<object, "vehicles:read" | "inspections:write">;
    expectTypeOf(client).toExtend<Reads>();
    expectTypeOf(client).not.toExtend<FleetClient>();
  });
});

describe("without declared scopes", () => {
  it("everything compiles", () => {
    const make = () => new FleetClient(base);
    expectTypeOf<ReturnType<typeof make>>().toEqualTypeOf<FleetClient>();
    const client = null as unknown as FleetClient;
    expectTypeOf(client.vehicles.create).toEqualTypeOf<
      (vehicle: VehicleInput, options?: Parameters<typeof client.vehicles.create>[1]) => Call<Vehicle>
    >();
    void client.driverAssignments.release("a");
  });
});
