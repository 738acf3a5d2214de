import { describe, expect, test } from "vitest";
import type { FleetOperationId } from "../../../generated/fleet.operations.ts";
import type { JsonObject } from "../../../generated/fleet.ts";
import { type FleetCaller, type FleetResponse, ids, paginationOf, callerWith } from "./fleet-caller.ts";

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

const VEHICLES = Array.from({ length: 7 }, (_, index) => ({ id: `v${index + 1}` }));

/** Requests pages of three vehicles from seven. */
const seven = (readings = {}) => callerWith(readings, { vehicles: VEHICLES });
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

describe("misleading pages", () => {
  /** The IDs, the page number and `hasNextPage` of each page. */
  const pages = async (kind: "repeat-cursor" | "cycle" | "empty-page" | "clamp" | "shift", count: number) => {
    const caller = seven();
    caller.ref.on("listVehicles").paging(kind);
    const seen: unknown[] = [];
    for (let number = 1; number <= count; number++) {
      const response = await page(caller, number);
      const { currentPage, hasNextPage } = paginationOf(response);
      seen.push([ids(response.data).join(" "), currentPage, hasNextPage]);
    }
    return seen;
  };

  test("repeat-cursor repeats the first page", async () => {
    expect(await pages("repeat-cursor", 3)).toEqual([
      ["v1 v2 v3", 1, true],
      ["v1 v2 v3", 2, true],
      ["v1 v2 v3", 3, true],
    ]);
  });

  test("cycle alternates between two pages without end", async () => {
    const seen = (await pages("cycle", 4)) as unknown[][];
    expect(seen.map(([rows, , more]) => [rows, more])).toEqual([
      ["v1 v2 v3", true],
      ["v4 v5 v6", true],
      ["v1 v2 v3", true],
      ["v4 v5 v6", true],
    ]);
  });

  test("empty-page puts an empty page before every page except the first", async () => {
    expect(await pages("empty-page", 5)).toEqual([
      ["v1 v2 v3", 1, true],
      ["", 2, true],
      ["v4 v5 v6", 3, true],
      ["", 4, true],
      ["v7", 5, false],
    ]);
  });

  test("clamp returns the second page for every later page", async () => {
    expect(await pages("clamp", 4)).toEqual([
      ["v1 v2 v3", 1, true],
      ["v4 v5 v6", 2, true],
      ["v4 v5 v6", 2, true],
      ["v4 v5 v6", 2, true],
    ]);
  });

  test("shift shows one row twice and one never", async () => {
    const seen = (await pages("shift", 3)) as unknown[][];
    expect(seen.map(([rows]) => rows)).toEqual(["v1 v2 v3", "v3 v4 v5", "v7"]);
  });

  test("reset() removes misleading pages", async () => {
    const caller = seven();
    caller.ref.on("listVehicles").paging("clamp");
    caller.ref.reset();
    expect(paginationOf(await page(caller, 3)).currentPage).toBe(3);
  });
});
