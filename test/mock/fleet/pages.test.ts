import { describe, expect, test } from "vitest";
import type { FleetOperationId } from "../../../generated/fleet.operations.ts";
import { type FleetCaller, type FleetResponse, paginationOf, callerWith } from "./fleet-caller.ts";

const paged: FleetOperationId[] = [
  "listVehicles",
  "listVehicleGroups",
  "listVehicleFields",
  "listVehicleFieldVehicles",
  "listInspections",
  "listInspectionTemplates",
  "listDamages",
  "listDriverAssignments",
];

/** Requests pages of three vehicles. */
const page = (caller: FleetCaller, number: number): Promise<FleetResponse> =>
  caller.call("listVehicles", { query: { page: number, limit: 3 } });

test.for(paged)("%s has 50 rows on a page by default (fleet 8)", async (operation) => {
  const caller = callerWith(
    {},
    { vehicleGroups: 60, vehicleFields: 60, inspectionTemplates: 60, damages: 60 },
  );
  const seen = await caller.call(operation, { id: "field-1" });
  expect(seen.data).toHaveLength(Math.min(paginationOf(seen).totalCount, 50));
});

describe("fleet.page-past-end", () => {
  test.for(["empty", "rejected", "clamped"] as const)(
    "%s returns page 1 of an empty list",
    async (reading) => {
      const caller = callerWith({ "fleet.page-past-end": reading }, { vehicles: [] });
      const seen = await page(caller, 1);
      const expected = {
        currentPage: 1,
        totalPages: 0,
        totalCount: 0,
        hasNextPage: false,
        hasPreviousPage: false,
      };
      expect([seen.data, paginationOf(seen)]).toEqual([[], expected]);
    },
  );
});

test("a list that comes whole accepts every page and limit (gap lists.undocumented)", async () => {
  const caller = callerWith({ "lists.undocumented": "whole" });
  for (const query of [{ limit: 500, page: 9 }, { limit: "many", page: 0 }, { page: -1 }])
    expect((await caller.call("listVehicles", { query })).meta).toEqual({ version: "v1" });
  expect(caller.ref.journal.violations()).toEqual([]);
});
