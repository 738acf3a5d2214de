import { describe, expect, it } from "vitest";
import { fleetClientReadings } from "../../../generated/readings.ts";
import { FleetClient, type FleetReadings, PaginationError } from "../../../src/client/fleet/index.ts";
import { createReferenceServer, type ReadingsOption, type ReferenceServer } from "../../../src/mock/index.ts";
import { rejection } from "./stub-client.ts";

function world(
  readings?: ReadingsOption,
  own?: FleetReadings,
): { ref: ReferenceServer; client: FleetClient } {
  const ref = createReferenceServer({ fleet: { vehicles: 25 }, ...(readings && { readings }) });
  const [{ key } = { key: "" }] = ref.keys;
  const { fleetUrl: production, sandboxUrl: sandbox, fetch } = ref;
  const client = new FleetClient({
    environments: { production, sandbox },
    key,
    fetch,
    readings: own,
    validate: "full",
  });
  return { ref, client };
}

const walk = async (client: FleetClient, concurrency: number): Promise<unknown[]> => {
  const ids: unknown[] = [];
  for await (const { id } of client.vehicles.list({ limit: 4, maxIdleRequests: 20 }).items({ concurrency }))
    ids.push(id);
  return ids;
};

describe("against the reference server", () => {
  it.each([1, 8])(
    "every vehicle comes once, %i at once, and no request breaks the contract",
    async (concurrency) => {
      const { ref, client } = world();
      expect(await walk(client, concurrency)).toEqual([...ref.state.fleet.vehicles.keys()]);
      expect(ref.journal.of("listVehicles")).toHaveLength(7);
      expect(ref.journal.violations()).toEqual([]);
    },
  );

  it("written resources are read, and deleted ones are not found", async () => {
    const { client } = world();
    const created = await client.vehicles.create({ plateNumber: "WX 1" });
    const id = String(created.id);
    expect(await client.vehicles.get(id)).toEqual(created);
    expect(await client.vehicles.update(id, { plateNumber: "WX 2" })).toMatchObject({ plateNumber: "WX 2" });
    await client.vehicles.delete(id);
    expect(await rejection(client.vehicles.get(id))).toMatchObject({ status: 404, code: "NOT_FOUND" });
  });

  it.each(["repeat-cursor", "cycle", "clamp"] as const)(
    "a list that misleads (%s) is a PaginationError",
    async (kind) => {
      for (const concurrency of [1, 4]) {
        const { ref, client } = world();
        ref.on("listVehicles").paging(kind);
        const error = await rejection(walk(client, concurrency));
        expect(error).toBeInstanceOf(PaginationError);
        expect((error as PaginationError).lastPage).toBeGreaterThan(0);
      }
    },
  );

  it("empty pages between the others lose nothing", async () => {
    const { ref, client } = world();
    ref.on("listVehicles").paging("empty-page");
    expect(await walk(client, 4)).toEqual([...ref.state.fleet.vehicles.keys()]);
  });

  it("added and removed rows are reported as drift", async () => {
    const { ref, client } = world();
    ref.on("listVehicles").paging("shift");
    const kinds = new Set<string>();
    for await (const { drift } of client.vehicles.list({ limit: 4 }).pages())
      for (const { kind } of drift) kinds.add(kind);
    expect(kinds).toContain("repeated-id");
    expect(await rejection(client.vehicles.list({ limit: 4, onDrift: "throw" }).toArray())).toBeInstanceOf(
      PaginationError,
    );
  });

  it.each(fleetClientReadings["templates.group-filter"])(
    "templates are found by group under `%s`",
    async (name) => {
      const readings = { "templates.group-filter": name };
      const { ref, client } = world(readings, readings);
      const [group = ""] = ref.state.fleet.vehicleGroups.keys();
      const found = await client.inspectionTemplates.list({ vehicleGroup: group });
      const all = await client.inspectionTemplates.list();
      expect(found.pagination.totalCount).toBeLessThan(all.pagination.totalCount);
      expect(ref.journal.violations()).toEqual([]);
    },
  );

  it.each(fleetClientReadings["templates.title-filter"])(
    "templates are found by title under `%s`",
    async (name) => {
      const readings = { "templates.title-filter": name };
      const { client } = world(readings, readings);
      const [template] = await client.inspectionTemplates.list().take(1);
      const found = await client.inspectionTemplates.list({ title: template?.title });
      expect(found.items).toContainEqual(template);
      expect((await client.inspectionTemplates.list({ title: "no such title" })).items).toEqual([]);
    },
  );

  it("lists that come whole are read under their reading", async () => {
    const readings = { "lists.undocumented": "whole" } as const;
    const { ref, client } = world(readings, readings);
    expect(await walk(client, 8)).toEqual([...ref.state.fleet.vehicles.keys()]);
    expect(ref.journal.of("listVehicles")).toHaveLength(1);
    expect((await client.inspectionTemplates.list({ limit: 1 })).pagination.hasNextPage).toBe(true);
  });

  it("a required version header is met by `apiVersion` (gap fleet.version-header)", async () => {
    const { ref, client } = world({ "fleet.version-header": "required" });
    expect(await rejection(client.vehicles.list())).toMatchObject({ name: "FleetApiError", status: 400 });
    const [{ key } = { key: "" }] = ref.keys;
    const versioned = new FleetClient({ baseUrl: ref.fleetUrl, key, fetch: ref.fetch, apiVersion: "v1" });
    expect((await versioned.vehicles.list()).items).toHaveLength(25);
  });

  it("a sandbox key reaches only the sandbox", async () => {
    const { ref, client } = world();
    const sandboxKey = ref.keys.map(({ key }) => key).find((key) => key.includes("_test_")) ?? "";
    const { fleetUrl: production, sandboxUrl: sandbox, fetch } = ref;
    const tests = new FleetClient({ environments: { production, sandbox }, key: sandboxKey, fetch });
    const made = await tests.vehicleGroups.create({ name: "only here" });
    expect(await rejection(client.vehicleGroups.get(String(made.id)))).toMatchObject({ status: 404 });
    expect(await tests.vehicleGroups.get(String(made.id))).toEqual(made);
  });
});
