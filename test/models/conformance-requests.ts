/** Requests that both servers respond to alike. */
import { expositionLimit, pageLimit, photoLimit } from "../generate/contract-table.ts";
import type { Json } from "./exchange.ts";
import { tableScopes } from "./fleet-access.ts";
import { createFleetModel, type FleetModel } from "./fleet-model.ts";
import { type FleetObservation, idOf } from "./fleet-observations.ts";
import { routes } from "./fleet-operations.ts";
import type { Collection } from "./fleet-state.ts";
import { firstStore, wholeRange } from "./store-observations.ts";

type StoreRequest = [method: string, target: string, body?: Json | string];

const contact = { name: "Anna", phone: "1", email: "a@b.example" };
const expectation = {
  productCategory: null,
  displayType: "FRIDGE_DRINKS",
  weekday: 0,
  protocolTime: "07:30",
  expectedFillRatio: 50,
};
const exposition = { label: "New", productCategories: ["ROLLS"], expositionType: "ROLLS_BREAD_RACK" };

const gets = (...targets: string[]): StoreRequest[] => targets.map((target) => ["GET", target]);
const puts = (target: string, ...bodies: Json[]): StoreRequest[] =>
  bodies.map((body) => ["PUT", target, body]);
const putsOf = (list: string, ...elements: Json[]): StoreRequest[] =>
  puts(`${firstStore}/${list}`, ...elements.map((element) => ({ [list]: [element] })));

const lists = ["contacts", "expectations", "expositions"].map((list) => `${firstStore}/${list}`);
const protocols = `${firstStore}/protocols?${wholeRange}`;
const photos = `${firstStore}/photos?${wholeRange}`;
const groupings = "protocol exposition category store region expositionType productCategory day week".split(
  " ",
);

const reads = gets(
  ...[1, 2, 3, 4, 5].map((limit) => `/v1/stores?limit=${limit}`),
  "/v1/stores",
  "/v1/stores?cursor=S-001x",
  "/v1/stores?limit=2&cursor=S-002",
  firstStore,
  ...lists,
  protocols,
  ...[1, 3, 5].map((limit) => `${protocols}&limit=${limit}`),
  `${protocols}&status=completed`,
  photos,
  ...["completed", "failed", "awaiting_submission", "pending"].map((status) => `${photos}&status=${status}`),
  `${photos}&limit=1`,
  ...groupings.flatMap((groupBy) => [
    `${firstStore}/fill-rates?${wholeRange}&groupBy=${groupBy}`,
    `/v1/fill-rate?${wholeRange}&groupBy=${groupBy}`,
    `/v1/fill-rate?${wholeRange}&groupBy=${groupBy}&belowExpectationOnly=true`,
  ]),
  `${firstStore}/fill-rates?${wholeRange}`,
  `${firstStore}/fill-rates?${wholeRange}&status=failed`,
  ...["S-002,S-003", "S-002,S-002"].map((ids) => `/v1/fill-rate?${wholeRange}&externalIds=${ids}`),
  `/v1/fill-rate?${wholeRange}&minFillRate=0&maxFillRate=100`,
  `/v1/fill-rate?${wholeRange}&minFillRate=1e1&maxFillRate=9.5E1`,
);

const wholeStore = {
  name: "Whole",
  location: "There",
  regionId: "11111111-1111-4111-8111-111111111111",
  storeType: "Ulica",
  openingTimes: [{ weekday: 1, from: "a", to: "b" }],
  protocolScheduleId: "11111111-1111-4111-8111-111111111112",
  protocolCronEnabled: true,
  onboardingComplete: true,
  loginCode: "login-1",
};

/** Under random readings they follow one another, in this order. */
export const storeRequests: Readonly<Record<string, StoreRequest[]>> = {
  reads,
  writes: [
    ...puts("/v1/stores/N-1", {}, wholeStore, { name: "New" }, { openingTimes: null }, { location: "Here" }),
    ...["a/b", "ł ä?#", "100%", "..."].flatMap((id) =>
      puts(`/v1/stores/${encodeURIComponent(id)}`, {}, wholeStore),
    ),
    ["GET", "/v1/stores"],
    ...puts(firstStore, { name: "Changed", storeType: null, openingTimes: null }, { externalId: "S-001" }),
    ["PUT", firstStore, { externalId: "S-002" }],
    ["PUT", "/v1/stores/S-003", { externalId: "moved" }],
    ...gets(
      "/v1/stores/S-003",
      "/v1/stores/moved",
      "/v1/stores/moved/contacts",
      "/v1/stores/moved/expositions",
    ),
    ...putsOf("contacts", contact, { ...contact, contactType: "regional_manager", hasWhatsapp: true }),
    ...puts(`${firstStore}/contacts`, {
      contacts: [contact, { name: "Jan", phone: "2" }, { ...contact, name: "B" }],
    }),
    ...puts(
      `${firstStore}/expectations`,
      {
        expectations: [
          expectation,
          { ...expectation, weekday: 1 },
          { ...expectation, expectedFillRatio: 10 },
        ],
      },
      { expectations: [] },
      { expectations: [{ ...expectation, productCategory: "ROLLS" }] },
    ),
    ...putsOf("expositions", exposition, { ...exposition, friendlyTitle: "Title" }, exposition),
    ...puts(`${firstStore}/expositions`, {
      expositions: [exposition, { ...exposition, friendlyTitle: "Twice" }, { ...exposition, label: "Other" }],
    }),
    ...lists.map((list): StoreRequest => ["GET", list]),
    ["PUT", `${firstStore}/contacts?x=1`, { contacts: [{ ...contact, age: 3 }], more: true }],
    ...["", "/contacts", "/expectations", "/expositions"].map(
      (list): StoreRequest => ["GET", `${firstStore}${list}?x=1`],
    ),
    ["GET", "/v1/stores?limit=1&page=2"],
    ...reads,
  ],
  "invalid queries": gets(
    "/v1/stores?limit=0",
    `/v1/stores?limit=${pageLimit}`,
    `/v1/stores?limit=${pageLimit + 1}`,
    "/v1/stores?limit=ten",
    "/v1/stores?limit=1.5",
    "/v1/stores?limit=",
    "/v1/stores?limit=1&limit=2",
    `${firstStore}/protocols`,
    `${firstStore}/protocols?from=2026-01-01T00:00:00Z`,
    `${firstStore}/protocols?from=2026-01-01&to=2026-02-01`,
    `${firstStore}/protocols?from=2026-02-30T00:00:00Z&to=2027-01-01T00:00:00Z`,
    `${firstStore}/protocols?${wholeRange}&limit=${pageLimit + 1}`,
    `${firstStore}/protocols?${wholeRange}&status=pending`,
    `${firstStore}/photos?${wholeRange}&limit=${photoLimit}`,
    `${firstStore}/photos?${wholeRange}&limit=${photoLimit + 1}`,
    `${firstStore}/photos?${wholeRange}&status=none`,
    `${firstStore}/photos?${wholeRange}&expositionId=none`,
    `${firstStore}/photos`,
    `${firstStore}/fill-rates`,
    `${firstStore}/fill-rates?${wholeRange}&status=done`,
    ...["minFillRate", "maxFillRate"].flatMap((bound) =>
      [-1, 100.5, 101, "x"].map((value) => `/v1/fill-rate?${wholeRange}&${bound}=${value}`),
    ),
    `/v1/fill-rate?${wholeRange}&belowExpectationOnly=1`,
  ),
  "invalid bodies": [
    ["PUT", firstStore],
    ...puts(
      firstStore,
      [],
      "text",
      { name: null },
      { name: 1 },
      { storeType: "Metro" },
      { regionId: "none" },
      { openingTimes: [{ weekday: 7, from: "", to: "" }] },
      { openingTimes: [{ weekday: -1, from: "", to: "" }] },
      { openingTimes: [{ weekday: 0, from: "" }] },
      { openingTimes: [{ weekday: 0, from: "", to: "after the last train" }] },
    ),
    ...puts(`${firstStore}/contacts`, {}),
    ...putsOf(
      "contacts",
      { name: "Anna" },
      { ...contact, email: "a@@b" },
      { ...contact, contactType: "other" },
    ),
    ...puts(`${firstStore}/expectations`, { expectations: {} }),
    ...putsOf(
      "expectations",
      {},
      { ...expectation, expectedFillRatio: 100.5 },
      { ...expectation, expectedFillRatio: 101 },
      { ...expectation, expectedFillRatio: -1 },
      { ...expectation, expectedFillRatio: 0, protocolTime: "00:00" },
      { ...expectation, expectedFillRatio: 100, protocolTime: "23:59", weekday: 6 },
      { ...expectation, protocolTime: "24:00" },
      { ...expectation, protocolTime: "8:00" },
      { ...expectation, weekday: 7 },
      { ...expectation, weekday: -1 },
      { ...expectation, displayType: "SHELF" },
    ),
    [
      "PUT",
      `${firstStore}/expositions`,
      { expositions: Array.from({ length: expositionLimit + 1 }, () => exposition) },
    ],
    ...putsOf("expositions", { ...exposition, status: "gone" }, { ...exposition, label: null }),
  ],
  "what does not exist": [
    ...gets(
      "/v1/stores/unknown",
      "/v1/stores/unknown/contacts",
      `${firstStore}/protocols/unknown`,
      `${firstStore}/expositions/0f0f0f0f-0f0f-4f0f-8f0f-0f0f0f0f0f0f/fill-rate?${wholeRange}`,
      `${firstStore}/expositions/none/fill-rate?${wholeRange}`,
      `/v1/stores/unknown/photos?${wholeRange}`,
      `/v1/stores/unknown/fill-rates?${wholeRange}`,
    ),
    ["PUT", "/v1/stores/unknown/contacts"],
    ["PUT", "/v1/stores/unknown/expositions", { wrong: 1 }],
    ["DELETE", firstStore],
  ],
};

// Fleet

/** An operation of the model, with any of the scopes that open it under the default readings. */
interface Row {
  readonly method: string;
  readonly path: string;
  readonly scopes: readonly string[];
}

const { readings } = createFleetModel();

/** The reads before the writes, whose effects the contract does not show. */
const rows: Row[] = routes
  .flatMap(({ operation }) => operation(readings) ?? [])
  .map(({ method, path, scopes }) => ({ method, path, scopes: scopes.flat() }))
  .toSorted((a, b) => Number(b.method === "GET") - Number(a.method === "GET"));

function pathOf({ path }: Row, model: FleetModel): string {
  const collection = path.split("/")[1];
  // the rows name collections only
  return path.replace("{id}", idOf(model, collection as Collection));
}

const bodyOf = ({ method }: Row): object => (["POST", "PUT", "PATCH"].includes(method) ? { body: {} } : {});

/** Requests that are refused, and the data of all lists, which are as before. */
const refused =
  (observe: FleetObservation["observe"]): FleetObservation["observe"] =>
  (send, model) => {
    observe(send, model);
    for (const { method, path } of rows) if (method === "GET" && !path.includes("{id}")) send("GET", path);
    return null;
  };

/** With a key for each set of scopes. */
const withScopes =
  (...choose: ((row: Row) => readonly string[])[]): FleetObservation["observe"] =>
  (send, model) => {
    for (const row of rows.filter(({ method }) => method !== "DELETE"))
      for (const scopesOf of choose)
        send(row.method, pathOf(row, model), { ...bodyOf(row), key: model.makeKey(scopesOf(row)) });
    return null;
  };

export const fleetRequests: Readonly<Record<string, FleetObservation["observe"]>> = {
  "each operation": (send, model) => {
    for (const row of rows) send(row.method, pathOf(row, model), bodyOf(row));
    return null;
  },
  "keys without scopes": refused(withScopes(() => [])),
  "keys with one scope": withScopes(
    ({ scopes }) => scopes.slice(0, 1),
    ({ scopes }) => scopes.slice(1, 2),
    ({ scopes }) => scopes.slice(2),
  ),
  "keys with all other scopes": refused(
    withScopes(({ scopes }) => tableScopes.filter((scope) => !scopes.includes(scope))),
  ),
  "requests without a key": refused((send, model) => {
    for (const row of rows)
      send(row.method, pathOf(row, model), { ...bodyOf(row), headers: { authorization: "" } });
    return null;
  }),
  "bodies that are not objects": refused((send, model) => {
    for (const row of rows.filter(({ method }) => method.startsWith("P")))
      for (const text of ["", "{", "[]", '"x"', "null"]) send(row.method, pathOf(row, model), { text });
    return null;
  }),
  searches: (send) => {
    for (const search of ["group%201", "FIELD%201", "description%202", "1", "", "nothing"])
      send("GET", `/vehicle-fields?search=${search}`);
    for (const query of ["isActive=true", "isActive=false", "isActive=yes", "search=RETURN&isActive=true"])
      send("GET", `/inspection-templates?${query}`);
    return null;
  },
  "unknown IDs": refused((send) => {
    const unknown = "0f0f0f0f-0f0f-4f0f-8f0f-0f0f0f0f0f0f";
    for (const row of rows.filter(({ path }) => path.includes("{id}")))
      send(row.method, row.path.replace("{id}", unknown), bodyOf(row));
    return null;
  }),
  pages: (send) => {
    for (const { path } of rows.filter((row) => row.method === "GET" && !row.path.includes("{id}")))
      for (const query of [
        "limit=1",
        "limit=100",
        "limit=2&page=2",
        "limit=2&page=9",
        "page=0",
        "page=x",
        "limit=0",
        "limit=-1",
        "limit=2.5",
        "limit=ten",
        "limit=101",
      ])
        send("GET", `${path}?${query}`);
    return null;
  },
  "keys and headers": (send, { key }) => {
    const hex = "0123456789abcdef".repeat(4);
    for (const authorization of [
      `Basic ${key}`,
      key,
      "Bearer ",
      `Bearer ${key.slice(0, -1)}`,
      `Bearer ${key}0`,
      `Bearer ${hex}`,
      `Bearer _${hex}`,
      `Bearer ref_g${hex.slice(1)}`,
      `Bearer ref_${hex}`,
      `bearer ${key}`,
    ])
      send("GET", "/vehicles", { headers: { authorization } });
    send("POST", "/vehicles", { body: {}, headers: { "content-type": "text/plain" } });
    send("POST", "/vehicles");
    return null;
  },
  "writes and reads": (send) => {
    const created = send("POST", "/vehicles", { body: { plateNumber: "WX 1" } });
    send("POST", "/inspections", { body: { location: { latitude: 52 } } });
    return created.status;
  },
};
