import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../generated/fleet.ts";
import { errorsOf, FleetCaller, ids } from "./fleet-caller.ts";

const BODY = { anything: { nested: [1, null, "ż"] }, description: "Own", none: null };

/** Each resource: its path, its name in an error, and the method of an update. */
const resources = [
  ["/vehicles", "Vehicle", "PUT"],
  ["/vehicle-groups", "Vehicle group", "PUT"],
  ["/inspections", "Inspection", "PATCH"],
  ["/inspection-templates", "Inspection template", "PUT"],
  ["/damages", "Damage", "PUT"],
  ["/driver-assignments", "Driver assignment", "PATCH"],
] as const;

describe.for(resources)("a row of %s", ([path, name, method]) => {
  const list = (caller: FleetCaller) => caller.data<JsonObject[]>(`GET ${path}?limit=100`);

  test("is created, changed and listed with the sent properties and an ID of the server (fleet 4)", async () => {
    const caller = new FleetCaller({ vehicles: 20 });
    const before = ids(await list(caller));
    const created = await caller.data(`POST ${path}`, { ...BODY, id: "mine" });
    expect(created).toMatchObject(BODY);
    expect(created.id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(new Set(ids(await list(caller)))).toEqual(new Set([...before, created.id]));
    const changed = await caller.data(`${method} ${path}/${String(created.id)}`, {
      anything: 2,
      id: "mine",
    });
    expect(changed).toMatchObject({ anything: 2, id: created.id });
    const listed = (await list(caller)).find(({ id }) => id === created.id);
    expect(listed).toMatchObject(path === "/inspection-templates" ? { id: created.id } : changed);
    expect((await caller.data(`GET ${path}/${String(created.id)}`)).id).toBe(created.id);
  });

  test("is no longer listed after a DELETE, and a second DELETE is a 404", async () => {
    const caller = new FleetCaller();
    const [id, ...others] = ids(await list(caller));
    const { status, body } = await caller.call(`DELETE ${path}/${String(id)}`);
    expect([status, body]).toEqual([200, { data: null, meta: { version: "v1" } }]);
    expect(ids(await list(caller))).toEqual(others);
    const again = await caller.call(`DELETE ${path}/${String(id)}`);
    const error = { code: "NOT_FOUND", message: `${name} not found: "${String(id)}"` };
    expect([again.status, errorsOf(again)]).toEqual([404, [error]]);
  });
});

test("the fleet API keeps production and sandbox apart (fleet 5)", async () => {
  const caller = new FleetCaller();
  const { id } = await caller.data("POST /vehicles", {});
  const { fleet, sandbox } = caller.ref.state;
  expect([fleet.vehicles.has(String(id)), sandbox.vehicles.has(String(id))]).toEqual([true, false]);
});
