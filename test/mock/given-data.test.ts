import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../generated/fleet.ts";
import type { Store } from "../../generated/store.ts";
import {
  createReferenceServer,
  type ExportedState,
  type ReferenceServer,
  type StoreSeed,
} from "../../src/mock/index.ts";
import { ALL_TIME, Caller, items } from "./caller.ts";
import { FleetCaller } from "./fleet/fleet-caller.ts";

const LISTS = [
  "vehicles",
  "vehicle-groups",
  "vehicle-fields",
  "inspections",
  "inspection-templates",
  "damages",
  "driver-assignments",
];

const nameOf = (path: string): string =>
  path.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Reads each row of the fleet API, in full where an operation returns it in full. */
async function readFleet(caller: FleetCaller): Promise<Record<string, JsonObject[]>> {
  const rows: Record<string, JsonObject[]> = {};
  for (const path of LISTS) {
    const listed = await caller.data<JsonObject[]>(`GET /${path}?limit=100`);
    const read = ({ id }: JsonObject) => caller.data(`GET /${path}/${String(id)}`);
    const isWhole = path === "vehicle-fields" || path === "inspection-templates";
    rows[nameOf(path)] = isWhole ? listed : await Promise.all(listed.map(read));
  }
  return rows;
}

async function readStores(caller: Caller): Promise<StoreSeed[]> {
  const stores = items(await caller.get("/v1/stores"));
  return Promise.all(
    stores.map(async ({ externalId, ...store }) => {
      const list = async (path: string) =>
        items(await caller.get(`/v1/stores/${String(externalId)}/${path}`));
      const protocols = await list(`protocols?${ALL_TIME}`);
      const details = protocols.map(
        async ({ protocolId }) =>
          (await caller.get(`/v1/stores/${String(externalId)}/protocols/${String(protocolId)}`)).body,
      );
      return {
        ...store,
        externalId,
        contacts: await list("contacts"),
        expectations: await list("expectations"),
        expositions: await list("expositions"),
        protocols: await Promise.all(details),
        photos: await list(`photos?${ALL_TIME}`),
      } as unknown as StoreSeed; // the contract has these types
    }),
  );
}

const FLEET = { vehicles: 5, inspections: 8, damages: 9, driverAssignments: 3 };

describe("rows that a client has read", () => {
  test("are read back as they were given, by the fleet API", async () => {
    const rows = await readFleet(new FleetCaller(FLEET));
    expect(await readFleet(new FleetCaller(rows))).toEqual(rows);
    expect((rows.inspections ?? []).some(({ damages }) => (damages as []).length > 0)).toBe(true);
  });

  test("are read back as they were given, by the store API", async () => {
    const stores = await readStores(new Caller({ store: { stores: 3, storesWithoutId: 0 } }));
    expect(await readStores(new Caller({ store: { stores } }))).toEqual(stores);
  });

  test.for(["options", "a state"])("have each damage of an inspection once, given by %s", async (way) => {
    const { inspections = [], damages = [] } = await readFleet(new FleetCaller(FLEET));
    const copy = new FleetCaller(way === "options" ? { inspections, damages } : {});
    if (way !== "options") copy.ref.importState({ version: 1, fleet: { inspections, damages } });
    for (const { id, damages: expected } of inspections) {
      expect((await copy.data(`GET /inspections/${String(id)}`)).damages).toEqual(expected);
      if (way === "options") copy.ref.reset();
    }
    const listed = await copy.data<JsonObject[]>("GET /damages?limit=100");
    expect(listed.map(({ id }) => id)).toEqual(damages.map(({ id }) => id));
  });

  test.for(["options", "a state"])(
    "from a server with this seed keep their IDs, given by %s",
    async (way) => {
      const create = async (caller: Caller, name: string) => {
        await caller.put(`/v1/stores/${name}`, { name });
        await caller.send("POST", "/vehicles", JSON.stringify({ plateNumber: name }));
        const stores = items(await caller.get("/v1/stores")) as unknown as StoreSeed[]; // the contract has these types
        return { stores, vehicles: (await caller.get("/vehicles")).body.data as JsonObject[] };
      };
      const { stores, vehicles } = await create(
        new Caller({ store: { stores: 0 }, fleet: { vehicles: 0 } }),
        "A",
      );
      const isState = way === "a state";
      const copy = new Caller(isState ? {} : { store: { stores }, fleet: { vehicles } });
      const rows = stores.map((store) => ({ store: store as Store }));
      const state: ExportedState = { version: 1, store: { stores: rows }, fleet: { vehicles } };
      for (const _ of ["at first", "after a reset"]) {
        copy.ref.reset();
        if (isState) copy.ref.importState(state);
        const both = await create(copy, "B");
        expect(both.vehicles.map(({ plateNumber }) => plateNumber)).toEqual(["A", "B"]);
        expect(new Set(both.stores.map(({ storeId }) => storeId)).size).toBe(2);
      }
    },
  );

  test("have the damages of an inspection as damages, also without a list of damages", async () => {
    const damages = [{ id: "d-1", description: "Dent" }, { description: "Scratch" }];
    const id = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
    const caller = new FleetCaller({ inspections: [{ id, damages }], damages: [] });
    const shown = (await caller.data(`GET /inspections/${id}`)).damages as JsonObject[];
    expect(shown).toMatchObject([damages[0], { ...damages[1], id: `${id}-damage-2` }]);
    await caller.call("DELETE /damages/d-1");
    expect((await caller.data(`GET /inspections/${id}`)).damages).toEqual([shown[1]]);
  });

  test("have the properties of the list of damages, where an inspection has others", async () => {
    const id = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
    const inspections = [{ id, damages: [{ id: "d-1", description: "old" }] }];
    const caller = new FleetCaller({ inspections, damages: [{ id: "d-1", description: "new" }] });
    expect(await caller.data("GET /damages/d-1")).toMatchObject({ description: "new", inspection: { id } });
    expect((await caller.data(`GET /inspections/${id}`)).damages).toMatchObject([{ description: "new" }]);
  });

  test("have a damage once that a test puts into the row of an inspection too", async () => {
    const caller = new FleetCaller({ inspections: 1, damages: 1 });
    const [inspection] = caller.ref.state.fleet.inspections.values();
    const read = async () =>
      (await caller.data(`GET /inspections/${String(inspection?.id)}`)).damages as JsonObject[];
    const [damage] = await read();
    if (inspection !== undefined) inspection.damages = [damage, { description: "New" }];
    expect(await read()).toMatchObject([damage, { description: "New" }]);
  });
});

/** What a test gives, changes afterwards, and what the server shows. */
const GIVEN: Readonly<
  Record<string, () => { change: () => void; shown: (ref: ReferenceServer) => unknown; ref: ReferenceServer }>
> = {
  "a store of the options": () => {
    const row = { externalId: "S-1", name: "first", contacts: [{ name: "Ada", phone: "1" }] };
    const ref = createReferenceServer({ store: { stores: [row] } });
    const change = () => Object.assign(row, { name: "changed" }).contacts.push({ name: "New", phone: "2" });
    return {
      ref,
      change,
      shown: ({ state }) => [state.store.stores.get("S-1"), state.store.contacts.get("S-1")],
    };
  },
  "a row of the fleet's options": () => {
    const row: JsonObject = { id: "v-1", tags: ["a"], since: new Date(0) };
    const ref = createReferenceServer({ fleet: { vehicles: [row] } });
    const change = () => {
      (row.tags as string[]).push("b");
      row.plateNumber = "changed";
    };
    return { ref, change, shown: ({ state }) => state.fleet.vehicles.get("v-1") };
  },
  "the list of the options": () => {
    const stores = [{ externalId: "S-1", name: "first" }];
    const ref = createReferenceServer({ store: { stores } });
    return {
      ref,
      change: () => stores.push({ externalId: "S-2", name: "second" }),
      shown: ({ state }) => [...state.store.stores.keys()],
    };
  },
  "a key of the options": () => {
    const key = { key: `acme_${"1".repeat(64)}`, scopes: ["damages:read"] as "damages:read"[] };
    const ref = createReferenceServer({ fleet: { keys: [key] } });
    return { ref, change: () => key.scopes.pop(), shown: ({ keys }) => keys };
  },
  "the scopes of a generated key": () => {
    const ref = createReferenceServer();
    return {
      ref,
      change: () => {
        for (const { scopes } of ref.keys) (scopes as string[]).pop();
        ref.reset();
      },
      shown: ({ keys }) => keys,
    };
  },
  "the readings of the options": () => {
    const readings = { "fleet.put": "merge" } as { "fleet.put": "merge" | "replace" };
    const ref = createReferenceServer({ readings });
    return {
      ref,
      change: () => {
        readings["fleet.put"] = "replace";
      },
      shown: (server) => server.readings["fleet.put"],
    };
  },
  "the limits of the options": () => {
    const limits = { perSecond: 5 };
    const ref = createReferenceServer({ limits });
    return {
      ref,
      change: () => {
        limits.perSecond = 1;
      },
      shown: (server) => server.limits,
    };
  },
  "the date of the clock": () => {
    const now = new Date("2026-02-01T00:00:00Z");
    const ref = createReferenceServer({ now });
    return { ref, change: () => now.setFullYear(2000), shown: ({ clock }) => clock.now().toISOString() };
  },
  "a state": () => {
    const state = createReferenceServer({ store: { stores: 1 } }).exportState();
    const ref = createReferenceServer({ state });
    return {
      ref,
      change: () => Object.assign(state.store?.stores?.[0]?.store ?? {}, { name: "changed" }),
      shown: (server) => server.exportState(),
    };
  },
  "a row that is put into the state": () => {
    const row = { id: "v-9", tags: ["a"] };
    const ref = createReferenceServer();
    ref.state.fleet.vehicles.set("v-9", row);
    return {
      ref,
      change: () => row.tags.push("b"),
      shown: ({ state }) => state.fleet.vehicles.get("v-9")?.tags,
    };
  },
  "the body of an override": () => {
    const body = { name: "forced", tags: ["a"] };
    const ref = createReferenceServer();
    ref.on("getStore").always({ body });
    return {
      ref,
      change: () => Object.assign(body, { name: "changed" }).tags.push("b"),
      shown: ({ overrides }) => overrides.all(),
    };
  },
  "the headers of an override": () => {
    const headers = { "x-one": "1" };
    const ref = createReferenceServer();
    ref.on("getStore").always({ status: 503, headers });
    return {
      ref,
      change: () => {
        headers["x-one"] = "2";
      },
      shown: ({ overrides }) => overrides.all(),
    };
  },
  "the matcher of an override": () => {
    const matcher = { path: { externalId: "S-1" }, query: {}, headers: { "x-one": "1" } };
    const ref = createReferenceServer();
    ref.on("getStore", matcher).always({ status: 503 });
    return {
      ref,
      change: () => {
        matcher.path.externalId = "S-2";
        matcher.headers["x-one"] = "2";
      },
      shown: ({ overrides }) => overrides.all(),
    };
  },
  "the range of a delay": () => {
    const range = { min: 1, max: 2 };
    const ref = createReferenceServer();
    ref.on("getStore").delay(range);
    return {
      ref,
      change: () => {
        range.max = 9;
      },
      shown: ({ overrides }) => overrides.all(),
    };
  },
  "a request of an adapter": () => {
    const ref = createReferenceServer();
    const headers: Record<string, string> = { "x-one": "1" };
    const response = ref.respond({ base: "store", method: "GET", target: "/v1/stores", headers });
    return {
      ref,
      change: () => {
        headers["x-one"] = "2";
        response.headers["x-two"] = "2";
        response.status = 500;
      },
      shown: ({ journal }) =>
        journal.all()[0]?.response && [journal.all()[0]?.headers, journal.all()[0]?.response],
    };
  },
};

test.for(Object.entries(GIVEN))(
  "%s is copied: what happens to it afterwards changes nothing",
  ([name, give]) => {
    const { ref, change, shown } = give();
    const before = structuredClone(shown(ref));
    change();
    expect(shown(ref)).toEqual(before);
    // what is given at the start comes back at a reset
    if (/options|^a state$|clock/.test(name)) ref.reset();
    expect(shown(ref)).toEqual(before);
  },
);

describe("a forced response that cannot be sent", () => {
  const cyclic: JsonObject = {};
  cyclic.self = cyclic;

  test.for([
    ["a BigInt", { body: { count: 1n } }, /response\.body must be JSON/],
    ["a value that contains itself", { body: cyclic }, /response\.body must be JSON/],
    ["a function", { body: () => 1 }, /response\.body must be JSON/],
    [
      "a line break in a header",
      { headers: { "x-one": "a\nb" } },
      /headers\.x-one must be a text that a header can contain/,
    ],
    ["a character that no header has", { headers: { "x-one": "ż" } }, /headers\.x-one must be/],
    ["a header name with a blank", { headers: { "x one": "1" } }, /must be the name of a header/],
    ["a body of a 204", { status: 204, body: {} }, /response must have no body/],
    ["a body of a 304", { status: 304, body: null }, /response must have no body/],
    ["an informational status", { status: 103 }, /status must be at least 200/],
  ] as const)("is refused where it is declared: %s", ([, response, message]) => {
    const { ref } = new Caller();
    expect(() => ref.on("getStore").always(response)).toThrow(message);
    expect(() => ref.on("getStore").once(response, { at: "after" })).toThrow(message);
    expect(ref.overrides.all()).toEqual([]);
  });

  test.for(["times", "rate", "skip"] as const)(
    "and a refused %s leave no override behind",
    async (refinement) => {
      const caller = new Caller();
      const declared = caller.ref.on("getStore").always({ status: 503 });
      expect(() => declared.delay(1)[refinement](-1)).toThrow(`override.${refinement}`);
      expect(caller.ref.overrides.all()).toMatchObject([{ response: { status: 503 } }]);
      expect(() => caller.ref.on("getContacts").always({ status: 503 })[refinement](-1)).toThrow(/override/);
      expect((await caller.get("/v1/stores/S-1/contacts")).status).toBe(200);
    },
  );
});
