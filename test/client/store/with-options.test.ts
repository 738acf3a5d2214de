import { inspect } from "node:util";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { ensure, FleetClient } from "../../../src/client/fleet/index.ts";
import { createReferenceServer } from "../../../src/mock/index.ts";
import {
  ConfigurationError,
  type Protocol,
  StoreClient,
  upsertExpositions,
} from "../../../src/client/store/index.ts";
import { json } from "../core/stub-fetch.ts";
import { stubClient, token } from "./stub-client.ts";

describe("withOptions", () => {
  it("replaces what is given and keeps the rest", async () => {
    const { client, sent } = stubClient(undefined, { headers: { "x-a": "1" }, timeout: 5000, retry: 1 });
    const other = client.withOptions({ headers: { "x-b": "2" }, timeout: undefined });
    await other.stores.get("S-1");
    expect(sent[0]?.headers).toMatchObject({ "x-b": "2", authorization: `Bearer ${token}` });
    expect(sent[0]?.headers).not.toHaveProperty("x-a");
    expect(inspect(other)).toBe(inspect(client));
    await client.stores.get("S-1");
    expect(sent[1]?.headers).toMatchObject({ "x-a": "1" });
  });

  it("has one way to send: a transport replaces fetch, and fetch a transport", async () => {
    const { client, sent } = stubClient();
    const never = client.withOptions({ transport: () => Promise.reject(new Error("other")), retry: 0 });
    await expect(never.stores.get("S-1")).rejects.toThrow("other");
    expect(sent).toEqual([]);
    const again = never.withOptions({ fetch: async () => json({ storeId: "1" }) });
    expect(await again.stores.get("S-1")).toEqual({ storeId: "1" });
    const same = never.withOptions({ timeout: 500 });
    await expect(same.stores.get("S-1")).rejects.toThrow("other");
    await again.withOptions({ timeout: 500 }).stores.get("S-1");
    const both = { transport: () => Promise.reject(new Error("other")), fetch: async () => json({}) };
    expect(() => client.withOptions(both)).toThrow("fetch and transport cannot be given together");
    expect(() => never.withOptions(both)).toThrow("fetch and transport cannot be given together");
  });

  it("shares maxConcurrency with the client, unless it is given", async () => {
    let open = 0;
    let maximum = 0;
    const respond = async (): Promise<Response> => {
      maximum = Math.max(maximum, (open += 1));
      await new Promise((resolve) => setImmediate(resolve));
      open -= 1;
      return json({ storeId: "1" });
    };
    const { client } = stubClient(respond, { maxConcurrency: 2 });
    const call = (clients: StoreClient[]) =>
      Promise.all(clients.flatMap((one) => [1, 2, 3].map((id) => one.stores.get(`S-${id}`))));
    await call([client, client.withOptions({ timeout: 9 * 1000 })]);
    expect(maximum).toBe(2);
    maximum = 0;
    await call([client, client.withOptions({ maxConcurrency: 3 })]);
    expect(maximum).toBe(5);
  });

  describe("changes in one queue with the client", () => {
    const contacts = [{ name: "Anna", phone: "1" }];
    const names = ["A", "B", "C"];

    it("so that parallel changes of a store through copies of one client lose nothing", async () => {
      const ref = createReferenceServer({ store: { stores: [{ externalId: "S-1", contacts }] } });
      const client = new StoreClient(ref.storeOptions);
      const copies = [client, client.withOptions({ timeout: 5000 })];
      copies.push(...copies.slice(1).map((copy) => copy.withOptions({ retry: 1 })));
      await Promise.all(
        copies.map((copy, index) =>
          copy.contacts.modify("S-1", (all) => [...all, { name: names[index] ?? "", phone: "2" }]),
        ),
      );
      expect(ref.state.store.contacts.get("S-1")).toHaveLength(4);
      const exposition = { productCategories: ["DRINKS" as const], expositionType: "FRIDGE_DRINKS" as const };
      await Promise.all(
        copies.map((copy) => upsertExpositions(copy, "S-1", [{ label: "Rack", ...exposition }])),
      );
      expect(
        (await client.expositions.get("S-1")).items.filter(({ label }) => label === "Rack"),
      ).toHaveLength(1);
    });

    it("so that ensure creates nothing twice through copies of one client", async () => {
      const ref = createReferenceServer({ fleet: { vehicles: 0 } });
      const client = new FleetClient(ref.fleetOptions);
      const desired = [{ plateNumber: "WX 1", brand: "MAN" }];
      await Promise.all(
        [client, client.withOptions({ timeout: 5000 })].map(({ vehicles }) =>
          ensure(vehicles, desired, { key: "plateNumber" }),
        ),
      );
      expect(await client.vehicles.list().toArray()).toHaveLength(1);
    });
  });

  it("redacts the tokens of all clients before it, also after many others", async () => {
    const tokens = ["kF83bTq0Zr5w", "Yx7nLc2JdP9v", "mW4sHa6GeU1o", "RiB0zKt5NfQ8"];
    const [first = "", ...others] = tokens;
    const message = tokens.join(" ");
    const { client } = stubClient(() => json({ error: { code: "x", message } }, { status: 400 }), {
      token: first,
    });
    let last = client;
    for (const other of others) last = last.withOptions({ token: other });
    for (let at = 0; at < 100; at += 1) client.withOptions({ token: `unrelated-${at}` });
    await expect(last.stores.get("S-1")).rejects.toThrow(/x: \[redacted\]( \[redacted\]){3}$/);
    await expect(client.stores.get("S-1")).rejects.toThrow(`x: [redacted] ${others.join(" ")}`);
  });

  it("rejects wrong options like the constructor", () => {
    const { client } = stubClient();
    expect(() => client.withOptions({ timeout: 0 })).toThrow(ConfigurationError);
    expect(() => client.withOptions({ tiemout: 1 } as object)).toThrow('Unknown option "tiemout"');
    expect(() => client.withOptions(null as never)).toThrow("withOptions: the options must be an object");
  });

  it("has the types of other shapes", () => {
    const { client } = stubClient();
    const shaped = client.withOptions({ shapes: { protocol: z.object({ protocolId: z.string() }) } });
    expectTypeOf(shaped.protocols.list).returns.resolves.toHaveProperty("items").items.toEqualTypeOf<{
      protocolId: string;
    }>();
    expectTypeOf(client.withOptions({}).protocols.list)
      .returns.resolves.toHaveProperty("items")
      .items.toEqualTypeOf<Protocol>();
  });

  it("keeps the token function and the environments of a fleet client", async () => {
    const ref = createReferenceServer();
    const { fetch } = ref;
    const fleet = new FleetClient({
      environments: { production: ref.fleetUrl },
      key: () => ref.keys[0]?.key ?? "",
      fetch,
    });
    const page = await fleet.withOptions({ timeout: 1000 }).vehicles.list();
    expect(page.items.length).toBeGreaterThan(0);
    const moved = fleet.withOptions({ baseUrl: "https://x.example/api/third-party/v1" });
    expect(inspect(moved)).toContain("https://x.example/api/third-party/v1");
  });
});

describe("a base URL", () => {
  const options = { token };

  it("may be a URL", async () => {
    const ref = createReferenceServer();
    const url = new URL(ref.storeUrl);
    const store = new StoreClient({ baseUrl: url, token: ref.token, fetch: ref.fetch });
    url.host = "elsewhere.example"; // later changes do not matter
    expect((await store.stores.list()).items.length).toBeGreaterThan(0);
    const fleetUrl = new URL(ref.fleetUrl);
    const fleet = new FleetClient({ baseUrl: fleetUrl, key: ref.keys[0]?.key ?? "", fetch: ref.fetch });
    expect((await fleet.vehicles.list()).items.length).toBeGreaterThan(0);
  });

  it.each(["https://s.example/v1", "https://s.example/v1/", new URL("https://s.example/v1")])(
    "of the store API does not end in the version: %s",
    (baseUrl) => {
      expect(() => new StoreClient({ ...options, baseUrl })).toThrow(
        "baseUrl must not end in /v1, which every path has. Write https://s.example",
      );
    },
  );

  it.each([
    ["https://f.example", "https://f.example"],
    ["https://f.example/gate/", "https://f.example/gate"],
    ["https://f.example/api", "https://f.example"],
    ["https://api", "https://api"],
    ["https://f.example/api/third-party", "https://f.example"],
    ["https://f.example/api/third-party/v1/vehicles", "https://f.example"],
  ])("of the fleet API ends in /api/third-party/v1: %s", (baseUrl, start) => {
    const key = `acme_${"0".repeat(64)}`;
    const proposal = `Write ${start}/api/third-party/v1`;
    expect(() => new FleetClient({ key, baseUrl })).toThrow(
      new ConfigurationError(`baseUrl must end in /api/third-party/v1. ${proposal}`),
    );
    expect(() => new FleetClient({ key, environments: { production: baseUrl } })).toThrow(
      new ConfigurationError(`environments.production must end in /api/third-party/v1. ${proposal}`),
    );
  });
});

describe("inspect", () => {
  it("shows a list by its route and query, without the token, and sends nothing", () => {
    const { client, sent } = stubClient();
    const range = { from: "2026-01-01T00:00:00Z", to: new Date("2026-01-02T00:00:00Z") };
    expect(inspect(client.protocols.list("S-1", { ...range, limit: 5 }))).toBe(
      'List { GET /v1/stores/{externalId}/protocols {"externalId":"S-1","from":"2026-01-01T00:00:00Z","to":"2026-01-02T00:00:00.000Z","limit":5} }',
    );
    expect(inspect(client.photos.list(token, range))).not.toContain(token);
    expect(sent).toEqual([]);
  });

  it("shows a store client on one line, without its token", () => {
    const { client } = stubClient(undefined, { timeout: 5000, retry: 4 });
    expect(inspect(client)).toBe(
      'StoreClient { baseUrl: "https://store.example/base", timeout: 5000, retry: 4 }',
    );
    expect(inspect({ client }, { depth: 5 })).not.toContain(token);
    const path = encodeURIComponent(token);
    const behindGateway = new StoreClient({ baseUrl: `https://gateway.example/${path}`, token });
    expect(inspect(behindGateway)).not.toContain(path);
  });

  it("shows all URLs of a fleet client", () => {
    const production = "https://live.example/api/third-party/v1";
    const sandbox = "https://sandbox.example/api/third-party/v1";
    const key = `acme_${"0".repeat(64)}`;
    const fleet = new FleetClient({ key, environments: { production, sandbox } });
    expect(inspect(fleet)).toBe(
      `FleetClient { baseUrl: "${production}", "${sandbox}", timeout: 30000, retry: 2 }`,
    );
  });
});
