import { describe, expect, it } from "vitest";
import { type JsonObject } from "./exchange.ts";
import { createFleetModel } from "./fleet-model.ts";
import { fleetSender, idOf } from "./fleet-observations.ts";
import { createRandom, type Random } from "./random.ts";
import { fleetGaps, type GivenReadings, storeGaps } from "./readings.ts";
import { propertyOf, type Observed, part } from "./store-observations.ts";

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
