import { expect, test } from "vitest";
import { FleetCaller, callerWith } from "./fleet-caller.ts";

test("errors.undocumented-bodies decides whether a 500 has the envelope or no body", async () => {
  const failing = async (caller: FleetCaller) => {
    caller.ref.on("listVehicles").once({ status: 500 });
    return caller.call("listVehicles");
  };
  const { status, errors } = await failing(new FleetCaller());
  expect([status, errors]).toEqual([500, [{ code: "INTERNAL_ERROR", message: "The request failed" }]]);
  const empty = await failing(callerWith({ "errors.undocumented-bodies": "empty" }));
  expect([empty.status, empty.body]).toEqual([500, undefined]);
});

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
