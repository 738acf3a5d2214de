import { describe, expect, it } from "vitest";
import { objectOf } from "../../../src/wire/json.ts";
import { type ObservedResponse, ObservedState } from "../../../src/field/compare/state.ts";
import { createTwin } from "../../../src/field/compare/server.ts";
import {
  type ReferenceServer,
  type ReferenceServerOptions,
  createReferenceServer,
} from "../../../src/mock/index.ts";

type Json = Record<string, unknown>;

const SERVICE = createReferenceServer({ store: { stores: 4 } });
const STORES = ["S-1", "S-2", "S-3", "S-4"].map((id) => ({ ...SERVICE.state.store.stores.get(id) }));
const NOT_FOUND = { errors: [{ code: "NOT_FOUND", message: "The vehicle does not exist" }] };

/** A recorded exchange; a path below `/v1/` belongs to the store API. */
function recorded(target: string, json: unknown, rest: Partial<ObservedResponse> = {}): ObservedResponse {
  const { pathname: path, searchParams } = new URL(target, "https://service.test");
  const api = path.startsWith("/v1/") ? "store" : "fleet";
  return { api, method: "GET", path, query: Object.fromEntries(searchParams), status: 200, json, ...rest };
}

function twinOf(
  responses: readonly ObservedResponse[],
  { readings = {}, ...given }: ReferenceServerOptions = {},
): ReferenceServer {
  const state = new ObservedState();
  for (const response of responses) state.add(response);
  return createTwin({ readings, seed: state.seed(), responses: state.responses }, given).ref;
}

async function send(
  ref: ReferenceServer,
  target: string,
  {
    method = "GET",
    body,
    url,
    key = ref.key,
  }: { method?: string; body?: Json; url?: string; key?: string } = {},
): Promise<{ status: number; json: Json }> {
  const isStore = target.startsWith("/v1/");
  const response = await ref.fetch((url ?? (isStore ? ref.storeUrl : ref.fleetUrl)) + target, {
    method,
    headers: { authorization: `Bearer ${isStore ? ref.token : key}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: (await response.json()) as Json }; // JSON objects
}

function vehiclePage(ids: string, page: number, totalPages: number): Json {
  const pagination = { currentPage: page, totalPages, hasNextPage: page < totalPages, totalCount: 4 };
  return { data: ids.split("").map((id) => ({ id, plateNumber: id })), meta: { version: "v1", pagination } };
}

const PAGES = [
  recorded("/v1/stores?limit=2", { items: STORES.slice(0, 2), nextCursor: "opaque" }),
  recorded("/v1/stores?limit=2&cursor=opaque", { items: STORES.slice(2), nextCursor: null }),
];

describe("a recorded response whose rows the server's own response does not show", () => {
  it.for(["/v1/stores?limit=2&cursor=opaque", "/v1/stores?limit=500"])(
    "is not returned after a write: %s",
    async (target) => {
      const ref = twinOf([...PAGES, recorded("/v1/stores?limit=500", { items: STORES, nextCursor: null })]);
      expect(JSON.stringify(await send(ref, target))).toContain("S-3");
      await send(ref, "/v1/stores/S-3", { method: "PUT", body: { name: "New" } });
      expect(JSON.stringify(await send(ref, target))).not.toContain("S-3");
      ref.reset();
      expect(JSON.stringify(await send(ref, target))).toContain("S-3");
    },
  );

  it("is not returned after the first page of its walk could be another one", async () => {
    const ref = twinOf(PAGES);
    await send(ref, "/v1/stores/S-4", { method: "PUT", body: { name: "New" } });
    expect(await send(ref, "/v1/stores?limit=2")).toMatchObject({ json: { nextCursor: "S-2" } });
  });

  it("does not hide an override or a flag", async () => {
    const [, page] = PAGES;
    const ref = twinOf(PAGES);
    ref.on("listStores").paging("empty-page").times(1);
    expect((await send(ref, "/v1/stores?limit=2&cursor=opaque")).json).not.toEqual(page?.json);
    expect((await send(ref, "/v1/stores?limit=2&cursor=opaque")).json).toEqual(page?.json);
    const other = twinOf([recorded("/v1/stores?limit=500", { items: STORES })], { store: { stores: 9 } });
    expect(await send(other, "/v1/stores?limit=500")).toMatchObject({ status: 400 });
  });

  it("is not returned after an import, and again after the first data are back", async () => {
    const ref = twinOf(PAGES);
    const before = ref.snapshot();
    ref.importState(SERVICE.exportState());
    expect((await send(ref, "/v1/stores?limit=2")).json).toMatchObject({ nextCursor: "S-2" });
    ref.restore(before);
    expect((await send(ref, "/v1/stores?limit=2")).json).toMatchObject({ nextCursor: "opaque" });
  });
});

describe("a recorded response", () => {
  it("is not returned after a write that changes only the query of a URL", async () => {
    const damage = { id: "D-1", vehicleId: "V-1", description: "x", photoUrl: "https://photos.test/1" };
    const ref = twinOf([recorded("/damages/D-1", { data: damage, meta: { version: "v1" } })]);
    const photoUrl = "https://photos.test/1?v=2";
    await send(ref, "/damages/D-1", { method: "PUT", body: { ...damage, photoUrl } });
    expect(await send(ref, "/damages/D-1")).toMatchObject({ json: { data: { photoUrl } } });
  });

  it("is also returned in the sandbox", async () => {
    const page = { ...vehiclePage("ABCD", 1, 1), more: 1 };
    const ref = twinOf([recorded("/vehicles", page)]);
    const key = ref.keys[1]?.key ?? "";
    expect((await send(ref, "/vehicles", { url: ref.sandboxUrl, key })).json).toEqual(page);
  });

  it("is also returned if each response has a new cursor", async () => {
    const target = "/v1/stores/S-1/protocols?from=2020-01-01T00:00:00Z&to=2030-01-01T00:00:00Z&limit=1";
    const items = ["P-1", "P-2"].map((protocolId) => ({ protocolId, createdAt: "2026-01-01T00:00:00Z" }));
    const responses = [
      recorded("/v1/stores/S-1", STORES[0]),
      recorded(target.replace("limit=1", "limit=2"), { items, nextCursor: null }),
      recorded(target, { items: items.slice(0, 1), nextCursor: "new" }),
    ];
    const ref = twinOf(responses, { readings: { "protocols.next-page": "ignored-new-cursor" } });
    await send(ref, `${target}&status=completed`);
    await send(ref, target.replace("2030", "2031"));
    expect(await send(ref, target)).toMatchObject({ json: { nextCursor: "new" } });
  });

  it("is also returned if each response shows how long it took", async () => {
    const page = { ...vehiclePage("ABCD", 1, 1), more: 1 };
    const [one, other] = [1, 2].map((ms) => {
      const { meta, ...groups } = vehiclePage("A", 1, 1);
      return recorded("/vehicle-groups", {
        ...groups,
        tookMs: ms,
        meta: { ...objectOf(meta), id: `r-${ms}` },
      });
    });
    const state = new ObservedState();
    for (const response of [one, recorded("/vehicles", page), other]) if (response) state.add(response);
    expect(state.responses.outdated).toBe(0);
    const { ref } = createTwin({ readings: {}, seed: state.seed(), responses: state.responses }, {});
    expect((await send(ref, "/vehicles")).json).toEqual(page);
  });

  it("is counted if the contract does not describe it", () => {
    const state = new ObservedState();
    for (const target of ["/vehicles/", "/vehicles/A/history"]) state.add(recorded(target, { data: {} }));
    for (const status of [206, 304, 404]) state.add(recorded("/vehicles", undefined, { status }));
    expect(state.undescribed).toBe(4);
  });

  it("is counted if a later one shows that the service changed", () => {
    const state = new ObservedState();
    for (const ids of ["AB", "ABC"]) {
      state.add(recorded("/vehicle-groups", vehiclePage("A", 1, 1)));
      state.add(recorded("/vehicles", vehiclePage(ids, 1, 1)));
    }
    expect(state.responses.outdated).toBe(1);
  });

  it("is returned as often as the twin's own limits allow", async () => {
    const readings = { "limits.fleet-rate": "too-many-requests" } as const;
    const ref = twinOf([recorded("/vehicles", { ...vehiclePage("ABCD", 1, 1), more: 1 })], { readings });
    ref.switchLimits({ perSecond: 1_000 });
    for (let count = 0; count < 20; count += 1)
      expect(await send(ref, "/vehicles")).toMatchObject({ json: { more: 1 } });
  });
});

describe("recorded pages", () => {
  const first = recorded("/vehicles?limit=2", vehiclePage("AB", 1, 2));
  const second = recorded("/vehicles?limit=2&page=2", vehiclePage("CD", 2, 2));

  it.for([
    ["a 404", recorded("/vehicles/B", NOT_FOUND, { status: 404 })],
    ["a walk with another page size", recorded("/vehicles?limit=9", vehiclePage("ACD", 1, 1))],
  ] as const)("are all out of date after %s shows that a row is gone", async ([, later]) => {
    const ref = twinOf([first, second, later]);
    expect(await send(ref, "/vehicles?limit=2")).toMatchObject({
      json: { data: [{ id: "A" }, { id: "C" }] },
    });
    expect(await send(ref, "/vehicles?limit=2&page=2")).toMatchObject({ json: { data: [{ id: "D" }] } });
  });

  it("stay if they belong to the walk that shows it, or if an unknown row is not found", async () => {
    const pages = [
      recorded("/vehicles?limit=1", { ...vehiclePage("A", 1, 2), more: 1 }),
      recorded("/vehicles?limit=1&page=2", { ...vehiclePage("C", 2, 2), more: 2 }),
    ];
    const ref = twinOf([first, second, ...pages, recorded("/vehicles/X", NOT_FOUND, { status: 404 })]);
    expect((await send(ref, "/vehicles?limit=1")).json).toEqual(pages[0]?.json);
    expect((await send(ref, "/vehicles?limit=1&page=2")).json).toEqual(pages[1]?.json);
  });
});
