import assert from "node:assert/strict";
import { test } from "node:test";
import { deadLetters } from "../database/dead-letters.ts";
import { fleetResources } from "../database/tasks.ts";
import { demo } from "../settings.ts";
import { begin, endOf, startCluster, type TestCluster } from "./cluster.ts";
import { fleetPath, refusal } from "./recording-proxy.ts";

/** A cluster that copies both APIs. */
async function startBoth(): Promise<TestCluster> {
  const cluster = await startCluster(
    { stores: 3, protocolsPerStore: 1 },
    { SYNC_ATTEMPTS: "2", SYNC_BACKOFF_MS: "10" },
  );
  const baseUrl = cluster.settings.service.baseUrl + fleetPath;
  cluster.settings.fleet = { baseUrl, key: demo.key, allowInsecure: true };
  return cluster;
}

async function assertSameFleet({ db, ref }: TestCluster): Promise<void> {
  const rows = await db.selectFrom("fleet").selectAll().where("deleted_at", "is", null).execute();
  for (const resource of fleetResources) {
    const saved = rows.filter((row) => row.resource === resource).map(({ id }) => id);
    assert.deepEqual(saved.toSorted(), [...ref.state.fleet[resource].keys()].toSorted(), resource);
  }
}

test("a run copies the lists of the fleet API, and later runs their changes", async () => {
  await using cluster = await startBoth();
  await begin(cluster);
  cluster.workers(2);
  assert.equal((await endOf(cluster)).state, "finished");
  assert.deepEqual(await deadLetters(cluster.db), []);
  await assertSameFleet(cluster);
  const [id = ""] = cluster.ref.state.fleet.vehicles.keys();
  cluster.ref.state.fleet.vehicles.delete(id);
  for (let run = 0; run < 2; run += 1) {
    await begin(cluster); // a row is deleted after two passes without it
    await endOf(cluster);
  }
  await assertSameFleet(cluster);
});

test("a list of the fleet API that fails becomes a dead letter, and the next run copies it", async () => {
  await using cluster = await startBoth();
  cluster.proxy.rule = (url) => (url.pathname.endsWith("/damages") ? refusal(403, "FORBIDDEN") : undefined);
  await begin(cluster);
  cluster.workers(1);
  assert.equal((await endOf(cluster)).state, "finished");
  assert.deepEqual(
    (await deadLetters(cluster.db)).map(({ externalId, kind }) => `${externalId} ${kind}`),
    ["damages fleet"],
  );
  cluster.proxy.rule = () => undefined;
  await begin(cluster);
  await endOf(cluster);
  assert.deepEqual(await deadLetters(cluster.db), []);
  await assertSameFleet(cluster);
});
