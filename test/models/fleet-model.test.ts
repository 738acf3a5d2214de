import { describe, expect, it } from "vitest";
import type { JsonObject } from "./exchange.ts";
import { createFleetModel } from "./fleet-model.ts";
import { fleetSender, idOf } from "./fleet-observations.ts";
import { propertyOf, part } from "./store-observations.ts";

function setUp(options: Parameters<typeof createFleetModel>[0] = {}) {
  const model = createFleetModel(options);
  return { model, send: fleetSender(model) };
}

describe("a numbered list", () => {
  it.each([
    ["/vehicles", 0],
    ["/vehicles", 3],
    ["/vehicles", 2000],
    ["/vehicle-fields", 2000],
    ["/inspection-templates", 2000],
  ])("delivers every element once: %s (%d vehicles)", (path, vehicles) => {
    const { send } = setUp({ vehicles });
    const ids: unknown[] = [];
    let page = 0;
    let response = send("GET", path);
    do {
      page += 1;
      response = send("GET", `${path}?page=${page}&limit=100`);
      ids.push(...(propertyOf(response, "data") as JsonObject[]).map(({ id }) => id));
    } while (propertyOf(response, "meta.pagination.hasNextPage") === true);
    expect(ids).toHaveLength(Number(propertyOf(response, "meta.pagination.totalCount")));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("has 50 elements per page by default", () => {
    const { send } = setUp({ vehicles: 120 });
    expect(send("GET", "/vehicles?page=3").value).toMatchObject({
      meta: {
        pagination: {
          currentPage: 3,
          totalPages: 3,
          totalCount: 120,
          hasNextPage: false,
          hasPreviousPage: true,
        },
      },
    });
    expect(propertyOf(send("GET", "/vehicles"), "data")).toHaveLength(50);
  });
});

describe("the list of the vehicles of a field", () => {
  it("contains each vehicle once, with its latest response", () => {
    const { model, send } = setUp({ vehicles: 9 });
    const field = idOf(model, "vehicle-fields");
    const entries = propertyOf(send("GET", `/vehicle-fields/${field}/vehicles`), "data") as JsonObject[];
    expect(new Set(entries.map(({ vehicleId }) => vehicleId)).size).toBe(entries.length);
    for (const { vehicleId, latestResponse } of entries) {
      const all = model.state.responses.filter((one) => one.fieldId === field && one.vehicleId === vehicleId);
      expect(latestResponse).toMatchObject({ id: all.at(-1)?.id });
    }
  });

  it("can be filtered by status", () => {
    const { model, send } = setUp({ vehicles: 9 });
    const response = send("GET", `/vehicle-fields/${idOf(model, "vehicle-fields")}/vehicles?status=WARNING`);
    const entries = propertyOf(response, "data") as JsonObject[];
    expect(entries.length).toBeGreaterThan(0);
    expect(new Set(entries.map(({ status }) => status))).toEqual(new Set(["WARNING"]));
    expect(propertyOf(response, "meta.filters")).toEqual({ search: null, status: "WARNING" });
  });
});

describe("the fleet model", () => {
  it("has a sandbox key with the test prefix and 64 hexadecimal digits", () => {
    expect(createFleetModel().key).toMatch(/^fleet_test_[\da-f]{64}$/);
    expect(createFleetModel({ environment: "production" }).key).toMatch(/^fleet_[\da-f]{64}$/);
  });
});

describe("a write of the fleet model", () => {
  it("is visible in later reads", () => {
    const { send } = setUp();
    const created = send("POST", "/vehicles", { body: { plateNumber: "WX 1" } });
    const path = `/vehicles/${part(propertyOf(created, "data.id"))}`;
    expect(propertyOf(send("GET", path), "data.plateNumber")).toBe("WX 1");
    send("PUT", path, { body: { brand: "MAN" } });
    expect(propertyOf(send("GET", path), "data")).toMatchObject({ brand: "MAN", plateNumber: "" });
  });

  it("creates the damages that an inspection reports", () => {
    const { model, send } = setUp();
    const vehicleId = idOf(model, "vehicles");
    const body = {
      vehicleIds: [vehicleId],
      damages: [{ vehicleId, description: "Dent", photoUrl: "https://p.example/1" }],
    };
    const created = send("POST", "/inspections", { body });
    expect(propertyOf(created, "data.damages")).toMatchObject([{ vehicleId, description: "Dent" }]);
    expect(propertyOf(send("GET", "/damages"), "meta.pagination.totalCount")).toBe(5);
  });

  it("keeps a partial location unchanged", () => {
    const { send } = setUp();
    const created = send("POST", "/inspections", { body: { location: { latitude: 52 } } });
    expect(propertyOf(created, "data.location")).toEqual({ latitude: 52 });
  });
});

describe("the data of the fleet model", () => {
  it("are equal for equal seeds and different for different seeds", () => {
    const state = (seed: number): string => JSON.stringify(createFleetModel({ seed }).state);
    expect(state(4)).toBe(state(4));
    expect(state(4)).not.toBe(state(5));
  });
});
