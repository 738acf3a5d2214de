import { describe, expect, test } from "vitest";
import type { FleetOperationId } from "../../../generated/fleet.operations.ts";
import type { JsonObject } from "../../../generated/fleet.ts";
import { FleetCaller, ids, paginationOf } from "./fleet-caller.ts";
import { firstInspection } from "./samples.ts";

/** The operations of one resource, and one row of the seed. */
interface Resource {
  name: string;
  list: FleetOperationId;
  read: FleetOperationId | undefined;
  create: FleetOperationId;
  update: FleetOperationId;
  remove: FleetOperationId;
  id: (caller: FleetCaller) => string;
}

function resourceOf(name: string, noun: string, more: Partial<Resource> = {}): Resource {
  const operation = (verb: string, plural = ""): FleetOperationId =>
    `${verb}${noun}${plural}` as FleetOperationId; // the tests call each
  return {
    name,
    list: operation("list", "s"),
    read: operation("get"),
    create: operation("create"),
    update: operation("update"),
    remove: operation("delete"),
    id: () => `${name}-1`,
    ...more,
  };
}

const resources: Resource[] = [
  resourceOf("vehicle", "Vehicle"),
  resourceOf("vehicle group", "VehicleGroup", { id: () => "group-1" }),
  resourceOf("inspection", "Inspection", { create: "submitInspection", id: firstInspection }),
  resourceOf("inspection template", "InspectionTemplate", { read: undefined, id: () => "template-1" }),
  resourceOf("damage", "Damage"),
  resourceOf("driver assignment", "DriverAssignment", {
    remove: "releaseDriverAssignment",
    id: () => "assignment-1",
  }),
];

const named = resources.map((resource) => [resource.name, resource] as const);
const BODY = { anything: { nested: [1, null, "ż"] }, description: "Own", none: null };

describe.for(named)("a %s", ([name, resource]) => {
  const { list, create, update, remove } = resource;
  const count = async (caller: FleetCaller) => paginationOf(await caller.call(list)).totalCount;

  test("is created with the sent properties and an ID of the server, and is listed (fleet 4)", async () => {
    const caller = new FleetCaller();
    const before = await count(caller);
    const made = await caller.data(create, { body: { ...BODY, id: "mine" } });
    expect(made).toMatchObject(BODY);
    expect(made.id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(await count(caller)).toBe(before + 1);
    const { totalPages } = paginationOf(await caller.call(list, { query: { limit: 100 } }));
    const last = await caller.data(list, { query: { limit: 100, page: totalPages } });
    expect(ids(last)).toContain(made.id);
  });

  test("has the sent properties and the same ID after a PUT", async () => {
    const caller = new FleetCaller();
    const id = resource.id(caller);
    expect(await caller.data(update, { id, body: { ...BODY, id: "mine" } })).toMatchObject({ ...BODY, id });
    expect(await caller.data(update, { id, body: { anything: 2 } })).toMatchObject({ anything: 2, id });
  });

  test("is no longer listed after a DELETE, and a second DELETE is a 404", async () => {
    const caller = new FleetCaller();
    const id = resource.id(caller);
    const before = await count(caller);
    const seen = await caller.call(remove, { id });
    expect([seen.status, seen.body]).toEqual([200, { data: null, meta: { version: "v1" } }]);
    expect(await count(caller)).toBe(before - 1);
    const again = await caller.call(remove, { id });
    expect(again.status).toBe(404);
    expect(again.errors).toEqual([
      { code: "NOT_FOUND", message: expect.stringMatching(new RegExp(`^${name} not found$`, "i")) as string },
    ]);
  });
});

const readable = named.flatMap(([name, resource]) =>
  resource.read === undefined ? [] : [[name, resource, resource.read] as const],
);

test.for(readable)(
  "a %s is the same in GET and list as in the response to the write",
  async ([, { create, update, list }, read]) => {
    const caller = new FleetCaller();
    const { id } = await caller.data(create, { body: { description: "One" } });
    const written = await caller.data(update, { id: id as string, body: { description: "Two", notes: "N" } });
    const listed = await caller.data<JsonObject[]>(list, { query: { limit: 100, page: 1 } });
    const row = [
      ...listed,
      ...(await caller.data<JsonObject[]>(list, { query: { limit: 100, page: 2 } })),
    ].find((one) => one.id === id);
    expect(row).toEqual(written);
    const one = await caller.data(read, { id: id as string });
    expect(one.id).toBe(id);
  },
);

test("two servers give the same IDs to the same writes, and reset() restarts the sequence", async () => {
  const made = async (caller: FleetCaller) => (await caller.data("createVehicle", { body: {} })).id;
  const caller = new FleetCaller();
  const first = await made(caller);
  expect(await made(caller)).not.toBe(first);
  caller.ref.reset();
  expect(await made(caller)).toBe(first);
  expect(await made(new FleetCaller())).toBe(first);
});
