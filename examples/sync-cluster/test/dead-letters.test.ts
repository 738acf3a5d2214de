import assert from "node:assert/strict";
import { test } from "node:test";
import { deadLetters, latestRun, reviveDeadLetters } from "../database/runs.ts";
import { startRun } from "../start.ts";
import { assertSameAsServer } from "./comparison.ts";
import { refusal } from "./front.ts";
import { endOf, makeWorld } from "./world.ts";

const size = { stores: 30, protocolsPerStore: 3 };

test("a store that always fails ends as dead letters, holds no other up, and can be taken up again", async () => {
  await using world = await makeWorld(size, { SYNC_ATTEMPTS: "3", SYNC_BACKOFF_MS: "1500" });
  world.front.rule = (url) => (url.pathname.includes("/S-7/") ? refusal(500, "broken") : undefined);
  await startRun(world.settings);
  world.workers(2);
  assert.equal((await endOf(world)).state, "finished");
  const run = await latestRun(world.db);
  const letters = await deadLetters(world.db, run?.id ?? 0);
  assert.deepEqual(
    letters.map(({ externalId, kind }) => [externalId, kind]),
    [
      ["S-7", "fill-rates"],
      ["S-7", "photos"],
      ["S-7", "protocols"],
    ],
  );
  for (const { error } of letters)
    assert.match(error ?? "", /^GET \/v1\/stores\/.*: 500 broken: told by the test/);
  await assertSameAsServer(world, ["S-7"]);
  const asked = world.front.arrivals.filter(({ url }) => url.pathname.endsWith("/S-7/photos"));
  assert.equal(asked.length, 3, "as often as settings.attempts says");
  const others = world.front.arrivals.filter(({ url }) => !url.pathname.includes("/S-7/"));
  assert.ok(
    (others.at(-1)?.at ?? Infinity) < (asked.at(-1)?.at ?? 0),
    "the others were done before it was given up",
  );

  world.front.rule = () => undefined;
  assert.equal(await reviveDeadLetters(world.db), 3);
  await startRun(world.settings);
  assert.equal((await endOf(world)).state, "finished");
  await assertSameAsServer(world);
});

test("a request that breaks the contract is tried once", async () => {
  await using world = await makeWorld(size, {
    SYNC_FROM: "2026-01-01T00:00:00Z",
    SYNC_TO: "2025-01-01T00:00:00Z",
  });
  await startRun(world.settings);
  world.workers(1);
  const run = await endOf(world);
  const letters = await deadLetters(world.db, run.id);
  assert.equal(letters.length, 90);
  assert.match(letters[0]?.error ?? "", /not sent: from: /);
});

test("a store that is gone is no failure", async () => {
  await using world = await makeWorld(size);
  world.front.rule = (url) => (url.pathname.includes("/S-7/") ? refusal(404, "not_found") : undefined);
  await startRun(world.settings);
  world.workers(1);
  const run = await endOf(world);
  assert.deepEqual(await deadLetters(world.db, run.id), []);
  await assertSameAsServer(world, ["S-7"]);
});
