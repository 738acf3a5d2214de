import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ensure, FleetClient, InvalidRequestError, ShelfleetError } from "../../../src/client/fleet/index.ts";
import { createReferenceServer } from "../../../src/mock/index.ts";
import type { JsonObject } from "../../../src/wire/json.ts";
import { json } from "../core/stub-fetch.ts";
import { pageOf, stubClient } from "./stub-client.ts";
import type { EnsurableResource } from "../../../src/client/fleet/ensure-run.ts";

function setUp(readings = {}) {
  const ref = createReferenceServer({ fleet: { vehicles: 60 }, readings });
  const fleet = new FleetClient({
    baseUrl: ref.fleetUrl,
    key: ref.keys[0]?.key ?? "",
    fetch: ref.fetch,
    retry: 0,
  });
  const sent = (): string[] =>
    ref.journal
      .all()
      .map(({ method }) => method)
      .filter((method) => method !== "GET");
  return { ref, fleet, sent };
}

type Fleet = ReturnType<typeof setUp>["fleet"];

/** Each resource with a POST, two entities, their key and a property that changes. */
const resources = {
  vehicles: { open: (fleet: Fleet) => fleet.vehicles, key: "plateNumber", change: { brand: "DAF" } },
  vehicleGroups: { open: (fleet: Fleet) => fleet.vehicleGroups, key: "name", change: { region: "North" } },
  inspectionTemplates: {
    open: (fleet: Fleet) => fleet.inspectionTemplates,
    key: "title",
    change: { description: "New" },
  },
  damages: { open: (fleet: Fleet) => fleet.damages, key: "externalNumber", change: { description: "New" } },
  inspections: { open: (fleet: Fleet) => fleet.inspections, key: "externalNumber", change: { notes: "New" } },
  driverAssignments: {
    open: (fleet: Fleet) => fleet.driverAssignments,
    key: "driver",
    change: { until: "2030" },
  },
} as const;

describe.each(Object.entries(resources))("ensure for %s", (_, { open, key, change }) => {
  const desired: JsonObject[] = [{ [key]: "One" }, { [key]: "Two", added: { list: [1, { x: null }] } }];
  const changed = desired.map((one) => ({ ...one, ...change }));
  const resourceOf = (fleet: Fleet) => open(fleet) as EnsurableResource<JsonObject>;

  it("creates, changes, and writes nothing in the next run", async () => {
    const { fleet, sent } = setUp();
    const resource = resourceOf(fleet);
    const outcomes = async (wanted: JsonObject[], options = {}): Promise<string[]> =>
      (await ensure(resource, wanted, { key, ...options })).map(
        ({ action, outcome }) => `${action} ${outcome}`,
      );
    expect(await outcomes(desired, { dryRun: true })).toEqual(["create planned", "create planned"]);
    expect(await outcomes(desired)).toEqual(["create done", "create done"]);
    expect(await outcomes(desired)).toEqual(["undefined unchanged", "undefined unchanged"]);
    expect(await outcomes(changed, { dryRun: true })).toEqual(["update planned", "update planned"]);
    expect(await outcomes(changed)).toEqual(["update done", "update done"]);
    expect(await outcomes(desired)).toEqual(["undefined unchanged", "undefined unchanged"]);
    expect(sent().map((method) => method.replace("PATCH", "PUT"))).toEqual(["POST", "POST", "PUT", "PUT"]);
  });

  it("finds an entity whose POST was processed although its response was lost", async () => {
    const { ref, fleet, sent } = setUp();
    const resource = resourceOf(
      fleet.withOptions({
        fetch: async (url, init) => {
          const response = await ref.fetch(url, init);
          if (init.method === "POST") throw new TypeError("reset");
          return response;
        },
      }),
    );
    const results = await ensure(resource, desired, { key });
    expect(results.map(({ outcome }) => outcome)).toEqual(["done", "done"]);
    expect(results[0]?.id).toMatch(/./);
    expect(sent()).toEqual(["POST", "POST"]);
  });

  it("creates nothing twice in parallel calls of one client", async () => {
    const { fleet, sent } = setUp();
    await Promise.all([1, 2].map(() => ensure(resourceOf(fleet), desired, { key })));
    expect(sent()).toEqual(["POST", "POST"]);
  });

  it("reports a conflict for a key that several entities have, and for one that was created twice", async () => {
    const { ref, fleet } = setUp();
    const resource = resourceOf(
      fleet.withOptions({
        fetch: async (url, init) => {
          if (init.method === "POST") await ref.fetch(url, init); // another program
          return ref.fetch(url, init);
        },
      }),
    );
    const conflict = { outcome: "conflict", error: { reason: "ambiguous" } };
    expect(await ensure(resource, desired.slice(0, 1), { key })).toMatchObject([conflict]);
    expect(await ensure(resource, desired, { key })).toMatchObject([conflict, conflict]);
  });
});

/** A service with these vehicles, whose responses to writes and details can be replaced. */
function service(
  vehicles: JsonObject[],
  replace: (method: string, found: unknown) => unknown = (_, found) => found,
) {
  const all = [...vehicles];
  return stubClient(
    ({ method, path, body }) => {
      const at = all.findIndex(({ id }) => path.endsWith(`/${String(id)}`));
      if (method === "POST") all.push({ ...(body as JsonObject), id: `v-${all.length + 1}` });
      if (method === "PUT") all[at] = { ...all[at], ...(body as JsonObject) };
      const page = { ...pageOf(all, 1, 100) };
      if (path.endsWith("/vehicles") && method === "GET") return json(page);
      return json({ data: replace(method, method === "POST" ? all.at(-1) : all[at]), meta: page.meta });
    },
    { retry: 0 },
  );
}

describe.each([
  ["vehicles", "vehicle", "vehicleInput"],
  ["vehicleGroups", "vehicleGroup", "vehicleGroupInput"],
  ["damages", "damageSummary", "damageInput"],
  ["inspectionTemplates", "", "inspectionTemplateInput"],
] as const)("ensure for %s with shapes", (name, output, input) => {
  const stored = { id: "x-1", no: "1", text: "old", size: "007", other: { nested: true } };
  const trimmed = z.string().transform((text) => text.trim());
  const stripping = z.object({ id: z.string().optional(), no: z.string(), text: trimmed });
  const converting = z.looseObject({
    size: z.string().transform(Number),
    added: z.string().default("by the shape"),
  });

  const update = async ({ "": _, ...shapes }: Partial<Record<string, z.ZodType>>, options = {}) => {
    const { client, sent } = stubClient(
      ({ method, path, body }) => {
        if (method === "GET" && !path.endsWith("/x-1")) return json(pageOf([stored], 1, 50));
        return json({ data: method === "PUT" ? body : stored });
      },
      { retry: 0, shapes },
    );
    const resource = client[name] as EnsurableResource<JsonObject>;
    const results = await ensure(resource, [{ no: "1", text: "new" }], { key: "no", ...options });
    expect(results).toMatchObject([{ outcome: "done" }]);
    return sent.at(-1)?.body;
  };

  it.each([
    ["its entity leaves out", { [output]: stripping }],
    ["its entity converts or adds", { [output]: converting }],
    ["its input leaves out", { [input]: stripping }],
    ["both leave out", { [output]: stripping, [input]: stripping }],
    ["its input leaves out later", { [input]: stripping.transform(async (value) => value) }],
  ])("sends every property as the service has it, also those that the shape of %s", async (_, shapes) => {
    expect(await update(shapes)).toEqual({ ...stored, text: "new" });
  });

  it("sends what the shape of its input adds", async () => {
    const adding = z.looseObject({}).transform((value) => ({ ...value, label: "x" }));
    expect(await update({ [input]: adding })).toEqual({ ...stored, text: "new", label: "x" });
  });

  it("gives toUpdate the entity as the service sent it", async () => {
    const toUpdate = (found: JsonObject, desired: JsonObject) => ({ ...found, ...desired });
    expect(await update({ [output]: stripping }, { toUpdate })).toEqual({ ...stored, text: "new" });
  });

  it("writes nothing if the input does not fit its shape", async () => {
    const { client, sent } = stubClient(
      ({ path }) => json(path.endsWith("/x-1") ? { data: stored } : pageOf([stored], 1, 50)),
      { shapes: { [input]: z.object({ text: z.literal("x") }) } },
    );
    const resource = client[name] as EnsurableResource<JsonObject>;
    const results = await ensure(resource, [{ no: "1", text: "new" }], { key: "no" });
    expect(results).toMatchObject([{ outcome: "failed", error: { issues: [{ path: "text" }] } }]);
    expect(sent.every(({ method }) => method === "GET")).toBe(true);
  });
});

describe("ensure and unusual services", () => {
  const plate = { plateNumber: "A", brand: "MAN" };
  const listed = { id: "v-1", plateNumber: "A", brand: "DAF" };

  const byPlate = { key: "plateNumber" } as const;
  const ensureOne = async ({ vehicles }: FleetClient, desired: JsonObject) =>
    (await ensure(vehicles, [desired], byPlate))[0];

  it("sends an update with every property of the detail", async () => {
    const { client, sent } = service([listed], (method, found) =>
      method === "GET" ? { ...(found as object), vin: "V" } : found,
    );
    expect(await ensureOne(client, plate)).toMatchObject({ action: "update", outcome: "done" });
    expect(sent.at(-1)?.body).toEqual({ id: "v-1", plateNumber: "A", brand: "MAN", vin: "V" });
  });

  it.each<[string, JsonObject, JsonObject]>([
    ["a property", { ...plate, vin: "V" }, { ...plate, vin: null }],
    ["a nested property", { ...plate, at: { x: 1, y: 2 } }, { ...plate, at: { x: 1, y: null } }],
  ])("clears %s that the list and the response to the update leave out", async (_, stored, desired) => {
    const summary = { ...plate, id: "v-1", at: { x: 1 } };
    let entity: JsonObject = { ...stored, id: "v-1" };
    const { client, sent } = stubClient(({ method, path, body }) => {
      if (path.endsWith("/vehicles")) return json(pageOf([summary], 1, 100));
      if (method === "PUT") entity = body as JsonObject;
      return json({ data: method === "PUT" ? summary : entity });
    });
    expect(await ensureOne(client, desired)).toMatchObject({ action: "update", outcome: "done" });
    expect(sent.map(({ method }) => method)).toEqual(["GET", "GET", "PUT", "GET"]);
    expect(entity).toMatchObject(desired);
  });

  it("is not done if the response to an update leaves out a property that the service did not clear", async () => {
    const stored = { ...plate, id: "v-1", vin: "V" };
    const resource = {
      async *list() {
        yield { ...stored, brand: "DAF" };
      },
      get: async () => stored,
      update: async () => ({ ...plate, id: "v-1" }),
    };
    expect(await ensure(resource, [{ ...plate, vin: null }], byPlate)).toMatchObject([
      { outcome: "differs" },
    ]);
  });

  it("writes nothing if the key has moved to another entity since the list was read", async () => {
    const { client, sent } = service([listed], (method, found) =>
      method === "GET" ? { ...(found as object), plateNumber: "B" } : found,
    );
    expect(await ensureOne(client, plate)).toMatchObject({
      outcome: "failed",
      error: { reason: "other-entity", issues: [{ path: "key" }] },
    });
    expect(sent.map(({ method }) => method)).toEqual(["GET", "GET"]);
  });

  it("finds what it created if the response shows nothing", async () => {
    const created: JsonObject[] = [];
    const { client } = stubClient(({ method, body }) => {
      if (method === "POST") created.push({ ...(body as JsonObject), id: "v-1" });
      return json(method === "POST" ? { data: {} } : pageOf(created, 1, 100));
    });
    expect(await ensureOne(client, plate)).toMatchObject({ action: "create", outcome: "done", id: "v-1" });
  });

  it.each<[string, (created: JsonObject[]) => JsonObject[]]>([
    ["lack the key, as summaries may", (created) => created.map(({ id, brand }) => ({ id, brand }))],
    ["leave it out", () => []],
  ])("reports a difference for what it created if the entries of the list %s", async (_, listOf) => {
    const created: JsonObject[] = [];
    const { client } = stubClient(({ method, body }) => {
      if (method === "POST") created.push({ ...(body as JsonObject), id: `v-${created.length + 1}` });
      return json(method === "POST" ? { data: created.at(-1) } : pageOf(listOf(created), 1, 100));
    });
    expect(await ensureOne(client, plate)).toMatchObject({
      action: "create",
      outcome: "differs",
      id: "v-1",
      error: { reason: "differs", issues: [{ path: "key" }] },
    });
  });

  it.each([["<h1>Not Found</h1>"], [{ errors: [{ code: "NOT_FOUND", message: "deleted" }] }]])(
    "writes nothing after a 404, because a summary of the list is not the whole entity: %j",
    async (body) => {
      const { client, sent } = stubClient(({ path }) =>
        path.endsWith("/vehicles") ? json(pageOf([listed], 1, 100)) : json(body, { status: 404 }),
      );
      expect(await ensureOne(client, plate)).toMatchObject({ outcome: "failed", error: { status: 404 } });
      expect(sent.map(({ method }) => method)).toEqual(["GET", "GET"]);
    },
  );

  it.each([
    ["differs", listed],
    ["done", { ...listed, brand: "MAN" }],
  ])(
    "reads the entity again if the response to an update is about another one: %s",
    async (outcome, stored) => {
      let isWritten = false;
      const { client, sent } = stubClient(({ method, path }) => {
        if (path.endsWith("/vehicles")) return json(pageOf([listed], 1, 100));
        isWritten ||= method === "PUT";
        if (method === "PUT") return json({ data: { ...plate, id: "V-1" } });
        return json({ data: isWritten ? stored : listed });
      });
      expect(await ensureOne(client, plate)).toMatchObject({ outcome, id: "v-1" });
      expect(sent.map(({ method }) => method)).toEqual(["GET", "GET", "PUT", "GET"]);
    },
  );

  it("sends the body of toUpdate", async () => {
    const { client, sent } = service([listed]);
    const toUpdate = ({ id: _, ...found }: JsonObject, desired: JsonObject) => ({ ...found, ...desired });
    await ensure(client.vehicles, [plate], { key: ["plateNumber"], toUpdate });
    expect(sent.at(-1)?.body).toEqual(plate);
  });

  it("keeps the value of a desired property that is undefined", async () => {
    const full = { ...listed, vin: "V", place: { city: "Gdynia" } };
    const { client, sent } = service([full]);
    const desired = { ...plate, vin: undefined, place: { city: "Gdynia", zip: undefined } };
    expect(await ensureOne(client, desired)).toMatchObject({ outcome: "done" });
    expect(sent.at(-1)?.body).toEqual({ ...full, brand: "MAN" });
    const same = { ...desired, brand: "MAN" };
    expect(await ensureOne(client, same)).toMatchObject({ outcome: "unchanged" });
    const other = service([full], (method, found) =>
      method === "GET" || method === "PUT" ? { ...(found as object), brand: "DAF" } : found,
    );
    expect(await ensureOne(other.client, { ...plate, brand: "VW", vin: undefined })).toMatchObject({
      outcome: "differs",
      error: { issues: [{ path: "brand" }] },
    });
  });

  it("takes a function as key, and ignores null and absent properties", async () => {
    const { client, sent } = service([{ ...plate, id: 7, plateNumber: "a" }]);
    const key = ({ plateNumber }: JsonObject) => String(plateNumber).toLowerCase();
    const desired = { plateNumber: "a", vin: null };
    expect(await ensure(client.vehicles, [desired], { key })).toMatchObject([
      { outcome: "unchanged", id: "7" },
    ]);
    expect(sent.map(({ method }) => method)).toEqual(["GET", "GET"]);
  });

  const instant = new Date("2026-01-01T00:00:00Z");

  it.each<[string, unknown, unknown]>([
    ["a negative zero", -0, 0],
    ["a nested negative zero", { latitude: -0 }, { latitude: 0 }],
    ["a date", instant, instant.toISOString()],
    ["a date in an object", { at: instant }, { at: instant.toISOString() }],
  ])("compares %s as the service gets it", async (_, value, sent) => {
    const same = service([{ ...plate, id: "v-1", value: sent }]);
    expect(await ensureOne(same.client, { ...plate, value })).toMatchObject({ outcome: "unchanged" });
    const other = service([{ ...plate, id: "v-1", value: "other" }], (method, found) =>
      method === "PUT" ? { ...(found as object), value: sent } : found,
    );
    expect(await ensureOne(other.client, { ...plate, value })).toMatchObject({ outcome: "done" });
    expect(other.sent.at(-1)?.body).toMatchObject({ value: sent });
  });

  it("updates a date that a shape has parsed", async () => {
    const found = { ...plate, id: "v-1", at: instant };
    const updates: unknown[] = [];
    const resource = {
      async *list() {
        yield found;
      },
      get: async () => found,
      update: async (_: string, body: JsonObject) => void updates.push(body),
    };
    const later = new Date("2026-01-02T00:00:00Z");
    await ensure(resource, [{ ...plate, at: later }], byPlate);
    expect(updates).toMatchObject([{ at: later }]);
  });

  it("writes nothing for an entity whose JSON has other properties", async () => {
    class Row {
      [name: string]: unknown;
      readonly plateNumber = "A";
      readonly #sent: string;
      constructor(sent: string) {
        this.#sent = sent;
      }
      toJSON(): object {
        return { plateNumber: this.#sent };
      }
    }
    const { client, sent } = service([listed]);
    const rows: JsonObject[] = [new Row("B"), { ...plate, toJSON: () => plate }];
    for (const row of rows)
      await expect(ensure(client.vehicles, [row], byPlate)).rejects.toThrow("0: has a toJSON");
    expect(sent).toEqual([]);
    expect(await ensure(client.vehicles, [new Row("A")], byPlate)).toMatchObject([{ outcome: "unchanged" }]);
  });

  it.each<[unknown, unknown]>([
    [7, "7"],
    ["7", 7],
    [
      [7, { b: 1 }],
      ["7", { b: "1" }],
    ],
  ])("creates no second entity for the key %j if there is one with %j", async (no, listedNo) => {
    const { client, sent } = service([{ ...listed, no: listedNo }]);
    const wanted = [{ no, brand: "MAN" }];
    expect(await ensure(client.vehicles, wanted, { key: "no" })).toMatchObject([
      { action: "update", id: "v-1" },
    ]);
    expect(sent.map(({ method }) => method)).not.toContain("POST");
    const twice = [{ no }, { no: listedNo }];
    await expect(ensure(client.vehicles, twice, { key: "no" })).rejects.toThrow("has the key of an earlier");
  });

  const keys: [string, (entity: JsonObject) => unknown][] = [
    ["a promise", async ({ plateNumber }) => plateNumber],
    ["a Map", ({ plateNumber }) => new Map([["plate", plateNumber]])],
    ["NaN", ({ plateNumber }) => Number(plateNumber)],
    ["a function", () => String],
    ["a symbol", () => Symbol("key")],
    ["a bigint", () => 1n],
    ["an empty string", () => ""],
    ["an empty object", () => ({})],
    ["a list without content", ({ absent }) => [absent, null, ""]],
    ["a number beyond 2^53", () => 2 ** 53],
  ];
  it.each(keys)("writes no other entity for a key that is %s", async (_, key) => {
    const { client, sent } = service([{ id: "v-1", plateNumber: "other" }]);
    await expect(ensure(client.vehicles, [plate], { key })).rejects.toThrow(ShelfleetError);
    expect(sent).toEqual([]);
  });

  it.each<[string, JsonObject, JsonObject, string]>([
    ["an integer that JSON.parse has rounded", { ...listed, added: { n: 2 ** 53 } }, plate, "malformed"],
    ["an ID that JSON.parse has rounded", { ...listed, id: 2 ** 53 }, plate, "malformed"],
    ["another ID than the desired one", listed, { ...plate, id: "v-2" }, "other-entity"],
  ])("writes nothing for a listed entity with %s", async (_, found, desired, reason) => {
    const { client, sent } = service([found]);
    expect(await ensureOne(client, desired)).toMatchObject({ outcome: "failed", error: { reason } });
    expect(sent.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it.each<[string, (method: string, found: unknown) => unknown, object]>([
    [
      "keeps another value",
      (_, found) => ({ ...(found as object), brand: "other" }),
      { outcome: "differs", error: { reason: "differs" } },
    ],
    [
      "returns another entity",
      (_, found) => ({ ...(found as object), id: "v-2" }),
      { outcome: "failed", error: { reason: "other-entity" } },
    ],
  ])("is not done if the service %s", async (_, replace, expected) => {
    const { client } = service([listed], replace);
    expect(await ensureOne(client, plate)).toMatchObject(expected);
  });

  it.each([
    ["without an ID", { plateNumber: "A" }],
    [
      "nested 20 000 deep",
      { ...listed, deep: JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`) as unknown },
    ],
  ])("writes nothing for an entity %s", async (_, entity) => {
    const methods: string[] = [];
    const write = async (): Promise<void> => void methods.push("write");
    const list = async function* () {
      yield entity;
    };
    const resource = { list, get: async () => entity, create: write, update: write };
    const outcome = await ensure(resource, [plate], byPlate).then(
      ([result]) => result?.error,
      (error: unknown) => error,
    );
    expect(outcome).toMatchObject({ reason: "malformed" });
    expect(methods).toEqual([]);
  });

  it("reports a rejection for each entity, and skips the others after a missing scope", async () => {
    const desired = ["A", "B", "C"].map((plateNumber) => ({ plateNumber }));
    for (const [status, outcomes] of [
      [400, ["failed", "failed", "failed"]],
      [403, ["failed", "skipped", "skipped"]],
    ] as const) {
      const { client } = stubClient(({ method }) =>
        method === "GET" ? json(pageOf([], 1, 100)) : json({ errors: [] }, { status }),
      );
      const results = await ensure(client.vehicles, desired, { key: "plateNumber", concurrency: 1 });
      expect(results.map(({ outcome }) => outcome)).toEqual(outcomes);
    }
  });

  it.each([
    [[{ ...plate, position: { latitude: Number.NaN } }], "0.position.latitude: is NaN"],
    [[Object.create(plate)], "0: is a Object with hidden properties"],
  ])("rejects %j and sends nothing", async (desired, message) => {
    const { client, sent } = stubClient();
    const call = ensure(client.vehicles, desired as JsonObject[], byPlate);
    await expect(call).rejects.toBeInstanceOf(InvalidRequestError);
    await expect(call).rejects.toThrow(message);
    expect(sent).toEqual([]);
  });
});
