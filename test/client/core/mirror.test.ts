import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ConfigurationError,
  mirror,
  type MirrorOptions,
  type MirrorResult,
  type MirrorSink,
} from "../../../src/index.ts";
import { baseUrl, key, pageOf, stubClient as fleetClient, testKey } from "../fleet/stub-client.ts";
import { store as storeRow, stubClient as storeClient } from "../store/stub-client.ts";
import { json, type SentRequest } from "./stub-fetch.ts";

interface Row {
  id: string;
  name?: string;
}

interface SavedRow {
  item: object;
  hash: string;
  pass: number;
  detail: unknown;
}

/** A database in memory. `calls` counts the calls of its methods; `killAt` kills the program before or after one. */
class Database implements MirrorSink<object, unknown> {
  rows = new Map<string, SavedRow>();
  state: string | undefined;
  writes = 0;
  killAt: number | undefined;

  load() {
    return this.state;
  }

  find(ids: readonly string[]) {
    return new Map(ids.flatMap((id) => (this.rows.has(id) ? [[id, this.rows.get(id) as SavedRow]] : [])));
  }

  save({ entries, seen, pass, state }: Parameters<MirrorSink<object, unknown>["save"]>[0]) {
    this.#write(() => {
      for (const { id, item, hash, detail } of entries) this.rows.set(id, { item, hash, pass, detail });
      for (const id of seen) Object.assign(this.rows.get(id) ?? {}, { pass });
      this.state = state;
    });
  }

  countUnseen(pass: number) {
    return [...this.rows.values()].filter((row) => row.pass < pass).length;
  }

  remove(pass: number, state: string) {
    this.#write(() => {
      for (const [id, row] of this.rows) if (row.pass < pass) this.rows.delete(id);
      this.state = state;
    });
  }

  /** The IDs and names of all rows. */
  content() {
    return [...this.rows.values()].map(({ item }) => item as Row).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  #write(write: () => void): void {
    const moment = this.killAt;
    if (moment === 2 * this.writes) throw new Killed();
    write();
    this.writes += 1;
    if (moment === 2 * this.writes - 1) throw new Killed();
  }
}

class Killed extends Error {}

const vehicle = (id: string, name = id): Row => ({ id, name });
const vehicles = (count: number): Row[] => Array.from({ length: count }, (_, n) => vehicle(`v${n + 10}`));

/** A fleet whose vehicles can change; `before` runs before each response. */
function fleetOf(rows: Row[], before: (request: SentRequest, number: number) => void = () => {}) {
  const service = { rows };
  let number = 0;
  const respond = (request: SentRequest): Response => {
    before(request, (number += 1));
    const { page = "1", limit = "2" } = request.query;
    return json(pageOf(service.rows, Number(page), Number(limit)));
  };
  return { service, ...fleetClient(respond) };
}

const list = (fleet: ReturnType<typeof fleetOf>) => fleet.client.vehicles.list({ limit: 2 });

describe("a mirror", () => {
  it("adds, changes and deletes what the list has added, changed and deleted", async () => {
    const fleet = fleetOf(vehicles(5));
    const db = new Database();
    const results: Partial<MirrorResult>[] = [await mirror(list(fleet), db)];
    results.push(await mirror(list(fleet), db));
    fleet.service.rows = [
      vehicle("new"),
      ...vehicles(4).map(({ id }, n) => vehicle(id, n === 1 ? "changed" : id)),
    ];
    results.push(await mirror(list(fleet), db));
    const none = { added: 0, changed: 0, deleted: 0, isClean: true };
    expect(results).toEqual([
      { ...none, read: 5, passes: 1, added: 5 },
      { ...none, read: 5, passes: 1 },
      { ...none, read: 10, passes: 2, added: 1, changed: 1, deleted: 1 },
    ]);
    expect(db.content()).toEqual(fleet.service.rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
  });

  it("copies stores, whose pages are linked by cursors", async () => {
    const stores = [1, 2, 3, 4, 5].map((n) => ({ ...storeRow, storeId: `id-${n}`, externalId: `S-${n}` }));
    const { client } = storeClient(({ query }) => {
      const start = stores.findIndex(({ externalId }) => externalId === query["cursor"]) + 1;
      const items = stores.slice(start, start + 2);
      return json({
        items,
        nextCursor: start + 2 < stores.length ? (items.at(-1)?.externalId ?? null) : null,
      });
    });
    const db = new Database();
    expect(await mirror(client.stores.list({ limit: 2 }), db)).toMatchObject({ added: 5, passes: 1 });
    stores.splice(1, 1);
    expect(await mirror(client.stores.list({ limit: 2 }), db)).toMatchObject({ deleted: 1, passes: 2 });
    expect([...db.rows.keys()].toSorted()).toEqual(["id-1", "id-3", "id-4", "id-5"]);
  });

  describe("with details", () => {
    const detailsOf = (
      missing: () => string,
      status = 404,
      body: unknown = { errors: [{ code: "NOT_FOUND" }] },
    ) => {
      const asked: string[] = [];
      const { client } = fleetClient(() => json(body, { status }), { retry: { limit: 0 } });
      const details = async ({ id }: { id?: unknown }) => {
        asked.push(String(id));
        return id === missing() ? client.vehicles.get(id) : { of: id };
      };
      return { details, asked };
    };

    it("reads those of new and changed entries, and leaves an entry that is deleted meanwhile", async () => {
      const fleet = fleetOf(vehicles(3), (_, number) => {
        if (number === 3) fleet.service.rows = vehicles(3).filter(({ id }) => id !== "v11");
      });
      const db = new Database();
      const { details, asked } = detailsOf(() => "v11");
      expect(await mirror(list(fleet), db, { details, concurrency: 2 })).toMatchObject({
        added: 2,
        isClean: true,
      });
      expect(db.rows.get("v10")?.detail).toEqual({ of: "v10" });
      expect([...db.rows.keys()]).toEqual(["v10", "v12"]);
      asked.length = 0;
      fleet.service.rows.push(vehicle("v13"));
      expect(await mirror(list(fleet), db, { details })).toMatchObject({ added: 1 });
      expect(asked).toEqual(["v13"]);
    });

    it("ends with an error that names an entry which stays in the list without details", async () => {
      const fleet = fleetOf(vehicles(3));
      const db = new Database();
      const { details } = detailsOf(() => "v11");
      const run = mirror(list(fleet), db, { details, maxPasses: 2 });
      await expect(run).rejects.toThrow(
        '1 entries are listed, but their details are not found, such as "v11"',
      );
      expect([...db.rows.keys()]).toEqual(["v10", "v12"]);
    });

    it("reads no further ones after a failure, and ends when the others have ended", async () => {
      const asked: unknown[] = [];
      const details = async ({ id }: { id?: unknown }): Promise<void> => {
        asked.push(id);
        if (id === "v10") throw new Error("broken");
        await new Promise((resolve) => setTimeout(resolve, 1));
        asked.push("end");
      };
      const run = mirror(list(fleetOf(vehicles(9))), new Database(), { details, concurrency: 2 });
      await expect(run).rejects.toThrow("broken");
      expect(asked).toEqual(["v10", "v11", "end"]);
    });

    it.each([["<h1>Not Found</h1>"], [{ message: "no route matched" }], [{ code: "no_route" }], [null]])(
      "ends with the 404 of a gateway, %j",
      async (body) => {
        const { details } = detailsOf(() => "v11", 404, body);
        const run = mirror(list(fleetOf(vehicles(3))), new Database(), { details });
        await expect(run).rejects.toMatchObject({ name: "FleetApiError", status: 404 });
      },
    );
  });

  it("keeps the output of a shape, and the ID and hash of what the service sent", async () => {
    const shape = {
      "~standard": { version: 1, vendor: "test", validate: () => ({ value: { shaped: true } }) },
    } as const;
    const { client } = fleetClient(() => json(pageOf(vehicles(2), 1, 2)), { shapes: { vehicle: shape } });
    const db = new Database();
    await mirror(client.vehicles.list(), db);
    expect([...db.rows].map(([id, { item }]) => [id, item])).toEqual([
      ["v10", { shaped: true }],
      ["v11", { shaped: true }],
    ]);
    expect(await mirror(client.vehicles.list(), db)).toMatchObject({ added: 0, changed: 0 });
  });

  it("compares fingerprints, and identifies entries by a function", async () => {
    const fleet = fleetOf([{ id: "a", name: "1" }]);
    const db = new Database();
    const options: MirrorOptions<object, unknown> = {
      fingerprint: ({ id }) => id,
      identify: ({ id }) => `vehicle ${String(id)}`,
    };
    await mirror(list(fleet), db, options);
    fleet.service.rows = [{ id: "a", name: "2" }];
    expect(await mirror(list(fleet), db, options)).toMatchObject({ changed: 0 });
    expect([...db.rows.keys()]).toEqual(["vehicle a"]);
  });

  it("counts and deletes for a sink that takes each ID and entry out of what it is given", async () => {
    const db = new (class extends Database {
      override find(ids: readonly string[]) {
        return super.find((ids as string[]).splice(0));
      }

      override save(page: Parameters<Database["save"]>[0]) {
        super.save({ ...page, entries: page.entries.splice(0), seen: page.seen.splice(0) });
      }
    })();
    const fleet = fleetOf(vehicles(3));
    expect(await mirror(list(fleet), db)).toMatchObject({ added: 3, isClean: true });
    fleet.service.rows.pop();
    expect(await mirror(list(fleet), db)).toMatchObject({ deleted: 1, isClean: true });
  });

  it("saves an entry whole if a function changes it", async () => {
    const row = { id: "a", name: "1", url: "b", file: { url: "c" } };
    const db = new Database();
    await mirror(list(fleetOf([row])), db, {
      fingerprint: (item) => Object.assign(item["file"] as object, { url: "" }),
      identify: (item) => [item["id"], delete item["url"]].join(""),
    });
    expect(db.content()).toEqual([row]);
  });
});

describe("a sink that returns other values than its types say", () => {
  const notMarks = "find must return a Map of { hash, pass }, with a string and a number";

  it.each<[string, Partial<Record<"find" | "countUnseen", (found: unknown) => unknown>>, string]>([
    ["no Map", { find: () => ({}) }, notMarks],
    ["nothing", { find: () => undefined }, notMarks],
    [
      "passes as texts, as of a bigint of PostgreSQL",
      {
        find: (found) =>
          new Map(
            [...(found as Map<string, SavedRow>)].map(([id, row]) => [
              id,
              { ...row, pass: String(row.pass) },
            ]),
          ),
      },
      notMarks,
    ],
    [
      "a count as text, as of count(*) of PostgreSQL",
      { countUnseen: String },
      "countUnseen must return a number",
    ],
    ["no count", { countUnseen: () => undefined }, "countUnseen must return a number"],
    ...Object.entries<(id: string) => unknown>({
      "IDs of a number column": (id) => Number(id.slice(1)),
      "IDs of a column with fixed length": (id) => `${id}    `,
      "IDs of a column that changes the letter case": (id) => id.toUpperCase(),
    }).map(([name, change]): [string, { find: (found: unknown) => unknown }, string] => [
      name,
      {
        find: (found) => new Map([...(found as Map<string, SavedRow>)].map(([id, row]) => [change(id), row])),
      },
      "the keys of the Map that find returns must be the given IDs",
    ]),
  ])("deletes nothing: %s", async (_, replace, message) => {
    const fleet = fleetOf(vehicles(12));
    const db = new Database();
    await mirror(list(fleet), db);
    fleet.service.rows = vehicles(3);
    for (const [name, change] of Object.entries(replace)) {
      const original = (db[name as "find"] as (argument: unknown) => unknown).bind(db);
      Object.assign(db, { [name]: (argument: unknown) => change(original(argument)) });
    }
    const failure = mirror(list(fleet), db);
    await expect(failure).rejects.toBeInstanceOf(ConfigurationError);
    await expect(failure).rejects.toThrow(message);
    expect(db.rows.size).toBe(12);
  });
});

it("a sink may return the marks of other entries as well", async () => {
  const fleet = fleetOf([vehicle("a"), vehicle("b"), vehicle("A2")]);
  const db = new Database();
  db.find = () => db.rows;
  await mirror(list(fleet), db);
  fleet.service.rows.push(vehicle("c"));
  expect(await mirror(list(fleet), db)).toMatchObject({ added: 1, changed: 0, deleted: 0 });
});

describe("a fingerprint of a mirror", () => {
  it.each([Promise.resolve(1), undefined, Number.NaN, new Set([1])])(
    "that is %s for every content is an error",
    async (part) => {
      const fleet = fleetOf([{ id: "a", name: "1" }]);
      const run = mirror(list(fleet), new Database(), { fingerprint: () => part });
      await expect(run).rejects.toThrow("fingerprint must return a JSON value");
    },
  );
});

describe("a mirror of a list that changes during a pass", () => {
  it.each<[string, (rows: Row[]) => Row[], Partial<MirrorResult>]>([
    ["an entry is created at the end", (rows) => [...rows, vehicle("z")], { passes: 1, isClean: false }],
    [
      "an entry is created at the beginning",
      (rows) => [vehicle("a"), ...rows],
      { passes: 1, isClean: false },
    ],
    ["an entry is deleted", (rows) => rows.slice(1), { passes: 3, deleted: 1 }],
    ["one is deleted and one created", (rows) => [...rows.slice(1), vehicle("z")], { isClean: true }],
    [
      "the list is reordered",
      (rows) => [...rows.slice(3), ...rows.slice(0, 3)],
      { passes: 2, isClean: true },
    ],
  ])(
    "deletes nothing that exists, and ends with all entries after another run: %s",
    async (_, change, expected) => {
      for (const moment of [2, 3]) {
        const fleet = fleetOf(vehicles(6), (__, number) => {
          if (number === moment + 3) fleet.service.rows = change(fleet.service.rows);
        });
        const db = new Database();
        await mirror(list(fleet), db);
        const before = new Set(db.rows.keys());
        const result = await mirror(list(fleet), db);
        expect(result).toMatchObject(expected);
        const kept = fleet.service.rows.filter(({ id }) => before.has(id));
        expect(kept.every(({ id }) => db.rows.has(id))).toBe(true);
        await mirror(list(fleet), db);
        expect(new Set(db.content().map(({ id }) => id))).toEqual(
          new Set(fleet.service.rows.map(({ id }) => id)),
        );
      }
    },
  );

  it("ends with an error if it changes during every pass, and deletes nothing", async () => {
    const fleet = fleetOf(vehicles(6), (_, number) => {
      if (number > 3 && number % 3 === 0) fleet.service.rows = fleet.service.rows.toReversed();
    });
    const db = new Database();
    await mirror(list(fleet), db);
    await expect(mirror(list(fleet), db, { maxPasses: 2 })).rejects.toThrow("nothing was deleted");
    expect(db.rows.size).toBe(6);
  });

  it("continues with a new pass if the position of a killed run is gone", async () => {
    const fleet = fleetOf(vehicles(6));
    const db = new Database();
    db.killAt = 3;
    await expect(mirror(list(fleet), db)).rejects.toBeInstanceOf(Killed);
    db.killAt = undefined;
    fleet.service.rows = vehicles(2);
    expect(await mirror(list(fleet), db, { maxDeleted: 1 })).toMatchObject({ isClean: true });
    expect(db.content()).toEqual(vehicles(2));
  });

  it("reads all pages again if the page size has changed since the kill", async () => {
    const fleet = fleetOf(vehicles(6));
    const db = new Database();
    db.killAt = 1;
    await expect(mirror(list(fleet), db)).rejects.toBeInstanceOf(Killed);
    db.killAt = undefined;
    await mirror(fleet.client.vehicles.list({ limit: 3 }), db);
    expect(db.content()).toEqual(vehicles(6));
  });
});

describe("a list that is much shorter", () => {
  it.each([
    ["is empty", 0],
    ["lacks more than half", 2],
  ])("and %s deletes nothing unless that is allowed", async (_, count) => {
    const fleet = fleetOf(vehicles(6));
    const db = new Database();
    await mirror(list(fleet), db);
    fleet.service.rows = vehicles(count);
    const lacks = `the list has ${count} entries and lacks ${6 - count}`;
    await expect(mirror(list(fleet), db)).rejects.toThrow(lacks);
    await expect(mirror(list(fleet), db)).rejects.toThrow(lacks);
    expect(db.rows.size).toBe(6);
    expect(await mirror(list(fleet), db, { maxDeleted: 1 })).toMatchObject({ deleted: 6 - count });
  });

  it.each([6, 9])(
    "deletes nothing if %i other entries are there, as in the list of another tenant",
    async (count) => {
      const fleet = fleetOf(vehicles(6));
      const db = new Database();
      await mirror(list(fleet), db);
      fleet.service.rows = vehicles(count).map(({ id }) => vehicle(`other-${id}`));
      for (const _ of [1, 2]) {
        await expect(mirror(list(fleet), db)).rejects.toThrow(`the list has ${count} entries and lacks 6`);
        expect(vehicles(6).every(({ id }) => db.rows.has(id))).toBe(true);
      }
      expect(await mirror(list(fleet), db, { maxDeleted: 1 })).toMatchObject({ deleted: 6 });
      fleet.service.rows = fleet.service.rows.slice(1);
      expect(await mirror(list(fleet), db)).toMatchObject({ deleted: 1, isClean: true });
    },
  );

  it("counts the entries that a run has added before the list changed", async () => {
    const fleet = fleetOf(vehicles(2), (_, number) => {
      if (number === 12) fleet.service.rows = fleet.service.rows.slice(3);
    });
    const db = new Database();
    await mirror(list(fleet), db);
    fleet.service.rows = vehicles(30);
    const result = await mirror(list(fleet), db);
    expect(result).toMatchObject({ isClean: true, deleted: 3 });
    expect(db.content()).toEqual(vehicles(30).slice(3));
  });

  it("deletes nothing after an error in the middle", async () => {
    let isFailing = false;
    const fleet = fleetOf(vehicles(6), ({ query }) => {
      if (isFailing && query["page"] === "2") throw new TypeError("reset");
    });
    const client = fleet.client.withOptions({ retry: { limit: 0 } });
    const db = new Database();
    await mirror(client.vehicles.list({ limit: 2 }), db);
    isFailing = true;
    await expect(mirror(client.vehicles.list({ limit: 2 }), db)).rejects.toThrow("reset");
    expect(db.rows.size).toBe(6);
  });
});

describe("a mirror that is killed", () => {
  const changed = [
    vehicle("a"),
    ...vehicles(7)
      .map(({ id }, n) => vehicle(id, n % 3 === 0 ? "new" : id))
      .slice(2),
  ];

  it("before or after any write ends with the rows of one that is not", async () => {
    for (let killAt = 0; ; killAt += 1) {
      const fleet = fleetOf(vehicles(7));
      const db = new Database();
      await mirror(list(fleet), db);
      fleet.service.rows = changed;
      db.writes = 0;
      db.killAt = killAt;
      const outcome = await mirror(list(fleet), db).catch((error: unknown) => error);
      db.killAt = undefined;
      if (outcome instanceof Killed) await mirror(list(fleet), db);
      expect(db.content()).toEqual(changed.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
      if (!(outcome instanceof Killed)) break;
    }
  });

  it("again and again, while the list changes, never loses an entry that stays", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(12), fc.nat(9), fc.constantFrom("create", "delete", "change", "none")), {
          maxLength: 8,
        }),
        async (runs) => {
          const fleet = fleetOf(vehicles(7));
          const db = new Database();
          let created = 0;
          for (const [killAt, index, change] of runs) {
            const { rows } = fleet.service;
            db.writes = 0;
            db.killAt = killAt;
            await mirror(list(fleet), db, { maxDeleted: 1 }).catch(() => {});
            if (change === "create") rows.splice(index % (rows.length + 1), 0, vehicle(`n${(created += 1)}`));
            if (change === "delete") rows.splice(index % Math.max(1, rows.length), 1);
            if (change === "change")
              fleet.service.rows = rows.map((row, n) => (n === index ? vehicle(row.id, "x") : row));
          }
          db.killAt = undefined;
          for (const _ of [1, 2]) await mirror(list(fleet), db, { maxDeleted: 1 });
          expect(db.content()).toEqual(fleet.service.rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe("the state of a mirror", () => {
  it("does not grow with the list", async () => {
    const sizes: number[] = [];
    for (const count of [20, 200]) {
      const db = new Database();
      let largest = 0;
      const save = db.save.bind(db);
      db.save = (page) => {
        largest = Math.max(largest, page.state.length);
        save(page);
      };
      await mirror(list(fleetOf(vehicles(count))), db);
      sizes.push(largest);
    }
    expect(Number(sizes[1]) - Number(sizes[0])).toBeLessThan(20);
  });

  it.each([1, undefined])("is only accepted for the same list, with a kill at %s", async (killAt) => {
    const fleet = fleetOf(vehicles(3));
    const db = new Database();
    db.killAt = killAt;
    const filtered = fleet.client.vehicles.list({ limit: 2, extra: { a: "1" } });
    await mirror(filtered, db).catch(() => {});
    db.killAt = undefined;
    const { client: other } = fleetClient(() => json(pageOf([], 1, 2)), {
      baseUrl: "https://other.example/api/third-party/v1",
    });
    const rows = [...db.rows.values()];
    const cases = [
      [fleet.client.vehicles.list({ limit: 2 }), "belongs to a list with another `extra.a`"],
      [
        fleet.client.vehicles.list({ limit: 2, extra: { a: "2" } }),
        "belongs to a list with another `extra.a`",
      ],
      [fleet.client.vehicleGroups.list({ limit: 2 }), "belongs to a list with another `operation`"],
      [
        other.vehicles.list({ limit: 2, extra: { a: "1" } }),
        "belongs to a list with another base URL or environment",
      ],
    ] as const;
    for (const [wrong, message] of cases)
      await expect(mirror(wrong, db)).rejects.toThrow(`state: ${message}`);
    expect([...db.rows.values()]).toEqual(rows);
  });

  it("is bound to the environment of the key", async () => {
    let current = key;
    const environments = { production: baseUrl, sandbox: "https://fleet.example/sandbox/api/third-party/v1" };
    const respond = () => json(pageOf(vehicles(1), 1, 2));
    const { client, sent } = fleetClient(respond, {
      environments,
      key: () => current,
      baseUrl: undefined,
    });
    const db = new Database();
    await mirror(client.vehicles.list(), db);
    current = testKey;
    await expect(mirror(client.vehicles.list(), db)).rejects.toThrow("another base URL or environment");
    expect(sent).toHaveLength(1);
  });

  it.each([
    "",
    "{}",
    '{"v":1}',
    '{"v":1,"list":{},"last":-1,"candidate":null,"pass":null}',
    '{"v":1,"list":{},"last":1,"candidate":null,"pass":{}}',
  ])("is rejected if it is %j", async (state) => {
    const db = new Database();
    db.state = state;
    await expect(mirror(list(fleetOf([])), db)).rejects.toThrow("state: must be the `state` of a mirror");
  });

  it("must be as new as the entries", async () => {
    const fleet = fleetOf(vehicles(2));
    const db = new Database();
    for (const _ of [1, 2, 3]) await mirror(list(fleet), db);
    db.state = undefined;
    await expect(mirror(list(fleet), db)).rejects.toThrow("`load` must return the state");
  });
});

describe("the arguments of a mirror", () => {
  it.each([{ page: 2 }, { verify: true }, { onDrift: "throw" }] as const)(
    "cannot be a list with an option that a mirror decides: %j",
    async (query) => {
      const mirrored = mirror(fleetOf([]).client.vehicles.list(query), new Database());
      await expect(mirrored).rejects.toThrow(`${Object.keys(query).join()}: cannot be given`);
    },
  );

  it("may be a list with `maxIdleRequests`", async () => {
    const pagination = { totalPages: 99, totalCount: 99, hasNextPage: true };
    const { client, sent } = fleetClient(({ query }) =>
      json({ data: [], meta: { pagination: { ...pagination, currentPage: Number(query["page"] ?? 1) } } }),
    );
    const endless = client.vehicles.list({ maxIdleRequests: 3 });
    await expect(mirror(endless, new Database())).rejects.toThrow("3 requests in a row returned no new item");
    expect(sent).toHaveLength(3);
  });

  it("cannot be the list of a time range", async () => {
    const { client } = storeClient();
    const protocols = client.protocols.list("S-1", { from: new Date(0), to: new Date(1) });
    await expect(mirror(protocols, new Database())).rejects.toThrow("use its method `pull`");
  });

  it("cannot be a list without IDs", async () => {
    const { client } = fleetClient(() => json(pageOf([{ name: "x" }], 1, 2)));
    await expect(mirror(client.vehicles.list(), new Database())).rejects.toThrow("give `identify`");
  });
});
