import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { type Shape, UnexpectedResponseError } from "../../../src/client/fleet/index.ts";
import { json } from "../core/stub-fetch.ts";
import { anyPage, meta, pageOf, rejection, stubClient, uuid } from "./stub-client.ts";

const plate = z.object({
  plate: z.string(),
  seen: z.optional(
    z.pipe(
      z.string(),
      z.transform((text) => new Date(text)),
    ),
  ),
});

/** A Standard Schema written by hand, asynchronous: requires a name and converts it to upper case. */
const named: Shape<{ name: string }> = {
  "~standard": {
    version: 1,
    async validate(value) {
      await Promise.resolve();
      const name = (value as { name?: unknown } | null)?.name;
      if (typeof name !== "string") return { issues: [{ message: "wants a name", path: [{ key: "name" }] }] };
      return { value: { name: name.toUpperCase() } };
    },
  },
};

describe("a shape of a response", () => {
  it("reads its entity in single responses, lists and responses of writes, transforms included", async () => {
    const vehicle = { plate: "WX", seen: "2026-01-01T00:00:00Z", more: 1 };
    const read = { plate: "WX", seen: new Date("2026-01-01T00:00:00Z") };
    const { client } = stubClient(
      (sent) =>
        json(
          sent.path.endsWith("/vehicles") && sent.method === "GET"
            ? pageOf([vehicle], 1, 1)
            : { data: vehicle, meta },
        ),
      { shapes: { vehicle: plate } },
    );
    expect(await client.vehicles.get("v")).toEqual(read);
    expect(await client.vehicles.create({})).toEqual(read);
    expect(await client.vehicles.update("v", {})).toEqual(read);
    expect((await client.vehicles.list()).items).toEqual([read]);
    expect(await client.vehicles.list().take(1)).toEqual([read]);
    expect((await client.vehicles.list()).raw).toEqual(pageOf([vehicle], 1, 1));
  });

  it("that rejects a page fetched ahead fails in its turn", async () => {
    const items = [{ plate: "a" }, { plate: "b" }, { plate: 5 }, { plate: "d" }];
    const { client } = stubClient((sent) => json(pageOf(items, Number(sent.query.page ?? 1), 1)), {
      shapes: { vehicle: plate },
    });
    const seen: unknown[] = [];
    const walk = async (): Promise<void> => {
      for await (const vehicle of client.vehicles.list().items({ concurrency: 4 })) seen.push(vehicle.plate);
    };
    expect(await rejection(walk())).toBeInstanceOf(UnexpectedResponseError);
    expect(seen).toEqual(["a", "b"]);
  });

  it("a shape applies only to its own entity: details have the contract's type", async () => {
    const refuses = z.never();
    const shapes = {
      vehicle: refuses,
      inspectionSummary: refuses,
      damageSummary: refuses,
      driverAssignment: refuses,
    };
    const { client } = stubClient(() => json({ data: { id: "x" }, meta }), { shapes });
    expect(await client.inspections.get(uuid)).toEqual({ id: "x" });
    expect(await client.damages.get("d")).toEqual({ id: "x" });
    expect(await client.vehicles.delete("v")).toEqual({ id: "x" });
    for (const call of [
      () => client.inspections.submit({}),
      () => client.inspections.update(uuid, {}),
      () => client.damages.create({}),
      () => client.damages.update("d", {}),
      () => client.driverAssignments.get("a"),
      () => client.driverAssignments.create({}),
      () => client.driverAssignments.update("a", {}),
    ]) {
      expect(await rejection(call())).toBeInstanceOf(UnexpectedResponseError);
    }
  });
});

describe("a shape of an input", () => {
  const given = z.object({ plate: z.string().check(z.minLength(2)), axles: z.optional(z.number()) });
  const input = z.pipe(
    given,
    z.transform((vehicle) => ({ axles: 2, ...vehicle })),
  );

  it("sends its output", async () => {
    const { client, sent } = stubClient(() => json({ data: {}, meta }), { shapes: { vehicleInput: input } });
    await client.vehicles.create({ plate: "WX" });
    await client.vehicles.update("v", { plate: "WX", axles: 3 });
    expect(sent.map(({ body }) => body)).toEqual([
      { plate: "WX", axles: 2 },
      { plate: "WX", axles: 3 },
    ]);
  });

  it("takes the body of the call, whatever the program does to it afterwards", async () => {
    const { client, sent } = stubClient(() => json({ data: {}, meta }), {
      shapes: { vehicleInput: z.looseObject({}), damageInput: z.any() },
    });
    const body = { plate: "WX" };
    const calls = [
      client.vehicles.create(body),
      client.vehicles.update("v", body),
      client.damages.create(body),
    ];
    body.plate = "changed";
    await Promise.all(calls);
    expect(sent.map((request) => request.body)).toEqual(Array.from({ length: 3 }, () => ({ plate: "WX" })));
  });

  it("applies to POST and PUT of its resource, and not to PATCH, whose body may be partial (gap fleet.patch)", async () => {
    const shapes = {
      vehicleInput: named,
      vehicleGroupInput: named,
      inspectionInput: named,
      inspectionTemplateInput: named,
      damageInput: named,
      driverAssignmentInput: named,
    };
    const { client, sent } = stubClient(() => json({ data: {}, meta }), { shapes });
    const body = { name: "a" };
    await client.vehicles.create(body);
    await client.vehicles.update("x", body);
    await client.vehicleGroups.create(body);
    await client.vehicleGroups.update("x", body);
    await client.inspections.submit(body);
    await client.inspectionTemplates.create(body);
    await client.inspectionTemplates.update("x", body);
    await client.damages.create(body);
    await client.damages.update("x", body);
    await client.driverAssignments.create(body);
    expect(sent).toHaveLength(10);
    for (const one of sent) expect(one.body).toEqual({ name: "A" });
    sent.length = 0;
    const part = { note: "a" };
    await client.inspections.update(uuid, part);
    await client.driverAssignments.update("x", part);
    expect(sent.map((one) => one.body)).toEqual([part, part]);
  });

  it("does not read responses", async () => {
    const { client } = stubClient(() => json(anyPage), { shapes: { vehicleInput: z.never() } });
    expect((await client.vehicles.list()).items).toEqual([]);
  });
});
