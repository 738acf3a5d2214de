import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { mirror, postgresSink } from "../../src/sync/index.ts";
import { rejection } from "../sync/service.ts";
import { testSink } from "../sync/sinks.ts";
import { openPostgres, type PostgresDatabase } from "./database.ts";
import { changedFleet, fleetOf } from "./fleet.ts";

testSink("postgresSink", openPostgres, {
  json: "json",
  property: (column, name) => `(${column} ->> '${name}')`,
});

/** Statements of a transaction that saves a page, at which a test waits. */
const places = [
  ["BEFORE UPDATE", "vehicles_state"],
  ["BEFORE UPDATE", "vehicles"],
  ["BEFORE INSERT", "vehicles"],
  ["AFTER UPDATE", "vehicles_seen"],
  ["BEFORE DELETE", "vehicles"],
  ["AFTER DELETE", "vehicles_seen"],
] as const;

describe("a PostgreSQL", () => {
  let db: PostgresDatabase;
  beforeAll(async () => {
    db = await openPostgres();
  });
  beforeEach(() => db.reset());
  afterAll(() => db.close());
  const ids = async (table = "vehicles") =>
    (await db.rows(`SELECT id FROM ${table} ORDER BY id`)).map(({ id }) => id);

  it("may have the table in a schema", async () => {
    await db.run('CREATE SCHEMA "fleet of today"');
    const { fleet } = fleetOf(3);
    await mirror(fleet.vehicles, db.sink("fleet of today.vehicles"));
    await mirror(fleet.vehicles, db.sink("vehicles"));
    expect([await ids('"fleet of today".vehicles'), (await ids()).length]).toEqual([await ids(), 3]);
    const missing = rejection(mirror(fleet.vehicles, db.sink("nowhere.vehicles")));
    expect((await missing).message).toContain('schema "nowhere" does not exist');
  });

  it("is used as the connection's search path says", async () => {
    await db.run("CREATE SCHEMA mine");
    const pool = db.pool({ options: "-c search_path=mine" });
    await mirror(fleetOf(3).fleet.vehicles, postgresSink(pool, "vehicles"));
    expect(await ids("mine.vehicles")).toHaveLength(3);
    expect((await pool.query<{ search_path: string }>("SHOW search_path")).rows).toEqual([
      { search_path: "mine" },
    ]);
  });

  it("is used over a pool with one connection, by many calls at once", async () => {
    const pool = db.pool({ max: 1 });
    const sinks = Array.from({ length: 5 }, () => postgresSink(pool, "vehicles"));
    const saved = await Promise.all(sinks.map(async (sink, n) => sink.saveRecord("a", undefined, String(n))));
    expect(saved.filter((isSaved) => isSaved)).toHaveLength(1);
    const { fleet } = fleetOf(6);
    const runs = ["a", "b", "c"].map((table) =>
      mirror(fleet.vehicles, postgresSink(pool, table), { query: { limit: 2 }, details: true }),
    );
    expect((await Promise.all(runs)).map(({ added }) => added)).toEqual([6, 6, 6]);
    expect([pool.totalCount, pool.idleCount, pool.waitingCount]).toEqual([1, 1, 0]);
  });

  it("may get its tables from programs that start together", async () => {
    const { fleet } = fleetOf(3);
    const sinks = Array.from({ length: 8 }, () => postgresSink(db.pool({ max: 1 }), "vehicles"));
    expect(await Promise.all(sinks.map(async (sink) => sink.load()))).toEqual(sinks.map(() => undefined));
    const ends = await Promise.allSettled(sinks.map((sink) => mirror(fleet.vehicles, sink)));
    const failures = ends.flatMap((end) => (end.status === "rejected" ? [end.reason as Error] : []));
    expect(failures.every(({ name }) => name === "MirrorError")).toBe(true);
    expect(await ids()).toHaveLength(3);
  });

  it("may refuse to create tables if they exist", async () => {
    await mirror(fleetOf(3).fleet.vehicles, db.sink("vehicles"));
    await db.run("DROP ROLE IF EXISTS reader");
    await db.run("CREATE ROLE reader LOGIN");
    for (const table of ["", "_seen", "_state"])
      await db.run(`GRANT SELECT, INSERT, UPDATE, DELETE ON vehicles${table} TO reader`);
    await db.run("GRANT USAGE ON SCHEMA public TO reader");
    const sink = postgresSink(db.pool({ connectionString: db.url.replace("sync@", "reader@") }), "vehicles");
    const { fleet } = changedFleet(3);
    expect(await mirror(fleet.vehicles, sink)).toMatchObject({ changed: 1, deleted: 1 });
    await expect(
      (async () =>
        postgresSink(db.pool({ connectionString: db.url.replace("sync@", "reader@") }), "others").load())(),
    ).rejects.toThrow("permission denied");
    await db.run("DROP OWNED BY reader; DROP ROLE reader");
  });

  it("may read types in another way, and isolate transactions more", async () => {
    const types = {
      getTypeParser: () => (value: string | Buffer) => (typeof value === "string" ? `<${value}>` : value),
    };
    const text = { getTypeParser: ((oid: number) => (oid === 25 ? String : types.getTypeParser())) as never };
    const pool = db.pool({ types: text, options: "-c default_transaction_isolation=serializable" });
    const { fleet } = fleetOf(6);
    const sink = postgresSink(pool, "vehicles");
    await mirror(fleet.vehicles, sink, { query: { limit: 2 } });
    expect(await sink.findUnseen(99, "")).toMatchObject([...(await ids())].map((id) => ({ id })));
    const others = Array.from({ length: 6 }, () => postgresSink(pool, "vehicles"));
    for (const before of [undefined, "0"]) {
      const saves = others.map(async (other, n) =>
        other.saveRecord("a", before, before === undefined ? "0" : `${n + 1}`),
      );
      expect((await Promise.all(saves)).filter((isSaved) => isSaved)).toHaveLength(1);
    }
    const { rows } = await pool.query<{ is: string }>(
      "SELECT current_setting('transaction_isolation') AS is",
    );
    expect(rows).toEqual([{ is: "serializable" }]);
  });

  it("may keep data as jsonb", async () => {
    await db.run(
      "CREATE TABLE vehicles (id text PRIMARY KEY, ref text, hash text NOT NULL, pass integer NOT NULL, data jsonb NOT NULL, detail jsonb)",
    );
    const { fleet } = fleetOf(3);
    await mirror(fleet.vehicles, db.sink("vehicles"), { details: true });
    expect(await db.rows("SELECT id FROM vehicles WHERE data ? 'brand' AND detail ? 'brand'")).toHaveLength(
      3,
    );
  });

  it("may compare IDs in another way: two of them are refused and not made one", async () => {
    await db.run(
      "CREATE COLLATION nocase (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
    );
    await db.run(
      "CREATE TABLE vehicles (id text COLLATE nocase PRIMARY KEY, ref text, hash text, pass integer, data json, detail json)",
    );
    const sink = db.sink("vehicles");
    const entry = (id: string) => ({ id, ref: id, hash: id, item: { id }, detail: undefined, isNew: true });
    const changes = { seen: [], deleted: [], pass: 1 };
    await sink.save({ ...changes, entries: [entry("s-1")], state: "1", before: undefined });
    expect(await sink.find(["S-1", "s-1"])).toMatchObject(new Map([["s-1", { hash: "s-1" }]]));
    const save = async () => sink.save({ ...changes, entries: [entry("S-1")], state: "2", before: "1" });
    expect((await rejection(save())).message).toContain("duplicate key");
    expect(await sink.findUnseen(2, "")).toEqual([{ id: "s-1", ref: "s-1", pass: 1 }]);
  });

  it("cuts no name of a table", async () => {
    const { fleet } = fleetOf(1);
    await mirror(fleet.vehicles, db.sink("v".repeat(57)));
    for (const name of ["v".repeat(58), "ä".repeat(29)])
      expect(() => db.sink(name)).toThrow("has a name of more than 63 bytes");
  });

  describe.each(places)("a mirror that is within a transaction, %s %s,", (event, table) => {
    let gate: Client;
    beforeEach(async () => {
      await mirror(fleetOf(6).fleet.vehicles, db.sink("vehicles"), { query: { limit: 2 } });
      await db.onChange(event, table, "PERFORM pg_advisory_xact_lock(7)");
      gate = new Client(db.url);
      await gate.connect();
      await gate.query("SELECT pg_advisory_lock(7)");
    });
    /** Waits until a statement waits at the gate. Returns the process that runs it. */
    const waitForGate = async (): Promise<unknown> => {
      for (;;) {
        const [waiting] = await db.rows(
          "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = 7 AND NOT granted",
        );
        if (waiting !== undefined) return waiting["pid"];
        await sleep(5);
      }
    };
    const content = async () => [
      await db.rows("SELECT id, data FROM vehicles ORDER BY id"),
      await db.rows("SELECT * FROM vehicles_state"),
      await db.rows("SELECT * FROM vehicles_seen ORDER BY id"),
    ];
    /** Opens the gate, and expects that the next run has everything. */
    const expectContinued = async () => {
      await gate.end();
      const { fleet } = changedFleet(6);
      await mirror(fleet.vehicles, db.sink("vehicles"), { query: { limit: 2 } });
      const rows = await db.rows("SELECT data FROM vehicles ORDER BY id");
      expect(rows.map(({ data }) => data)).toEqual(await fleet.vehicles.list().toArray());
    };

    it("leaves nothing half done if its process is killed", async () => {
      const program = fileURLToPath(new URL("mirror-program.ts", import.meta.url));
      const child = fork(program, [db.url], { stdio: "inherit" });
      const exit = once(child, "exit");
      await Promise.race([waitForGate(), exit.then(() => Promise.reject(new Error("it ended by itself")))]);
      const before = await content();
      child.kill("SIGKILL");
      await exit;
      expect(await content()).toEqual(before);
      await expectContinued();
    });

    it("leaves nothing half done if its connection is terminated, and rejects", async () => {
      const pool = db.pool({ max: 1 });
      const run = rejection(
        mirror(changedFleet(6).fleet.vehicles, postgresSink(pool, "vehicles"), { query: { limit: 2 } }),
      );
      const pid = await waitForGate();
      const before = await content();
      await db.run(`SELECT pg_terminate_backend(${Number(pid)})`);
      expect((await run).message).toMatch(/terminat/);
      expect(await content()).toEqual(before);
      expect(await postgresSink(pool, "vehicles").findUnseen(1, "")).toEqual([]);
      await expectContinued();
    });
  });
});
