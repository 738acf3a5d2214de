import { describe, expect, it } from "vitest";
import { isObject, type Json } from "./exchange.ts";
import { createStoreModel } from "./store-model.ts";
import {
  firstStore,
  items,
  propertyOf,
  type Observed,
  observed,
  part,
  storeSender,
  wholeRange,
} from "./store-observations.ts";
import { expositionLimit, expositionTypes, pageLimit, photoLimit } from "../generate/contract-table.ts";

function keysOf(value: Json): string[] {
  return isObject(value) ? Object.keys(value).toSorted() : [];
}

function setUp(options: Parameters<typeof createStoreModel>[0] = {}) {
  const model = createStoreModel(options);
  return { model, send: storeSender(model) };
}

const storeKeys = [
  "externalId",
  "location",
  "loginCode",
  "name",
  "onboardingComplete",
  "openingTimes",
  "protocolCronEnabled",
  "protocolScheduleId",
  "regionId",
  "storeId",
  "storeType",
];
const contactKeys = ["contactId", "contactType", "createdAt", "email", "hasWhatsapp", "name", "phone"];
const expectationKeys = [
  "displayType",
  "expectationId",
  "expectedFillRatio",
  "productCategory",
  "protocolTime",
  "updatedAt",
  "weekday",
];
const expositionKeys = [
  "expositionId",
  "expositionType",
  "friendlyTitle",
  "label",
  "productCategories",
  "status",
];

const contact = { name: "Anna", phone: "1" };
const expectation = {
  productCategory: null,
  displayType: "FRIDGE_DRINKS",
  weekday: 0,
  protocolTime: "07:30",
  expectedFillRatio: 50,
};
const exposition = { label: "New", productCategories: ["ROLLS"], expositionType: "ROLLS_BREAD_RACK" };

describe("the data of the store model", () => {
  it("has the exposition types of the contract", () => {
    expect(expositionTypes).toContain("SANDWICHES_CHILLED_COUNTER");
    expect(expositionTypes).toContain("DRINKS_DRINK_FRIDGE");
    expect(expositionTypes).toContain("BREADS_NOT_OFFERED");
  });

  it.each([0, 3, 2000])("contain %d stores, and those without external ID, each once", (stores) => {
    const { model, send } = setUp({ stores });
    const ids: Json[] = [];
    let cursor: Json = "";
    while (cursor !== null) {
      const page = send("GET", `/v1/stores${cursor === "" ? "" : `?cursor=${part(cursor)}`}`);
      ids.push(...items(page).map((store) => store["storeId"] ?? null));
      cursor = propertyOf(page, "nextCursor");
    }
    expect(ids).toHaveLength(model.state.stores.length);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("are equal for equal seeds and different for different seeds", () => {
    const state = (seed: number): string => JSON.stringify(createStoreModel({ seed }).state);
    expect(state(4)).toBe(state(4));
    expect(state(4)).not.toBe(state(5));
  });

  it("can be exported and continued", () => {
    const { model, send } = setUp();
    send("PUT", firstStore, { name: "Changed" });
    const exported = structuredClone(model.state);
    const copy = setUp({ state: exported });
    expect(copy.send("GET", "/v1/stores")).toEqual(send("GET", "/v1/stores"));
    copy.send("PUT", firstStore, { name: "Changed again" });
    expect(propertyOf(send("GET", firstStore), "name")).toBe("Changed");
  });

  it("are read again for each response", () => {
    const { model, send } = setUp();
    model.change((state) => state.stores.pop());
    expect(items(send("GET", "/v1/stores"))).toHaveLength(3);
  });
});

describe("the endpoints of the store contract", () => {
  const reads: [string, string[], string[]?][] = [
    ["/v1/stores", ["items", "nextCursor"], storeKeys],
    [firstStore, storeKeys],
    [`${firstStore}/contacts`, ["externalId", "items"], contactKeys],
    [`${firstStore}/expectations`, ["externalId", "items"], expectationKeys],
    [`${firstStore}/expositions`, ["externalId", "items", "storeId"], expositionKeys],
    [`${firstStore}/protocols?${wholeRange}`, ["externalId", "items", "nextCursor"]],
    [`${firstStore}/photos?${wholeRange}`, ["externalId", "items", "nextCursor"]],
    [`${firstStore}/fill-rates?${wholeRange}`, ["externalId", "groupBy", "groups"]],
    [`/v1/fill-rate?${wholeRange}`, ["groupBy", "groups"]],
  ];

  it.each(reads)(
    "GET %s responds with 200 and the documented properties",
    (target, properties, elementProperties) => {
      const response = setUp().send("GET", target);
      expect(response.status).toBe(200);
      expect(keysOf(response.value)).toEqual(properties.toSorted());
      for (const element of elementProperties ? items(response) : [])
        expect(keysOf(element)).toEqual(elementProperties);
    },
  );

  it("GET protocols/{protocolId} returns the summary and its images", () => {
    const { send } = setUp();
    const [summary] = items(send("GET", `${firstStore}/protocols?${wholeRange}`));
    const id = part(summary?.["protocolId"]);
    const detail = send("GET", `${firstStore}/protocols/${id}`);
    expect(detail.value).toMatchObject({ ...summary });
    expect(Array.isArray(propertyOf(detail, "images"))).toBe(true);
  });

  it("GET expositions/{expositionId}/fill-rate returns one group", () => {
    const { send } = setUp();
    const [first] = items(send("GET", `${firstStore}/expositions`));
    const id = part(first?.["expositionId"]);
    const response = send("GET", `${firstStore}/expositions/${id}/fill-rate?${wholeRange}`);
    expect(propertyOf(response, "groups")).toHaveLength(1);
  });

  it("PUT creates a store and then updates it", () => {
    const { model, send } = setUp();
    const created = send("PUT", "/v1/stores/N-1", { name: "New" });
    expect([created.status, keysOf(created.value)]).toEqual([200, storeKeys]);
    const updated = send("PUT", "/v1/stores/N-1", { location: "Here" });
    expect(propertyOf(updated, "storeId")).toBe(propertyOf(created, "storeId"));
    expect(propertyOf(updated, "name")).toBe("New");
    expect(model.applied.map(({ operation }) => operation)).toEqual(["putStore", "putStore"]);
  });

  it.each([
    ["contacts", { contacts: [contact] }, { contactType: "store", hasWhatsapp: false, email: null }],
    ["expectations", { expectations: [expectation] }, expectation],
    ["expositions", { expositions: [exposition] }, { status: "active", friendlyTitle: null }],
  ])("PUT %s returns the list with its defaults, as GET does", (list, body, defaults) => {
    const { send } = setUp();
    const written = send("PUT", `${firstStore}/${list}`, body);
    expect(written.status).toBe(200);
    expect(items(written).at(-1)).toMatchObject(defaults);
    expect(send("GET", `${firstStore}/${list}`)).toEqual(written);
  });

  it("lists every protocol once when it is walked by cursor", () => {
    const { send } = setUp({ protocols: 30 });
    const ids: Json[] = [];
    let page: Observed | undefined;
    do {
      const cursor = page ? `&cursor=${part(propertyOf(page, "nextCursor"))}` : "";
      page = send("GET", `${firstStore}/protocols?${wholeRange}&limit=7${cursor}`);
      ids.push(...items(page).map((summary) => summary["protocolId"] ?? null));
    } while (propertyOf(page, "nextCursor") !== null);
    expect([ids.length, new Set(ids).size]).toEqual([30, 30]);
  });
});

describe("the errors of the store contract", () => {
  const invalid: [string, string, Json?][] = [
    ["GET", "/v1/stores?limit=0"],
    ["GET", `/v1/stores?limit=${pageLimit + 1}`],
    ["GET", "/v1/stores?limit=ten"],
    ["GET", `${firstStore}/protocols`],
    ["GET", `${firstStore}/protocols?from=2026-01-01T00:00:00Z`],
    ["GET", `${firstStore}/protocols?from=2026-01-01&to=2026-02-01`],
    ["GET", `${firstStore}/protocols?from=2026-02-30T00:00:00Z&to=2027-01-01T00:00:00Z`],
    ["GET", `${firstStore}/protocols?${wholeRange}&limit=${pageLimit + 1}`],
    ["GET", `${firstStore}/protocols?${wholeRange}&status=pending`],
    ["GET", `${firstStore}/photos?${wholeRange}&limit=${photoLimit + 1}`],
    ["GET", `${firstStore}/photos?${wholeRange}&status=none`],
    ["GET", `${firstStore}/photos?${wholeRange}&expositionId=none`],
    ["GET", `${firstStore}/fill-rates?${wholeRange}&groupBy=store`],
    ["GET", `/v1/fill-rate?${wholeRange}&groupBy=protocol`],
    ["GET", `/v1/fill-rate?${wholeRange}&minFillRate=101`],
    ["GET", `/v1/fill-rate?${wholeRange}&belowExpectationOnly=1`],
    ["PUT", firstStore],
    ["PUT", firstStore, []],
    ["PUT", firstStore, { name: null }],
    ["PUT", firstStore, { storeType: "Metro" }],
    ["PUT", firstStore, { regionId: "none" }],
    ["PUT", firstStore, { openingTimes: [{ weekday: 7, from: "", to: "" }] }],
    ["PUT", `${firstStore}/contacts`, {}],
    ["PUT", `${firstStore}/contacts`, { contacts: [{ name: "Anna" }] }],
    ["PUT", `${firstStore}/contacts`, { contacts: [{ ...contact, email: "a@@b" }] }],
    ["PUT", `${firstStore}/contacts`, { contacts: [{ ...contact, contactType: "other" }] }],
    ["PUT", `${firstStore}/expectations`, { expectations: [{ ...expectation, expectedFillRatio: 100.5 }] }],
    ["PUT", `${firstStore}/expectations`, { expectations: [{ ...expectation, protocolTime: "24:00" }] }],
    [
      "PUT",
      `${firstStore}/expositions`,
      { expositions: Array.from({ length: expositionLimit + 1 }, () => exposition) },
    ],
    ["PUT", `${firstStore}/expositions`, { expositions: [{ ...exposition, status: "gone" }] }],
  ];

  it.each(invalid)("are validation_failed with issues for %s %s (case %#)", (method, target, body) => {
    const { model, send } = setUp();
    const response = send(method, target, body);
    expect(response).toMatchObject({ status: 400, value: { error: { code: "validation_failed" } } });
    expect(propertyOf(response, "error.issues")).not.toHaveLength(0);
    expect(model.applied).toEqual([]);
  });

  it.each([
    ["GET", "/v1/stores/unknown"],
    ["GET", "/v1/stores/unknown/contacts"],
    ["PUT", "/v1/stores/unknown/contacts"],
    ["GET", `${firstStore}/protocols/unknown`],
    ["GET", `${firstStore}/expositions/0f0f0f0f-0f0f-4f0f-8f0f-0f0f0f0f0f0f/fill-rate?${wholeRange}`],
  ])("are not_found for %s %s", (method, target) => {
    expect(setUp().send(method, target)).toMatchObject({
      status: 404,
      value: { error: { code: "not_found" } },
    });
  });

  it("are unauthorized for a missing or wrong token", () => {
    const { model } = setUp();
    for (const headers of [{}, { authorization: "Bearer wrong" }, { authorization: "Basic model-token" }]) {
      expect(observed(model.handle({ method: "GET", target: "/v1/stores", headers }))).toMatchObject({
        status: 401,
        value: { error: { code: "unauthorized" } },
      });
    }
  });

  it("are not_configured for a service without a token", () => {
    const response = setUp({ token: null }).send("GET", firstStore);
    expect(response).toMatchObject({ status: 503, value: { error: { code: "not_configured" } } });
  });

  it("are 429 with Retry-After above the rate limit until the clock advances", () => {
    let now = 0;
    const { model, send } = setUp({
      readings: { "limits.store-rate": "too-many-requests" },
      now: () => now,
      rate: { requests: 2, perMs: 10_000 },
    });
    expect([1, 2, 3].map(() => send("GET", firstStore).status)).toEqual([200, 200, 429]);
    const headers = { authorization: model.authorization };
    expect(model.handle({ method: "GET", target: firstStore, headers }).headers).toMatchObject({
      "retry-after": "5",
    });
    now = 5000;
    expect(send("GET", firstStore).status).toBe(200);
  });
});

describe("fetch of the store model", () => {
  it("responds to a Request as `handle` does", async () => {
    const { model, send } = setUp();
    const response = await model.fetch(`https://store.example${firstStore}`, {
      headers: { authorization: model.authorization },
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(send("GET", firstStore).value);
  });

  it("rejects when its signal aborts", async () => {
    const signal = AbortSignal.abort(new Error("stop"));
    await expect(setUp().model.fetch("https://store.example/v1/stores", { signal })).rejects.toThrow("stop");
  });
});
