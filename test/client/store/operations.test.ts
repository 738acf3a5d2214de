import { version } from "../../../src/client/core/version.ts";
import { describe, expect, it } from "vitest";
import { storeQueryLimits } from "../../../generated/store.limits.ts";
import { storeOperations, type StoreOperationId } from "../../../generated/store.operations.ts";
import type { ExpositionInput, StoreClient } from "../../../src/client/store/index.ts";
import { from, range, stubClient, to, token, uuid } from "./stub-client.ts";

interface Row {
  call: (client: StoreClient) => PromiseLike<unknown>;
  path: string;
  query?: Record<string, string>;
  body?: unknown;
}

const contact = { name: "Ada", phone: "1", email: null };
const expectation = {
  productCategory: null,
  displayType: "FRIDGE_DRINKS",
  weekday: 0,
  protocolTime: "09:30",
  expectedFillRatio: 80,
} as const;
const exposition: ExpositionInput = {
  label: "A",
  productCategories: ["DRINKS"],
  expositionType: "FRIDGE_DRINKS",
};

/** The serialized form of `to`. */
const toSent = "2026-01-01T22:00:00Z";

/** Requests with more than the samples of test/operations, which are sent for every operation. */
const rows: Partial<Record<StoreOperationId, Row>> = {
  listStores: {
    call: (c) => c.stores.list({ limit: 7, cursor: "S/1 ä", extra: { region: "north" } }),
    path: "/v1/stores",
    query: { limit: "7", cursor: "S/1 ä", region: "north" },
  },
  getStore: { call: (c) => c.stores.get("S/1 ä%2e"), path: "/v1/stores/S%2F1%20%C3%A4%252e" },
  putStore: {
    call: (c) => c.stores.upsert("S-1", { name: "One", storeType: null }),
    path: "/v1/stores/S-1",
    body: { name: "One", storeType: null },
  },
  getContacts: { call: (c) => c.contacts.get("S-1"), path: "/v1/stores/S-1/contacts" },
  putContacts: {
    call: (c) => c.contacts.replace("S-1", [contact]),
    path: "/v1/stores/S-1/contacts",
    body: { contacts: [contact] },
  },
  getExpectations: { call: (c) => c.expectations.get("S-1"), path: "/v1/stores/S-1/expectations" },
  putExpectations: {
    call: (c) => c.expectations.replace("S-1", [expectation]),
    path: "/v1/stores/S-1/expectations",
    body: { expectations: [expectation] },
  },
  getExpositions: { call: (c) => c.expositions.get("S-1"), path: "/v1/stores/S-1/expositions" },
  putExpositions: {
    call: (c) => c.expositions.upsert("S-1", [exposition]),
    path: "/v1/stores/S-1/expositions",
    body: { expositions: [exposition] },
  },
  listProtocols: {
    call: (c) =>
      c.protocols.list("S-1", {
        ...range,
        status: "completed",
        limit: storeQueryLimits.listProtocols.limit.maximum,
        extra: { x: "1" },
      }),
    path: "/v1/stores/S-1/protocols",
    query: {
      from,
      to: toSent,
      status: "completed",
      limit: String(storeQueryLimits.listProtocols.limit.maximum),
      x: "1",
    },
  },
  getProtocol: { call: (c) => c.protocols.get("S-1", "P 1"), path: "/v1/stores/S-1/protocols/P%201" },
  listPhotos: {
    call: (c) =>
      c.photos.list("S-1", {
        from: new Date(from),
        to,
        limit: storeQueryLimits.listPhotos.limit.maximum,
        status: "annotated",
        protocolId: "P",
        expositionId: uuid,
        cursor: "c",
        extra: { y: "2" },
      }),
    path: "/v1/stores/S-1/photos",
    query: {
      from: "2026-01-01T00:00:00.000Z",
      to: toSent,
      limit: String(storeQueryLimits.listPhotos.limit.maximum),
      status: "annotated",
      protocolId: "P",
      expositionId: uuid,
      cursor: "c",
      y: "2",
    },
  },
  getStoreFillRates: {
    call: (c) => c.fillRates.forStore("S-1", { ...range, status: "failed", groupBy: "category" }),
    path: "/v1/stores/S-1/fill-rates",
    query: { from, to: toSent, status: "failed", groupBy: "category" },
  },
  getExpositionFillRate: {
    call: (c) => c.fillRates.forExposition("S-1", uuid, range),
    path: `/v1/stores/S-1/expositions/${uuid}/fill-rate`,
    query: { from, to: toSent },
  },
  getFillRates: {
    call: (c) =>
      c.fillRates.across({
        ...range,
        groupBy: "week",
        externalIds: ["S-1", "S 2"],
        minFillRate: 0,
        maxFillRate: 99.5,
        belowExpectationOnly: false,
      }),
    path: "/v1/fill-rate",
    query: {
      from,
      to: toSent,
      groupBy: "week",
      externalIds: "S-1,S 2",
      minFillRate: "0",
      maxFillRate: "99.5",
      belowExpectationOnly: "false",
    },
  },
};

describe("the store client's operations", () => {
  it.each(Object.entries(rows))("%s sends the request that the contract shows", async (id, row) => {
    const { client, sent } = stubClient();
    await row.call(client);
    const { method } = storeOperations[id as StoreOperationId];
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ method, path: `/base${row.path}`, query: row.query ?? {} });
    expect(sent[0]?.body).toEqual(row.body);
    expect(sent[0]?.headers).toEqual({
      accept: "application/json",
      "user-agent": `shelfleet/${version}`,
      authorization: `Bearer ${token}`,
      ...(row.body !== undefined && { "content-type": "application/json" }),
    });
  });
});
