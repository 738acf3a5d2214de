import { expect } from "vitest";
import type { FleetResource } from "../../src/mock/index.ts";
import { type Check, stance } from "./gap.ts";
import { fleetRefuses } from "./outcomes.ts";
import type { World } from "./world.ts";

/** Checks that a list in small pages delivers each row once, with a changed row in this place. */
function changedRowIs(place: (index: number, count: number) => boolean): Check {
  return async ({ fleet, ref }) => {
    const { vehicles } = ref.state.fleet;
    for (const vehicle of vehicles.values()) vehicle.brand = "DAF";
    await fleet.vehicles.update("vehicle-2", { brand: "DAF" });
    const ids = (await fleet.vehicles.list({ limit: 5 }).toArray()).map(({ id }) => String(id));
    expect(ids.toSorted()).toEqual([...vehicles.keys()].toSorted());
    expect(place(ids.indexOf("vehicle-2"), ids.length)).toBe(true);
  };
}

stance("lists.fleet-order", {
  fixed: changedRowIs((index) => index === 1),
  "last-change": changedRowIs((index) => index === 0),
  "shared-value": changedRowIs((index, count) => index === count - 1),
});

/** Creates a vehicle twice. */
async function createTwice({ fleet }: World): Promise<boolean> {
  const body = { plateNumber: "WX 1", brand: "DAF" };
  const [first, second] = [await fleet.vehicles.create(body), await fleet.vehicles.create(body)];
  return first.id === second.id;
}

stance("fleet.repeated-post", {
  "two-resources": async (w) => {
    expect(await createTwice(w)).toBe(false);
  },
  "first-returned": async (w) => {
    expect(await createTwice(w)).toBe(true);
  },
  rejected: (w) => fleetRefuses(createTwice(w), 400, { attempts: 1 }),
});

/** Deletes a vehicle, a group and a template that others belong to. */
async function deleteOwners({ fleet, ref }: World): Promise<void> {
  const add = (resource: FleetResource, row: object) =>
    ref.state.fleet[resource].set("own", { id: "own", ...row });
  add("vehicleGroups", {});
  add("inspectionTemplates", {});
  add("vehicles", { groupIds: ["own"] });
  add("damages", { vehicleId: "own" });
  add("driverAssignments", { vehicleId: "own" });
  add("inspections", { templateId: "own" });
  await fleet.inspectionTemplates.delete("own");
  await fleet.vehicles.delete("own");
  add("vehicles", { groupIds: ["own"] });
  await fleet.vehicleGroups.delete("own");
}

/** Whether the resources that belonged to others are still there. */
function dependentsStay(isStaying: boolean): Check {
  return async (w) => {
    await deleteOwners(w);
    for (const resource of ["vehicles", "damages", "driverAssignments", "inspections"] as const)
      expect(w.ref.state.fleet[resource].has("own"), resource).toBe(isStaying);
  };
}

stance("fleet.delete-dependents", {
  stay: dependentsStay(true),
  deleted: dependentsStay(false),
  rejected: (w) => fleetRefuses(deleteOwners(w), 400, { attempts: 1 }),
});

/** Whether a reported damage is in the list of damages; it is in the inspection in any case. */
function damageIsListed(isListed: boolean): Check {
  return async ({ fleet, ref }) => {
    const before = ref.state.fleet.damages.size;
    const { id } = await fleet.inspections.submit({ damages: [{ description: "Dent" }] });
    const [created] = [...ref.state.fleet.inspections.keys()].slice(-1);
    const inspection = await fleet.inspections.get(String(created ?? id));
    expect(inspection.damages).toMatchObject([{ description: "Dent" }]);
    expect(ref.state.fleet.damages.size - before).toBe(isListed ? 1 : 0);
  };
}

stance("inspections.reported-damages", { created: damageIsListed(true), embedded: damageIsListed(false) });

async function photoUrls({ fleet }: World): Promise<unknown[]> {
  const read = async () => (await fleet.damages.get("damage-1")).photoUrl;
  return [await read(), await read()];
}

stance("fleet.file-urls", {
  lasting: async (w) => {
    const [before, after] = await photoUrls(w);
    expect(before).toBe(after);
    expect(before).toMatch(/^https:/);
  },
  signed: async (w) => {
    const [before, after] = await photoUrls(w);
    expect(before).not.toBe(after);
  },
  "with-key": async (w) => {
    expect((await photoUrls(w))[0]).toMatch(/^\/files\//);
  },
});

/** The texts that find a field with the label "Left tyre". */
function finds(...expected: string[]): Check {
  return async ({ fleet, ref }) => {
    const [field] = ref.state.fleet.vehicleFields.values();
    ref.state.fleet.vehicleFields.set("own", { ...field, id: "own", label: "Left tyre", description: "" });
    const found: string[] = [];
    for (const search of ["TYRE", "left tyre", "tyre left", "right tyre"]) {
      const fields = await fleet.vehicleFields.list({ search }).toArray();
      if (fields.some(({ id }) => id === "own")) found.push(search);
    }
    expect(found).toEqual(expected);
  };
}

stance("fleet.search", {
  part: finds("TYRE", "left tyre"),
  "whole-value": finds("left tyre"),
  "every-word": finds("TYRE", "left tyre", "tyre left"),
});

/** The client sends null as null; whether the property is still there then. */
function nullStays(isStaying: boolean): Check {
  return async ({ fleet, ref }) => {
    const { id } = await fleet.vehicles.create({ plateNumber: "WX 1", note: "x" });
    await fleet.vehicles.update(String(id), { plateNumber: "WX 1", note: null });
    expect(ref.journal.of("updateVehicle")[0]?.body).toEqual({ plateNumber: "WX 1", note: null });
    expect("note" in (await fleet.vehicles.get(String(id)))).toBe(isStaying);
  };
}

stance("fleet.null-properties", { stored: nullStays(true), removed: nullStays(false) });
