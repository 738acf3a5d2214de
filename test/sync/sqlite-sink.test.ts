import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { FleetClient, StoreClient } from "../../src/index.ts";
import { createReferenceServer } from "../../src/mock/index.ts";
import {
  mirror,
  type MirrorChanges,
  pull,
  pullStores,
  type SqliteDatabase,
  sqliteSink,
} from "../../src/sync/index.ts";
import { rejection } from "./service.ts";
import { testSink, type UserDatabase } from "./sinks.ts";

async function openSqlite(): Promise<UserDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "shelfleet-sink-"));
  let file = "";
  let files = 0;
  const connections: DatabaseSync[] = [];
  const connect = () => {
    const db = new DatabaseSync(file, { timeout: 5000 });
    connections.push(db);
    return db;
  };
  let db: DatabaseSync;
  const end = () => {
    for (const connection of connections.splice(0)) connection.close();
  };
  return {
    sink: (table) => sqliteSink(db, table),
    otherSink: (table) => sqliteSink(connect(), table),
    run: async (sql) => db.exec(sql),
    rows: async (sql) =>
      db
        .prepare(sql)
        .all()
        .map((row) => ({ ...row })),
    onChange: async (event, table, sql) =>
      db.exec(`CREATE TRIGGER "on ${event}" ${event} ON ${table} BEGIN ${sql}; END`),
    refuse: async (event, table, message) =>
      db.exec(
        `CREATE TRIGGER refuse BEFORE ${event} ON ${table} BEGIN SELECT RAISE(ABORT, '${message}'); END`,
      ),
    reset: async () => {
      end();
      file = join(folder, `${(files += 1)}.sqlite`);
      db = connect();
      db.exec("PRAGMA synchronous = OFF");
    },
    close: async () => {
      end();
      rmSync(folder, { recursive: true });
    },
  };
}

testSink("sqliteSink", openSqlite, {
  json: "TEXT",
  property: (column, name) => `json_extract(${column}, '$.${name}')`,
});

const entry = (id: string, n: number) => ({
  id,
  ref: id,
  hash: String(n),
  item: { n },
  detail: undefined,
  isNew: true,
});

const changes = (n: number, ids: string[]): MirrorChanges<unknown> => ({
  entries: ids.map((id) => entry(id, n)),
  seen: ids,
  deleted: [],
  pass: n,
  state: String(n),
  before: n === 1 ? undefined : String(n - 1),
});

/** A database in memory with a sink, which has saved one page. */
function saved(options: object = {}) {
  const db = new DatabaseSync(":memory:", options);
  const sink = sqliteSink(db, "vehicles");
  void sink.save(changes(1, ["a", "b"]));
  const ids = () =>
    db
      .prepare("SELECT id FROM vehicles ORDER BY id")
      .all()
      .map(({ id }) => id);
  return { db, sink, ids };
}

describe("the connection of the user", () => {
  it("keeps its settings", async () => {
    const folder = mkdtempSync(join(tmpdir(), "shelfleet-sink-"));
    const db = new DatabaseSync(join(folder, "a.sqlite"));
    const names = [
      "foreign_keys",
      "busy_timeout",
      "journal_mode",
      "synchronous",
      "recursive_triggers",
      "locking_mode",
    ];
    const values = () => names.map((name) => Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
    db.exec(
      "PRAGMA foreign_keys = OFF; PRAGMA busy_timeout = 77; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL",
    );
    const before = values();
    const sink = sqliteSink(db, "vehicles");
    await sink.save(changes(1, ["a"]));
    await rejection((async () => sink.save(changes(1, ["a"])))());
    await sink.saveRecord("a", undefined, "1");
    expect(values()).toEqual(before);
    db.close();
    rmSync(folder, { recursive: true });
  });

  it("may be within a transaction, which the user ends", async () => {
    const { db, sink, ids } = saved();
    db.exec("BEGIN");
    await sink.save(changes(2, ["c"]));
    await rejection((async () => sink.save(changes(2, ["d"])))());
    expect([db.isTransaction, ids()]).toEqual([true, ["a", "b", "c"]]);
    db.exec("ROLLBACK");
    expect([ids(), await sink.load()]).toEqual([["a", "b"], "1"]);
    db.exec("BEGIN");
    await sink.save(changes(2, ["c"]));
    expect(await sqliteSink(db, "others").saveRecord("a", undefined, "1")).toBe(true);
    db.exec("COMMIT");
    expect([ids(), await sink.load()]).toEqual([["a", "b", "c"], "2"]);
  });

  it("may return arrays and bigints", async () => {
    const { sink } = saved({ returnArrays: true, readBigInts: true });
    await sink.save({ ...changes(2, ["c"]), seen: ["a", "c"] });
    expect(await sink.load()).toBe("2");
    expect(await sink.find(["a", "b"])).toEqual(
      new Map([
        ["a", { hash: "1", pass: 2 }],
        ["b", { hash: "1", pass: 1 }],
      ]),
    );
    expect(await sink.countUnseen(2)).toBe(1);
    expect(await sink.findUnseen(2, "")).toEqual([{ id: "b", ref: "b", pass: 1 }]);
    expect(await sink.saveRecord("a", undefined, "1")).toBe(true);
    expect(await sink.findRecords(["a"])).toEqual(new Map([["a", "1"]]));
  });

  it("may refuse numbered parameters, and rows of a statement without rows, as better-sqlite3 does", async () => {
    const db = new DatabaseSync(":memory:");
    const refusing: SqliteDatabase = {
      exec: (sql) => db.exec(sql),
      prepare: (sql) => {
        if (/[?:@$]\d/.test(sql)) throw new RangeError("Too many parameter values were provided");
        const statement = db.prepare(sql);
        if (statement.columns().length > 0) return statement;
        const all = () => {
          throw new TypeError("This statement does not return data. Use run() instead");
        };
        return { all, run: (...values) => statement.run(...values) };
      },
    };
    const sink = sqliteSink(refusing, "vehicles");
    await sink.save(changes(1, ["a"]));
    expect(await sink.find(["a"])).toMatchObject(new Map([["a", { pass: 1 }]]));
  });
});

describe("the first error", () => {
  it("is the one of a trigger that has ended the transaction", async () => {
    const { db, sink, ids } = saved();
    db.exec(
      "CREATE TRIGGER no BEFORE INSERT ON vehicles BEGIN SELECT RAISE(ROLLBACK, 'no more vehicles'); END",
    );
    expect((await rejection((async () => sink.save(changes(2, ["c"])))())).message).toBe("no more vehicles");
    expect([db.isTransaction, ids(), await sink.load()]).toEqual([false, ["a", "b"], "1"]);
    db.exec("BEGIN");
    expect((await rejection((async () => sink.save(changes(2, ["c"])))())).message).toBe("no more vehicles");
    db.exec("DROP TRIGGER no");
    await sink.save(changes(2, ["c"]));
    expect(ids()).toEqual(["a", "b", "c"]);
  });

  it("is the one of a reference that is checked at the end", async () => {
    const { db, sink, ids } = saved();
    db.exec(
      "CREATE TABLE notes (vehicle TEXT REFERENCES vehicles (id) DEFERRABLE INITIALLY DEFERRED); INSERT INTO notes VALUES ('a')",
    );
    const save = async () => sink.save({ ...changes(2, ["c"]), deleted: ["a"] });
    expect((await rejection(save())).message).toBe("FOREIGN KEY constraint failed");
    expect([db.isTransaction, ids(), await sink.load()]).toEqual([false, ["a", "b"], "1"]);
  });

  it("is the one of a database that another connection writes to", async () => {
    const folder = mkdtempSync(join(tmpdir(), "shelfleet-sink-"));
    const [db, other] = [0, 1].map(() => new DatabaseSync(join(folder, "a.sqlite"), { timeout: 0 })) as [
      DatabaseSync,
      DatabaseSync,
    ];
    const sink = sqliteSink(db, "vehicles");
    other.exec("BEGIN IMMEDIATE");
    expect((await rejection((async () => sink.save(changes(1, ["a"])))())).message).toBe(
      "database is locked",
    );
    // another sink over existing tables only reads
    expect(await sqliteSink(db, "vehicles").load()).toBeUndefined();
    other.exec("COMMIT");
    await sink.save(changes(1, ["a"]));
    for (const one of [db, other]) one.close();
    rmSync(folder, { recursive: true });
  });
});

describe("a table of the user", () => {
  it.each(["STRICT", "WITHOUT ROWID", "STRICT, WITHOUT ROWID"])("may be %s", async (kind) => {
    const db = new DatabaseSync(":memory:");
    db.exec(
      `CREATE TABLE vehicles (id TEXT NOT NULL PRIMARY KEY, ref TEXT, hash TEXT NOT NULL, pass INTEGER NOT NULL, data TEXT NOT NULL,
      detail TEXT, n ANY GENERATED ALWAYS AS (json_extract(data, '$.n')) VIRTUAL) ${kind}`,
    );
    const sink = sqliteSink(db, "vehicles");
    await sink.save(changes(1, ["a", "b"]));
    await sink.save(changes(2, ["b"]));
    await sink.saveBatch("S-1", { items: [{ n: 3 }], ids: ["x"], state: "1", before: undefined });
    const rows = db.prepare("SELECT id, n, pass FROM vehicles ORDER BY id").all();
    expect(rows.map(Object.values)).toEqual([
      ["S-1/x", 3, 0],
      ["a", 1, 1],
      ["b", 2, 2],
    ]);
    expect(await sink.findUnseen(2, "")).toEqual([{ id: "a", ref: "a", pass: 1 }]);
  });

  it("may compare IDs without their case: two of them are refused and not made one", async () => {
    const { db, sink } = saved();
    db.exec(
      "CREATE TABLE others (id TEXT COLLATE NOCASE PRIMARY KEY, ref TEXT, hash TEXT, pass INTEGER, data TEXT, detail TEXT)",
    );
    const others = sqliteSink(db, "others");
    await others.save(changes(1, ["s-1"]));
    expect(await others.find(["S-1"])).toEqual(new Map());
    expect((await rejection((async () => others.save(changes(2, ["S-1"])))())).message).toContain("UNIQUE");
    expect(await sink.load()).toBe("1");
  });

  it("may be in an attached database", async () => {
    const { db } = saved();
    db.exec("ATTACH ':memory:' AS archive");
    const sink = sqliteSink(db, "archive.vehicles");
    expect(await sink.load()).toBeUndefined();
    await sink.save(changes(1, ["z"]));
    expect(
      db
        .prepare("SELECT id FROM archive.vehicles")
        .all()
        .map(({ id }) => id),
    ).toEqual(["z"]);
    expect(db.prepare("SELECT count(*) AS n FROM main.vehicles").get()).toMatchObject({ n: 2 });
  });

  it("may get more columns while the sink is in use", async () => {
    const { db, sink, ids } = saved();
    db.exec("ALTER TABLE vehicles ADD COLUMN note TEXT");
    await sink.save(changes(2, ["a", "c"]));
    expect(ids()).toEqual(["a", "b", "c"]);
  });
});

describe("a database file of version 0.1", () => {
  /** A mirror that was killed in its second pass, and two pulls. */
  const open = () => {
    const db = new DatabaseSync(":memory:");
    db.exec(readFileSync(new URL("version-0.1.sql", import.meta.url), "utf8"));
    return db;
  };

  it("is continued by a mirror", async () => {
    const db = open();
    const ref = createReferenceServer({ fleet: { vehicles: 6 } });
    const fleet = new FleetClient({ ...ref.fleetOptions, retry: 0 });
    const vehicles = await fleet.vehicles.list().toArray();
    await fleet.vehicles.delete("vehicle-6");
    const run = () => mirror(fleet.vehicles, sqliteSink(db, "vehicles"));
    expect(await run()).toMatchObject({ read: 5, added: 0, changed: 0, deleted: 1 });
    expect(await run()).toMatchObject({ read: 5, added: 0, changed: 0, deleted: 0 });
    const rows = db.prepare("SELECT data FROM vehicles ORDER BY id").all();
    expect(rows.map(({ data }) => JSON.parse(String(data)) as unknown)).toEqual(vehicles.slice(0, 5));
  });

  it("is read again by a pull, whose rows keep their IDs", async () => {
    const db = open();
    const ref = createReferenceServer({ store: { stores: 1, protocolsPerStore: 3 } });
    const store = new StoreClient({ ...ref.storeOptions, retry: 0 });
    const options = { since: "2025-01-01T00:00:00Z", allowedLateness: 3_600_000 };
    const run = () => pullStores(store, "protocols", sqliteSink(db, "protocols"), options);
    expect(await run()).toMatchObject({ stores: 1, items: 3 });
    expect(await run()).toMatchObject({ stores: 1, items: 0 });
    const rows = db.prepare("SELECT id FROM protocols WHERE id LIKE 'S-1/%' ORDER BY id").all();
    expect(rows.map(({ id }) => id)).toEqual(["S-1/P-S-1-1", "S-1/P-S-1-2", "S-1/P-S-1-3"]);
  });

  it("has states that a pull continues", async () => {
    const db = open();
    const ref = createReferenceServer({ store: { stores: 1, protocolsPerStore: 3 } });
    const store = new StoreClient({ ...ref.storeOptions, retry: 0 });
    const [{ state } = {}] = db.prepare("SELECT state FROM protocols_state WHERE name = 'S-1'").all();
    const options = {
      since: "2025-01-01T00:00:00Z",
      until: () => ref.clock.now(),
      allowedLateness: 3_600_000,
    };
    const ids: string[] = [];
    for await (const batch of pull(store.protocols, "S-1", { ...options, state: String(state) }))
      ids.push(...batch.ids);
    expect(ids).toEqual([]);
  });
});
