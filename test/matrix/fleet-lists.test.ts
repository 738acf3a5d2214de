import { expect } from "vitest";
import { InvalidRequestError, PaginationError } from "../../src/client/fleet/index.ts";
import { type Check, stance } from "./gap.ts";
import { failureOf, fleetRefuses, unexpected } from "./outcomes.ts";
import { type World, world } from "./world.ts";

/** The filter is sent under the name of the client's reading, and filters. Under another name it may have no effect. */
function filtering(filter: "vehicleGroup" | "title", name: string): Check {
  return async ({ fleet, ref }) => {
    const items = [{ id: "own", title: "Own one", isActive: true, groupIds: ["mine"], items: [] }];
    for (const item of items) ref.state.fleet.inspectionTemplates.set(item.id, item);
    const value = filter === "title" ? "own ONE" : "mine";
    const found = await fleet.inspectionTemplates.list({ [filter]: value }).toArray();
    expect(found.map(({ id }) => id)).toEqual(["own"]);
    const { query } = ref.journal.of("listInspectionTemplates")[0] ?? {};
    expect(query).toEqual({ [name]: value });
    expect(await fleet.inspectionTemplates.list({ extra: { unknown: value } })).toHaveProperty(
      "items.length",
      7,
    );
  };
}

stance("templates.group-filter", {
  vehicleGroupId: filtering("vehicleGroup", "vehicleGroupId"),
  groupId: filtering("vehicleGroup", "groupId"),
  vehicleGroup: filtering("vehicleGroup", "vehicleGroup"),
});
stance("templates.title-filter", {
  search: filtering("title", "search"),
  title: filtering("title", "title"),
});

stance("templates.inactive", { all: inactive(true), "active-only": inactive(false) });

/** A call with `isActive` returns the same under both readings. */
function inactive(listed: boolean): Check {
  return async ({ fleet, ref }) => {
    ref.state.fleet.inspectionTemplates.set("old", { id: "old", isActive: false });
    const ids = async (isActive?: boolean): Promise<boolean> =>
      (await fleet.inspectionTemplates.list({ isActive }).toArray()).some(({ id }) => id === "old");
    expect([await ids(), await ids(true), await ids(false)]).toEqual([listed, false, true]);
  };
}

/** The five lists of which the contract shows only the path. */
function undocumentedLists({ fleet }: World): { toArray(): Promise<unknown[]> }[] {
  const { vehicles, vehicleGroups, inspections, damages, driverAssignments } = fleet;
  return [vehicles, vehicleGroups, inspections, damages, driverAssignments].map((one) => one.list());
}

stance("lists.undocumented", {
  paged: async (w) => {
    const lengths = await Promise.all(
      undocumentedLists(w).map(async (list) => (await list.toArray()).length),
    );
    expect(lengths).toEqual([12, 5, 12, 12, 12]);
    const isConfigured = { ...w, fleet: w.fleetWith({ readings: { "lists.undocumented": "whole" } }) };
    const pages = await isConfigured.fleet.vehicles.list({ limit: 5 }).toArray();
    expect(pages).toHaveLength(12);
  },
  whole: async (w) => {
    const lengths = await Promise.all(
      undocumentedLists(w).map(async (list) => (await list.toArray()).length),
    );
    expect(lengths).toEqual([12, 5, 12, 12, 12]);
    const unconfigured = { ...w, fleet: w.fleetWith({ readings: {} }) };
    for (const list of undocumentedLists(unconfigured))
      await unexpected(list.toArray(), '"lists.undocumented": "whole"');
    // a page that announces another page is never treated as the whole list
    const pagination = {
      currentPage: 1,
      totalPages: 2,
      totalCount: 2,
      hasNextPage: true,
      hasPreviousPage: false,
    };
    const body = { data: [{ id: "1" }], meta: { version: "v1", pagination } };
    w.ref.on("listVehicles").always({ status: 200, body });
    expect(await failureOf(w.fleet.vehicles.list().toArray())).toBeInstanceOf(PaginationError);
  },
});

/** The client rejects the value before sending, so the readings do not differ. */
const refusesLimits: Check = async ({ fleet, ref }) => {
  for (const query of [{ limit: 0 }, { limit: 101 }, { page: 0 }, { limit: 1.5 }])
    expect(await failureOf(fleet.vehicles.list(query))).toBeInstanceOf(InvalidRequestError);
  expect(ref.journal.all()).toEqual([]);
};

stance("fleet.limit-out-of-range", { rejected: refusesLimits, clamped: refusesLimits });

const past = { page: 9, limit: 5 };

stance("fleet.page-past-end", {
  empty: async ({ fleet }) => {
    expect(await fleet.vehicles.list(past).toArray()).toEqual([]);
  },
  rejected: ({ fleet }) => fleetRefuses(fleet.vehicles.list(past).toArray(), 400),
  clamped: async ({ fleet }) => {
    const error = await failureOf(fleet.vehicles.list(past).toArray());
    expect(error).toMatchObject({
      name: "PaginationError",
      reason: expect.stringContaining("page 9") as string,
    });
  },
});

/** The value in `meta.filters` for a filter that was not sent, under `validate: "full"`. */
function withoutFilters(filters: object): Check {
  return async ({ fleetWith }) => {
    const { meta } = await fleetWith({ validate: "full" }).vehicleFields.list();
    expect(meta.filters).toEqual(filters);
  };
}

stance("fleet.unsent-filters", {
  "null-value": withoutFilters({ search: null }),
  absent: withoutFilters({}),
  "empty-string": withoutFilters({ search: "" }),
});

/** Every page is requested with the filters of the first page. */
const repeats: Check = async () => {
  const { fleet, ref } = world({});
  const query = { limit: 1, search: "e", extra: { more: "x" } };
  const fields = await fleet.vehicleFields.list(query).toArray();
  const sent = ref.journal.of("listVehicleFields").map((request) => request.query);
  expect(sent.length).toBe(fields.length);
  expect(sent.length).toBeGreaterThan(2);
  for (const [index, one] of sent.entries())
    expect(one).toEqual({
      limit: "1",
      search: "e",
      more: "x",
      ...(index > 0 && { page: String(index + 1) }),
    });
};

stance("lists.filters-across-pages", { repeated: repeats, remembered: repeats });
