import { expect, test } from "vitest";
import {
  contactTypes,
  expositionTypes,
  imageStatuses,
  protocolStatuses,
  storeTypes,
} from "../../generated/store.enums.ts";
import { scopes } from "../../generated/fleet.operations.ts";
import {
  type ReferenceServer,
  type ReferenceServerOptions,
  createReferenceServer,
} from "../../src/mock/index.ts";
import { serve } from "../../src/mock/adapters/serve.ts";
import { FleetClient, StoreClient } from "../../src/index.ts";
import { ALL_TIME, Caller, items } from "./caller.ts";

const KEY = `acme_${"0".repeat(64)}`;

test("createReferenceServer has default URLs, a token and keys", () => {
  const { storeUrl, fleetUrl, sandboxUrl, token, keys } = createReferenceServer();
  for (const url of [fleetUrl, sandboxUrl]) expect(url).toMatch(/^https:\/\/.+\/api\/third-party\/v1$/);
  expect(new URL(storeUrl).protocol).toBe("https:");
  expect(token).toMatch(/^[\x21-\x7e]{20,}$/);
  expect(keys[0]?.key).toMatch(/^ref_[0-9a-f]{64}$/);
  expect(keys[0]?.scopes).toEqual(scopes);
  expect(keys[1]?.key).toMatch(/^ref_test_[0-9a-f]{64}$/);
});

test("createReferenceServer has options for clients", async () => {
  const ref = createReferenceServer();
  const { key, storeOptions, fleetOptions } = ref;
  expect(key).toBe(ref.keys[0]?.key);
  await new StoreClient(storeOptions).stores.list();
  await new FleetClient(fleetOptions).vehicles.list();
  await new FleetClient({ ...fleetOptions, key: ref.keys[1]?.key ?? "" }).vehicles.list();
  expect(ref.journal.all().map(({ base }) => base)).toEqual(["store", "fleet", "sandbox"]);
  const withoutKeys = createReferenceServer({ fleet: { keys: [] } });
  expect(() => withoutKeys.fleetOptions).toThrow("the server has no key. Give it one with fleet.keys");
});

test("createReferenceServer seeds 250 stores by default, each with three protocols or more and every kind of data", () => {
  const { store } = createReferenceServer().state;
  expect(store.stores.size).toBe(250);
  expect(Math.min(...[...store.protocols.values()].map((rows) => rows.length))).toBe(3);
  const kinds = (rows: Iterable<unknown[]>, property: string) =>
    new Set([...rows].flat().map((row) => (row as Record<string, unknown>)[property])).size;
  expect(kinds([[...store.stores.values()]], "storeType")).toBe(storeTypes.length + 1);
  expect(kinds(store.protocols.values(), "status")).toBe(protocolStatuses.length);
  expect(kinds(store.photos.values(), "status")).toBe(imageStatuses.length);
  expect(kinds(store.contacts.values(), "contactType")).toBe(contactTypes.length);
  expect(kinds(store.expositions.values(), "status")).toBe(2);
  expect(kinds(store.expositions.values(), "expositionType")).toBe(expositionTypes.length);
  expect(kinds(store.expectations.values(), "weekday")).toBe(7);
});

test("createReferenceServer uses the caller's stores and completes them", async () => {
  const caller = new Caller({
    store: {
      stores: [
        {
          externalId: "own",
          name: "Own",
          contacts: [{ name: "A", phone: "1" }],
          expectations: [{ displayType: "FRIDGE_DRINKS" }],
          expositions: [{ expositionType: "FRIDGE_DRINKS" }],
          protocols: [{ mine: true, images: [{ any: 1 }] }],
          photos: [{ mine: 2 }],
        },
        { externalId: "bare" },
      ],
    },
  });
  expect((await caller.get("/v1/stores/own")).body).toMatchObject({ externalId: "own", name: "Own" });
  expect(items(await caller.get("/v1/stores/own/contacts"))).toMatchObject([
    { name: "A", contactType: "store" },
  ]);
  const [protocol] = items(await caller.get(`/v1/stores/own/protocols?${ALL_TIME}`));
  expect(protocol).toMatchObject({ mine: true, status: "completed" });
  expect((await caller.get(`/v1/stores/own/protocols/${String(protocol?.protocolId)}`)).body.images).toEqual([
    { any: 1 },
  ]);
  expect(items(await caller.get(`/v1/stores/own/photos?${ALL_TIME}`))).toMatchObject([{ mine: 2 }]);
  expect(items(await caller.get("/v1/stores/bare/contacts"))).toEqual([]);
  expect(items(await caller.get(`/v1/stores/bare/protocols?${ALL_TIME}`))).toEqual([]);
});

test("createReferenceServer does not change the caller's seeds", async () => {
  const seed = { externalId: "own", openingTimes: [{ weekday: 1, from: "a", to: "b" }] };
  const caller = new Caller({ store: { stores: [seed] } });
  caller.ref.state.store.stores.get("own")?.openingTimes.pop();
  caller.ref.reset();
  expect((await caller.get("/v1/stores/own")).body.openingTimes).toEqual(seed.openingTimes);
});

const REFUSED: [ReferenceServerOptions, RegExp][] = [
  [{ sed: 1 } as never, /options: unknown property "sed"\. Did you mean "seed"\? Expected one of seed, now/],
  [{ store: { tokens: "t" } } as never, /options\.store: unknown property "tokens"\. Did you mean "token"\?/],
  [
    { fleet: { cars: 1 } } as never,
    /options\.fleet: unknown property "cars"\. Expected one of keys, vehicles/,
  ],
  [{ store: { stores: -1 } }, /options\.store\.stores must be at least 0/],
  [{ fleet: { vehicles: "many" as never } }, /fleet.vehicles must be/],
  [{ storeUrl: "/v1" }, /storeUrl must be an http or https URL/],
  [{ sandboxUrl: "https://x.test/?a=1" }, /sandboxUrl must be .*without credentials/],
  [{ strict: 1 as never }, /options\.strict must be a boolean/],
  [{ readings: [] as never }, /readings must be an object/],
  [{ readings: { "stores.omitted": "keep" } as never }, /readings: unknown property "stores.omitted"/],
  [{ readings: { "stores.omitted-fields": "drop" as "keep" } }, /must be one of keep, reset, reject/],
  [{ store: { stores: [{ externalId: ".." }] } }, /store.stores\[0\].externalId must not be a dot segment/],
  [
    { store: { stores: [{ externalId: "S", protocols: [{ protocolId: "." }] }] } },
    /store.stores\[0\].protocols\[0\].protocolId must not be a dot segment/,
  ],
  [{ store: { stores: [{ externalId: "" }] } }, /store.stores\[0\].externalId must be a non-empty string/],
  [
    { store: { stores: [{ externalId: "a" }, { externalId: "a" }] } },
    /store.stores\[1\].externalId: duplicate/,
  ],
  [{ store: { stores: [{ externalId: "a", name: 1 as never }] } }, /store.stores\[0\].name must be a string/],
  [
    { store: { stores: [{ externalId: "a", contacts: [{ name: "x", phone: "1", email: "no" }] }] } },
    /store.stores\[0\].contacts\[0\].email must be an e-mail address/,
  ],
  [
    { store: { stores: [{ externalId: "a", protocols: [{ createdAt: "yesterday" }] }] } },
    /store\.stores\[0\]\.protocols\[0\]\.createdAt must be/,
  ],
  [
    { store: { stores: [{ externalId: "a", protocols: ["x" as never] }] } },
    /store.stores\[0\].protocols\[0\] must be an object/,
  ],
  [
    { fleet: { keys: [{ key: KEY, scopes: ["vehicles:delete" as "vehicles:read"] }] } },
    /fleet\.keys\[0\]\.scopes\[0\] must be one of vehicles:read, vehicles:write/,
  ],
  [{ fleet: { keys: [{ key: KEY, expiresAt: "soon" }] } }, /fleet\.keys\[0\]\.expiresAt must be an ISO 8601/],
  [
    { fleet: { keys: [{ key: KEY, expires: "x" } as never] } },
    /fleet\.keys\[0\]: unknown property "expires"/,
  ],
  [{ fleet: { keys: [{ key: KEY }, { key: KEY }] } }, /fleet.keys\[1\].key: the same key was given twice/],
];

test.for(REFUSED)("createReferenceServer rejects %j with the reason", ([options, message]) => {
  expect(() => createReferenceServer(options)).toThrow(message);
});

test("createReferenceServer never quotes a token or a key that it rejects", () => {
  const withToken = () => createReferenceServer({ store: { token: "se cret" } });
  expect(withToken).toThrow(/store.token must be/);
  expect(withToken).not.toThrow(/cret/);
  const withKey = () => createReferenceServer({ fleet: { keys: [{ key: "acme_secret" }] } });
  expect(withKey).toThrow(/fleet.keys\[0\].key must have the form/);
  expect(withKey).not.toThrow(/secret/);
});

test("switchReadings changes readings of a running server", () => {
  const ref = createReferenceServer({ readings: { "stores.omitted-fields": "reset" } });
  ref.switchReadings({ "stores.null-store-type": "rejected" });
  expect(ref.readings).toMatchObject({
    "stores.omitted-fields": "reset",
    "stores.null-store-type": "rejected",
  });
  expect(() => ref.switchReadings({ "stores.none": "x" } as never)).toThrow(/unknown property "stores.none"/);
});

test.each<[string, (ref: ReferenceServer) => unknown]>([
  ['key: unknown property "expires"', (ref) => ref.credentials.addKey({ expires: "2026-01-01" } as never)],
  ['token: unknown property "expires"', (ref) => ref.credentials.addToken({ expires: "x" } as never)],
  ['serve: unknown property "ports". Did you mean "port"?', (ref) => serve(ref, { ports: 4010 } as never)],
])("an unknown option of the test API is an error: %s", async (message, act) => {
  await expect((async () => act(createReferenceServer()))()).rejects.toThrow(message);
});
