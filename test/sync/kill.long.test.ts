import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { FleetClient, StoreClient } from "../../src/index.ts";

interface Urls {
  storeUrl: string;
  fleetUrl: string;
  token: string;
  key: string;
}

const program = fileURLToPath(new URL("kill-program.ts", import.meta.url));

/** Runs the program, and kills it after a time. Returns its exit code; null if it was killed. */
async function run(
  file: string,
  { storeUrl, fleetUrl, token, key }: Urls,
  end: { after?: number; isLossy: boolean },
) {
  const values = [file, storeUrl, fleetUrl, token, key, end.isLossy ? "lossy" : "safe"];
  const child = spawn(process.execPath, [program, ...values], { stdio: ["ignore", "ignore", "pipe"] });
  let text = "";
  child.stderr.on("data", (part) => (text += String(part)));
  const timer = end.after === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), end.after);
  const [code] = (await once(child, "close")) as [number | null];
  clearTimeout(timer);
  return { code, text };
}

it("a job that is killed at 50 random moments, with lost responses, has every row right", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sync-"));
  let killed = 0;
  let rounds = 0;
  while (killed < 50) {
    rounds += 1;
    const worker = new Worker(new URL("kill-service.ts", import.meta.url));
    const [urls] = (await once(worker, "message")) as [Urls];
    const file = join(folder, `${rounds}.sqlite`);
    // a run takes about a second; starting it takes 0.3 s
    for (let n = 0; n < 10 && killed < 50; n += 1) {
      const { code } = await run(file, urls, { after: 250 + Math.random() * 900, isLossy: true });
      if (code === null) killed += 1;
    }
    // what was lost in the last run is found by the next one
    const last = await run(file, urls, { isLossy: false });
    expect(last).toEqual({ code: 0, text: expect.any(String) as string });
    await expectRight(file, urls);
    await worker.terminate();
  }
  rmSync(folder, { recursive: true });
});

async function expectRight(file: string, { storeUrl, fleetUrl, token, key }: Urls): Promise<void> {
  const store = new StoreClient({ baseUrl: storeUrl, token });
  const fleet = new FleetClient({ baseUrl: fleetUrl, key });
  const db = new DatabaseSync(file);
  const idsOf = (table: string) => db.prepare(`SELECT id, data FROM ${table} ORDER BY id`).all();
  for (let n = 0; n < 20; n += 1) {
    const id = n < 10 ? `S-${n + 1}` : `NEW-${n}`;
    const contacts = (await store.contacts.get(id)).items.map(({ name }) => name);
    const racks = (await store.expositions.get(id)).items.filter(({ label }) => label.startsWith("Rack"));
    expect([(await store.stores.get(id)).name, contacts, racks.map(({ label }) => label)]).toEqual([
      `Kiosk ${n}`,
      [`Anna ${n}`],
      [`Rack ${n}`],
    ]);
  }
  const protocols: string[] = [];
  for (let n = 1; n <= 10; n += 1)
    for await (const protocol of store.protocols.list(`S-${n}`, {
      from: new Date(Date.now() - 60 * 86_400_000),
      to: new Date(),
    }))
      protocols.push(`S-${n}/${String(protocol["protocolId"] ?? protocol["id"])}`);
  const saved = idsOf("protocols");
  expect(saved.map((row) => row["id"])).toEqual(protocols.toSorted());
  expect(
    saved.every((row) => Array.isArray((JSON.parse(row["data"] as string) as { images: unknown }).images)),
  ).toBe(true);
  const vehicles = await fleet.vehicles.list({ limit: 100 }).toArray();
  expect(idsOf("vehicles").map((row) => row["id"])).toEqual(
    vehicles.map((vehicle) => vehicle["id"] as string).toSorted(),
  );
  db.close();
}
