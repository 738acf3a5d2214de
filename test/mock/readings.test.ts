import { expect, test } from "vitest";
import { mockReadings } from "../../generated/readings.ts";
import type { JsonObject } from "../../generated/store.ts";
import type { FleetKeySeed, MockGap, MockReadings, ReferenceServerOptions } from "../../src/mock/index.ts";
import { ALL_TIME, Caller, items, type ParsedResponse } from "./caller.ts";

/** What a program sees under each reading of a gap. */
interface Effect<Reading extends string = string> {
  /** Default: the data below. */
  readonly seed?: ReferenceServerOptions;
  readonly see: (caller: Caller) => Promise<unknown>;
  readonly under: Readonly<Record<Reading, unknown>>;
}

const EXPOSITION = "11111111-1111-4111-8111-111111111111";
const UNKNOWN = "22222222-2222-4222-8222-222222222222";
const INSPECTION = "33333333-3333-4333-8333-333333333333";

const fridge = { label: "A", expositionType: "FRIDGE_DRINKS", productCategories: [] };

const STORE = {
  externalId: "S-1",
  name: "Zoo",
  location: "Warsaw",
  expositions: [{ ...fridge, expositionId: EXPOSITION }],
  expectations: [{ displayType: "FRIDGE_DRINKS" }],
  protocols: [
    { protocolId: "P-1", createdAt: "2025-12-01T23:30:00Z", submittedAt: "2025-12-03T12:00:00Z" },
    { protocolId: "P-2", createdAt: "2025-12-02T00:00:00.500Z", submittedAt: null, status: "failed" },
  ],
  photos: [
    { photoId: "I-1", protocolId: "P-1", status: "failed", createdAt: "2025-12-01T23:30:01Z" },
    { photoId: "I-2", protocolId: "P-2", fillRate: 50, createdAt: "2025-12-02T00:00:01Z" },
    { photoId: "I-3", protocolId: "P-1", fillRate: 80, createdAt: "2025-12-01T23:30:02Z" },
  ],
};

const keys: FleetKeySeed[] = [
  { key: `ref_${"0".repeat(64)}` },
  { key: `ref_${"1".repeat(64)}`, scopes: ["inspection-templates:read", "damages:read", "vehicles:write"] },
  { key: `ref_${"2".repeat(64)}`, scopes: ["inspections:read", "vehicles:read"] },
];

const DATA: ReferenceServerOptions = {
  store: { stores: [STORE, { externalId: "S-2", name: "Alley" }] },
  fleet: {
    keys,
    vehicles: [{ id: "v1", plateNumber: "X 1" }, { id: "v2" }],
    inspections: [{ id: INSPECTION }],
    inspectionTemplates: [
      { id: "t1", title: "Check", groupIds: ["g1", "g2"] },
      { id: "t2", title: "Handover" },
      { id: "t3", isActive: false },
    ],
    damages: [{ id: "d1", vehicleId: "v1" }],
  },
};

const paths = {
  protocols: `/v1/stores/S-1/protocols?${ALL_TIME}`,
  photos: `/v1/stores/S-1/photos?${ALL_TIME}`,
  expositions: "/v1/stores/S-1/expositions",
  contacts: "/v1/stores/S-1/contacts",
  templates: "/inspection-templates",
};

const idsOf = (rows: unknown, name: string): unknown[] =>
  ((rows ?? []) as JsonObject[]).map((row) => row[name]);
const listed = async (caller: Caller, path: string, name: string) =>
  idsOf((await caller.get(path)).body.items, name);
const data = async (caller: Caller, path: string) => (await caller.get(path)).body.data as JsonObject[];
const post = (caller: Caller, path: string, body: object) => caller.send("POST", path, JSON.stringify(body));
const statusOf = async (response: Promise<ParsedResponse>) => (await response).status;

/** The ID of the row on the second page, if a page has one row, and the cursor of the first one. */
async function secondPage(caller: Caller, path: string, name: string) {
  const cursor = String((await caller.get(`${path}&limit=1`)).body.nextCursor);
  const second = await caller.get(`${path}&limit=1&cursor=${encodeURIComponent(cursor)}`);
  return [idsOf(second.body.items, name), cursor, second] as const;
}

/** The IDs of the protocols in a range. */
const inRange = (caller: Caller, from: string, to: string) =>
  listed(caller, `/v1/stores/S-1/protocols?from=2025-12-${from}Z&to=2025-12-${to}Z`, "protocolId");

/** The status for the scope of the table, for that of the prose, and for every scope. */
const withKeys = (caller: Caller, path: string) =>
  Promise.all(
    [1, 2, 0].map((index) =>
      statusOf(caller.send("GET", path, undefined, { authorization: `Bearer ${keys[index]?.key}` })),
    ),
  );

async function afterMany(caller: Caller, path: string): Promise<number> {
  for (let sent = 0; sent < 10; sent += 1) await caller.get(path);
  return statusOf(caller.get(path));
}

const effects: { readonly [Gap in MockGap]: Effect<MockReadings[Gap]> } = {
  "fill-rates.calculation": {
    see: async (caller) => idsOf((await caller.get(`/v1/fill-rate?${ALL_TIME}`)).body.groups, "fillRate"),
    under: { percent: [80], fraction: [0.8] },
  },
  "stores.create-requirements": {
    see: (caller) => statusOf(caller.put("/v1/stores/S-9", { name: "New" })),
    under: { "none-required": 200, "non-null-fields": 400 },
  },
  "protocols.id-property": {
    see: async (caller) => Object.keys(items(await caller.get(paths.protocols))[0] ?? {})[0],
    under: { protocolId: "protocolId", id: "id", anonymous: "externalId" },
  },
  "photos.page-shape": {
    see: async (caller) => Object.keys((await caller.get(paths.photos)).body).slice(1),
    under: {
      "items-nextCursor": ["items", "nextCursor"],
      "photos-nextCursor": ["photos", "nextCursor"],
      "data-cursor": ["data", "cursor"],
      "no-list": ["count"],
    },
  },
  "photos.cursor-source": {
    see: async (caller) => [
      typeof (await caller.get(`${paths.photos}&limit=1`)).body.nextCursor,
      await listed(caller, `${paths.photos}&limit=1&cursor=I-1`, "photoId"),
    ],
    under: { response: ["string", ["I-3"]], "photo-id": ["undefined", ["I-3"]] },
  },
  "fill-rates.shape": {
    see: async (caller) => Object.keys((await caller.get(`/v1/fill-rate?${ALL_TIME}`)).body).at(-1),
    under: { groups: "groups", items: "items" },
  },
  "stores.omitted-fields": {
    see: async (caller) => {
      const { status, body } = await caller.put("/v1/stores/S-1", { name: "New" });
      return [status, body.location];
    },
    under: { keep: [200, "Warsaw"], reset: [200, null], reject: [400, undefined] },
  },
  "expositions.absent": {
    see: async (caller) =>
      idsOf((await caller.put(paths.expositions, { expositions: [] })).body.items, "status"),
    under: { keep: ["active"], disable: ["disabled"], delete: [] },
  },
  "expositions.matching": {
    see: async (caller) => {
      const expositions = [
        { ...fridge, expositionType: "ROLLS_BREAD_RACK" },
        { ...fridge, label: "B" },
      ];
      return idsOf((await caller.put(paths.expositions, { expositions })).body.items, "label");
    },
    under: { "always-new": ["A", "A", "B"], label: ["A", "B"], type: ["B", "A"] },
  },
  "protocols.next-page": {
    see: async (caller) => {
      const [ids, cursor, { status, body }] = await secondPage(caller, paths.protocols, "protocolId");
      return [status, ids, body.nextCursor === cursor];
    },
    under: {
      cursor: [200, ["P-2"], false],
      ignored: [200, ["P-1"], true],
      "ignored-new-cursor": [200, ["P-1"], false],
      rejected: [400, [], false],
    },
  },
  "photos.status": {
    see: (caller) => listed(caller, `${paths.photos}&status=failed`, "photoId"),
    under: { either: ["I-1", "I-2"], protocol: ["I-2"], image: ["I-1"] },
  },
  "limits.store-rate": {
    // slow enough for a machine that is busy
    seed: { limits: { perSecond: 0.001, burst: 10 } },
    see: (caller) => afterMany(caller, "/v1/stores/S-1"),
    under: { none: 200, "too-many-requests": 429 },
  },
  "stores.null-external-id": {
    seed: { store: { stores: [STORE, { externalId: null }] } },
    see: (caller) => listed(caller, "/v1/stores", "externalId"),
    under: { listed: ["S-1", null], "never-listed": ["S-1"] },
  },
  "stores.body-external-id": {
    see: async (caller) => {
      const { status, body } = await caller.put("/v1/stores/S-1", { externalId: "S-7" });
      return [status, body.externalId, await statusOf(caller.get("/v1/stores/S-1/contacts"))];
    },
    under: { "path-wins": [200, "S-1", 200], renames: [200, "S-7", 404], rejected: [400, undefined, 200] },
  },
  "stores.null-store-type": {
    see: (caller) => statusOf(caller.put("/v1/stores/S-1", { storeType: null })),
    under: { accepted: 200, rejected: 400 },
  },
  "time-range.ends": {
    see: (caller) => inRange(caller, "01T23:30:00", "02T00:00:00.500"),
    under: { "half-open": ["P-1"], inclusive: ["P-1", "P-2"], exclusive: [], "left-open": ["P-2"] },
  },
  "stores.cursor-start": {
    see: async (caller) => {
      const [ids, cursor] = await secondPage(caller, "/v1/stores?", "externalId");
      return [cursor, ids];
    },
    under: { after: ["S-1", ["S-2"]], at: ["S-2", ["S-2"]] },
  },
  "stores.unknown-cursor": {
    see: async (caller) => {
      const { status, body } = await caller.get("/v1/stores?cursor=S-15");
      return [status, idsOf(body.items, "externalId")];
    },
    under: { "next-greater": [200, ["S-2"]], reject: [400, []], empty: [200, []] },
  },
  "lists.ids-after-replace": {
    see: async (caller) => {
      const contacts = [{ name: "A", phone: "1" }];
      const [before] = items(await caller.put(paths.contacts, { contacts }));
      caller.ref.clock.advance({ hours: 1 });
      const [after] = items(await caller.put(paths.contacts, { contacts }));
      return [after?.contactId === before?.contactId, after?.createdAt === before?.createdAt];
    },
    under: { new: [false, false], kept: [true, true] },
  },
  "expositions.unknown-id": {
    see: async (caller) => {
      const expositions = [{ ...fridge, expositionId: UNKNOWN }];
      const { status, body } = await caller.put(paths.expositions, { expositions });
      const stored = caller.ref.state.store.expositions.get("S-1");
      return [status, stored?.length, idsOf(body.items, "expositionId").includes(UNKNOWN)];
    },
    under: {
      created: [200, 2, true],
      "created-with-new-id": [200, 2, false],
      "not-found": [404, 1, false],
    },
  },
  "time-range.instant": {
    see: (caller) => inRange(caller, "03T00:00:00", "04T00:00:00"),
    under: { creation: [], submission: ["P-1"] },
  },
  "date-times.forms": {
    see: async (caller) => {
      await caller.put(paths.contacts, { contacts: [{ name: "A", phone: "1" }] });
      const lists = ["contacts", "expectations", "protocols/P-1"].map((name) => `/v1/stores/S-1/${name}`);
      const found = await Promise.all(
        [...lists, paths.protocols, paths.photos].map((path) => caller.get(path)),
      );
      const times = found.map(({ body }) => JSON.stringify(body).match(/"\w+At":"[^"]+"/g) ?? []);
      return times.map((each) => [...new Set(each.map((time) => time.endsWith('Z"')))]);
    },
    under: {
      rfc3339: [[true], [true], [true], [true], [true]],
      "responses-without-offset": [[false], [false], [false], [false], [false]],
    },
  },
  "stores.null-cursor": {
    seed: { store: { stores: [STORE, { externalId: null }, { externalId: "S-2" }] } },
    see: async (caller) => {
      const { body } = await caller.get("/v1/stores?limit=2");
      return [idsOf(body.items, "externalId"), body.nextCursor];
    },
    under: {
      "last-page": [["S-1", "S-2", null], null],
      "last-not-null": [["S-1", null], "S-1"],
      "null-early": [["S-1", null], null],
    },
  },
  "time-range.precision": {
    see: async (caller) => {
      const from = ["00:00:00.600", "00:00:30", "00:30:00"];
      const found = await Promise.all(from.map((time) => inRange(caller, `02T${time}`, "03T00:00:00")));
      return found.filter((ids) => ids.includes("P-2")).length;
    },
    under: { millisecond: 0, second: 1, minute: 2, day: 3 },
  },
  "lists.cursor-position": {
    see: async (caller) => {
      const [ids, cursor] = await secondPage(caller, paths.photos, "photoId");
      return [ids, cursor.length];
    },
    under: { "after-entry": [["I-3"], 28], "at-entry": [["I-1"], 28], count: [["I-3"], 1] },
  },
  "photos.order": {
    see: (caller) => listed(caller, paths.photos, "photoId"),
    under: { "oldest-first": ["I-1", "I-3", "I-2"], "newest-first": ["I-2", "I-3", "I-1"] },
  },
  "protocols.order": {
    see: (caller) => listed(caller, paths.protocols, "protocolId"),
    under: { "oldest-first": ["P-1", "P-2"], "newest-first": ["P-2", "P-1"] },
  },
  "templates.group-filter": {
    see: async (caller) => {
      const names = ["vehicleGroupId", "groupId", "vehicleGroup"];
      const found = await Promise.all(names.map((name) => data(caller, `${paths.templates}?${name}=g2`)));
      return found.map(({ length }) => length);
    },
    under: { vehicleGroupId: [1, 3, 3], groupId: [3, 1, 3], vehicleGroup: [3, 3, 1] },
  },
  "templates.title-filter": {
    see: async (caller) => {
      const names = ["search", "title"];
      const found = await Promise.all(names.map((name) => data(caller, `${paths.templates}?${name}=hand`)));
      return found.map(({ length }) => length);
    },
    under: { search: [1, 3], title: [3, 1] },
  },
  "lists.undocumented": {
    see: async (caller) => {
      const { body } = await caller.get("/vehicles?limit=1");
      return [idsOf(body.data, "id"), Object.keys(body.meta as object)];
    },
    under: { paged: [["v1"], ["version", "pagination"]], whole: [["v1", "v2"], ["version"]] },
  },
  "scopes.list-templates": {
    see: (caller) => withKeys(caller, paths.templates),
    under: { either: [200, 200, 200], table: [200, 403, 200], prose: [403, 200, 200], both: [403, 403, 200] },
  },
  "scopes.get-damage": {
    see: (caller) => withKeys(caller, "/damages/d1"),
    under: { either: [200, 200, 200], table: [200, 403, 200], prose: [403, 200, 200], both: [403, 403, 200] },
  },
  "scopes.implications": {
    see: (caller) => withKeys(caller, "/vehicles"),
    under: { none: [403, 200, 200], "write-implies-read": [200, 200, 200] },
  },
  "errors.undocumented-bodies": {
    see: async (caller) => {
      caller.ref.on("listDamages").once({ status: 500 });
      const [refused, failed] = [await caller.get("/vehicles?limit=0"), await caller.get("/damages")];
      return [refused, failed].flatMap(({ status, body }) => [status, body === undefined]);
    },
    under: { envelope: [400, false, 500, false], empty: [400, true, 500, true] },
  },
  "limits.fleet-rate": {
    // slow enough for a machine that is busy
    seed: { limits: { perSecond: 0.001, burst: 10 } },
    see: (caller) => afterMany(caller, "/vehicles"),
    under: { none: 200, "too-many-requests": 429 },
  },
  "templates.get-one": {
    see: (caller) => statusOf(caller.get(`${paths.templates}/t1`)),
    under: { "by-path": 200, absent: 404 },
  },
  "fleet.create-status": {
    see: (caller) => statusOf(post(caller, "/vehicles", {})),
    under: { created: 201, ok: 200 },
  },
  "fleet.delete-response": {
    see: async (caller) => {
      const { status, body } = await caller.send("DELETE", "/vehicles/v1");
      return [status, body];
    },
    under: { envelope: [200, { data: null, meta: { version: "v1" } }], "no-content": [204, undefined] },
  },
  "fleet.version-header": {
    see: (caller) => statusOf(caller.get("/vehicles")),
    under: { optional: 200, required: 400 },
  },
  "fleet.page-past-end": {
    see: async (caller) => {
      const { status, body } = await caller.get("/vehicles?page=9&limit=1");
      return [status, idsOf(body.data, "id")];
    },
    under: { empty: [200, []], rejected: [400, []], clamped: [200, ["v2"]] },
  },
  "templates.inactive": {
    see: async (caller) => (await data(caller, paths.templates)).length,
    under: { all: 3, "active-only": 2 },
  },
  "fleet.put": {
    see: async (caller) => (await caller.put("/vehicles/v1", { brand: "MAN" })).body.data,
    under: { replace: { id: "v1", brand: "MAN" }, merge: { id: "v1", plateNumber: "X 1", brand: "MAN" } },
  },
  "errors.forbidden-details": {
    see: async (caller) => {
      const headers = { authorization: `Bearer ${keys[2]?.key}` };
      const { body } = await caller.send("GET", "/driver-assignments", undefined, headers);
      return (body.errors as object[]).flatMap(Object.keys);
    },
    under: { always: ["code", "message", "details"], absent: ["code", "message"] },
  },
  "fleet.patch": {
    see: (caller) =>
      Promise.all(
        [{ notes: "N" }, { changes: { notes: "N" } }].map((body) =>
          statusOf(caller.send("PATCH", `/inspections/${INSPECTION}`, JSON.stringify(body))),
        ),
      ),
    under: { partial: [200, 200], "own-shape": [400, 200] },
  },
  "lists.fleet-order": {
    see: async (caller) => {
      await caller.put("/vehicles/v2", {});
      return idsOf(await data(caller, "/vehicles"), "id");
    },
    under: { fixed: ["v1", "v2"], "last-change": ["v2", "v1"] },
  },
  "fleet.repeated-post": {
    see: async (caller) => {
      await post(caller, "/vehicles", { brand: "MAN" });
      const { status } = await post(caller, "/vehicles", { brand: "MAN" });
      return [status, (await data(caller, "/vehicles")).length];
    },
    under: { "two-resources": [201, 4], "first-returned": [201, 3], rejected: [400, 3] },
  },
};

const rows = Object.entries<readonly string[]>(mockReadings).flatMap(([gap, readings]) =>
  readings.map((reading) => [gap as MockGap, reading] as const),
);

test.for(rows)("%s: %s has its effect", async ([gap, reading]) => {
  const { seed = DATA, see, under }: Effect<never> = effects[gap];
  const caller = new Caller({ ...seed, readings: { [gap]: reading } });
  expect(await see(caller)).toEqual((under as Record<string, unknown>)[reading]);
});
