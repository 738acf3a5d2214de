import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { ReferenceServer } from "../../../src/mock/index.ts";
import { folder, run, start, patient } from "./program.ts";
import { rowsIn, rowsOf } from "./rows.ts";
import { everything, serveReference, token } from "./service.ts";

const concurrency = 4;
const stores = 60;
/** The numbers of pages of 7 items: of the stores, and of the two time ranges of one store. */
const pages = { list: Math.ceil(stores / 7), store: Math.ceil(20 / 7) + 1 };

/** A slow server, so that a run can be killed in the middle. */
async function slowReference(options: Parameters<typeof serveReference>[0] = {}) {
  const service = await serveReference({ ...options, store: { stores } });
  service.ref.on("listStores").delay(12);
  service.ref.on("listProtocols").delay(12);
  return service;
}

function argumentsFor(baseUrl: string, db: string): string[] {
  const pace = ["--page-size", "7", "--concurrency", String(concurrency)];
  return [...everything, ...pace, "--base-url", baseUrl, "--db", db];
}

/**
 * Starts the program repeatedly and kills it each time: alternately at a random moment after its start, when the file
 * may not exist yet, and after it has begun to work. Returns the number of saved protocols after each kill.
 */
async function killAtRandom(args: string[], db: string, times: number): Promise<number[]> {
  const saved: number[] = [];
  for (let kill = 0; kill < times; kill++) {
    const running = start(args, { token });
    if (kill % 2 === 0) await running.waitForText("\n");
    await sleep(Math.random() * 100);
    running.process.kill("SIGKILL");
    await running.ended;
    saved.push(protocolsIn(db));
  }
  return saved;
}

/** Checks that a run repeats only the requests that were in progress when the previous run was killed. */
function expectNoRepeatedRequests({ journal }: ReferenceServer, kills: number): void {
  expect(journal.of("listStores").length).toBeLessThanOrEqual(pages.list + kills * 2);
  expect(journal.of("listProtocols").length).toBeLessThanOrEqual(stores * pages.store + kills * concurrency);
}

describe.concurrent("sync-to-sqlite, when it is killed,", patient, () => {
  it("has the server's rows in the end, whenever and however often it is killed", async () => {
    const { ref, baseUrl } = await slowReference();
    const db = join(folder(), "stores.sqlite");
    const kills = 10;
    const saved = await killAtRandom(argumentsFor(baseUrl, db), db, kills);
    const last = await run(argumentsFor(baseUrl, db), { token });
    expect(last).toMatchObject({ code: 0, stderr: "" });
    expect(rowsIn(db)).toEqual(rowsOf(ref));
    expect(saved).toEqual(saved.toSorted((one, other) => one - other));
    expectNoRepeatedRequests(ref, kills);
  });

  it("has the server's rows in the end if it reads protocols by time windows", async () => {
    const { ref, baseUrl } = await slowReference({ readings: { "protocols.next-page": "rejected" } });
    const db = join(folder(), "stores.sqlite");
    await killAtRandom(argumentsFor(baseUrl, db), db, 4);
    expect(await run(argumentsFor(baseUrl, db), { token })).toMatchObject({ code: 0, stderr: "" });
    expect(rowsIn(db)).toEqual(rowsOf(ref));
  });

  it("prints where it continues", async () => {
    const { baseUrl } = await slowReference();
    const db = join(folder(), "stores.sqlite");
    const running = start(argumentsFor(baseUrl, db), { token });
    while (protocolsIn(db) < 500) await sleep(5);
    running.process.kill("SIGKILL");
    await running.ended;
    const saved = rowsIn(db).protocols.length;
    const { stdout } = await run(argumentsFor(baseUrl, db), { token });
    expect(stdout).toMatch(
      new RegExp(`^resuming in .*: \\d+ of 60 stores done, it holds 60 stores, ${saved} protocols\n`),
    );
    expect(stdout).toMatch(new RegExp(`\nstores +0 +60\nprotocols +${1200 - saved} +1,200\n`));
  });

  it("continues with the start of the first run", async () => {
    const { ref, baseUrl } = await slowReference();
    const db = join(folder(), "stores.sqlite");
    const others = argumentsFor(baseUrl, db).slice(2);
    await killAtRandom(argumentsFor(baseUrl, db), db, 1);
    expect(await run(others, { token })).toMatchObject({ code: 0, stderr: "" });
    expect(rowsIn(db)).toEqual(rowsOf(ref));
  });
});

describe.concurrent("sync-to-sqlite, when it is interrupted,", patient, () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("stops after the current page on %s and prints how to continue", async (signal, code) => {
    const { ref, baseUrl } = await slowReference();
    const db = join(folder(), "stores.sqlite");
    const running = start(argumentsFor(baseUrl, db), { token });
    while (protocolsIn(db) < 100) await sleep(5);
    running.process.kill(signal);
    expect(await running.ended).toMatchObject({
      code,
      stderr:
        "sync-to-sqlite: interrupted. The saved data is kept: start again with the same arguments to resume\n",
    });
    expect(await run(argumentsFor(baseUrl, db), { token })).toMatchObject({ code: 0, stderr: "" });
    expect(rowsIn(db)).toEqual(rowsOf(ref));
  });

  it("stops when a second run takes over, which completes", async () => {
    const { ref, baseUrl } = await slowReference();
    ref.on("listProtocols").delay(25);
    const db = join(folder(), "stores.sqlite");
    const first = start(argumentsFor(baseUrl, db), { token });
    await first.waitForText("\n");
    while (protocolsIn(db) < 100) await sleep(5);
    const second = await run(argumentsFor(baseUrl, db), { token });
    expect(second).toMatchObject({ code: 0, stderr: "" });
    const { code, stderr } = await first.ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^sync-to-sqlite: another process continues the sync in .*: this one ends\n$/);
    expect(rowsIn(db)).toEqual(rowsOf(ref));
  });
});

function protocolsIn(db: string): number {
  try {
    return rowsIn(db).protocols.length;
  } catch {
    return 0; // the table does not exist yet
  }
}
