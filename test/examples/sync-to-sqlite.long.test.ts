import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { FleetClient, type JsonObject, StoreClient } from "../../src/index.ts";
import { createReferenceServer, type ReferenceServer } from "../../src/mock/index.ts";
import { serve } from "../../src/mock/node.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const program = join(root, "examples/sync-to-sqlite");
// the types are stripped once, not in each run
const compiled = join(tmpdir(), "shelfleet-compiled");

/** A service, and the arguments of a program that copies it. */
async function start() {
  const ref = createReferenceServer({
    now: "system",
    store: { stores: 40, protocolsPerStore: 5 },
    fleet: { vehicles: 60, inspections: 30, damages: 30 },
  });
  const served = await serve(ref);
  const folder = mkdtempSync(join(tmpdir(), "sync-to-sqlite-"));
  onTestFinished(async () => {
    await served.close();
    rmSync(folder, { recursive: true });
  });
  const db = join(folder, "sync.sqlite");
  const csv = join(folder, "stores.csv");
  writeFileSync(
    csv,
    "externalId;name;contact;phone\nK-1;Kiosk;Anna;+48 1\nS-2;Renamed;;\nS-3;Third;Jan;+48 3\n",
  );
  const env = {
    NODE_COMPILE_CACHE: compiled,
    SHELFLEET_STORE_URL: served.storeUrl,
    SHELFLEET_TOKEN: ref.token,
    SHELFLEET_FLEET_URL: served.fleetUrl,
    SHELFLEET_KEY: ref.key,
  };
  const run = (...others: string[]) => {
    const args = ["--import", join(root, "build/from-source.ts"), join(program, "main.ts"), "--db", db];
    const child = spawn(process.execPath, [...args, "--csv", csv, "--per-second", "5000", ...others], {
      env,
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
      child.once("close", (code) => resolve({ code, output })),
    );
    /** Waits until the program has printed a text. */
    const printed = async (text: string): Promise<void> => {
      while (!output.includes(text)) {
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`it ended without "${text}": ${output}`);
        await sleep(5);
      }
    };
    return { child, ended, printed };
  };
  return { ref, db, csv, run };
}

/** The rows of the tables, by their IDs. */
function rowsIn(file: string): Record<string, Map<string, unknown>> {
  const db = new DatabaseSync(file, { readOnly: true });
  const read = (table: string, column: string): Map<string, unknown> => {
    const rows = db.prepare(`SELECT id, ${column} AS json FROM ${table} ORDER BY id`).all();
    return new Map(rows.map(({ id, json }) => [String(id), JSON.parse(String(json)) as unknown]));
  };
  try {
    return {
      stores: read("stores", "data"),
      protocols: read("protocols", "data"),
      vehicles: read("vehicles", "data"),
      inspections: read("inspections", "detail"),
      damages: read("damages", "detail"),
    };
  } finally {
    db.close();
  }
}

/** The rows that a copy of the service has. */
async function rowsOf(ref: ReferenceServer): Promise<Record<string, Map<string, unknown>>> {
  ref.overrides.clear();
  const store = new StoreClient(ref.storeOptions);
  const fleet = new FleetClient(ref.fleetOptions);
  const sort = (entries: (readonly [string, unknown])[]) =>
    new Map(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const readAll = async (ids: Iterable<string>, get: (id: string) => PromiseLike<unknown>) =>
    sort(await Promise.all(Array.from(ids, async (id) => [id, await get(id)] as const)));
  const { stores, storesWithoutId, protocols } = ref.state.store;
  const ids = [...protocols].flatMap(([externalId, rows]) =>
    rows.map(({ protocolId }) => `${externalId}/${protocolId}`),
  );
  return {
    stores: sort([...stores.values(), ...storesWithoutId.values()].map((row) => [row.storeId, row])),
    protocols: await readAll(ids, (id) => {
      const [externalId = "", protocolId = ""] = id.split("/");
      return store.protocols.get(externalId, protocolId);
    }),
    vehicles: sort([...ref.state.fleet.vehicles] as [string, JsonObject][]),
    inspections: await readAll(ref.state.fleet.inspections.keys(), (id) => fleet.inspections.get(id)),
    damages: await readAll(ref.state.fleet.damages.keys(), (id) => fleet.damages.get(id)),
  };
}

describe("sync-to-sqlite", () => {
  it("copies everything, and reads only what is new in the next round", async () => {
    const { ref, db, run } = await start();
    expect(await run("--once").ended).toMatchObject({ code: 0 });
    expect(rowsIn(db)).toEqual(await rowsOf(ref));
    expect(ref.state.store.stores.get("S-2")?.name).toBe("Renamed");
    expect(ref.state.store.contacts.get("K-1")).toMatchObject([{ name: "Anna", phone: "+48 1" }]);
    ref.state.fleet.vehicles.delete("vehicle-10");
    ref.state.store.protocols
      .get("S-1")
      ?.push({ protocolId: "P-new", status: "completed", createdAt: new Date().toISOString() });
    ref.journal.clear();
    const { code, output } = await run("--once").ended;
    expect(code).toBe(0);
    for (const line of ["0 written, 3 unchanged", ": 1 new or changed", "1 deleted"])
      expect(output).toContain(line);
    expect(rowsIn(db)).toEqual(await rowsOf(ref));
  });

  it("has every row in the end if it is killed at random moments and 5 % of the responses are lost", async () => {
    const { ref, db, run } = await start();
    ref.on("*").fault("reset", { at: "after" }).rate(0.05);
    ref.on("*").delay(4);
    const kills = Number(process.env["KILLS"] ?? 10);
    let killed = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const { child, ended, printed } = run("--once");
      // half of them before the first job is done
      if (kill % 2 === 0) await printed("csv").catch(() => {});
      await sleep(Math.random() * 400);
      child.kill("SIGKILL");
      if ((await ended).code === null) killed += 1;
    }
    expect(killed).toBeGreaterThan(0);
    for (let tries = 0; tries < 20; tries += 1) if ((await run("--once").ended).code === 0) break;
    expect(rowsIn(db)).toEqual(await rowsOf(ref));
    expect([...ref.state.store.stores.values()].filter(({ name }) => name === "Kiosk")).toHaveLength(1);
    expect(ref.state.store.contacts.get("S-3")).toMatchObject([{ name: "Jan", phone: "+48 3" }]);
  });

  it.each(["SIGINT", "SIGTERM"] as const)("ends on %s, in a round and between rounds", async (signal) => {
    const { ref, db, run } = await start();
    ref.on("getProtocol").delay(50);
    const first = run();
    await first.printed("stores ");
    first.child.kill(signal);
    const { code, output } = await first.ended;
    expect(code).toBe(0);
    expect(output).toMatch(/stopped; the next start continues\n$/);
    ref.overrides.clear();
    const second = run();
    await second.printed("damages ");
    second.child.kill(signal);
    expect((await second.ended).code).toBe(0);
    expect(rowsIn(db)).toEqual(await rowsOf(ref));
  });

  it("names the lines and stores that failed, and does the rest", async () => {
    const { ref, db, csv, run } = await start();
    writeFileSync(csv, "externalId;name;contact;phone\nK-1;Kiosk;;\nK-2;Second;Anna;\nK-1;Again;;\n");
    ref.on("listProtocols", { path: { externalId: "S-5" } }).always({ status: 422 });
    ref.on("listVehicles").always({ status: 403 });
    const { code, output } = await run("--once").ended;
    expect(code).toBe(1);
    for (const failure of [
      /csv +failed: line 2: .*several rows/,
      /csv +failed: line 3: .*phone/,
      /protocols +failed: S-5, protocols: .*422/,
      /vehicles +failed: GET \/vehicles: 403/,
    ])
      expect(output).toMatch(failure);
    expect(rowsIn(db)["damages"]).toEqual((await rowsOf(ref))["damages"]);
  });

  it("refuses a file that another program uses", async () => {
    const { run } = await start();
    const first = run();
    await first.printed("csv");
    const second = await run("--once").ended;
    expect(second.code).toBe(1);
    expect(second.output).toContain("database is locked");
  });
});
