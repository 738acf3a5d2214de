import { describe, expect, test } from "vitest";
import type { Damage, Inspection, JsonObject } from "../../../generated/fleet.ts";
import { FleetCaller, ids } from "./fleet-caller.ts";

const read = (caller: FleetCaller, id: unknown) =>
  caller.data<Inspection>("getInspection", { id: id as string });

const PERSON = { id: "u", firstName: "Ada", lastName: "Lis", email: "ada@example.com" };
const BODY = {
  templateId: "template-1",
  vehicleIds: ["vehicle-1", "vehicle-2"],
  performedBy: PERSON,
  performedAt: "2025-12-31T08:00:00+01:00",
  location: { title: "Depot", latitude: 52.23, longitude: 21.01 },
  notes: "In the rain",
  responses: [{ templateItemId: "template-1-item-1", responseText: "true" }],
  damages: [
    { vehicleId: "vehicle-2", description: "Scratch", photoUrl: "/photos/1.jpg", status: "TO_REPAIR_NOT_OK" },
    { description: "Dent" },
  ],
};

describe("GET /inspections/{id}", () => {
  test("contains the template, the user, the vehicles with VIN, all responses and the damages (fleet 4)", async () => {
    const caller = new FleetCaller();
    const { id } = await caller.data("submitInspection", { body: BODY });
    const [, vehicle] = await caller.data<JsonObject[]>("listVehicles");
    const inspection = await read(caller, id);
    expect(inspection).toMatchObject({
      template: { id: "template-1", title: "Daily check" },
      status: "COMPLETED",
      performedAt: BODY.performedAt,
      performedBy: PERSON,
      location: BODY.location,
      notes: "In the rain",
      responses: [
        {
          id: expect.any(String) as string,
          templateItem: { id: "template-1-item-1", inputType: "BOOLEAN", isRequired: true },
          responseText: "true",
          fileUrl: null,
          followUpResponses: null,
        },
      ],
    });
    expect(inspection.vehicles[1]).toEqual(vehicle);
    expect(inspection.vehicles[1]?.vin).toMatch(/^[0-9A-HJ-NPR-Z]{17}$/);
  });
});

describe("POST /inspections", () => {
  test("creates a damage for each report, with the inspection's person and time (fleet 4)", async () => {
    const caller = new FleetCaller();
    const made = await caller.data("submitInspection", { body: BODY });
    const reported = { reportedAt: BODY.performedAt, repairedAt: null };
    const { damages } = await read(caller, made.id);
    expect(damages).toMatchObject([
      {
        vehicleId: "vehicle-2",
        description: "Scratch",
        photoUrl: "/photos/1.jpg",
        status: "TO_REPAIR_NOT_OK",
        ...reported,
      },
      { vehicleId: "vehicle-1", description: "Dent", status: "TO_REPAIR_WARNING", ...reported },
    ]);
    expect(made.damages).toEqual(damages);
    const listed = ids(await caller.data("listDamages", { query: { limit: 100 } }));
    for (const { id = "" } of damages) {
      expect(listed).toContain(id);
      const damage = await caller.data<Damage>("getDamage", { id });
      expect(damage).toMatchObject({ reportedBy: PERSON, inspection: { id: made.id } });
    }
  });

  test("uses the current time if the body has no time", async () => {
    const caller = new FleetCaller();
    caller.ref.clock.advance({ days: 1 });
    const { id } = await caller.data("submitInspection", { body: {} });
    expect((await read(caller, id)).performedAt).toBe("2026-01-02T00:00:00.000Z");
  });

  test("uses the vehicle field, or the item in the response, for an item that the template lacks", async () => {
    const caller = new FleetCaller();
    const own = { id: "x", label: "Own", inputType: "TEXT", isRequired: true };
    const responses = [{ templateItemId: "field-1" }, { templateItem: own }];
    const { id } = await caller.data("submitInspection", { body: { responses } });
    const [field, other] = (await read(caller, id)).responses.map(({ templateItem }) => templateItem);
    expect(field).toMatchObject({ id: "field-1", label: "Tyres", inputType: "SELECT" });
    expect(other).toEqual(own);
  });

  test("also accepts vehicles as objects with an ID, and returns an unknown vehicle unchanged", async () => {
    const caller = new FleetCaller();
    const vehicles = [{ id: "vehicle-1" }, "vehicle-2", { plateNumber: "FOREIGN" }];
    const { id } = await caller.data("submitInspection", { body: { vehicles } });
    expect((await read(caller, id)).vehicles).toMatchObject([
      { id: "vehicle-1", brand: expect.stringMatching(/./) as string },
      { id: "vehicle-2" },
      { plateNumber: "FOREIGN" },
    ]);
  });
});

describe("PATCH /inspections/{id}", () => {
  const submit = async (caller: FleetCaller) =>
    read(caller, (await caller.data("submitInspection", { body: BODY })).id);
  const patch = (caller: FleetCaller, id: string, body: JsonObject) =>
    caller.data("updateInspection", { id, body });

  test("changes only the properties of the body", async () => {
    const caller = new FleetCaller();
    const before = await submit(caller);
    await patch(caller, before.id, { notes: "Dry", status: "REVIEWED" });
    expect(await read(caller, before.id)).toEqual({ ...before, notes: "Dry", status: "REVIEWED" });
  });

  test("replaces vehicles and template under either property name", async () => {
    const caller = new FleetCaller();
    const { id } = await submit(caller);
    await patch(caller, id, { vehicles: [{ id: "vehicle-7" }], template: { id: "template-2" } });
    const after = await read(caller, id);
    expect([ids(after.vehicles), after.templateId, after.template.id]).toEqual([
      ["vehicle-7"],
      "template-2",
      "template-2",
    ]);
    await patch(caller, id, { vehicleIds: ["vehicle-8"] });
    expect(ids((await read(caller, id)).vehicles)).toEqual(["vehicle-8"]);
  });

  test("changes a damage of the inspection, and creates a damage for any other ID", async () => {
    const caller = new FleetCaller();
    const before = await submit(caller);
    const [first, second] = before.damages;
    const damages = [
      { id: first?.id, status: "DONE" },
      { id: "damage-1", description: "New" },
    ];
    await patch(caller, before.id, { damages });
    const after = await read(caller, before.id);
    expect(after.damages).toMatchObject([{ ...first, status: "DONE" }, second ?? {}, { description: "New" }]);
    expect(after.damages[2]?.id).not.toBe("damage-1");
  });
});

test("the list of inspections contains what was written, and the damages (fleet 4)", async () => {
  const caller = new FleetCaller();
  const listed = await caller.data<JsonObject[]>("listInspections", { query: { limit: 100 } });
  for (const row of listed.slice(0, 20)) {
    const inspection = await read(caller, row.id);
    expect(row).toMatchObject({
      status: "COMPLETED",
      performedAt: inspection.performedAt,
      damages: inspection.damages,
    });
  }
});
