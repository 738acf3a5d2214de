import { expect, test } from "vitest";
import { type FleetOperationId, fleetOperations } from "../../../generated/fleet.operations.ts";
import { FleetCaller } from "./fleet-caller.ts";
import { samples } from "./samples.ts";

const operations = Object.keys(fleetOperations) as FleetOperationId[];
const methodOf = (operation: FleetOperationId): string => fleetOperations[operation].method;

test.for(operations.filter((id) => methodOf(id) === "POST" || methodOf(id) === "PUT"))(
  "%s responds with 400 without Content-Type application/json (fleet 5)",
  async (operation) => {
    for (const type of ["text/plain", "application/jsonp", "application/x-www-form-urlencoded"]) {
      const caller = new FleetCaller();
      const carried = { ...samples(caller)[operation], headers: { "content-type": type } };
      const { status, errors } = await caller.call(operation, carried);
      expect(status).toBe(400);
      expect(errors[0]?.details).toEqual({ path: "content-type" });
    }
  },
);

test("the fleet API accepts a media type with parameters and capitals", async () => {
  const caller = new FleetCaller();
  for (const type of ["application/json; charset=utf-8", "Application/JSON"]) {
    const carried = { body: { a: 1 }, headers: { "content-type": type } };
    expect((await caller.call("createVehicle", carried)).status, type).toBe(201);
  }
});

test.for(operations.filter((id) => methodOf(id) === "PATCH"))(
  "%s accepts any Content-Type, because the contract has no rule for it (fleet 5)",
  async (operation) => {
    const caller = new FleetCaller();
    const headers = { "content-type": "application/merge-patch+json" };
    expect((await caller.call(operation, { ...samples(caller)[operation], headers })).status).toBe(200);
  },
);

test("the fleet API serves a request without X-Service-API-Version as v1 (fleet 5, 9)", async () => {
  const { status, meta } = await new FleetCaller().call("listVehicles");
  expect([status, meta.version]).toEqual([200, "v1"]);
});
