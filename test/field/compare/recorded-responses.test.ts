import { describe, expect, it } from "vitest";
import { FleetClient, PaginationError, StoreClient } from "../../../src/index.ts";
import { createTwin } from "../../../src/field/compare/server.ts";
import { ObservedState } from "../../../src/field/compare/state.ts";
import {
  type ReferenceServer,
  type ReferenceServerOptions,
  createReferenceServer,
} from "../../../src/mock/index.ts";

type Json = Record<string, unknown>;

const RANGE = "from=2020-01-01T00:00:00Z&to=2030-01-01T00:00:00Z";
const CONTACTS = "/v1/stores/S-1/contacts";
const OPTIONS = { now: "2026-03-01T00:00:00Z", store: { stores: 3 }, fleet: { vehicles: 5 } } as const;

async function send(
  ref: ReferenceServer,
  path: string,
  { method = "GET", body, token }: { method?: string; body?: unknown; token?: string } = {},
): Promise<{ status: number; json: Json }> {
  const isStore = path.startsWith("/v1/");
  const secret = token ?? (isStore ? ref.token : ref.key);
  const response = await ref.fetch((isStore ? ref.storeUrl : ref.fleetUrl) + path, {
    method,
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: (await response.json()) as Json }; // JSON objects
}

/** A twin of a service whose bodies have a further property. */
async function twinOfService(
  paths: readonly string[],
  given: ReferenceServerOptions = {},
): Promise<ReferenceServer> {
  const service = createReferenceServer(OPTIONS);
  const state = new ObservedState();
  for (const path of paths) {
    const { status, json } = await send(service, path);
    const { pathname, searchParams } = new URL(path, "https://service.test");
    const query = Object.fromEntries(searchParams);
    const api = path.startsWith("/v1/") ? "store" : "fleet";
    state.add({ api, method: "GET", path: pathname, query, status, json: { ...json, more: path } });
  }
  return createTwin(
    { readings: {}, seed: state.seed(), responses: state.responses },
    { now: OPTIONS.now, ...given },
  ).ref;
}

function clientsOf(ref: ReferenceServer): { fleet: FleetClient; store: StoreClient } {
  return { fleet: new FleetClient(ref.fleetOptions), store: new StoreClient(ref.storeOptions) };
}

async function moreOf(ref: ReferenceServer, path: string): Promise<unknown> {
  return (await send(ref, path)).json["more"];
}

describe("a recorded response", () => {
  it("is returned until a write changes what the server would return", async () => {
    const ref = await twinOfService(["/v1/stores/S-1", "/v1/stores/S-2", CONTACTS, "/vehicles"]);
    const { json } = await send(ref, CONTACTS);
    const { status } = await send(ref, CONTACTS, { method: "PUT", body: { contacts: [] } });
    expect([json["more"], status]).toEqual([CONTACTS, 200]);
    expect(await send(ref, CONTACTS)).toMatchObject({ json: { items: [] } });
    expect(await moreOf(ref, CONTACTS)).toBeUndefined();
    for (const path of ["/v1/stores/S-1", "/v1/stores/S-2", "/vehicles"])
      expect(await moreOf(ref, path)).toBe(path);
  });

  it("is returned again after a reset", async () => {
    const ref = await twinOfService(["/v1/stores/S-1", CONTACTS]);
    await send(ref, CONTACTS, { method: "PUT", body: { contacts: [] } });
    ref.reset();
    expect(await moreOf(ref, CONTACTS)).toBe(CONTACTS);
  });

  it("is not returned if an option of the server is another one", async () => {
    const path = `/v1/stores/S-1/protocols?${RANGE}`;
    const readings = { "protocols.order": "newest-first" } as const;
    const ref = await twinOfService(["/v1/stores/S-1", "/vehicles", path], {
      readings,
      fleet: { vehicles: 1 },
    });
    expect(await moreOf(ref, "/v1/stores/S-1")).toBe("/v1/stores/S-1");
    expect(await moreOf(ref, path)).toBeUndefined();
    expect(await moreOf(ref, "/vehicles")).toBeUndefined();
  });

  it("is not returned to a caller whom the server refuses", async () => {
    const ref = await twinOfService(["/v1/stores/S-1"]);
    expect(await send(ref, "/v1/stores/S-1", { token: "unknown" })).toMatchObject({ status: 401 });
    ref.credentials.revoke("token-1");
    expect(await send(ref, "/v1/stores/S-1")).toMatchObject({ status: 401 });
  });

  it("does not hide what a test forces or changes", async () => {
    const ref = await twinOfService(["/v1/stores/S-1"]);
    ref.on("getStore").once({ status: 503 });
    expect(await send(ref, "/v1/stores/S-1")).toMatchObject({ status: 503 });
    ref.on("getStore").change(({ status, body }) => ({ status, body: { ...(body as Json), isNew: true } }));
    expect(await send(ref, "/v1/stores/S-1")).toMatchObject({
      json: { more: "/v1/stores/S-1", isNew: true },
    });
  });

  it("is in the journal", async () => {
    const ref = await twinOfService(["/v1/stores/S-1"]);
    await send(ref, "/v1/stores/S-1");
    expect(ref.journal.of("getStore")).toMatchObject([{ response: { body: { more: "/v1/stores/S-1" } } }]);
  });

  it("is a page of a walk that continues where the service did, if the rows are known", async () => {
    const ref = await twinOfService(["/vehicles", "/vehicles?limit=2", "/v1/stores", "/v1/stores?limit=2"]);
    const { fleet, store } = clientsOf(ref);
    expect(await moreOf(ref, "/vehicles?limit=2")).toBe("/vehicles?limit=2");
    expect(await fleet.vehicles.list({ limit: 2 }).toArray()).toHaveLength(5);
    expect(await store.stores.list({ limit: 2 }).toArray()).toHaveLength(3);
  });

  it("is a page of a walk that ends in an error, if later pages were not recorded", async () => {
    const ref = await twinOfService(["/vehicles?limit=2"]);
    await expect(clientsOf(ref).fleet.vehicles.list({ limit: 2 }).toArray()).rejects.toThrow(PaginationError);
  });
});
