import { beforeEach, describe, expect, it } from "vitest";
import { fleetContract } from "../../generated/fleet.contract.ts";
import type { OperationContract } from "../../src/wire/operation.ts";
import { createReferenceServer } from "../../src/mock/index.ts";

const ref = createReferenceServer({ store: { stores: 3 }, fleet: { vehicles: 1, damages: 0 } });
const storeHeaders = { authorization: `Bearer ${ref.token}`, "content-type": "application/json" };
const fleetHeaders = { authorization: `Bearer ${ref.keys[0]?.key}`, "content-type": "application/json" };
beforeEach(() => ref.reset());

function put(externalId: string, body: object): Promise<Response> {
  return ref.fetch(`${ref.storeUrl}/v1/stores/${externalId}`, {
    method: "PUT",
    headers: storeHeaders,
    body: JSON.stringify(body),
  });
}

function get(externalId: string): Promise<Response> {
  return ref.fetch(`${ref.storeUrl}/v1/stores/${externalId}`, { headers: storeHeaders });
}

describe("a forced response", () => {
  const contract: Record<string, OperationContract<unknown>> = fleetContract;
  const codes = Object.values(contract).flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, { code }]) =>
      code === undefined ? [] : `${status} ${code}`,
    ),
  );
  it.each([...new Set([...codes, "400 BAD_REQUEST", "500 INTERNAL_ERROR"])])(
    "of the fleet API with the status and code %s has this code",
    async (text) => {
      const [status, code] = text.split(" ");
      ref.on("listVehicles").once({ status: Number(status) });
      const response = await ref.fetch(`${ref.fleetUrl}/vehicles`, { headers: fleetHeaders });
      expect(await response.json()).toMatchObject({ errors: [{ code }] });
    },
  );

  it('replaces that of an executed operation with at: "after"', async () => {
    ref.on("createDamage").once({ status: 504 }, { at: "after" });
    const init = { method: "POST", headers: fleetHeaders, body: JSON.stringify({ description: "Scratch" }) };
    expect((await ref.fetch(`${ref.fleetUrl}/damages`, init)).status).toBe(504);
    expect([...ref.state.fleet.damages.values()]).toMatchObject([{ description: "Scratch" }]);
    expect(ref.overrides.all()).toEqual([]);
  });

  it("is listed with its time", () => {
    ref.on("putStore").always({ status: 502 }, { at: "after" });
    expect(ref.overrides.all()).toMatchObject([{ effect: { type: "response", status: 502, at: "after" } }]);
    expect(() => ref.on("putStore").once({}, { at: "later" as "after" })).toThrow(
      "a forced response.at must be one of before, after",
    );
  });
});

describe("a change of responses", () => {
  it("gets the response and the request", async () => {
    ref.on("getStore").change(({ body }, { path }) => ({
      status: 202,
      body: { ...Object(body), asked: path["externalId"] },
    }));
    const response = await get("S-2");
    expect([response.status, await response.json()]).toEqual([
      202,
      expect.objectContaining({ externalId: "S-2", asked: "S-2" }),
    ]);
  });

  it("is a 501 if it returns a promise", async () => {
    ref.on("getStore").change((async () => ({ status: 418 })) as never);
    expect((await get("S-1")).status).toBe(501);
  });

  it("keeps the response if it returns nothing, and is a 501 if it throws", async () => {
    const change = ref
      .on("getStore")
      .change(() => undefined)
      .times(1);
    expect((await get("S-1")).status).toBe(200);
    expect(change.ids).toEqual([]);
    ref.on("getStore").change(() => {
      throw new Error("broken test");
    });
    expect(await (await get("S-1")).text()).toContain("broken test");
  });
});

describe("the journal", () => {
  it("lists the overrides that applied to a request", async () => {
    const [id] = ref.on("putStore").fault("reset").times(1).ids;
    await put("S-1", { name: "New" }).catch(() => undefined);
    await put("S-1", { name: "New" });
    expect(ref.journal.of("putStore").map(({ overrides }) => overrides)).toEqual([[id], undefined]);
  });
});

describe("a request that refers to an entity that does not exist", () => {
  const damage = { vehicleId: "vehicle-99", description: "Scratch", colour: "red" };
  const init = { method: "POST", headers: fleetHeaders, body: JSON.stringify(damage) };
  const issues = [
    { path: "colour", message: expect.stringContaining("is not a property") as string },
    { path: "vehicleId", message: '"vehicle-99" does not exist in vehicles' },
  ];

  it("is a violation, like a property that the contract does not name", async () => {
    expect((await ref.fetch(`${ref.fleetUrl}/damages`, init)).status).toBe(201);
    expect(ref.journal.violations()).toMatchObject([{ operation: "createDamage", issues }]);
  });

  it("is a 400 of a strict server", async () => {
    const strict = createReferenceServer({ strict: true, fleet: { vehicles: 1 } });
    const response = await strict.fetch(`${strict.fleetUrl}/damages`, init);
    expect([response.status, strict.journal.violations()]).toMatchObject([400, [{ issues }]]);
    expect(() => createReferenceServer({ strict: 1 as never })).toThrow("options.strict must be a boolean");
    expect(() => createReferenceServer({ change: {} as never })).toThrow("change must be a function");
  });
});

describe("a reset to the start", () => {
  it("undoes an import of a state", () => {
    const before = ref.exportState();
    ref.importState(createReferenceServer({ store: { stores: 7 } }).exportState());
    ref.reset();
    expect(ref.state.store.stores.size).toBe(7);
    ref.reset({ to: "start" });
    expect(ref.exportState()).toEqual(before);
    expect(() => ref.reset({ to: "end" as never })).toThrow("reset.to must be one of seed, start");
  });
});
