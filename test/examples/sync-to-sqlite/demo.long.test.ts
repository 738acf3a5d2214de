import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createReferenceServer } from "../../../src/mock/index.ts";
import { folder, run, start, patient } from "./program.ts";
import { rowsIn, rowsOf } from "./rows.ts";

describe("npm run demo", patient, () => {
  it("copies 2,000 stores and 40,000 protocols although it is killed on the way", async () => {
    const db = join(folder(), "demo.sqlite");
    const first = start(["--demo", "--db", db]);
    await first.waitForText("copying the reference server");
    await sleep(100 + Math.random() * 300);
    first.process.kill("SIGKILL");
    await first.ended;
    const ended = await run(["--demo", "--db", db]);
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended.stdout).toMatch(/\nstores .* 2,000\nprotocols .* 40,000\n/);
    expect(ended.stdout).toMatch(/\nrows\/s +[\d,]+\n(.+\n)?sent with undici\n$/);
    const ref = createReferenceServer({ store: { stores: 2_000, protocolsPerStore: 20 } });
    expect(rowsIn(db)).toEqual(rowsOf(ref));
  });
});
