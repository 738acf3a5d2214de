import { expect, test } from "vitest";
import { FleetCaller } from "./fleet-caller.ts";

test.for([
  "/vehicles",
  "/vehicle-groups",
  "/vehicle-fields",
  "/vehicle-fields/field-1/vehicles",
  "/inspections",
  "/inspection-templates",
  "/damages",
  "/driver-assignments",
])("GET %s has 50 rows on a page by default, in the envelope (fleet 1, 8)", async (path) => {
  const many = { vehicleGroups: 60, vehicleFields: 60, inspectionTemplates: 60 };
  const caller = new FleetCaller({ ...many, inspections: 60, damages: 60, driverAssignments: 60 });
  const { body } = await caller.call(`GET ${path}`);
  const { pagination } = body.meta as { pagination: { totalCount: number } };
  expect(body.data).toHaveLength(Math.min(pagination.totalCount, 50));
  expect(body.meta).toMatchObject({ version: "v1" });
});

test.for(["empty", "rejected", "clamped"] as const)(
  "fleet.page-past-end: %s returns page 1 of an empty list",
  async (reading) => {
    const caller = new FleetCaller({ vehicles: [] }, { readings: { "fleet.page-past-end": reading } });
    const { body } = await caller.call("GET /vehicles");
    const flags = { hasNextPage: false, hasPreviousPage: false };
    expect(body).toMatchObject({
      data: [],
      meta: { pagination: { currentPage: 1, totalPages: 0, totalCount: 0, ...flags } },
    });
  },
);

test("a list that comes whole accepts every page and limit (gap lists.undocumented)", async () => {
  const caller = new FleetCaller({}, { readings: { "lists.undocumented": "whole" } });
  for (const query of ["limit=500&page=9", "limit=many&page=0", "page=-1"])
    expect((await caller.call(`GET /vehicles?${query}`)).body.meta).toEqual({ version: "v1" });
  expect(caller.ref.journal.violations()).toEqual([]);
});
