/** For each gap of the store API, requests whose responses tell its readings apart. */
import { isObject, type Json, type JsonObject, type ModelResponse, parseJson } from "./exchange.ts";
import type { GivenReadings, storeGaps } from "./readings.ts";
import type { StoreModel } from "./store-model.ts";

export interface Observed {
  readonly status: number;
  readonly value: Json;
}

/** Sends one request with valid credentials. */
export type Send = (method: string, target: string, body?: Json | string) => Observed;

export interface Observation {
  /** Readings of other gaps under which the difference shows. */
  readonly given?: GivenReadings;
  readonly observe: (send: Send) => Json;
}

export function observed(response: ModelResponse): Observed {
  return { status: response.status, value: parseJson(response.body) ?? response.body };
}

export function storeSender(model: StoreModel): Send {
  const headers = { authorization: model.authorization, "content-type": "application/json" };
  return (method, target, body) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return observed(model.handle({ method, target, headers, ...(body !== undefined && { body: text }) }));
  };
}

export const wholeRange = "from=2026-01-01T00:00:00Z&to=2027-01-01T00:00:00Z";
export const firstStore = "/v1/stores/S-001";

/** A property of a response body, found by its path: `data.version`. */
export function propertyOf({ value }: Observed, path: string): Json {
  let found: Json = value;
  for (const name of path.split(".")) found = (isObject(found) ? found[name] : undefined) ?? null;
  return found;
}

/** A string as a part of a query. */
export function part(value: Json | undefined): string {
  return typeof value === "string" ? encodeURIComponent(value) : "";
}

export function items(response: Observed): JsonObject[] {
  const list = propertyOf(response, "items");
  return Array.isArray(list) ? list.filter((item) => isObject(item)) : [];
}

const emailAddresses = [
  "anna@example.com",
  "anna.nowak+x@sub.example.com",
  "a..b@localhost",
  "anna..nowak@example.com",
  "anna@-example.com",
  `${"a".repeat(65)}@example.com`,
  "a b@example.com",
  "a@@example.com",
  "@example.com",
];

const dateTimes = [
  "2026-01-01T00:00Z",
  "2026-01-01T00:00:00",
  "2026-01-01T00:00:00,5Z",
  "2026-01-01T00:00:00+0100",
  "20260101T0000Z",
  "20260101T000000.5+0100",
  "20260101T00:00Z",
  "2026-01-01T24:00:00Z",
  "2026-12-31T23:59:60Z",
  "2026-01-01",
  "2026-02-30T00:00:00Z",
];

/** A property of each element of `items`. */
function each(response: Observed, name: string): Json[] {
  return items(response).map((item) => item[name] ?? null);
}

const get = (target: string): Observation["observe"] => {
  return (send) => ({ ...send("GET", target) });
};

const put = (target: string, ...bodies: Json[]): Observation["observe"] => {
  return (send) => bodies.map((body) => ({ ...send("PUT", target, body) }));
};

const protocols = `${firstStore}/protocols?${wholeRange}`;
const photos = `${firstStore}/photos?${wholeRange}`;
const fillRate = `/v1/fill-rate?${wholeRange}`;

const exposition = { label: "New", productCategories: ["ROLLS"], expositionType: "ROLLS_BREAD_RACK" };
const contact = { name: "Anna", phone: "1" };
const unknownId = "0f0f0f0f-0f0f-4f0f-8f0f-0f0f0f0f0f0f";

/** The form in which an exposition of the first store is sent back, without its ID. */
function storedExposition(send: Send, at: number): JsonObject {
  const { expositionId: _, ...rest } = items(send("GET", `${firstStore}/expositions`))[at] ?? {};
  return rest;
}

function observeMatching(send: Send): Json {
  const [first, second] = [storedExposition(send, 0), storedExposition(send, 1)];
  const sent = [
    { ...first, friendlyTitle: "sent as it is stored" },
    { ...exposition, label: second["label"] ?? "", friendlyTitle: "sent with a stored label" },
    {
      ...exposition,
      expositionType: second["expositionType"] ?? "",
      friendlyTitle: "sent with a stored type",
    },
  ];
  // an element with an ID, in any case, takes its exposition from an equal one without
  const [stored] = items(send("GET", `${firstStore}/expositions`));
  const named = { ...first, expositionId: part(stored?.["expositionId"]).toUpperCase() };
  return [...sent.map((element) => [element]), [{ ...first, friendlyTitle: "sent without ID" }, named]].map(
    (expositions) => each(send("PUT", `${firstStore}/expositions`, { expositions }), "friendlyTitle"),
  );
}

function observeNextPage(send: Send): Json {
  const first = send("GET", `${protocols}&limit=5`);
  const second = send("GET", `${protocols}&limit=5&cursor=${part(propertyOf(first, "nextCursor"))}`);
  return {
    status: second.status,
    same: JSON.stringify(first) === JSON.stringify(second),
    ids: each(second, "protocolId"),
  };
}

/** Bounds on the second rate from below and from above. */
function observeBounds(send: Send): Json {
  const groups = propertyOf(send("GET", `${fillRate}&groupBy=expositionType`), "groups");
  const numbers = Array.isArray(groups)
    ? groups.map((group: Json) => Number(isObject(group) ? group["fillRate"] : 0))
    : [];
  const rates = numbers.toSorted((one, other) => one - other);
  return {
    ...send("GET", `${fillRate}&groupBy=expositionType&minFillRate=${rates[1]}&maxFillRate=${rates.at(-2)}`),
  };
}

/** The groups below expectation, by several groupings. */
function observeBelow(send: Send): Json {
  const target = `${fillRate}&belowExpectationOnly=true&groupBy=`;
  return ["store", "day", "expositionType"].map((groupBy) => ({ ...send("GET", target + groupBy) }));
}

function observeEnds(send: Send): Json {
  const instants = each(send("GET", protocols), "createdAt");
  const [from, to] = [part(instants[0]), part(instants[5])];
  return ["protocols", "photos"].map((list) => ({
    ...send("GET", `${firstStore}/${list}?from=${from}&to=${to}`),
  }));
}

/** The first two pages of photos. */
function observePhotosWalk(send: Send): Json {
  const first = send("GET", `${photos}&limit=1`);
  const cursor = propertyOf(first, "nextCursor") ?? items(first)[0]?.["photoId"];
  return [{ ...first }, { ...send("GET", `${photos}&limit=1&cursor=${part(cursor)}`) }];
}

/** A summary and its protocol. */
function observeProtocol(send: Send): Json {
  const list = send("GET", protocols);
  const { protocolId, id } = items(list)[0] ?? {};
  return [{ ...list }, { ...send("GET", `${firstStore}/protocols/${part(protocolId ?? id)}`) }];
}

function observeTitle(send: Send): Json {
  const { friendlyTitle: _, ...second } = items(send("GET", `${firstStore}/expositions`))[1] ?? {};
  return each(send("PUT", `${firstStore}/expositions`, { expositions: [second] }), "friendlyTitle");
}

function observeIds(send: Send): Json {
  const replace = (): Json[] =>
    each(send("PUT", `${firstStore}/contacts`, { contacts: [contact] }), "contactId");
  return JSON.stringify(replace()) === JSON.stringify(replace());
}

function observeStoresWalk(send: Send): Json {
  const first = send("GET", "/v1/stores?limit=2");
  const cursor = propertyOf(first, "nextCursor");
  return [
    { ...first },
    cursor === null ? null : { ...send("GET", `/v1/stores?limit=2&cursor=${part(cursor)}`) },
  ];
}

/** Statuses of 61 requests: more than the bucket holds. */
export function observeRate(send: Send, target: string): Json {
  return Array.from({ length: 61 }, () => send("GET", target).status);
}

export const storeObservations: Readonly<Record<keyof typeof storeGaps, Observation>> = {
  "fill-rates.calculation": { observe: get(`${firstStore}/fill-rates?${wholeRange}`) },
  "stores.create-requirements": {
    observe: (send) => [
      { ...send("PUT", "/v1/stores/new-1", {}) },
      { ...send("PUT", "/v1/stores/new-2", { name: "New" }) },
    ],
  },
  "protocols.id-property": { observe: observeProtocol },
  "photos.page-shape": { observe: get(photos) },
  "photos.cursor-source": { observe: observePhotosWalk },
  "fill-rates.shape": { observe: get(fillRate) },
  "stores.omitted-fields": { observe: put(firstStore, { name: "New name" }) },
  "expositions.absent": { observe: put(`${firstStore}/expositions`, { expositions: [exposition] }) },
  "expositions.matching": { observe: observeMatching },
  "protocols.next-page": { observe: observeNextPage },
  "photos.status": {
    observe: (send) =>
      ["awaiting_submission", "pending", "completed"].map((status) => ({
        ...send("GET", `${photos}&status=${status}`),
      })),
  },
  "fill-rates.below-expectation": { observe: observeBelow },
  "fill-rates.bounds": { observe: observeBounds },
  "fill-rates.inverted-bounds": { observe: get(`${fillRate}&minFillRate=60&maxFillRate=40`) },
  "errors.issue-codes": { observe: get("/v1/stores?limit=0") },
  "errors.other-statuses": { observe: (send) => ({ ...send("POST", "/v1/stores", {}) }) },
  "limits.store-rate": { observe: (send) => observeRate(send, firstStore) },
  "limits.body-size": {
    observe: (send) => send("PUT", firstStore, { location: "x".repeat(10_000_000) }).status,
  },
  "stores.null-external-id": { observe: get("/v1/stores") },
  "stores.null-opening-times": { observe: put(firstStore, { openingTimes: null }) },
  "stores.body-external-id": { observe: put(firstStore, { externalId: "other" }) },
  "stores.null-store-type": { observe: put(firstStore, { storeType: null }) },
  "responses.nullable-properties": { observe: get(`${firstStore}/contacts`) },
  "errors.code-presence": { observe: get("/v1/stores/unknown") },
  "protocols.id-format": { observe: observeProtocol },
  "fill-rates.exposition-id": { observe: get(`${firstStore}/expositions/no-uuid/fill-rate?${wholeRange}`) },
  "weekdays.first": { observe: observeBelow },
  "time-range.ends": { observe: observeEnds },
  "time-range.inverted": {
    observe: get(`${firstStore}/protocols?from=2026-02-02T00:00:00Z&to=2026-02-01T00:00:00Z`),
  },
  "stores.cursor-start": { observe: observeStoresWalk },
  "stores.unknown-cursor": { observe: get("/v1/stores?cursor=S-001x") },
  "lists.ids-after-replace": { observe: observeIds },
  "lists.duplicates": {
    observe: put(`${firstStore}/contacts`, { contacts: [contact, { ...contact, name: "Jan" }] }),
  },
  "expositions.omitted-title": { observe: observeTitle },
  "expositions.unknown-id": {
    observe: put(`${firstStore}/expositions`, { expositions: [{ ...exposition, expositionId: unknownId }] }),
  },
  "fill-rates.unknown-stores": { observe: get(`${fillRate}&externalIds=S-001,unknown`) },
  "requests.unknown-properties": { observe: put(firstStore, { colour: "red" }) },
  "requests.check-order": { observe: get("/v1/stores/unknown/protocols") },
  "stores.external-id-characters": { observe: put("/v1/stores/a%20b", {}) },
  "expectations.null-category": { observe: observeBelow },
  "protocols.order": { observe: get(protocols) },
  "time-range.instant": {
    observe: (send) => {
      const [first] = items(send("GET", `${firstStore}/photos?${wholeRange}&limit=1`));
      const [newest] = items(send("GET", protocols));
      const range = `from=${part(newest?.["createdAt"])}&to=${part(first?.["takenAt"])}`;
      return ["protocols", "photos"].map(
        (list) => items(send("GET", `${firstStore}/${list}?${range}`)).length,
      );
    },
  },
  "time-zones.meaning": { observe: get(`${fillRate}&groupBy=day`) },
  "date-times.forms": {
    observe: (send) => [
      ...dateTimes.map(
        (from) => send("GET", `${firstStore}/protocols?from=${part(from)}&to=2027-01-01T00:00:00Z`).status,
      ),
      items(send("GET", protocols)),
    ],
  },
  "expositions.response": { observe: put(`${firstStore}/expositions`, { expositions: [exposition] }) },
  "photos.two-statuses": { observe: get(`${photos}&status=completed&status=annotated`) },
  "stores.null-cursor": { observe: observeStoresWalk },
  "contacts.email-format": {
    observe: put(
      `${firstStore}/contacts`,
      ...emailAddresses.map((email) => ({ contacts: [{ ...contact, email }] })),
    ),
  },
  "protocols.equal-summaries": { observe: get(protocols) },
  "requests.unlisted-values": { observe: put(firstStore, { storeType: "Metro" }) },
};
