import { describe, expect, it } from "vitest";
import {
  FleetApiError,
  FleetClient,
  fleetFromEnv,
  type Scope,
  ScopeError,
} from "../../../src/client/fleet/index.ts";
import { createReferenceServer } from "../../../src/mock/index.ts";

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
    const fleet = new FleetClient({
      baseUrl,
      key: production,
      fetch: async () => response.clone(),
      retry: 0,
    });
    const error = await fleet.vehicles.get("1").catch((caught: unknown) => caught);
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
    const urls: string[] = [];
    const fetch = async (url: string): Promise<Response> => {
      urls.push(url);
      return Response.json({ data: { id: "1" }, meta: {} });
    };
    await new FleetClient({ environments, key: () => key, fetch }).vehicles.get("1");
    expect(urls).toEqual([`${expected}/vehicles/1`]);
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

  it.each([
    [{}, "search"],
    [{ templateFilters: { title: "title" } } as const, "title"],
  ])("sends the title filter under the configured name: %j", async (options, name) => {
    const urls: URL[] = [];
    const fetch = async (url: string): Promise<Response> => {
      urls.push(new URL(url));
      const pagination = {
        currentPage: 1,
        totalPages: 1,
        totalCount: 0,
        hasNextPage: false,
        hasPreviousPage: false,
      };
      return Response.json({ data: [], meta: { pagination } });
    };
    await new FleetClient({ baseUrl, key: production, fetch, ...options }).inspectionTemplates.list({
      title: "Daily",
    });
    expect(urls[0]?.searchParams.get(name)).toBe("Daily");
  });

  it("groups the operations that a key can call", () => {
    const { fleet } = open();
    expect(fleet.scopes.check(["vehicles:read"]).allowed).toContain("listVehicles");
  });

  it("is made from the environment", async () => {
    const { ref } = open();
    const fleet = fleetFromEnv(
      { fetch: ref.fetch },
      { SHELFLEET_FLEET_URL: ref.fleetUrl, SHELFLEET_KEY: production },
    );
    expect(await fleet.vehicles.list().take(9)).toHaveLength(3);
  });
});
