import { describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { fleetOperations } from "../../../generated/fleet.operations.ts";
import {
  FleetApiError,
  FleetClient,
  fleetFromEnv,
  type Scope,
  ScopeError,
} from "../../../src/client/fleet/index.ts";
import { logTo } from "../../../src/client/log.ts";
import { createReferenceServer } from "../../../src/mock/index.ts";
import { pageOf, rejection, serve } from "../../sync/service.ts";
import { stubFetch, virtualRuntime } from "../core/small-api.ts";

const digits = "0a".repeat(32);
const [production, sandbox] = [`ref_${digits}`, `ref_test_${digits}`];
const baseUrl = "https://fleet.example/api/third-party/v1";

function open(scopes?: readonly Scope[]) {
  const ref = createReferenceServer({
    fleet: {
      vehicles: 3,
      damages: 2,
      keys: [{ key: production, scopes: [...(scopes ?? ["vehicles:read", "vehicles:write"])] }],
    },
  });
  return { ref, fleet: new FleetClient({ baseUrl: ref.fleetUrl, key: production, fetch: ref.fetch }) };
}

describe("a ScopeError", () => {
  it.each<[string, Response]>([
    [
      "names a wait",
      Response.json({ errors: [{ code: "FORBIDDEN" }] }, { status: 403, headers: { "retry-after": "1" } }),
    ],
    ["is HTML", new Response("<html>", { status: 403 })],
    ["has another form", Response.json({ error: "forbidden" }, { status: 403 })],
  ])("is not what a 403 becomes that %s", async (_, response) => {
    const { makeFleet } = serve(() => [200]);
    const error = await rejection(makeFleet({ fetch: async () => response.clone() }).vehicles.get("1"));
    expect(error).toBeInstanceOf(FleetApiError);
    expect(error).not.toBeInstanceOf(ScopeError);
  });
});

describe("a key", () => {
  const environments = { production: baseUrl, sandbox: "https://sandbox.example/api/third-party/v1" };

  it.each([
    [production, environments.production],
    [sandbox, environments.sandbox],
  ])("selects its environment: %s", async (key, expected) => {
    const { fetch, requests } = stubFetch(Response.json({ data: { id: "1" }, meta: {} }));
    await new FleetClient({ environments, key: () => key, fetch }).vehicles.get("1");
    const same = { production: expected, sandbox: expected };
    await new FleetClient({ environments: same, key, fetch }).vehicles.get("1");
    expect(requests.map(({ url }) => url)).toEqual([`${expected}/vehicles/1`, `${expected}/vehicles/1`]);
  });
});

describe("a FleetClient", () => {
  it("returns the data of the envelope, and its meta with withResponse", async () => {
    const { fleet } = open();
    const [first] = await fleet.vehicles.list().take(1);
    const { data, meta } = await fleet.vehicles.get(String(first?.["id"])).withResponse();
    expect(data).toEqual(first);
    expect(meta).toBeTypeOf("object");
  });

  it.each([
    [302, new Response(null, { status: 302 })],
    [0, Response.error()], // a browser shows no redirect
  ])("rejects a DELETE that is redirected, with status %i and an empty body", async (status, response) => {
    const { vehicles } = new FleetClient({ baseUrl, key: production, fetch: async () => response });
    await expect(vehicles.delete("v1")).rejects.toMatchObject({ name: "UnexpectedResponseError", status });
  });

  it("returns null for a DELETE without a body", async () => {
    const { ref, fleet } = open();
    ref.switchReadings({ "fleet.delete-response": "no-content" });
    const [first] = await fleet.vehicles.list().take(1);
    expect(await fleet.vehicles.delete(String(first?.["id"]))).toBeNull();
  });

  it.each<[object, object, string]>([
    [{}, { title: "A", vehicleGroup: "1" }, "search=A&vehicleGroupId=1&page=1"],
    [
      { templateFilters: { title: "title" } },
      { title: "A", vehicleGroup: "1" },
      "title=A&vehicleGroupId=1&page=1",
    ],
    [
      { templateFilters: { group: "groupId" } },
      { title: "A", vehicleGroup: "1" },
      "search=A&groupId=1&page=1",
    ],
    [{}, { isActive: false, limit: 5, page: 2 }, "isActive=false&limit=5&page=2"],
  ])("with %j sends the filters %j as %s", async (options, query, expected) => {
    const { makeFleet, sent } = serve((request) => pageOf([], request.query));
    await makeFleet(options).inspectionTemplates.list(query);
    expect(String(sent[0]?.query)).toBe(expected);
  });

  it.each<[number, object, string, (client: FleetClient) => Promise<unknown>]>([
    [3, {}, "a vehicle that is changed", ({ vehicles }) => vehicles.update("1", {})],
    [3, {}, "a vehicle that is deleted", ({ vehicles }) => vehicles.delete("1")],
    [1, {}, "a new vehicle", ({ vehicles }) => vehicles.create({})],
    [1, {}, "an assignment that is changed", ({ driverAssignments }) => driverAssignments.update("1", {})],
    [1, {}, "a template", ({ inspectionTemplates }) => inspectionTemplates.update("1", {})],
    [
      3,
      { repeatable: ["updateInspectionTemplate"] },
      "a template",
      ({ inspectionTemplates }) => inspectionTemplates.update("1", {}),
    ],
  ])("sends %i requests with %j for %s whose responses are lost", async (count, options, _, write) => {
    const { makeFleet, sent } = serve(() => new Error("reset"));
    const fleet = makeFleet({ retry: 2, runtime: virtualRuntime().runtime, ...options });
    await expect(write(fleet)).rejects.toMatchObject({ mayHaveBeenProcessed: true });
    expect(sent).toHaveLength(count);
  });

  it("checks and parses inputs and outputs with the shapes of its own", async () => {
    const vehicle = z.object({ id: z.string() });
    const vehicleInput = z.pipe(
      z.object({ plate: z.string() }),
      z.transform(({ plate }) => ({ plateNumber: plate })),
    );
    const { makeFleet, sent } = serve(({ method, query }) =>
      method === "POST" ? [201, { data: { id: "1", more: 1 } }] : pageOf([{ id: 5 }], query),
    );
    const { vehicles } = makeFleet({ shapes: { vehicle, vehicleInput } });
    expect(await vehicles.create({ plate: "A" })).toEqual({ id: "1" });
    expect(sent[0]?.body).toEqual({ plateNumber: "A" });
    await expect(vehicles.create({ plate: 5 })).rejects.toThrow(
      "POST /vehicles: not sent: plate: Invalid input",
    );
    await expect(vehicles.list()).rejects.toThrow(
      "GET /vehicles: 200 does not fit the shape: data.0.id: Invalid input",
    );
    expect(sent).toHaveLength(2);
  });

  it.each<[object, object, string | undefined]>([
    [{}, {}, undefined],
    [{ apiVersion: "2026-01", scopes: ["vehicles:read"] }, {}, "2026-01"],
    [{ apiVersion: "1" }, { "X-Service-API-Version": "2" }, "2"],
  ])("with %j and the headers %j asks for the version %s of the API", async (options, header, expected) => {
    const { fetch, requests } = stubFetch(Response.json({ data: {}, meta: {} }));
    const { http } = new FleetClient({ baseUrl, key: production, fetch, ...options });
    await http.GET("/vehicles/{id}", { params: { path: { id: "1" }, header }, headers: { "x-a": "b" } });
    expect(requests[0]?.headers["x-service-api-version"]).toBe(expected);
    expect(requests[0]?.headers["x-a"]).toBe("b");
  });

  it("is retried after 503, and not after it was drained", async () => {
    const { fetch, requests } = stubFetch(Response.json({}, { status: 503 }));
    const fleet = new FleetClient({ baseUrl, key: production, fetch, runtime: virtualRuntime().runtime });
    await expect(fleet.vehicles.get("1")).rejects.toMatchObject({ attempts: 3 });
    await fleet.drain();
    await expect(fleet.vehicles.get("1")).rejects.toMatchObject({ name: "AbortError" });
    expect(requests).toHaveLength(3);
  });

  it("with other environments has no baseUrl any more", async () => {
    const { fetch, requests } = stubFetch(Response.json({ data: {}, meta: {} }));
    const fleet = new FleetClient({ baseUrl, key: production, fetch });
    const environments = { production: "https://other.example/api/third-party/v1" };
    await fleet.withOptions({ environments }).vehicles.get("1");
    await fleet.withOptions({ environments }).withOptions({ baseUrl }).vehicles.get("1");
    await fleet.withOptions({ timeout: 5 }).vehicles.get("1");
    expect(() => fleet.withOptions({ environments, baseUrl } as object)).toThrow("needs either a baseUrl");
    expect(requests.map(({ url }) => new URL(url).host)).toEqual([
      "other.example",
      "fleet.example",
      "fleet.example",
    ]);
  });

  it.each<[string, Scope[], string, string]>([
    [
      "one that suffices",
      ["damages:write"],
      "createDamage deleteDamage updateDamage",
      "getDamage listDamages",
    ],
    ["disputed ones", ["inspections:read"], "getInspection listInspections", "listInspectionTemplates"],
    [
      "both of these",
      ["inspections:read", "inspection-templates:read"],
      "getInspection getInspectionTemplate listInspectionTemplates listInspections",
      "",
    ],
    [
      "one of several",
      ["vehicles:read"],
      "getVehicle listVehicleFields listVehicles",
      "getDamage listVehicleFieldVehicles",
    ],
    ["an unknown one", ["all" as Scope], "", ""],
  ])("groups the operations that a key with %s can call", (_, scopes, allowed, disputed) => {
    const { fleet } = open();
    const sorted = fleet.scopes.check(scopes);
    expect([sorted.allowed.toSorted().join(" "), sorted.disputed.toSorted().join(" ")]).toEqual([
      allowed,
      disputed,
    ]);
    expect(sorted.forbidden).toHaveLength(
      Object.keys(fleetOperations).length - sorted.allowed.length - sorted.disputed.length,
    );
  });

  it.each<[object, object, string]>([
    [
      {},
      { SHELFLEET_FLEET_URL: baseUrl, SHELFLEET_SANDBOX_URL: "https://a.example/api/third-party/v1" },
      baseUrl,
    ],
    [{ key: sandbox }, { SHELFLEET_SANDBOX_URL: baseUrl }, baseUrl],
    [{ environments: { production: baseUrl } }, { SHELFLEET_FLEET_URL: "x" }, baseUrl],
    [{ baseUrl }, { SHELFLEET_FLEET_URL: "x" }, baseUrl],
    [
      { allowInsecure: true },
      { SHELFLEET_FLEET_URL: "http://a.example/api/third-party/v1" },
      "http://a.example/api/third-party/v1",
    ],
  ])("is made from %j and the variables %j", async (options, env, expected) => {
    const { fetch, requests } = stubFetch(Response.json({ data: {}, meta: {} }));
    await fleetFromEnv({ fetch, ...options }, { SHELFLEET_KEY: production, ...env }).vehicles.get("1");
    expect(requests[0]?.url).toBe(`${expected}/vehicles/1`);
  });

  it.each([
    [1, "info", {}],
    [0, "all", { log: logTo(console, "error") }],
  ])("from an environment writes %i lines with SHELFLEET_LOG %s and %j", async (count, level, options) => {
    const info = vi.spyOn(console, "info").mockImplementation(() => {});
    const { fetch } = stubFetch(Response.json({ data: {}, meta: {} }));
    const env = { SHELFLEET_FLEET_URL: baseUrl, SHELFLEET_KEY: production, SHELFLEET_LOG: level };
    await fleetFromEnv({ fetch, ...options }, env).vehicles.get("1");
    expect(info).toHaveBeenCalledTimes(count);
    info.mockRestore();
  });
});
