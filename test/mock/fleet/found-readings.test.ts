import { expect, test } from "vitest";
import type { Inspection } from "../../../generated/fleet.ts";
import { FleetCaller } from "./fleet-caller.ts";

test("the journal lists an unknown filter as a violation", async () => {
  const caller = new FleetCaller();
  await caller.call("listVehicles", { query: { plateNumber: "WX 1" } });
  expect(caller.ref.journal.violations()).toEqual([
    expect.objectContaining({ status: 200, issues: [expect.objectContaining({ path: "plateNumber" })] }),
  ]);
});

test("an object without a value inside an inspection is empty (gap fleet.absent-properties)", async () => {
  const caller = new FleetCaller();
  const { id } = await caller.data<{ id: string }>("submitInspection", { body: { notes: "none" } });
  const { template, performedBy, location } = await caller.data<Inspection>("getInspection", { id });
  expect([template, performedBy, location]).toEqual([{}, {}, {}]);
});

test("an inspection returns a location and a person as they were written", async () => {
  const caller = new FleetCaller();
  const body = { location: { lat: 52.23, lon: 21.01 }, performedBy: { id: "user-1", name: "Anna" } };
  const { id } = await caller.data<{ id: string }>("submitInspection", { body });
  expect(await caller.data<Inspection>("getInspection", { id })).toMatchObject(body);
});
