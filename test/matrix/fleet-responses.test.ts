import { expect } from "vitest";
import { InvalidRequestError } from "../../src/client/fleet/index.ts";
import { type Check, stance } from "./gap.ts";
import { failureOf, fleetRefuses, unexpected } from "./outcomes.ts";
import type { World } from "./world.ts";

/** A value that the contract does not show is returned unchanged, also under `validate: "full"`. */
function statusOf(kind: "inspection" | "damage" | "vehicle", value: string): Check {
  return async ({ fleetWith, ref }) => {
    const fleet = fleetWith({ validate: "full" });
    const [inspection] = ref.state.fleet.inspections.values();
    const id = String(inspection?.id);
    if (kind === "damage") {
      Object.assign(ref.state.fleet.damages.get("damage-1") ?? {}, { status: value });
      expect((await fleet.damages.get("damage-1")).status).toBe(value);
      return;
    }
    if (kind === "inspection") Object.assign(inspection ?? {}, { status: value });
    for (const vehicle of ref.state.fleet.vehicles.values()) if (kind === "vehicle") vehicle.type = value;
    const response = await fleet.inspections.get(id);
    expect(kind === "inspection" ? response.status : response.vehicles[0]?.type).toBe(value);
  };
}

stance("inspections.status-values", {
  documented: statusOf("inspection", "COMPLETED"),
  open: statusOf("inspection", "SOMETHING_NEW"),
});
stance("damages.status-values", {
  documented: statusOf("damage", "TO_REPAIR_WARNING"),
  open: statusOf("damage", "SOMETHING_NEW"),
});
stance("vehicles.type-values", {
  documented: statusOf("vehicle", "TRACTOR_UNIT"),
  open: statusOf("vehicle", "SOMETHING_NEW"),
});

/** A part that the contract does not show may be anything; the client reads only the envelope. */
stance("fleet.undocumented-responses", {
  envelope: async ({ fleet }) => {
    expect(await fleet.vehicles.get("vehicle-1")).toHaveProperty("id", "vehicle-1");
  },
  anything: async ({ fleet, ref }) => {
    for (const body of [{}, { id: "v" }, { data: null }, { data: [1] }, { meta: {} }]) {
      ref.on("getVehicle").once({ status: 200, body });
      await unexpected(fleet.vehicles.get("vehicle-1"), "without the `data` of an envelope");
      ref.on("createVehicle").once({ status: 201, body });
      await unexpected(fleet.vehicles.create({}), "without the `data` of an envelope");
    }
    ref.on("listVehicles").once({ status: 200, body: { data: [] } });
    await unexpected(fleet.vehicles.list(), "meta.pagination");
  },
});

stance("fleet.create-status", { created: createdWith(201), ok: createdWith(200) });

function createdWith(status: number): Check {
  return async ({ fleet }) => {
    const { data, response } = await fleet.vehicles.create({ plateNumber: "X" }).withResponse();
    expect(data).toHaveProperty("plateNumber", "X");
    expect(response.status).toBe(status);
  };
}

stance("fleet.delete-response", {
  envelope: async ({ fleet }) => {
    expect((await fleet.vehicles.delete("vehicle-1").withResponse()).meta).toEqual({ version: "v1" });
  },
  "no-content": async ({ fleet }) => {
    const { data, response } = await fleet.vehicles.delete("vehicle-1").withResponse();
    expect([data, response.status]).toEqual([null, 204]);
  },
});

stance("fleet.deleted-resources", {
  gone: async ({ fleet }) => {
    await fleet.vehicles.delete("vehicle-1");
    await fleetRefuses(fleet.vehicles.get("vehicle-1"), 404, { code: "NOT_FOUND" });
  },
  readable: async ({ fleet }) => {
    await fleet.vehicles.delete("vehicle-1");
    expect(await fleet.vehicles.get("vehicle-1")).toHaveProperty("id", "vehicle-1");
  },
});

/** A DELETE whose first response is lost although the server executed it. */
function lostDelete({ fleet, ref }: World): PromiseLike<unknown> {
  ref.on("deleteVehicle").fault("reset", { at: "after" }).times(1);
  return fleet.vehicles.delete("vehicle-1");
}

stance("fleet.second-delete", {
  "not-found": async (w) => {
    const error = await failureOf(lostDelete(w));
    expect(error).toMatchObject({ name: "FleetApiError", status: 404, attempts: 2 });
    expect((error as Error).message).toContain(
      "an earlier attempt, whose response was lost, may have deleted it",
    );
    await fleetRefuses(w.fleet.vehicles.delete("vehicle-1"), 404, { attempts: 1 });
  },
  repeatable: async (w) => {
    expect(await lostDelete(w)).toBeNull();
    expect(w.ref.journal.of("deleteVehicle")).toHaveLength(2);
  },
});

stance("inspections.template-properties", {
  "four-fields": (w) => templateProperties(w, ["id", "title", "description", "version"]),
  full: (w) =>
    templateProperties(w, ["id", "title", "description", "version", "items", "itemCount", "isActive"]),
});

async function templateProperties({ fleetWith, ref }: World, properties: string[]): Promise<void> {
  const [id = ""] = ref.state.fleet.inspections.keys();
  const { template } = await fleetWith({ validate: "full" }).inspections.get(id);
  expect(Object.keys(template)).toEqual(expect.arrayContaining(properties));
  if (properties.length === 4) expect(Object.keys(template)).toHaveLength(4);
}

/** A damage without an assignee, under `validate: "full"`. */
async function readUnassigned({ fleetWith, ref }: World): Promise<object> {
  ref.state.fleet.damages.set("bare", { id: "bare", vehicleId: "vehicle-1" });
  return fleetWith({ validate: "full" }).damages.get("bare");
}

stance("fleet.absent-properties", {
  "null-objects": async (w) => {
    expect(await readUnassigned(w)).toMatchObject({ assignedTo: null });
  },
  present: async (w) => {
    expect(await readUnassigned(w)).toMatchObject({ assignedTo: expect.any(Object) as object });
  },
  absent: async (w) => {
    expect(await readUnassigned(w)).not.toHaveProperty("assignedTo");
  },
});

/** The type of a choice's options, under `validate: "full"`. */
function optionsAre(kind: string): Check {
  return async ({ fleetWith, ref }) => {
    const items = [{ label: "Tyres", inputType: "SELECT", options: ["GOOD", "WORN"] }];
    ref.state.fleet.inspectionTemplates.set("own", { id: "own", title: "Own", isActive: true, items });
    const templates = await fleetWith({ validate: "full" }).inspectionTemplates.list().toArray();
    const options = templates.flatMap(({ items: all }) => all.flatMap((item) => item.options));
    expect(options.length).toBeGreaterThan(1);
    expect(options.every((option) => typeof option === kind)).toBe(true);
  };
}

stance("templates.options", { strings: optionsAre("string"), objects: optionsAre("object") });

/** A vehicle without a response; undefined if it is not listed. */
async function readBareStatus({ fleetWith, ref }: World): Promise<object | undefined> {
  ref.state.fleet.vehicles.set("silent", { id: "silent" });
  const entries = await fleetWith({ validate: "full" }).vehicleFields.listVehicles("field-1").toArray();
  return entries.find(({ vehicleId }) => vehicleId === "silent");
}

stance("fields.no-response", {
  "left-out": async (w) => {
    expect(await readBareStatus(w)).toBeUndefined();
  },
  "null-response": async (w) => {
    expect(await readBareStatus(w)).toHaveProperty("latestResponse", null);
  },
  "absent-response": async (w) => {
    expect(await readBareStatus(w)).not.toHaveProperty("latestResponse");
  },
});

/** The statuses of the options of a field without a rule, under `validate: "full"`. */
async function readUnruled({ fleetWith }: World): Promise<unknown[]> {
  const fields = await fleetWith({ validate: "full" }).vehicleFields.list().toArray();
  const options = fields.filter((field) => !field.hasStatusRule).flatMap((field) => field.options);
  expect(options.length).toBeGreaterThan(0);
  return [...new Set(options.map((option) => option.status))];
}

stance("fields.no-status-rule", {
  ok: async (w) => {
    expect(await readUnruled(w)).toEqual(["OK"]);
  },
  absent: async (w) => {
    expect(await readUnruled(w)).toEqual([undefined]);
  },
});

const anyId: (status: number) => Check =
  (status) =>
  async ({ fleet, ref }) => {
    expect(await failureOf(fleet.inspections.get("no uuid"))).toBeInstanceOf(InvalidRequestError);
    expect(ref.journal.all()).toEqual([]);
    ref.on("getDamage").once({ status });
    await fleetRefuses(fleet.damages.get("?"), status);
  };

stance("fleet.malformed-ids", { "not-found": anyId(404), invalid: anyId(400) });
