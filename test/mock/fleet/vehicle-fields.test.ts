import { describe, expect, test } from "vitest";
import type { JsonObject, VehicleField, VehicleFieldEntry } from "../../../generated/fleet.ts";
import type { FleetOptions, ReadingsOption } from "../../../src/mock/index.ts";
import { type FleetCaller, callerWith } from "./fleet-caller.ts";

const fields = (caller: FleetCaller, query: Record<string, string> = {}) =>
  caller.data<VehicleField[]>("listVehicleFields", { query });
const entries = (caller: FleetCaller, query: Record<string, string> = {}, id = "tyres") =>
  caller.data<VehicleFieldEntry[]>("listVehicleFieldVehicles", { id, query: { limit: 100, ...query } });

const OPTIONS = [
  { id: "o1", label: "Good", value: "GOOD", status: "OK" },
  { id: "o2", label: "Worn", value: "WORN", status: "WARNING" },
  { id: "o3", label: "Bald", value: "BALD", status: "NOT_OK" },
];
const INSPECTED = ["aaaaaaaa", "bbbbbbbb", "cccccccc"].map((start) => `${start}-0000-4000-8000-000000000000`);
const [FIRST = "", SECOND = "", THIRD = ""] = INSPECTED;
const day = (number: number): string => `2025-12-0${number}T00:00:00Z`;
const tyres = (responseText: string, more: JsonObject = {}) => ({
  id: `r-${responseText}`,
  templateItemId: "tyres",
  responseText,
  ...more,
});

/** Four vehicles, two of them inspected three times. */
const SEED: FleetOptions = {
  vehicleGroups: [
    { id: "g1", name: "North" },
    { id: "g2", name: "Coaches" },
  ],
  vehicles: [
    { id: "v1", plateNumber: "WX 1", brand: "MAN", model: "TGX" },
    { id: "v2", plateNumber: "KR 2", brand: "Volvo", model: "FH" },
    { id: "v3", plateNumber: "KR 3", brand: "MAN", model: "Lion" },
    { id: "v4" },
  ],
  vehicleFields: [
    {
      id: "tyres",
      label: "Tyres",
      inputType: "SELECT",
      hasStatusRule: true,
      options: OPTIONS,
      groupIds: ["g1"],
    },
    {
      id: "cab",
      label: "Cab",
      description: "Clean?",
      inputType: "SELECT",
      options: OPTIONS,
      groupIds: ["g2"],
    },
  ],
  inspectionTemplates: 0,
  inspections: [
    {
      id: SECOND,
      performedAt: day(2),
      vehicleIds: ["v1"],
      responses: [tyres("WORN"), { templateItemId: "cab", responseText: "BALD" }],
    },
    { id: FIRST, performedAt: day(1), vehicleIds: ["v1", "v2"], responses: [tyres("GOOD")] },
    {
      id: THIRD,
      performedAt: day(3),
      vehicles: [{ id: "v3" }, { id: "v2" }],
      responses: [tyres("BALD", { vehicleId: "v3" })],
    },
  ],
};
const four = (readings: ReadingsOption = {}) => callerWith(readings, SEED);

describe("GET /vehicle-fields", () => {
  test("uses a group's new name in responses and searches, and no deleted group", async () => {
    const caller = four();
    await caller.data("updateVehicleGroup", { id: "g1", body: { name: "South" } });
    expect((await fields(caller, { search: "south" }))[0]?.groups).toEqual([{ id: "g1", name: "South" }]);
    await caller.data("deleteVehicleGroup", { id: "g1" });
    expect((await fields(caller))[0]).toMatchObject({ groupIds: [], groups: [] });
  });
});

describe("GET /vehicle-fields/{id}/vehicles", () => {
  test("returns each vehicle once, with its latest response and that response's status (fleet 2, 3, 4)", async () => {
    const response = (value: string, inspectionId: string, updatedAt: string) => ({
      id: `r-${value}`,
      inspectionId,
      value,
      fileUrl: null,
      updatedAt,
    });
    const listed = await entries(four());
    expect(
      listed.toSorted((one, other) => ((one.vehicleId ?? "") < (other.vehicleId ?? "") ? -1 : 1)),
    ).toEqual([
      {
        vehicleId: "v1",
        plateNumber: "WX 1",
        brand: "MAN",
        model: "TGX",
        status: "WARNING",
        latestResponse: response("WORN", SECOND, day(2)),
      },
      {
        vehicleId: "v2",
        plateNumber: "KR 2",
        brand: "Volvo",
        model: "FH",
        status: "OK",
        latestResponse: response("GOOD", FIRST, day(1)),
      },
      {
        vehicleId: "v3",
        plateNumber: "KR 3",
        brand: "MAN",
        model: "Lion",
        status: "NOT_OK",
        latestResponse: response("BALD", THIRD, day(3)),
      },
    ]);
  });

  test("returns the field and the filters in meta (fleet 4)", async () => {
    const { meta } = await four().call("listVehicleFieldVehicles", {
      id: "tyres",
      query: { search: "man", status: "WARNING" },
    });
    expect(meta.field).toEqual({ id: "tyres", label: "Tyres", inputType: "SELECT" });
    expect(meta.filters).toEqual({ search: "man", status: "WARNING" });
  });

  test.for([
    ["wx 1", ["v1"]],
    ["MAN", ["v1", "v3"]],
    ["fh", ["v2"]],
    ["", ["v1", "v2", "v3"]],
    ["v1", []],
  ] as const)("searches for %j in plate number, brand and model: %j (fleet 4)", async ([search, found]) => {
    const listed = await entries(four(), { search });
    expect(new Set(listed.map(({ vehicleId }) => vehicleId))).toEqual(new Set(found));
  });

  test.for([
    ["OK", ["v2"]],
    ["WARNING", ["v1"]],
    ["NOT_OK", ["v3"]],
  ] as const)("filters by the derived status %s (fleet 4)", async ([status, found]) => {
    expect((await entries(four(), { status })).map(({ vehicleId }) => vehicleId)).toEqual(found);
  });

  test("responds with 400 to another status, and with 404 and the name to an unknown field", async () => {
    const carried = { id: "tyres", query: { status: "FINE" } };
    expect((await four().call("listVehicleFieldVehicles", carried)).status).toBe(400);
    const { status, errors } = await four().call("listVehicleFieldVehicles", { id: "none" });
    expect([status, errors]).toEqual([404, [{ code: "NOT_FOUND", message: "Vehicle field not found" }]]);
  });

  const of = async (caller: FleetCaller, id: string) =>
    (await entries(caller)).find(({ vehicleId }) => vehicleId === id);

  test("follows a submitted inspection, and returns to the previous response when it is deleted", async () => {
    const caller = four();
    const before = await of(caller, "v1");
    const { id } = await caller.data("submitInspection", {
      body: {
        vehicleIds: ["v1"],
        responses: [{ templateItem: { id: "tyres" }, responseText: "Bald", fileUrl: "/f" }],
      },
    });
    expect(await of(caller, "v1")).toMatchObject({
      status: "NOT_OK",
      latestResponse: {
        inspectionId: id,
        value: "Bald",
        fileUrl: "/f",
        updatedAt: "2026-01-01T00:00:00.000Z",
      },
    });
    await caller.data("deleteInspection", { id: id as string });
    expect(await of(caller, "v1")).toEqual(before);
  });

  test("decides the latest response by the time of the inspection, then by the order of submission", async () => {
    const caller = four();
    const submit = (responseText: string, performedAt: string) =>
      caller.data("submitInspection", {
        body: { vehicleIds: ["v1"], performedAt, responses: [{ templateItemId: "tyres", responseText }] },
      });
    await submit("BALD", "2025-12-01T12:00:00Z");
    expect((await of(caller, "v1"))?.status).toBe("WARNING");
    await submit("BALD", "2025-12-02T02:00:00+02:00");
    expect((await of(caller, "v1"))?.status).toBe("NOT_OK");
  });

  test("has no entry for a deleted vehicle", async () => {
    const caller = four();
    await caller.data("deleteVehicle", { id: "v1" });
    expect(await of(caller, "v1")).toBeUndefined();
  });

  test("applies filters before it cuts pages", async () => {
    const seen = await four().call("listVehicleFieldVehicles", {
      id: "tyres",
      query: { search: "man", limit: 1, page: 2 },
    });
    expect(seen.data).toHaveLength(1);
    expect(seen.meta.pagination).toMatchObject({ totalCount: 2, totalPages: 2, hasNextPage: false });
  });
});
