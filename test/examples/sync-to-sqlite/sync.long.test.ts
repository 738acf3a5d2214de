import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/index.ts";
import type { ReadingsOption } from "../../../src/mock/index.ts";
import { folder, run, patient } from "./program.ts";
import { rowsIn, rowsOf } from "./rows.ts";
import { everything, serveReference, token } from "./service.ts";

describe.concurrent("sync-to-sqlite", patient, () => {
  it("copies every store and every protocol, and prints a summary", async () => {
    const { ref, baseUrl } = await serveReference();
    const db = join(folder(), "stores.sqlite");
    const ended = await run([...everything, "--base-url", baseUrl, "--db", db], { token });
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(rowsIn(db)).toEqual(rowsOf(ref));
    expect(ref.journal.violations()).toEqual([]);
    expect(ended.stdout).toMatch(/^copying http[^]*\n {15}this run {2}in the file\nstores +60 +60\n/);
    expect(ended.stdout).toMatch(
      /\nprotocols +1,200 +1,200\nfleet +0 +0\ndeleted +0\nrequests +121\nretries +0\nseconds +[\d.]+\nrows\/s +[\d,]+\nsent with undici\n$/,
    );
  });

  it("writes plain lines without a terminal", async () => {
    const { baseUrl } = await serveReference();
    const ended = await run([...everything, "--base-url", baseUrl, "--db", join(folder(), "a")], { token });
    expect(ended.stdout).not.toMatch(/[^\n\P{Cc}]|█/u);
  });

  it.each<ReadingsOption>([
    { "protocols.next-page": "ignored" },
    { "protocols.next-page": "ignored-new-cursor" },
    { "protocols.next-page": "rejected", "protocols.order": "newest-first" },
  ])("copies everything under %o", async (readings) => {
    const { ref, baseUrl } = await serveReference({ readings, store: { stores: 5 } });
    const db = join(folder(), "stores.sqlite");
    const args = [...everything, "--base-url", baseUrl, "--db", db, "--page-size", "7"];
    expect(await run(args, { token })).toMatchObject({ code: 0, stderr: "" });
    expect(rowsIn(db)).toEqual(rowsOf(ref));
  });

  it.each([
    ["id", ({ protocolId, ...rest }: JsonObject) => ({ id: protocolId, ...rest })],
    ["anonymous", ({ protocolId: _, ...rest }: JsonObject) => rest],
  ] as const)("distinguishes protocols by an ID of the form: %s", async (reading, toResponse) => {
    const readings = { "protocols.id-property": reading };
    const { ref, baseUrl } = await serveReference({ readings, store: { stores: 5 } });
    const db = join(folder(), "stores.sqlite");
    const args = [...everything, "--base-url", baseUrl, "--db", db];
    await run(args, { token });
    expect(await run(args, { token })).toMatchObject({ code: 0, stderr: "" });
    expect(rowsIn(db)).toEqual(rowsOf(ref, toResponse));
  });

  it("reports the stores that have no external ID to request protocols by", async () => {
    const readings = { "stores.null-external-id": "listed" } as const;
    const { ref, baseUrl } = await serveReference({ readings, store: { stores: 5, storesWithoutId: 1 } });
    const db = join(folder(), "stores.sqlite");
    const ended = await run([...everything, "--base-url", baseUrl, "--db", db], { token });
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended.stdout).toContain("\nstores without external ID, whose protocols cannot be requested: 1\n");
    expect(rowsIn(db)).toEqual(rowsOf(ref));
  });

  it("copies only the protocols since a time", async () => {
    const { ref, baseUrl } = await serveReference({ store: { stores: 3 } });
    const db = join(folder(), "stores.sqlite");
    await run(["--since", "2025-12-20T00:00:00+02:00", "--base-url", baseUrl, "--db", db], { token });
    const inside = rowsOf(ref).protocols.filter(
      ([, { createdAt }]) => String(createdAt) >= "2025-12-19T22:00:00.000Z",
    );
    expect(inside).not.toEqual([]);
    expect(rowsIn(db).protocols).toEqual(inside);
  });

  it("reads what is new when it is started again: changed stores, deleted ones, new protocols", async () => {
    const { ref, baseUrl } = await serveReference({ store: { stores: 5 } });
    const db = join(folder(), "stores.sqlite");
    const args = [...everything, "--base-url", baseUrl, "--db", db];
    await run(args, { token });
    const { stores, protocols } = ref.state.store;
    for (const store of stores.values()) store.name = "renamed";
    stores.delete("S-2");
    const [first] = protocols.get("S-1") ?? [];
    if (first === undefined) throw new Error("S-1 has no protocol");
    const isNew = { ...first, protocolId: "P-new", createdAt: new Date(Date.now() - 60_000).toISOString() };
    protocols.get("S-1")?.push(isNew);
    const again = await run(args, { token });
    expect(again).toMatchObject({ code: 0, stderr: "" });
    expect(again.stdout).toMatch(/^reading what is new .* 5 stores, 100 protocols\n/);
    expect(again.stdout).toMatch(/\nstores +4 +4\nprotocols +1 +101\nfleet +0 +0\ndeleted +1\n/);
    expect(rowsIn(db).stores).toEqual(rowsOf(ref).stores);
    expect(rowsIn(db).protocols).toContainEqual(["S-1", isNew]);
  });

  it("copies the fleet", async () => {
    const { ref, baseUrl } = await serveReference({ store: { stores: 1 } });
    const db = join(folder(), "stores.sqlite");
    const fleetUrl = `${new URL(baseUrl).origin}${new URL(ref.fleetUrl).pathname}`;
    const key = ref.keys[0]?.key ?? "";
    const before = `export SHELFLEET_KEY=${key}`;
    const args = [...everything, "--base-url", baseUrl, "--fleet-url", fleetUrl, "--db", db];
    expect(await run(args, { token, before })).toMatchObject({ code: 0, stderr: "" });
    const file = new DatabaseSync(db, { readOnly: true });
    const rows = file.prepare("SELECT list, count(*) AS count FROM fleet GROUP BY list").all();
    file.close();
    const counts = new Map(rows.map(({ list, count }) => [list, count]));
    expect(counts.get("vehicles")).toBe(ref.state.fleet.vehicles.size);
    expect(counts.size).toBe(6);
  });

  it("continues if a store is deleted before its protocols are read", async () => {
    const { ref, baseUrl } = await serveReference({ store: { stores: 3 } });
    ref.on("listProtocols").once({ status: 404 });
    const db = join(folder(), "stores.sqlite");
    const ended = await run([...everything, "--base-url", baseUrl, "--db", db], { token });
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended.stdout).toContain("\nstores that were deleted before their protocols were read: 1\n");
    expect(rowsIn(db)).toMatchObject({ stores: { length: 3 }, protocols: { length: 40 } });
  });

  it("copies the other stores if the protocols of one cannot be read by pages", async () => {
    const { ref, baseUrl } = await serveReference({
      readings: { "protocols.next-page": "rejected" },
      store: { stores: 12 },
    });
    const manyProtocols = ref.state.store.protocols.get("S-3") ?? [];
    for (const protocol of manyProtocols) protocol.createdAt = "2025-12-24T00:00:00.000Z";
    const db = join(folder(), "stores.sqlite");
    const args = [...everything, "--base-url", baseUrl, "--db", db, "--page-size", "15"];
    const ended = await run(args, { token });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(/^sync-to-sqlite: .* of 1 of the stores could not be read; S-3: .*\n$/);
    const missing = rowsOf(ref).protocols.length - rowsIn(db).protocols.length;
    expect(missing).toBe(5);
    manyProtocols.splice(15);
    // the unfinished walk would miss the deleted protocols, so another copy is made
    const again = [
      ...everything,
      "--base-url",
      baseUrl,
      "--db",
      join(folder(), "again.sqlite"),
      "--page-size",
      "15",
    ];
    expect(await run(again, { token })).toMatchObject({ code: 0, stderr: "" });
  });

  it("counts the requests that were retried", async () => {
    const { ref, baseUrl } = await serveReference({ store: { stores: 3 } });
    ref.on("listStores").once({ status: 500 });
    const db = join(folder(), "stores.sqlite");
    const ended = await run([...everything, "--base-url", baseUrl, "--db", db], { token });
    expect(ended.stdout).toMatch(/\nrequests +8\nretries +1\n/);
  });

  it("lets other programs read the rows while it runs", async () => {
    const { baseUrl } = await serveReference({ store: { stores: 3 } });
    const db = join(folder(), "stores.sqlite");
    await run([...everything, "--base-url", baseUrl, "--db", db], { token });
    const reader = new DatabaseSync(db, { readOnly: true });
    const names = reader.prepare("SELECT name FROM stores").iterate();
    names.next();
    const again = await run([...everything, "--base-url", baseUrl, "--db", db], { token });
    reader.close();
    expect(again).toMatchObject({ code: 0, stderr: "" });
  });

  it("prints its options with --help", async () => {
    const { code, stdout } = await run(["--help"]);
    expect(code).toBe(0);
    expect(stdout).toContain("--base-url <url>");
  });
});
