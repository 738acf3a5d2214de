import { describe, expect, it } from "vitest";
import { photoLimit } from "../generate/contract-table.ts";
import { isObject, type Json, type JsonObject } from "./exchange.ts";
import { createFleetModel } from "./fleet-model.ts";
import { fleetSender, idOf } from "./fleet-observations.ts";
import { createRandom, type Random } from "./random.ts";
import { fleetGaps, type GivenReadings, storeGaps } from "./readings.ts";
import { createStoreModel } from "./store-model.ts";
import {
  firstStore,
  propertyOf,
  type Observed,
  part,
  type Send,
  storeSender,
  wholeRange,
} from "./store-observations.ts";

/** One reading of each gap. `kept` are not chosen at random. */
function randomReadings(random: Random, kept: GivenReadings): GivenReadings {
  const chosen = Object.entries({ ...storeGaps, ...fleetGaps }).map(([gap, readings]) => [
    gap,
    random.pick<string>(readings),
  ]);
  return { ...Object.fromEntries(chosen), ...kept } as GivenReadings;
}

const unlimited = { "limits.store-rate": "none", "limits.fleet-rate": "none" };
const seeds = Array.from({ length: 60 }, (_, index) => index + 1);

const exposition = { label: "New", productCategories: ["ROLLS"], expositionType: "ROLLS_BREAD_RACK" };
const contact = { name: "Anna", phone: "1", email: "a@b.example" };
const storeRequests: [string, string, Json?][] = [
  ["GET", "/v1/stores?limit=2"],
  ["GET", `${firstStore}/protocols?${wholeRange}&limit=3`],
  ["GET", `${firstStore}/photos?${wholeRange}&status=completed`],
  ["GET", `${firstStore}/fill-rates?${wholeRange}&groupBy=category`],
  ["GET", `/v1/fill-rate?${wholeRange}&groupBy=week&belowExpectationOnly=true`],
  ["PUT", firstStore, { name: "Changed", storeType: null, openingTimes: null, externalId: "S-002" }],
  ["PUT", "/v1/stores/N%2F1", { name: "New", externalId: "N-2" }],
  ["PUT", `${firstStore}/contacts`, { contacts: [contact, contact] }],
  ["PUT", `${firstStore}/expectations`, { expectations: [] }],
  ["PUT", `${firstStore}/expositions`, { expositions: [exposition, exposition] }],
  ["GET", `${firstStore}/expositions/none/fill-rate`],
  ["DELETE", firstStore],
];

function walk(send: Send, target: string, next: (page: Observed) => string | undefined): Observed[] {
  const pages = [send("GET", target)];
  for (;;) {
    const cursor = next(pages.at(-1) ?? { status: 0, value: null });
    if (cursor === undefined || pages.length > 100) return pages;
    pages.push(send("GET", `${target}&cursor=${encodeURIComponent(cursor)}`));
  }
}

/** The elements of the only array in each page. */
function elements(pages: readonly Observed[]): JsonObject[] {
  return pages.flatMap(({ value }) => {
    const list = isObject(value) ? Object.values(value).find((one) => Array.isArray(one)) : undefined;
    return (list ?? []) as JsonObject[];
  });
}

function nextCursor(page: Observed): string | undefined {
  const cursor = propertyOf(page, "nextCursor") ?? propertyOf(page, "cursor");
  return typeof cursor === "string" ? cursor : undefined;
}

describe("the store model under random readings", () => {
  it.each(seeds)("responds to every request with a status that the readings allow (seed %d)", (seed) => {
    const readings = randomReadings(createRandom(seed), unlimited);
    const send = storeSender(createStoreModel({ seed, readings }));
    const allowed = readings["errors.other-statuses"] === "any" ? [200, 400, 404, 405] : [200, 400, 404];
    for (const [method, target, body] of [...storeRequests, ...storeRequests]) {
      expect(allowed, `${method} ${target}`).toContain(send(method, target, body).status);
    }
  });

  it.each(seeds)("lists every store once by cursor if nulls come last (seed %d)", (seed) => {
    const readings = randomReadings(createRandom(seed), { ...unlimited, "stores.null-cursor": "last-page" });
    const model = createStoreModel({ seed, stores: 11, unnamed: 4, readings });
    const pages = walk(storeSender(model), `/v1/stores?limit=${(seed % 5) + 1}`, nextCursor);
    const hidden = readings["stores.null-external-id"] === "never-listed";
    const ids = elements(pages).map(({ storeId }) => storeId);
    expect([ids.length, new Set(ids).size]).toEqual(hidden ? [11, 11] : [15, 15]);
  });

  it.each(seeds)("lists every protocol once if it accepts a cursor (seed %d)", (seed) => {
    const kept = { ...unlimited, "protocols.next-page": "cursor", "time-range.instant": "creation" };
    const readings = randomReadings(createRandom(seed), kept);
    const model = createStoreModel({
      seed,
      protocols: 23,
      equalPairs: seed % 2 === 0,
      oneInstant: seed % 3 === 0,
      readings,
    });
    const pages = walk(
      storeSender(model),
      `${firstStore}/protocols?${wholeRange}&limit=${(seed % 6) + 1}`,
      nextCursor,
    );
    expect(elements(pages)).toHaveLength(23);
    expect(elements(pages)).toEqual(
      elements([storeSender(model)("GET", `${firstStore}/protocols?${wholeRange}`)]),
    );
  });

  it.each(seeds)(
    "lists every photo once, with the response's cursor or the last photo's ID (seed %d)",
    (seed) => {
      const shape = ["items-nextCursor", "photos-nextCursor", "data-cursor"][seed % 3] ?? "";
      const readings = randomReadings(createRandom(seed), { ...unlimited, "photos.page-shape": shape });
      const send = storeSender(createStoreModel({ seed, readings }));
      const whole = elements([send("GET", `${firstStore}/photos?${wholeRange}&limit=${photoLimit}`)]);
      const byPhoto = (page: Observed): string | undefined => {
        const id = elements([page]).at(-1)?.["photoId"];
        return typeof id === "string" ? id : undefined;
      };
      const next = readings["photos.cursor-source"] === "photo-id" ? byPhoto : nextCursor;
      const pages = walk(send, `${firstStore}/photos?${wholeRange}&limit=4`, next);
      expect(whole.length).toBeGreaterThan(4);
      expect(elements(pages)).toEqual(whole);
    },
  );
});

describe("the fleet model under random readings", () => {
  const collections = ["vehicles", "vehicle-groups", "inspections", "damages", "driver-assignments"] as const;

  it.each(seeds)("responds to every request with a status that the contract lists (seed %d)", (seed) => {
    const random = createRandom(seed);
    const model = createFleetModel({ seed, readings: randomReadings(random, unlimited) });
    const send = fleetSender(model);
    const headers = random.chance(0.5) ? { "x-service-api-version": "v1" } : {};
    for (const collection of [...collections, "inspection-templates"] as const) {
      const item = `/${collection}/${idOf(model, collection)}`;
      const requests: [string, string][] = [
        ...(["GET", "POST"] as const).map((method): [string, string] => [method, `/${collection}`]),
        ...(["GET", "PUT", "PATCH", "DELETE", "DELETE", "GET"] as const).map((method): [string, string] => [
          method,
          item,
        ]),
      ];
      for (const [method, path] of requests) {
        const { status } = send(method, path, { body: { notes: "x", title: "x" }, headers });
        expect([200, 201, 204, 400, 404], `${method} ${path}`).toContain(status);
      }
    }
  });

  it.each(seeds)("lists every element once by page number (seed %d)", (seed) => {
    const readings = randomReadings(createRandom(seed), {
      ...unlimited,
      "fleet.undocumented-responses": "envelope",
    });
    const model = createFleetModel({ seed, vehicles: 23, readings });
    const send = fleetSender(model);
    const headers = { "x-service-api-version": "v1" };
    for (const collection of [...collections, "vehicle-fields"] as const) {
      const ids: unknown[] = [];
      let page: Observed;
      let number = 0;
      do {
        number += 1;
        page = send("GET", `/${collection}?page=${number}&limit=4`, { headers });
        ids.push(...(propertyOf(page, "data") as JsonObject[]).map(({ id }) => part(id)));
      } while (propertyOf(page, "meta.pagination.hasNextPage") === true);
      expect(ids, collection).toEqual(model.state.entities[collection].map(({ id }) => id));
    }
  });
});
