/** Histories that the simulation found and shrunk. Each one names the fault that it showed. */
import { describe, test } from "vitest";
import { expectSound } from "./expect-sound.ts";
import type { Scenario } from "./scenario.ts";

const plain = {
  seed: 1,
  readings: {},
  world: { entities: 3, unnamed: 0, protocols: 0, spacing: 1, pairs: false },
  client: { via: "transport", token: "fixed", configuredGaps: [] },
  faults: {},
  changes: {},
} as const satisfies Partial<Scenario>;

test("a list delivers a store once if a page begins at the last external ID that is not null", () =>
  expectSound({
    ...plain,
    api: "store",
    seed: 429,
    readings: { "stores.cursor-start": "at", "stores.null-cursor": "last-not-null" },
    world: { ...plain.world, entities: 5, unnamed: 2 },
    programs: [[{ do: "walk", method: "stores.list", path: [], query: { limit: 2 }, by: "items" }]],
  }));

test("a client asks the limiter before it sends a request again with another token", () =>
  expectSound({
    ...plain,
    api: "fleet",
    client: { ...plain.client, token: 60, limiter: 15 },
    changes: { 1: { kind: "revoke" } },
    programs: [[{ do: "call", method: "vehicles.get", args: ["$vehicles.0"] }]],
  }));

test("`fetch` leaves no listener on the signal of a call", () =>
  expectSound({
    ...plain,
    api: "store",
    programs: [[{ do: "call", method: "fetch", args: ["GET", "/v1/stores/S-000"] }]],
  }));

const exposition = { label: "One", productCategories: ["DRINKS"], expositionType: "FRIDGE_DRINKS" };

test("a client does not repeat an upsert in which two elements mean the same exposition", () =>
  expectSound({
    ...plain,
    api: "store",
    readings: { "expositions.matching": "label", "expositions.absent": "delete" },
    client: { ...plain.client, configuredGaps: ["expositions.matching"] },
    faults: { 1: { kind: "lose" } },
    programs: [[{ do: "call", method: "expositions.upsert", args: ["S-000", [exposition, exposition]] }]],
  }));

test("a walk does not end silently if the store that a cursor names was deleted", () =>
  expectSound({
    ...plain,
    api: "store",
    readings: { "stores.unknown-cursor": "empty" },
    world: { ...plain.world, entities: 8 },
    changes: { 2: { kind: "remove", list: "stores", place: 0.27 } },
    programs: [[{ do: "walk", method: "stores.list", path: [], query: { limit: 3 }, by: "pages" }]],
  }));

test("a client reports that a rejected write may have been processed by an earlier attempt", () =>
  expectSound({
    ...plain,
    api: "store",
    faults: { 1: { kind: "lose" } },
    changes: { 2: { kind: "remove", list: "stores", place: 0.7 } },
    programs: [[{ do: "call", method: "contacts.replace", args: ["S-002", []] }]],
  }));

test("a walk keeps the stores of a full page if the request that confirms the end finds nothing", () =>
  expectSound({
    ...plain,
    api: "store",
    readings: { "stores.unknown-cursor": "empty" },
    world: { ...plain.world, entities: 4 },
    changes: { 3: { kind: "remove", list: "stores", place: "request" } },
    programs: [[{ do: "walk", method: "stores.list", path: [], query: { limit: 2 }, by: "pages" }]],
  }));

test("a walk delivers no repeated page of protocols without IDs", () =>
  expectSound({
    ...plain,
    api: "store",
    seed: 137680,
    readings: { "protocols.id-property": "anonymous" },
    world: { ...plain.world, entities: 1, protocols: 14 },
    faults: { 5: { kind: "repeat" } },
    programs: [
      [
        {
          do: "walk",
          method: "protocols.list",
          path: ["S-000"],
          query: { from: "2026-03-01T12:00:00.002Z", to: "2026-03-01T12:00:00.012Z", limit: 1 },
          by: "pages",
        },
      ],
    ],
  }));

test("a walk continues by windows if the list changes while the client finds out how the server reads the cursor", () =>
  expectSound({
    ...plain,
    api: "store",
    seed: 218655,
    readings: { "protocols.next-page": "ignored" },
    world: { ...plain.world, protocols: 9, spacing: 3_600_000 },
    changes: {
      2: { kind: "add", list: "protocols", place: 0.2 },
      3: { kind: "add", list: "protocols", place: 0.04 },
    },
    programs: [
      [
        {
          do: "walk",
          method: "protocols.list",
          path: ["S-000"],
          query: { from: "2026-03-01T11:00:00.000Z", to: "2026-03-01T22:00:00.000Z", limit: 3 },
          by: "pages",
        },
      ],
    ],
  }));

test("a walk reads an empty page again if the store that its cursor names exists again", () =>
  expectSound({
    ...plain,
    api: "store",
    seed: 409207,
    readings: { "stores.cursor-start": "at", "stores.unknown-cursor": "empty" },
    world: { ...plain.world, entities: 2, unnamed: 1 },
    client: { ...plain.client, limiter: 15, bucket: true },
    changes: { 3: { kind: "remove", list: "stores", place: "request" } },
    programs: [
      [{ do: "walk", method: "stores.list", path: [], query: { limit: 1 }, by: "items" }],
      [{ do: "call", method: "stores.modify", args: ["S-001"], change: { name: "Name 67" } }],
    ],
  }));

test("a pull delivers no item twice if the clock goes back between two runs", () =>
  expectSound({
    ...plain,
    api: "store",
    world: { ...plain.world, protocols: 9 },
    programs: [
      [
        {
          do: "pull",
          method: "protocols.list",
          since: 1772366400000,
          lateness: 3600000,
          runs: [
            { until: 1772366400003 },
            { until: 1772366400001 },
            { until: 1772366400006 },
            { until: 1772366405009 },
          ],
        },
      ],
    ],
  }));

test("a plan writes no further store after `onResult` throws, even if several writes end together", () =>
  expectSound({
    ...plain,
    api: "store",
    seed: 11, // the token function fails for the writes, which wait for it together
    client: { ...plain.client, token: 0 },
    programs: [
      [
        {
          do: "plan",
          method: "applyPlan",
          desired: ["N-0", "N-1", "N-2", "N-3", "N-4", "N-5"].map((externalId) => ({ externalId })),
          stop: 1,
        },
      ],
    ],
  }));

test("a walk delivers no store without external ID twice if the last store with one is deleted", () =>
  expectSound({
    ...plain,
    api: "store",
    seed: 2,
    readings: { "stores.null-cursor": "null-early" },
    world: { ...plain.world, entities: 2, unnamed: 3 },
    changes: { 2: { kind: "remove", list: "stores", place: "request" } },
    programs: [[{ do: "walk", method: "stores.list", path: [], query: { limit: 4 }, by: "pages" }]],
  }));

const first = "00000000-0000-4000-a000-000000000000";
const second = "00000000-0000-4000-a000-000000000001";

test("a client does not repeat an upsert that renames the exposition which another element matches", () =>
  expectSound({
    ...plain,
    api: "store",
    seed: 1144157,
    readings: { "expositions.matching": "label" },
    world: { ...plain.world, entities: 1, protocols: 6, spacing: 3_600_000 },
    client: {
      ...plain.client,
      configuredGaps: ["expositions.matching", "expositions.unknown-id"],
      timeout: 25,
    },
    programs: [
      [
        {
          do: "call",
          method: "expositions.upsert",
          args: [
            "S-000",
            [
              {
                expositionId: first,
                label: "Label 1",
                productCategories: ["ROLLS"],
                expositionType: "FRIDGE_SALADS",
              },
              {
                friendlyTitle: "Title",
                label: "Label 1",
                productCategories: ["DRINKS"],
                expositionType: "FRIDGE_SALADS",
              },
              {
                expositionId: second,
                label: "Label 1",
                productCategories: ["DRINKS"],
                expositionType: "FRIDGE_DRINKS",
              },
            ],
          ],
        },
      ],
      [
        {
          do: "call",
          method: "expositions.upsert",
          args: [
            "S-000",
            [
              {
                friendlyTitle: "Title",
                label: "Label 1",
                productCategories: ["BREADS"],
                expositionType: "FRIDGE_DRINKS",
              },
              { label: "Label 2", productCategories: ["SALTY_SNACKS"], expositionType: "FRIDGE_DRINKS" },
              {
                expositionId: first,
                label: "Label 0",
                productCategories: ["SALTY_SNACKS"],
                expositionType: "FRIDGE_DRINKS",
              },
            ],
          ],
        },
      ],
    ],
  }));

test("a walk refuses the first page in the place of the second read of its last page", () =>
  expectSound({
    ...plain,
    api: "store",
    world: { ...plain.world, entities: 5 },
    faults: { 4: { kind: "page" } },
    changes: { 3: { kind: "add", list: "stores", place: "request" } },
    programs: [[{ do: "walk", method: "stores.list", path: [], query: { limit: 2 }, by: "items" }]],
  }));

test("a verified walk ends when its signal is aborted, also between the pages of its last pass", () =>
  expectSound({
    ...plain,
    api: "fleet",
    programs: [
      [
        {
          do: "walk",
          method: "vehicles.list",
          path: [],
          query: { limit: 2, verify: true },
          by: "pages",
          pause: 400,
          abort: 300,
        },
      ],
    ],
  }));

test("an upsert does not compare a list of expositions that lacks a property after a write", () =>
  expectSound({
    ...plain,
    api: "store",
    seed: 2,
    readings: { "expositions.absent": "disable" },
    world: { ...plain.world, entities: 1 },
    faults: { 3: { kind: "partial" } },
    programs: [
      [
        {
          do: "write",
          method: "upsertExpositions",
          desired: ["New", "Newer"].map((label) => ({
            label,
            productCategories: ["DRINKS"],
            expositionType: "FRIDGE_DRINKS",
          })),
          again: true,
          absent: "keep",
        },
      ],
    ],
  }));

describe("a rule that was too strict accepts", () => {
  const list = { do: "walk", method: "stores.list", path: [] } as const;
  const redirect = { kind: "redirect", status: 308, foreign: false } as const;
  const modify = {
    do: "call",
    method: "contacts.modify",
    args: ["S-000"],
    change: { name: "Contact 9", phone: "2" },
  } as const;
  const plan = { do: "plan", method: "applyPlan", desired: [{ externalId: "N-0", name: "New" }] } as const;
  const histories: Record<string, Partial<Scenario> & Pick<Scenario, "api" | "programs">> = {
    "a redirect during a walk with `concurrency`": {
      api: "fleet",
      client: { ...plain.client, limiter: 1 },
      world: { ...plain.world, entities: 8 },
      faults: { 3: redirect },
      programs: [
        [{ do: "walk", method: "vehicles.list", path: [], query: { limit: 1 }, by: "items", ahead: 5 }],
      ],
    },
    "a client that gives up after an attempt whose token came too late": {
      api: "fleet",
      seed: 5048981,
      world: { ...plain.world, entities: 0 },
      client: { ...plain.client, token: 60, timeout: 60, hooks: "reject" },
      faults: { 2: { kind: "cut" }, 3: { kind: "echo" } },
      programs: [
        [
          { do: "call", method: "vehicleFields.list", args: [{ page: 20, limit: 50 }] },
          {
            do: "call",
            method: "driverAssignments.update",
            args: ["$driver-assignments.2", { endsAt: null }],
          },
        ],
        [{ do: "walk", method: "vehicleGroups.list", path: [], query: { limit: 2 }, by: "array", wait: 11 }],
      ],
    },
    "a token function that fails at another page of a walk with stops": {
      api: "store",
      seed: 20138376,
      readings: { "stores.null-cursor": "last-not-null" },
      world: { ...plain.world, entities: 2, unnamed: 2 },
      client: { ...plain.client, token: 60 },
      programs: [[{ ...list, query: { limit: 3 }, by: "pages", wait: 14 }]],
    },
    "a modify that waits for another one of the same store": {
      api: "store",
      client: { ...plain.client, totalTimeout: 100, limiter: 120 },
      programs: [[modify], [{ ...modify, wait: 1 }]],
    },
    "a walk that leaves out a vehicle because the programs created one and deleted one": {
      api: "fleet",
      programs: [
        [
          {
            do: "walk",
            method: "vehicles.list",
            path: [],
            query: { limit: 2, onDrift: "report" },
            by: "pages",
            pause: 300,
          },
        ],
        [
          { do: "call", method: "vehicles.create", args: [{ plateNumber: "WX 1" }], wait: 50 },
          { do: "call", method: "vehicles.delete", args: ["$vehicles.0"] },
        ],
      ],
    },
    "a walk with pauses that stays below the limit of the service": {
      api: "store",
      seed: 10041704,
      readings: { "limits.store-rate": "too-many-requests", "stores.null-cursor": "last-not-null" },
      world: { ...plain.world, entities: 2, unnamed: 1 },
      programs: [[{ ...list, query: { limit: 2 }, by: "items", pause: 30 }]],
    },
    "a last page with the items of an earlier one, which a walk that was resumed does not know": {
      api: "store",
      seed: 2,
      world: { entities: 1, unnamed: 0, protocols: 4, spacing: 5000, pairs: false, offsets: true },
      changes: { 4: { kind: "move", list: "protocols", place: 0.3 } },
      programs: [
        [
          {
            do: "walk",
            method: "protocols.list",
            path: ["S-000"],
            query: { from: "2026-03-01T11:59:55.000Z", to: "2026-03-01T12:00:25.000Z", limit: 1 },
            by: "pages",
          },
        ],
      ],
    },
    "a plan whose client reads no response of the length of a store": {
      api: "store",
      world: { ...plain.world, entities: 0 },
      client: { ...plain.client, maxResponseBytes: 100 },
      programs: [[plan], [{ ...plan, wait: 35 }]],
    },
  };
  test.for(Object.entries(histories))("%s", ([, history]) => expectSound({ ...plain, ...history }));
});

test("a resumed walk gets a page with the items of an earlier one", () =>
  expectSound({
    api: "store",
    seed: 900_157_331,
    readings: {},
    world: { entities: 1, unnamed: 0, protocols: 9, spacing: 1, pairs: false },
    client: { via: "transport", token: 0, configuredGaps: [] },
    faults: { 4: { kind: "cut" }, 6: { kind: "mixed" } },
    changes: {},
    programs: [
      [
        {
          do: "walk",
          method: "protocols.list",
          path: ["S-000"],
          query: { from: "2026-03-01T11:00:00.000Z", to: "2026-03-01T13:00:00.009Z", limit: 2 },
          by: "pages",
          ahead: 2,
          kills: [1, 2, 1],
        },
      ],
    ],
  }));

test("fetch gets a 500 whose body is too long", () =>
  expectSound({
    api: "store",
    seed: 900_138_488,
    readings: {},
    world: { entities: 0, unnamed: 1, protocols: 9, spacing: 1, pairs: false },
    client: {
      via: "transport",
      token: "fixed",
      configuredGaps: [],
      retries: 0,
      maxResponseBytes: 100,
      hooks: "watch",
    },
    faults: { 1: { kind: "echo" } },
    changes: {},
    programs: [[{ do: "call", method: "fetch", args: ["GET", "/v1/stores/S-005"] }]],
  }));
