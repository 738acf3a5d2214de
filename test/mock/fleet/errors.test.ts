import { expect, test } from "vitest";
import { FleetCaller } from "./fleet-caller.ts";

test("the fleet API checks for 404 before 400", async () => {
  const caller = new FleetCaller();
  expect((await caller.call("updateVehicle", { id: "none", text: "{" })).status).toBe(404);
  expect((await caller.call("listVehicleFieldVehicles", { id: "none", query: { limit: 0 } })).status).toBe(
    404,
  );
});

test("the journal records a request that violated the contract with the property's path", async () => {
  const caller = new FleetCaller();
  await caller.call("listVehicleFieldVehicles", { id: "field-1", query: { status: "FINE" } });
  const [entry] = caller.ref.journal.violations();
  expect(entry).toMatchObject({ operation: "listVehicleFieldVehicles", status: 400 });
  expect(entry?.issues.map(({ path }) => path)).toEqual(["status"]);
});
