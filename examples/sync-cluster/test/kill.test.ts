import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Crew } from "../crew.ts";
import { latestRun } from "../database/runs.ts";
import { startRun } from "../start.ts";
import { assertSameAsServer } from "./comparison.ts";
import { endOf, makeWorld } from "./world.ts";

const stores = Number(process.env["STORES"] ?? 200);
const leastKills = 10;

test("workers that are killed at random lose no row and save none twice", async (context) => {
  await using world = await makeWorld({ stores, protocolsPerStore: 30 }, { SYNC_PAGE_SIZE: "20" });
  world.front.delay = 15;
  await startRun(world.settings);
  const crew = new Crew(3, world.env);
  let kills = 0;
  try {
    for (const late = Date.now() + stores * 400; Date.now() < late; ) {
      await pause(300 + Math.random() * 700);
      if ((await latestRun(world.db))?.state !== "running") break;
      const { hands } = crew;
      const victim = hands[Math.floor(Math.random() * hands.length)];
      // later on they are let live, so that the run ends
      if (kills < stores / 10 && victim?.kill("SIGKILL")) kills += 1;
    }
    const run = await endOf(world);
    assert.equal(run.state, "finished");
  } finally {
    await crew.dismiss();
  }
  const rows = await assertSameAsServer(world);
  const asked = world.front.arrivals.length;
  context.diagnostic(`${kills} workers killed, ${rows} rows compared, ${asked} requests`);
  assert.ok(kills >= leastKills, `only ${kills} workers were killed before the end`);
});
