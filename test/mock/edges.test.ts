import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../generated/fleet.ts";
import { createReferenceServer } from "../../src/mock/index.ts";
import { ALL_TIME, Caller, items } from "./caller.ts";
import { FleetCaller, ids } from "./fleet/fleet-caller.ts";

const AT = "2025-12-20T10:00:00.000Z";
const STORE = {
  externalId: "S-1",
  name: "Kiosk",
  protocols: Array.from({ length: 4 }, (_, index) => ({ protocolId: `P-${index}`, createdAt: AT })),
  photos: Array.from({ length: 4 }, (_, index) => ({
    photoId: `I-${index}`,
    protocolId: `P-${index}`,
    createdAt: AT,
    fillRate: 50,
  })),
};

describe("a range whose ends are equal", () => {
  test.for([
    ["half-open", 0],
    ["left-open", 0],
    ["exclusive", 0],
    ["inclusive", 4],
  ] as const)(
    "has under time-range.ends: %s %d entries at its instant, and is no error",
    async ([ends, count]) => {
      const caller = new Caller({ store: { stores: [STORE] }, readings: { "time-range.ends": ends } });
      for (const list of ["protocols", "photos"]) {
        const page = await caller.get(`/v1/stores/S-1/${list}?from=${AT}&to=${AT}`);
        expect([page.status, items(page).length]).toEqual([200, count]);
      }
      const rates = await caller.get(`/v1/stores/S-1/fill-rates?from=${AT}&to=${AT}`);
      expect([rates.status, (rates.body.groups as []).length]).toEqual([200, count]);
      const inverted = await caller.get(`/v1/stores/S-1/photos?from=${AT}&to=2025-12-20T09:59:59.999Z`);
      expect(inverted.status).toBe(400);
    },
  );
});

describe("a last page that is exactly full", () => {
  test("has no cursor, in each list with cursors", async () => {
    const caller = new Caller({ store: { stores: [STORE, { ...STORE, externalId: "S-2" }] } });
    for (const [path, limit] of [
      ["/v1/stores?", 2],
      [`/v1/stores/S-1/protocols?${ALL_TIME}&`, 4],
      [`/v1/stores/S-1/photos?${ALL_TIME}&`, 4],
    ] as const) {
      const { body } = await caller.get(`${path}limit=${limit}`);
      expect([(body.items as []).length, body.nextCursor]).toEqual([limit, null]);
      const half = await caller.get(`${path}limit=${limit / 2}`);
      const rest = await caller.get(
        `${path}limit=${limit / 2}&cursor=${encodeURIComponent(String(half.body.nextCursor))}`,
      );
      expect([(rest.body.items as []).length, rest.body.nextCursor]).toEqual([limit / 2, null]);
    }
  });

  test("is the last one of a numbered list, with equal pages before it", async () => {
    const caller = new FleetCaller({ vehicles: 6 });
    for (const [page, hasNextPage] of [
      [1, true],
      [2, true],
      [3, false],
      [4, false],
    ] as const) {
      const { body } = await caller.call(`GET /vehicles?limit=2&page=${page}`);
      const pagination = {
        currentPage: page,
        totalPages: 3,
        totalCount: 6,
        hasNextPage,
        hasPreviousPage: page > 1,
      };
      expect([(body.data as []).length, body.meta]).toEqual([
        page === 4 ? 0 : 2,
        { version: "v1", pagination },
      ]);
    }
  });
});

describe("a renamed store", () => {
  test("keeps its ID and each of its lists under the new external ID, and no list under the old one", async () => {
    const caller = new Caller({ store: { stores: 1 }, readings: { "stores.body-external-id": "renames" } });
    const read = async (id: string) =>
      Promise.all(
        ["contacts", "expectations", "expositions", `protocols?${ALL_TIME}`, `photos?${ALL_TIME}`].map(
          async (list) => items(await caller.get(`/v1/stores/${id}/${list}`)),
        ),
      );
    const [before, store] = [await read("S-1"), (await caller.get("/v1/stores/S-1")).body];
    const renamed = await caller.put("/v1/stores/S-1", { externalId: "N/1" });
    expect(renamed.body).toEqual({ ...store, externalId: "N/1" });
    const protocols = before[3]?.map((protocol) => ({ ...protocol, externalId: "N/1" }));
    expect(await read("N%2F1")).toEqual([...before.slice(0, 3), protocols, before[4]]);
    expect((await caller.get("/v1/stores/S-1/photos?from=x")).status).toBe(404);
    expect((await caller.put("/v1/stores/S-1", {})).body.storeId).not.toBe(store.storeId);
    expect(await read("S-1")).toEqual([[], [], [], [], []]);
  });
});

describe("a header", () => {
  const send = (base: "store" | "fleet", headers: Record<string, string>, method = "GET", body?: string) => {
    const ref = createReferenceServer({ store: { token: "the-token-1" } });
    const secret = base === "store" ? ref.token : ref.key;
    const given = { authorization: `Bearer ${secret}`, "content-type": "application/json", ...headers };
    const target =
      base === "store" ? "/v1/stores/S-1" : method === "POST" ? "/vehicles" : "/vehicles/vehicle-1";
    const { status } = ref.respond({ base, method, target, headers: given, body });
    return { status, issues: ref.journal.all()[0]?.issues.length, ref, secret };
  };

  test.for([
    "application/json; charset=utf-8",
    "Application/JSON",
    "application/json;charset=UTF-8",
    "application/json ; q=1",
  ])("content-type: %s is JSON in both APIs", (type) => {
    expect(send("store", { "content-type": type }, "PUT", "{}")).toMatchObject({ status: 200, issues: 0 });
    expect(send("fleet", { "content-type": type }, "POST", "{}")).toMatchObject({ status: 201, issues: 0 });
    expect(send("fleet", { "content-type": type }, "PUT", "{}")).toMatchObject({ status: 200, issues: 0 });
  });

  test.for([
    "application/json-seq",
    "application/jsonp",
    "application/merge-patch+json",
    "text/json",
    "application/x-www-form-urlencoded",
  ])("content-type: %s is not JSON", (type) => {
    expect(send("store", { "content-type": type }, "PUT", "{}").issues).toBe(1);
    expect(send("fleet", { "content-type": type }, "POST", "{}").status).toBe(400);
  });

  test.for(["Bearer", "bearer", "BEARER"])(
    "authorization: %s is the scheme, with any blanks around the secret",
    (scheme) => {
      for (const base of ["store", "fleet"] as const) {
        const { secret } = send(base, {});
        expect(send(base, { authorization: `${scheme} ${secret}` }).status).toBe(200);
        expect(send(base, { authorization: `${scheme}   ${secret}  ` }).status).toBe(200);
        expect(send(base, { authorization: `${scheme} ${secret} x` }).status).toBe(401);
        expect(send(base, { authorization: `${scheme}${secret}` }).status).toBe(401);
      }
    },
  );

  test("x-service-api-version: v1 is the version, and no other one is", () => {
    expect(send("fleet", { "x-service-api-version": "v1" }).issues).toBe(0);
    for (const version of ["v2", "1", "V1", ""])
      expect(send("fleet", { "x-service-api-version": version }).issues).toBe(1);
  });

  test("retry-after as a date is an HTTP date in whole seconds, not before the bucket has a request", () => {
    const ref = createReferenceServer({ limits: { perSecond: 0.5, burst: 1, retryAfter: "date" } });
    const request = {
      base: "store",
      method: "GET",
      target: "/v1/stores/S-1",
      headers: { authorization: `Bearer ${ref.token}` },
    } as const;
    ref.respond(request);
    const now = Date.now();
    const { status, headers } = ref.respond(request);
    const date = headers["retry-after"] ?? "";
    expect([status, date]).toEqual([429, new Date(date).toUTCString()]);
    expect(Date.parse(date) - now).toBeGreaterThan(1_000);
  });
});

describe("a refused write", () => {
  test("uses up no generated ID", async () => {
    const caller = new Caller({ store: { stores: 1 }, readings: { "expositions.unknown-id": "not-found" } });
    const element = { label: "A", productCategories: [], expositionType: "FRIDGE_DRINKS" };
    const unknown = { ...element, expositionId: "3f2504e0-4f89-41d3-9a0c-0305e82c3301" };
    const before = caller.ref.exportState();
    expect((await caller.put("/v1/stores/S-1/expositions", { expositions: [element, unknown] })).status).toBe(
      404,
    );
    expect(caller.ref.exportState()).toEqual(before);
  });

  test("under fleet.patch: own-shape names the place of a mistake in the changes", async () => {
    const caller = new Caller({ strict: true, readings: { "fleet.patch": "own-shape" } });
    const patch = (changes: unknown) =>
      caller.send("PATCH", "/driver-assignments/assignment-1", JSON.stringify({ changes }));
    expect((await patch({ note: "Nights" })).status).toBe(200);
    expect((await patch({ noet: "Nights" })).body).toMatchObject({
      errors: [
        {
          message: expect.stringContaining(
            'changes.noet is not a property of this object. Did you mean "note"?',
          ) as string,
        },
      ],
    });
  });
});

test("two damages of one inspection keep the order in which they were reported", async () => {
  const caller = new FleetCaller({ inspections: 1, damages: 0 });
  const [inspection] = ids(await caller.data<JsonObject[]>("GET /inspections"));
  for (const description of ["first", "second"])
    await caller.data("POST /damages", { inspectionId: inspection, description });
  const { damages } = await caller.data(`GET /inspections/${String(inspection)}`);
  expect((damages as JsonObject[]).map(({ description }) => description)).toEqual(["first", "second"]);
});
