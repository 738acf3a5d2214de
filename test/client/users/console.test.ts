import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { FleetClient, StoreClient } from "../../../src/index.ts";
import { serve } from "../../sync/service.ts";

const { store, fleet } = serve(() => [404, { error: { code: "not_found", message: "no store" } }]);

describe("console.log", () => {
  it("of a client shows its class, its base URL and its resources", () => {
    expect(inspect(store)).toMatch(/^StoreClient {\n {2}baseUrl: 'https:[^']*',\n {2}resources: \[\n/);
    expect(inspect(store)).toMatch(/'stores',[^]*'fillRates'\n {2}]\n}$/);
    expect(inspect(fleet)).toMatch(/^FleetClient {\n {2}baseUrl: 'https:[^]*'driverAssignments'/);
    for (const client of [store, fleet]) expect(inspect(client)).not.toMatch(/Function|http:|withOptions/);
  });

  it("of a list shows its request, and how to use it", () => {
    const shown = inspect(store.protocols.list("S-1", { from: "2026-01-01T00:00:00Z", to: new Date() }));
    expect(shown).toMatch(/^List {\n {2}operation: 'listProtocols',\n {2}path: { externalId: 'S-1' }/);
    expect(shown).toContain("await it for the first page, or iterate it");
    expect(shown).not.toContain("Function");
  });

  it("of an error shows its message and its properties, and no headers", async () => {
    const error: unknown = await store.stores.get("S-1").catch((reason: unknown) => reason);
    const shown = inspect(error);
    expect(shown).toMatch(/^StoreApiError: GET \/v1\/stores\/{externalId}: 404 not_found: no store\n/);
    expect(shown).toContain("code: 'not_found'");
    expect(shown).not.toMatch(/headers|token/i);
  });
});

describe("withOptions of a user's subclass", () => {
  it("has the changed options, whatever the constructor of the subclass takes", () => {
    class OwnStore extends StoreClient {
      constructor(tenant: string) {
        super({ baseUrl: `https://${tenant}.example`, token: "t" });
      }
    }
    const copy = new OwnStore("a").withOptions({ timeout: 1000 });
    expect([copy.constructor, copy.baseUrl]).toEqual([StoreClient, "https://a.example"]);
  });

  it("is the same for the fleet API", () => {
    const path = "/api/third-party/v1";
    class OwnFleet extends FleetClient {
      constructor(tenant: string) {
        super({ baseUrl: `https://${tenant}.example${path}`, key: `ref_${"0".repeat(64)}` });
      }
    }
    const copy = new OwnFleet("a").withOptions({ timeout: 1000 });
    expect(copy.constructor).toBe(FleetClient);
    expect(inspect(copy)).toContain(`https://a.example${path}`);
  });
});
