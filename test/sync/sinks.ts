// What every sink promises: one table of tests, for SQLite and PostgreSQL.
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { FleetClient } from "../../src/index.ts";
import { createReferenceServer } from "../../src/mock/index.ts";
import { mirror, type MirrorChanges, type SavedBatch, type Sink } from "../../src/sync/index.ts";
import { rejection } from "./service.ts";

/** A database of a user, in which sinks work. */
export interface UserDatabase {
  /** Returns a sink, and another one over another connection, as another process has it. */
  sink(table: string): Sink<unknown, unknown>;
  otherSink(table: string): Sink<unknown, unknown>;
  run(sql: string): Promise<void>;
  rows(sql: string): Promise<Record<string, unknown>[]>;
  /** Runs SQL for each changed row, which it knows as `old` and `new`. */
  onChange(event: string, table: string, sql: string): Promise<void>;
  /** Makes each change of a table fail with a message. */
  refuse(event: string, table: string, message: string): Promise<void>;
  /** Drops everything. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** The words that SQL does not share. */
export interface Dialect {
  /** The type of `data`. */
  json: string;
  /** The value of a property of JSON. */
  property(column: string, name: string): string;
}

const change = (more: Partial<MirrorChanges<unknown, unknown>>): MirrorChanges<unknown, unknown> => ({
  entries: [],
  seen: [],
  deleted: [],
  pass: 1,
  state: "1",
  before: undefined,
  ...more,
});

const entry = (id: string, item: unknown = { id }, more: object = {}) => ({
  id,
  ref: id,
  hash: `hash of ${JSON.stringify(item)}`,
  item,
  detail: undefined,
  isNew: true,
  ...more,
});

const batch = (rows: Record<string, unknown>, state: string, before?: string): SavedBatch => ({
  items: Object.values(rows),
  ids: Object.keys(rows),
  state,
  before,
});

const parsed = (value: unknown): unknown => (typeof value === "string" ? JSON.parse(value) : value);

/** Tests a sink over an empty database. */
export function testSink(name: string, open: () => Promise<UserDatabase>, { json, property }: Dialect): void {
  let db: UserDatabase;
  let sink: Sink<unknown, unknown>;
  const setUp = async () => {
    db ??= await open();
    await db.reset();
    sink = db.sink("vehicles");
  };
  const dataOf = async (table = "vehicles") =>
    Object.fromEntries(
      (await db.rows(`SELECT id, data FROM ${table} ORDER BY id`)).map(({ id, data }) => [
        String(id),
        parsed(data),
      ]),
    );
  /** A fleet of three, mirrored into `vehicles`. */
  const mirrored = async (table = "vehicles") => {
    const ref = createReferenceServer({ fleet: { vehicles: 3 } });
    const fleet = new FleetClient({ ...ref.fleetOptions, retry: 0 });
    const run = () => mirror(fleet.vehicles, db.sink(table));
    await run();
    const vehicles = await fleet.vehicles.list().toArray();
    const [first, second, third] = vehicles.map((vehicle) => String(vehicle["id"])) as [
      string,
      string,
      string,
    ];
    const paint = async (id: string) =>
      fleet.vehicles.update(id, { ...(await fleet.vehicles.get(id)), brand: "OTHER" });
    return { fleet, run, first, second, third, paint };
  };
  afterAll(() => db?.close());

  describe(`the entries of ${name}`, () => {
    beforeEach(setUp);

    it("are inserted, changed, seen and deleted, with the state", async () => {
      expect((await sink.load()) ?? undefined).toBeUndefined();
      const detail = { images: [] };
      await sink.save(change({ entries: [entry("a", { n: 1 }, { detail }), entry("b")], seen: ["a", "b"] }));
      await sink.save(
        change({
          entries: [entry("a", { n: 2 }, { ref: null })],
          seen: ["a", "b"],
          pass: 2,
          state: "2",
          before: "1",
        }),
      );
      expect(await sink.load()).toBe("2");
      expect(await sink.find(["a", "b", "c"])).toEqual(
        new Map([
          ["a", { hash: entry("a", { n: 2 }).hash, pass: 2 }],
          ["b", { hash: entry("b").hash, pass: 2 }],
        ]),
      );
      const [row] = await db.rows("SELECT ref, detail FROM vehicles WHERE id = 'a'");
      expect(row).toEqual({ ref: null, detail: null });
      await sink.save(change({ deleted: ["a", "nobody"], pass: 2, state: "3", before: "2" }));
      expect(await dataOf()).toEqual({ b: { id: "b" } });
    });

    it("that are not saved are not marked as seen", async () => {
      await sink.save(change({ seen: ["failed"] }));
      await sink.save(change({ entries: [entry("failed")], pass: 2, state: "2", before: "1" }));
      expect(await sink.find(["failed"])).toMatchObject(new Map([["failed", { pass: 2 }]]));
    });

    it("that a pass has not seen are counted, and found in the order of their IDs, a hundred at a time", async () => {
      const ids = Array.from({ length: 250 }, (_, n) => `v-${n + 1000}`);
      const odd = ids.filter((_, n) => n % 2 === 1);
      await sink.save(change({ entries: ids.map((id) => entry(id, {}, { ref: `ref ${id}` })), seen: ids }));
      await sink.save(change({ seen: odd, pass: 2, state: "2", before: "1" }));
      expect([await sink.countUnseen(1), await sink.countUnseen(2), await sink.countUnseen(3)]).toEqual([
        0, 125, 250,
      ]);
      const even = ids.filter((_, n) => n % 2 === 0);
      const page = await sink.findUnseen(2, "");
      expect(page.map(({ id }) => id)).toEqual(even.slice(0, 100));
      expect(page[0]).toEqual({ id: "v-1000", ref: "ref v-1000", pass: 1 });
      const rest = await sink.findUnseen(2, page.at(-1)?.id ?? "");
      expect(rest.map(({ id }) => id)).toEqual(even.slice(100));
    });

    it("are told apart byte for byte, and keep every character", async () => {
      const ids = [
        "s-1",
        "S-1",
        "ß",
        "ss",
        "é",
        "e\u0301",
        "😀",
        "a'b\"c\\",
        "a b",
        " a",
        "a ",
        "%",
        "_",
        "null",
        "1e3",
        "[]",
        "{}",
        ",",
      ];
      const text = "\u0000 \ud800 \\ ' \" \u2028 😀 \u001f \\u0000";
      await sink.save(change({ entries: ids.map((id) => entry(id, { id, text })), seen: ids }));
      expect([...(await sink.find(ids)).keys()].toSorted()).toEqual(ids.toSorted());
      const rows = await db.rows("SELECT id, data FROM vehicles");
      expect(rows.map(({ id, data }) => [id, parsed(data)])).toEqual(
        expect.arrayContaining(ids.map((id) => [id, { id, text }])),
      );
      await sink.save(change({ seen: ["s-1"], pass: 2, state: "2", before: "1" }));
      const unseen = await sink.findUnseen(2, "");
      expect(unseen.map(({ id }) => id)).toEqual(
        ids.filter((id) => id !== "s-1").toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
      );
    });

    it("whose IDs would be the same text in the database are refused", async () => {
      const save = async () => sink.save(change({ entries: [entry("\ud800"), entry("\ud801")] }));
      expect((await rejection(save())).message).toContain("half of a character");
    });

    it("are saved by one of two programs", async () => {
      const other = db.otherSink("vehicles");
      await sink.save(change({ entries: [entry("a")] }));
      const late = async () => other.save(change({ entries: [entry("b")] }));
      expect(await rejection(late())).toMatchObject({
        name: "MirrorError",
        message: expect.stringContaining("another program") as string,
      });
      await other.save(change({ entries: [entry("c")], state: "2", before: "1" }));
      const stale = async () => sink.save(change({ deleted: ["a"], state: "2", before: "1" }));
      expect(await rejection(stale())).toMatchObject({ name: "MirrorError" });
      expect([Object.keys(await dataOf()), await sink.load()]).toEqual([["a", "c"], "2"]);
    });

    it("are saved with their state, or not at all", async () => {
      await sink.save(change({ entries: [entry("a", { n: 1 })], seen: ["a"] }));
      await db.refuse("DELETE", "vehicles", "the trigger of the user");
      const entries = [entry("a", { n: 2 }), entry("b")];
      const save = async () =>
        sink.save(change({ entries, deleted: ["a"], pass: 2, state: "2", before: "1" }));
      expect((await rejection(save())).message).toContain("the trigger of the user");
      expect([await dataOf(), await sink.load()]).toEqual([{ a: { n: 1 } }, "1"]);
      await sink.save(change({ entries, pass: 2, state: "2", before: "1" }));
      expect(await dataOf()).toMatchObject({ a: { n: 2 } });
    });
  });

  describe(`the pulls of ${name}`, () => {
    beforeEach(setUp);

    it("are saved by store and ID, with the state of the store", async () => {
      expect((await sink.loadState("S-1")) ?? undefined).toBeUndefined();
      await sink.saveBatch("S-1", batch({ a: { n: 1 }, b: { n: 2 } }, "one"));
      await sink.saveBatch("S-2", batch({ a: { n: 3 } }, "two"));
      await sink.saveBatch("S-1", batch({ b: { n: 4 } }, "three", "one"));
      expect(await dataOf()).toEqual({ "S-1/a": { n: 1 }, "S-1/b": { n: 4 }, "S-2/a": { n: 3 } });
      expect([await sink.loadState("S-1"), await sink.loadState("S-2")]).toEqual(["three", "two"]);
      expect(await db.rows("SELECT ref FROM vehicles WHERE id = 'S-2/a'")).toEqual([{ ref: "a" }]);
    });

    it("take the last one of items with the same ID", async () => {
      await sink.saveBatch("S-1", {
        items: [{ n: 1 }, { n: 2 }],
        ids: ["a", "a"],
        state: "one",
        before: undefined,
      });
      expect(await dataOf()).toEqual({ "S-1/a": { n: 2 } });
    });

    it("are saved by one of two programs", async () => {
      const other = db.otherSink("vehicles");
      await sink.saveBatch("S-1", batch({ a: { n: 1 } }, "one"));
      for (const before of [undefined, "old"]) {
        const late = async () => other.saveBatch("S-1", batch({ a: { n: 9 } }, "nine", before));
        expect(await rejection(late())).toMatchObject({ name: "MirrorError" });
      }
      expect([await dataOf(), await sink.loadState("S-1")]).toEqual([{ "S-1/a": { n: 1 } }, "one"]);
    });

    it("have a row for each pair of store and ID, whatever both contain", async () => {
      const texts = ["a", "a/a", "a%2Fa", "a%252Fa", "/", "%", "", "mirror", "mirror/"];
      const pairs = texts.flatMap((store) => texts.map((id) => [store, id] as const));
      for (const [n, [store, id]] of pairs.entries())
        await sink.saveBatch(
          store,
          batch({ [id]: { store, id } }, String(n), (await sink.loadState(store)) ?? undefined),
        );
      const rows = await db.rows("SELECT data FROM vehicles");
      expect(rows.map(({ data }) => parsed(data))).toEqual(
        expect.arrayContaining(pairs.map(([store, id]) => ({ store, id }))),
      );
      expect(rows).toHaveLength(pairs.length);
    });

    it("and a mirror in the same table leave each other's rows and states as they are", async () => {
      await sink.saveBatch("mirror", batch({ a: { n: 1 } }, "state of a store"));
      expect((await sink.load()) ?? undefined).toBeUndefined();
      await sink.save(change({ entries: [entry("b")], state: "state of a mirror" }));
      expect([await sink.loadState("mirror"), await sink.load()]).toEqual([
        "state of a store",
        "state of a mirror",
      ]);
      expect(await sink.countUnseen(9)).toBe(1);
      expect(await sink.findUnseen(9, "")).toMatchObject([{ id: "b" }]);
      const steal = async () =>
        sink.save(change({ entries: [entry("mirror/a")], state: "2", before: "state of a mirror" }));
      expect(await sink.find(["mirror/a"])).toEqual(new Map());
      await rejection(steal());
      expect(await dataOf()).toEqual({ b: { id: "b" }, "mirror/a": { n: 1 } });
    });
  });

  describe(`the records of ${name}`, () => {
    beforeEach(setUp);

    it("are saved if the saved text is still the one that was read", async () => {
      expect(await sink.findRecords(["a", "b"])).toEqual(new Map());
      expect(await sink.saveRecord("a", undefined, "1")).toBe(true);
      expect(await sink.saveRecord("a", undefined, "2")).toBe(false);
      expect(await sink.saveRecord("a", "1", "3")).toBe(true);
      expect(await sink.saveRecord("a", "1", "4")).toBe(false);
      expect(await sink.saveRecord("b", "1", "5")).toBe(false);
      expect(await sink.findRecords(["a", "b", "A"])).toEqual(new Map([["a", "3"]]));
    });

    it("have keys that are any text", async () => {
      const keys = ["", "a", "A", "a/b", "a%2Fb", "'\"", "😀", "null"];
      for (const key of keys) expect(await sink.saveRecord(key, undefined, `text of ${key}`)).toBe(true);
      expect(await sink.findRecords(keys)).toEqual(new Map(keys.map((key) => [key, `text of ${key}`])));
    });

    it("are saved by one of many programs", async () => {
      const sinks = Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? sink : db.otherSink("vehicles")));
      for (const before of [undefined, "first"]) {
        const saves = sinks.map(async (one, n) =>
          one.saveRecord("a", before, before === undefined ? "first" : `${n}`),
        );
        expect((await Promise.all(saves)).filter((isSaved) => isSaved)).toHaveLength(1);
      }
    });
  });

  describe(`a database that ${name} does not own`, () => {
    beforeEach(setUp);

    it("keeps the rows that refer to a changed entry, and cascades when one is deleted", async () => {
      const { fleet, run, first, second, paint } = await mirrored();
      await db.run(
        "CREATE TABLE notes (vehicle TEXT REFERENCES vehicles (id) ON DELETE CASCADE ON UPDATE CASCADE, note TEXT)",
      );
      await db.run(`INSERT INTO notes VALUES ('${first}', 'sold in May'), ('${second}', 'rented')`);
      await paint(first);
      expect(await run()).toMatchObject({ changed: 1, deleted: 0 });
      expect(await db.rows("SELECT note FROM notes ORDER BY note")).toEqual([
        { note: "rented" },
        { note: "sold in May" },
      ]);
      await fleet.vehicles.delete(second);
      expect(await run()).toMatchObject({ deleted: 1 });
      expect(await db.rows("SELECT note FROM notes")).toEqual([{ note: "sold in May" }]);
    });

    it("refuses the deletion of an entry to which a row refers, with the database's error", async () => {
      const { fleet, run, first, paint } = await mirrored();
      await db.run("CREATE TABLE notes (vehicle TEXT REFERENCES vehicles (id))");
      await db.run(`INSERT INTO notes VALUES ('${first}')`);
      await paint(first);
      expect(await run()).toMatchObject({ changed: 1 });
      await fleet.vehicles.delete(first);
      expect((await rejection(run())).message).toMatch(/foreign key constraint/i);
      expect(Object.keys(await dataOf())).toContain(first);
    });

    it("runs the user's triggers for new, changed and deleted entries only, with the old and the new values", async () => {
      await mirrored();
      await db.run("CREATE TABLE history (what TEXT, id TEXT, was TEXT, now TEXT)");
      const [was, now] = [property("old.data", "brand"), property("new.data", "brand")];
      await db.onChange(
        "AFTER UPDATE",
        "vehicles",
        `INSERT INTO history VALUES ('changed', new.id, ${was}, ${now})`,
      );
      await db.onChange(
        "BEFORE INSERT",
        "vehicles",
        `INSERT INTO history VALUES ('new', new.id, NULL, ${now})`,
      );
      await db.onChange(
        "AFTER DELETE",
        "vehicles",
        `INSERT INTO history VALUES ('deleted', old.id, ${was}, NULL)`,
      );
      const { fleet, run, first, second, paint } = await mirrored();
      expect(await db.rows("SELECT * FROM history")).toEqual([]);
      const { brand } = await fleet.vehicles.get(first);
      const { brand: gone } = await fleet.vehicles.get(second);
      await paint(first);
      await fleet.vehicles.delete(second);
      const id = String((await fleet.vehicles.create({ plateNumber: "NEW 1", brand: "DAF" }))["id"]);
      await run();
      expect(await db.rows("SELECT * FROM history ORDER BY what")).toEqual([
        { what: "changed", id: first, was: brand, now: "OTHER" },
        { what: "deleted", id: second, was: gone, now: null },
        { what: "new", id, was: null, now: "DAF" },
      ]);
    });

    it("keeps the user's own columns, generated ones, views and indexes", async () => {
      const { run, first, paint } = await mirrored();
      await db.run("ALTER TABLE vehicles ADD COLUMN note TEXT DEFAULT 'none'");
      await db.run("ALTER TABLE vehicles ADD COLUMN checked INTEGER NOT NULL DEFAULT 0");
      await db.run(
        `CREATE VIEW brands AS SELECT id, ${property("data", "brand")} AS brand, note FROM vehicles`,
      );
      await db.run(`CREATE INDEX by_brand ON vehicles ((${property("data", "brand")}))`);
      await db.run(`UPDATE vehicles SET note = 'mine', checked = 7 WHERE id = '${first}'`);
      await paint(first);
      expect(await run()).toMatchObject({ changed: 1 });
      expect(await db.rows(`SELECT * FROM brands WHERE id = '${first}'`)).toEqual([
        { id: first, brand: "OTHER", note: "mine" },
      ]);
      expect(await db.rows("SELECT checked FROM vehicles ORDER BY checked")).toEqual([
        { checked: 0 },
        { checked: 0 },
        { checked: 7 },
      ]);
    });

    it("may have the table already, in another order and with columns of its own", async () => {
      await db.run(
        `CREATE TABLE "order" (note TEXT, detail ${json}, data ${json} NOT NULL, pass INTEGER NOT NULL, hash TEXT NOT NULL, ref TEXT,
        id TEXT PRIMARY KEY, brand TEXT GENERATED ALWAYS AS (${property("data", "brand")}) STORED)`,
      );
      const { first, paint, run } = await mirrored("order");
      await paint(first);
      await run();
      expect(await db.rows(`SELECT note, brand, ref FROM "order" WHERE id = '${first}'`)).toEqual([
        { note: null, brand: "OTHER", ref: first },
      ]);
    });

    it("refuses a table with the same name that is another one, and leaves nothing behind", async () => {
      await db.run("CREATE TABLE trips (id TEXT PRIMARY KEY, km INTEGER)");
      const load = async () => db.sink("trips").find(["a"]);
      expect((await rejection(load())).message).toMatch(/column.* "?(ref|hash)/);
      await expect(db.rows("SELECT * FROM trips_state")).rejects.toThrow(/trips_state/);
    });

    it.each([
      ["a reserved word", "select", '"select"'],
      ["capitals", "Vehicles", '"Vehicles"'],
      ["blanks, a hyphen and a quote", 'my "fleet"-1', '"my ""fleet""-1"'],
      ["other letters", "Fahrzeuge_ä", '"Fahrzeuge_ä"'],
    ])("may use a name with %s", async (_, table, quoted) => {
      const { first, paint, run } = await mirrored(table);
      await paint(first);
      expect(await run()).toMatchObject({ added: 0, changed: 1 });
      expect(await dataOf(quoted)).toMatchObject({ [first]: { brand: "OTHER" } });
    });

    it.each(["", "a.b.c", ".a", "a.", "a\0b"])("refuses the name %j", async (table) => {
      expect((await rejection((async () => db.sink(table))())).name).toBe("ConfigurationError");
    });

    it("keeps two tables apart, and the names of one's tables from those of the other", async () => {
      const { first } = await mirrored("a");
      await mirrored("b");
      await db.run(`DELETE FROM a WHERE id <> '${first}'`);
      expect([Object.keys(await dataOf("a")), Object.keys(await dataOf("b")).length]).toEqual([[first], 3]);
      await expect((async () => db.sink("a_state").find(["x"]))()).rejects.toThrow(
        /column.* "?(id|ref|hash)/,
      );
    });

    it("may have lost rows: a row that the user has deleted is inserted again", async () => {
      const { run, first } = await mirrored();
      await db.run(`DELETE FROM vehicles WHERE id = '${first}'`);
      expect(await run()).toMatchObject({ added: 1, changed: 0 });
      expect(Object.keys(await dataOf())).toHaveLength(3);
    });
  });
}
