import { describe, expect, it } from "vitest";
import { fleetOperations, type FleetOperationId } from "../../../generated/fleet.operations.ts";
import type { FleetClient } from "../../../src/client/fleet/index.ts";
import { version } from "../../../src/client/core/version.ts";
import { json } from "../core/stub-fetch.ts";
import { anyData, anyPage, key, stubClient, uuid } from "./stub-client.ts";

interface Row {
  call: (client: FleetClient) => PromiseLike<unknown>;
  path: string;
  query?: Record<string, string>;
  body?: unknown;
}

const body = { name: "One", note: null, tags: ["a"] };
const paging = { page: 2, limit: 100 };
const extra = { plate: "ä b" };
const requested = { page: "2", limit: "100", plate: "ä b" };
const id = "x/1 ä%2e";
const inPath = "x%2F1%20%C3%A4%252e";

/** Requests with more than the samples of test/operations, which are sent for every operation. */
const rows: Partial<Record<FleetOperationId, Row>> = {
  listVehicles: {
    call: (c) => c.vehicles.list({ ...paging, extra }),
    path: "/vehicles",
    query: requested,
  },
  getVehicle: { call: (c) => c.vehicles.get(id), path: `/vehicles/${inPath}` },
  createVehicle: { call: (c) => c.vehicles.create(body), path: "/vehicles", body },
  updateVehicle: { call: (c) => c.vehicles.update(id, body), path: `/vehicles/${inPath}`, body },
  deleteVehicle: { call: (c) => c.vehicles.delete(id), path: `/vehicles/${inPath}` },
  listVehicleGroups: {
    call: (c) => c.vehicleGroups.list({ ...paging, extra }),
    path: "/vehicle-groups",
    query: requested,
  },
  getVehicleGroup: { call: (c) => c.vehicleGroups.get(id), path: `/vehicle-groups/${inPath}` },
  createVehicleGroup: { call: (c) => c.vehicleGroups.create(body), path: "/vehicle-groups", body },
  updateVehicleGroup: {
    call: (c) => c.vehicleGroups.update(id, body),
    path: `/vehicle-groups/${inPath}`,
    body,
  },
  deleteVehicleGroup: { call: (c) => c.vehicleGroups.delete(id), path: `/vehicle-groups/${inPath}` },
  listVehicleFields: {
    call: (c) => c.vehicleFields.list({ ...paging, search: "brake", extra }),
    path: "/vehicle-fields",
    query: { ...requested, search: "brake" },
  },
  listVehicleFieldVehicles: {
    call: (c) => c.vehicleFields.listVehicles(id, { ...paging, status: "NOT_OK", search: "WX", extra }),
    path: `/vehicle-fields/${inPath}/vehicles`,
    query: { ...requested, status: "NOT_OK", search: "WX" },
  },
  listInspections: {
    call: (c) => c.inspections.list({ ...paging, extra }),
    path: "/inspections",
    query: requested,
  },
  getInspection: { call: (c) => c.inspections.get(uuid), path: `/inspections/${uuid}` },
  submitInspection: { call: (c) => c.inspections.submit(body), path: "/inspections", body },
  updateInspection: { call: (c) => c.inspections.update(uuid, body), path: `/inspections/${uuid}`, body },
  deleteInspection: { call: (c) => c.inspections.delete(uuid), path: `/inspections/${uuid}` },
  listInspectionTemplates: {
    call: (c) =>
      c.inspectionTemplates.list({ ...paging, vehicleGroup: "g-1", title: "Daily", isActive: false, extra }),
    path: "/inspection-templates",
    query: { ...requested, vehicleGroupId: "g-1", search: "Daily", isActive: "false" },
  },
  getInspectionTemplate: {
    call: (c) => c.inspectionTemplates.get(id),
    path: `/inspection-templates/${inPath}`,
  },
  createInspectionTemplate: {
    call: (c) => c.inspectionTemplates.create(body),
    path: "/inspection-templates",
    body,
  },
  updateInspectionTemplate: {
    call: (c) => c.inspectionTemplates.update(id, body),
    path: `/inspection-templates/${inPath}`,
    body,
  },
  deleteInspectionTemplate: {
    call: (c) => c.inspectionTemplates.delete(id),
    path: `/inspection-templates/${inPath}`,
  },
  listDamages: { call: (c) => c.damages.list({ ...paging, extra }), path: "/damages", query: requested },
  getDamage: { call: (c) => c.damages.get(id), path: `/damages/${inPath}` },
  createDamage: { call: (c) => c.damages.create(body), path: "/damages", body },
  updateDamage: { call: (c) => c.damages.update(id, body), path: `/damages/${inPath}`, body },
  deleteDamage: { call: (c) => c.damages.delete(id), path: `/damages/${inPath}` },
  listDriverAssignments: {
    call: (c) => c.driverAssignments.list({ ...paging, extra }),
    path: "/driver-assignments",
    query: requested,
  },
  getDriverAssignment: { call: (c) => c.driverAssignments.get(id), path: `/driver-assignments/${inPath}` },
  createDriverAssignment: {
    call: (c) => c.driverAssignments.create(body),
    path: "/driver-assignments",
    body,
  },
  updateDriverAssignment: {
    call: (c) => c.driverAssignments.update(id, body),
    path: `/driver-assignments/${inPath}`,
    body,
  },
  releaseDriverAssignment: {
    call: (c) => c.driverAssignments.release(id),
    path: `/driver-assignments/${inPath}`,
  },
};

const secondPage = {
  ...anyPage,
  meta: { ...anyPage.meta, pagination: { ...anyPage.meta.pagination, currentPage: 2 } },
};

describe("the fleet client's operations", () => {
  it.each(Object.entries(rows))("%s sends the request that the contract shows", async (name, row) => {
    const { client, sent } = stubClient(() => json(name.startsWith("list") ? secondPage : anyData));
    await row.call(client);
    const { method } = fleetOperations[name as FleetOperationId];
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      method,
      path: `/api/third-party/v1${row.path}`,
      query: row.query ?? {},
    });
    expect(sent[0]?.body).toEqual(row.body);
    expect(sent[0]?.headers).toEqual({
      accept: "application/json",
      "user-agent": `shelfleet/${version}`,
      authorization: `Bearer ${key}`,
      ...(row.body !== undefined && { "content-type": "application/json" }),
    });
  });

  it("send X-Service-API-Version where `apiVersion` is given (fleet 5, Request headers)", async () => {
    const { client, sent } = stubClient(() => json(anyData), { apiVersion: "v1" });
    await client.vehicles.get("v-1");
    expect(sent[0]?.headers["x-service-api-version"]).toBe("v1");
  });

  it("take further headers for one call", async () => {
    const { client, sent } = stubClient(() => json(anyData), { apiVersion: "v1", headers: { "X-A": "1" } });
    await client.vehicles.get("v-1", { headers: { "x-service-api-version": "v2" } });
    expect(sent[0]?.headers).toMatchObject({ "x-service-api-version": "v2", "x-a": "1" });
  });

  it.each([200, 201])("understand a POST returned with %i (gap fleet.create-status)", async (status) => {
    const { client } = stubClient(() => json(anyData, { status }));
    const { data, response, meta } = await client.vehicles.create({}).withResponse();
    expect(data).toEqual(anyData.data);
    expect(meta).toEqual(anyData.meta);
    expect(response.status).toBe(status);
  });
});
