import { expect } from "vitest";
import * as z from "zod/mini";
import { InvalidRequestError } from "../../src/client/fleet/index.ts";
import { type Check, stance } from "./gap.ts";
import { failureOf, fleetRefuses } from "./outcomes.ts";
import { type World, world } from "./world.ts";

/** Every request with a body has its media type. */
async function patchedWith(refuses: boolean): Promise<void> {
  const types: (string | null)[] = [];
  const { fleetWith, ref } = world({});
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    types.push(new Headers(init.headers).get("content-type"));
    return refuses ? new Response("", { status: 415 }) : ref.fetch(url, init);
  };
  const call = fleetWith({ fetch }).driverAssignments.update("assignment-1", { note: "x" });
  if (refuses) await fleetRefuses(call, 415, { attempts: 1 });
  else expect(await call).toHaveProperty("note", "x");
  expect(types).toEqual(["application/json"]);
}

stance("fleet.patch-content-type", {
  json: () => patchedWith(false),
  "merge-patch": () => patchedWith(true),
});

stance("fleet.input-shapes", {
  "response-properties": async ({ fleet }) => {
    const made = await fleet.damages.create({ vehicleId: "vehicle-1", shade: "dark" });
    expect(made).toMatchObject({ shade: "dark", status: "TO_REPAIR_WARNING" });
    expect(await fleet.damages.get(String(made["id"]))).toHaveProperty("vehicle.id", "vehicle-1");
  },
  opaque: async ({ fleet }) => {
    const made = await fleet.damages.create({ carId: "vehicle-1", shade: "dark" });
    expect(made).toEqual({ id: made["id"], carId: "vehicle-1", shade: "dark" });
  },
});

stance("fleet.put", {
  replace: async ({ fleet }) => {
    expect(await fleet.vehicles.update("vehicle-1", { model: "X" })).toEqual({ id: "vehicle-1", model: "X" });
  },
  merge: async ({ fleet }) => {
    const before = await fleet.vehicles.get("vehicle-1");
    expect(await fleet.vehicles.update("vehicle-1", { model: "X" })).toEqual({ ...before, model: "X" });
  },
});

/** A client whose input shape requires more properties than a partial update has. */
function shapedUpdate({ fleetWith }: World, body: Record<string, unknown>): PromiseLike<unknown> {
  const driverAssignmentInput = z.looseObject({ vehicleId: z.string(), driverId: z.string() });
  return fleetWith({ shapes: { driverAssignmentInput } }).driverAssignments.update("assignment-1", body);
}

stance("fleet.patch", {
  partial: async (w) => {
    const before = await w.fleet.driverAssignments.get("assignment-1");
    expect(await shapedUpdate(w, { note: "Nights" })).toEqual({ ...before, note: "Nights" });
  },
  "own-shape": async (w) => {
    await fleetRefuses(shapedUpdate(w, { note: "Nights" }), 400, { attempts: 1 });
    expect(await shapedUpdate(w, { changes: { note: "Nights" } })).toHaveProperty("note", "Nights");
    const sent = w.ref.journal.of("updateDriverAssignment").map(({ body }) => body);
    expect(sent).toEqual([{ note: "Nights" }, { changes: { note: "Nights" } }]);
  },
});

const colored = { plateNumber: "WX 1", color: "red" };

/** The body is sent as given, and an unknown parameter is sent only from `extra`. */
async function sendsUnknown(w: World, check: (call: PromiseLike<unknown>) => Promise<void>): Promise<void> {
  const { fleet, ref } = w;
  const query = { color: "red" } as object;
  expect(await failureOf(fleet.vehicleFields.list(query))).toBeInstanceOf(InvalidRequestError);
  await check(fleet.vehicles.create(colored));
  await check(fleet.vehicleFields.list({ extra: { color: "red" } }));
  expect(ref.journal.of("createVehicle").map(({ body }) => body)).toEqual([colored]);
  expect(ref.journal.of("listVehicleFields").map((sent) => sent.query)).toEqual([{ color: "red" }]);
}

stance("fleet.unknown-properties", {
  ignored: (w) =>
    sendsUnknown(w, async (call) => {
      await expect(call).resolves.toBeTypeOf("object");
    }),
  rejected: async (w) => {
    await sendsUnknown(w, (call) => fleetRefuses(call, 400, { attempts: 1 }));
    await expect(w.fleet.vehicles.create({ plateNumber: "WX 1" })).resolves.toHaveProperty("id");
  },
});

const filter = { extra: { plateNumber: "WX 1" } };

stance("lists.unknown-filters", {
  ignored: async ({ fleet }) => {
    const [filtered, every] = [await fleet.vehicles.list(filter), await fleet.vehicles.list()];
    expect(filtered.pagination?.totalCount).toBe(every.pagination?.totalCount);
    expect(filtered.items).toEqual(every.items);
  },
  rejected: async ({ fleet }) => {
    await fleetRefuses(fleet.vehicles.list(filter).toArray(), 400);
    await expect(fleet.vehicles.list().toArray()).resolves.toHaveLength(12);
  },
});

/** If the operation exists, its object is returned unchanged. */
function readsOne(isListElement: boolean): Check {
  return async ({ fleetWith, ref }) => {
    const fleet = fleetWith({ validate: "full" });
    const template = await fleet.inspectionTemplates.get("template-1");
    const listed = (await fleet.inspectionTemplates.list().toArray()).find(({ id }) => id === "template-1");
    const kept = ref.state.fleet.inspectionTemplates.get("template-1");
    expect(template).toEqual(isListElement ? listed : kept);
  };
}

stance("templates.get-one", {
  "by-path": readsOne(false),
  "list-element": readsOne(true),
  absent: async ({ fleet }) => {
    await fleetRefuses(fleet.inspectionTemplates.get("template-1"), 404, { code: "NOT_FOUND" });
    const listed = await fleet.inspectionTemplates.list().toArray();
    expect(listed.map(({ id }) => id)).toContain("template-1");
  },
});

/** A PUT whose first response is lost: the number of requests, and the increase of the version. */
async function loseResponseOfPut(
  w: World,
  isConfigured: boolean,
): Promise<{ sent: number; versionChange: number; failed: unknown }> {
  const { ref } = w;
  const fleet = isConfigured ? w.fleet : w.fleetWith({ readings: {} });
  const version = (): number => Number(ref.state.fleet.inspectionTemplates.get("template-1")?.version);
  const [before, sent] = [version(), ref.journal.of("updateInspectionTemplate").length];
  ref.on("updateInspectionTemplate").fault("reset", { at: "after" }).times(1);
  const title = isConfigured ? "Told" : "Untold";
  const failed = await fleet.inspectionTemplates.update("template-1", { title, items: [] }).then(
    () => undefined,
    (error: unknown) => (error as Error).name,
  );
  return {
    sent: ref.journal.of("updateInspectionTemplate").length - sent,
    versionChange: version() - before,
    failed,
  };
}

/** A client without the reading sends the PUT once. */
function resends(configured: { sent: number; failed: string | undefined }, versionChange: number): Check {
  return async (w) => {
    expect(await loseResponseOfPut(w, true)).toEqual({ ...configured, versionChange });
    expect(await loseResponseOfPut(w, false)).toEqual({ sent: 1, failed: "ConnectionError", versionChange });
  };
}

stance("templates.version-after-put", {
  stays: resends({ sent: 2, failed: undefined }, 0),
  "each-put": resends({ sent: 1, failed: "ConnectionError" }, 1),
  "changes-only": resends({ sent: 2, failed: undefined }, 1),
});
