import { expect, test } from "vitest";
import type { JsonObject, VehicleField, VehicleFieldEntry } from "../../../generated/fleet.ts";
import { FleetCaller } from "./fleet-caller.ts";

const entries = (caller: FleetCaller, query = "") =>
  caller.data<VehicleFieldEntry[]>(`GET /vehicle-fields/tyres/vehicles?${query}`);
const entryOf = async (caller: FleetCaller, id: string) =>
  (await entries(caller)).find(({ vehicleId }) => vehicleId === id);

const options = [
  { id: "o1", label: "Good", value: "GOOD", status: "OK" },
  { id: "o2", label: "Worn", value: "WORN", status: "WARNING" },
  { id: "o3", label: "Bald", value: "BALD", status: "NOT_OK" },
];
const [FIRST = "", SECOND = "", THIRD = ""] = ["a", "b", "c"].map(
  (start) => `${start}0000000-0000-4000-8000-000000000000`,
);
const day = (number: number): string => `2025-12-0${number}T00:00:00Z`;
const tyres = (responseText: string, more: JsonObject = {}) => [
  { id: `r-${responseText}`, templateItemId: "tyres", responseText, ...more },
];

/** Four vehicles, two of them inspected three times. */
const four = () =>
  new FleetCaller({
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
      { id: "tyres", label: "Tyres", inputType: "SELECT", hasStatusRule: true, options, groupIds: ["g1"] },
      { id: "cab", label: "Cab", description: "Clean?", inputType: "SELECT", options, groupIds: ["g2"] },
    ],
    inspectionTemplates: 0,
    inspections: [
      { id: SECOND, performedAt: day(2), vehicleIds: ["v1"], responses: tyres("WORN") },
      { id: FIRST, performedAt: day(1), vehicleIds: ["v1", "v2"], responses: tyres("GOOD") },
      {
        id: THIRD,
        performedAt: day(3),
        vehicles: [{ id: "v3" }, { id: "v2" }],
        responses: tyres("BALD", { vehicleId: "v3" }),
      },
    ],
  });

test("the vehicle fields have a group's new name in responses and searches, and no deleted group", async () => {
  const caller = four();
  await caller.data("PUT /vehicle-groups/g1", { name: "South" });
  const [found] = await caller.data<VehicleField[]>("GET /vehicle-fields?search=south");
  expect(found?.groups).toEqual([{ id: "g1", name: "South" }]);
  await caller.data("DELETE /vehicle-groups/g1");
  const [field] = await caller.data<VehicleField[]>("GET /vehicle-fields");
  expect(field).toMatchObject({ groupIds: [], groups: [] });
});

test("each vehicle is listed once, with its latest response and that response's status (fleet 2, 3, 4)", async () => {
  const entry = (vehicleId: string, status: string, value: string, inspectionId: string, number: number) => ({
    vehicleId,
    status,
    latestResponse: { id: `r-${value}`, inspectionId, value, fileUrl: null, updatedAt: day(number) },
  });
  const listed = await entries(four());
  expect(listed).toMatchObject([
    entry("v1", "WARNING", "WORN", SECOND, 2),
    entry("v2", "OK", "GOOD", FIRST, 1),
    entry("v3", "NOT_OK", "BALD", THIRD, 3),
  ]);
  expect(listed[0]).toMatchObject({ plateNumber: "WX 1", brand: "MAN", model: "TGX" });
});

test.for([
  ["search=wx%201", ["v1"]],
  ["search=MAN", ["v1", "v3"]],
  ["search=fh", ["v2"]],
  ["search=", ["v1", "v2", "v3"]],
  ["search=v1", []],
  ["status=OK", ["v2"]],
  ["status=WARNING", ["v1"]],
  ["status=NOT_OK", ["v3"]],
  ["search=man&limit=1&page=2", ["v3"]],
] as const)("the vehicles of a field are filtered by %s: %j (fleet 4)", async ([query, found]) => {
  expect((await entries(four(), query)).map(({ vehicleId }) => vehicleId)).toEqual(found);
});

test("the metadata has the field and the filters (fleet 4)", async () => {
  const { body } = await four().call("GET /vehicle-fields/tyres/vehicles?search=man");
  expect(body.meta).toMatchObject({
    field: { id: "tyres", label: "Tyres", inputType: "SELECT" },
    filters: { search: "man", status: null },
    pagination: { totalCount: 2 },
  });
});

test("the entries follow a submitted inspection, its deletion and that of a vehicle", async () => {
  const caller = four();
  const before = await entryOf(caller, "v1");
  const responses = [{ templateItem: { id: "tyres" }, responseText: "Bald", fileUrl: "/f" }];
  const { id } = await caller.data("POST /inspections", { vehicleIds: ["v1"], responses });
  const latestResponse = {
    inspectionId: id,
    value: "Bald",
    fileUrl: "/f",
    updatedAt: "2026-01-01T00:00:00.000Z",
  };
  expect(await entryOf(caller, "v1")).toMatchObject({ status: "NOT_OK", latestResponse });
  await caller.data(`DELETE /inspections/${String(id)}`);
  expect(await entryOf(caller, "v1")).toEqual(before);
  await caller.data("DELETE /vehicles/v1");
  expect(await entryOf(caller, "v1")).toBeUndefined();
});

test("the latest response is that of the latest inspection, then of the last one submitted", async () => {
  const caller = four();
  const submit = (performedAt: string) =>
    caller.data("POST /inspections", { vehicleIds: ["v1"], performedAt, responses: tyres("BALD") });
  await submit("2025-12-01T12:00:00Z");
  expect((await entryOf(caller, "v1"))?.status).toBe("WARNING");
  await submit("2025-12-02T02:00:00+02:00");
  expect((await entryOf(caller, "v1"))?.status).toBe("NOT_OK");
});
