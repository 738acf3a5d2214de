import { describe, expect, test } from "vitest";
import type { FleetOperationId } from "../../../generated/fleet.operations.ts";
import type { JsonObject } from "../../../generated/fleet.ts";
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

test.for(paged)(
  "%s has page 1 of 50 by default, and pages without gaps or overlap (fleet 4, 8)",
  async (operation) => {
    const caller = callerWith(
      {},
      { vehicleGroups: 60, vehicleFields: 60, inspectionTemplates: 60, damages: 60 },
    );
    const id = "field-1";
    const first = await caller.call(operation, { id });
    const { totalCount } = paginationOf(first);
    expect(paginationOf(first)).toMatchObject({ currentPage: 1, hasPreviousPage: false });
    expect(first.data).toHaveLength(Math.min(totalCount, 50));
    const whole = await caller.data<JsonObject[]>(operation, { id, query: { limit: 100 } });
    expect(whole).toHaveLength(totalCount);
    const limit = 7;
    const walked: JsonObject[] = [];
    for (let number = 1, more = true; more; number++) {
      const seen = await caller.call(operation, { id, query: { page: number, limit } });
      const isLast = number === Math.ceil(totalCount / limit);
      expect(paginationOf(seen)).toEqual({
        currentPage: number,
        totalPages: Math.ceil(totalCount / limit),
        totalCount,
        hasNextPage: !isLast,
        hasPreviousPage: number > 1,
      });
      walked.push(...(seen.data as JsonObject[]));
      more = paginationOf(seen).hasNextPage;
    }
    expect(walked).toEqual(whole);
  },
);

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
