import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Cluster, startCluster } from "./cluster.ts";

void describe("the cluster", () => {
  let cluster: Cluster;
  before(async () => {
    cluster = await startCluster();
  });
  afterEach(() => cluster.reset());
  after(() => cluster.close());

  /** Waits until workers have sent this number of requests. */
  async function requests(count: number): Promise<void> {
    while (cluster.ref.journal.all().length < count) await sleep(5);
  }

  /** Slows the service, and loses 5 % of its responses. */
  function disturb(): void {
    cluster.ref.on("*").delay(5);
    cluster.ref.on("*").fault("reset", { at: "after" }).rate(0.05);
  }

  it("copies everything, and then what is new", async () => {
    const { ref } = cluster;
    cluster.work(2);
    await cluster.settle();
    ref.state.fleet.vehicles.delete("vehicle-10");
    ref.state.store.protocols
      .get("S-1")
      ?.push({ protocolId: "P-new", status: "completed", createdAt: new Date().toISOString() });
    await cluster.settle();
  });

  it("loses no row if workers are killed", async () => {
    disturb();
    const workers = cluster.work(3);
    for (let kill = 0; kill < 6; kill += 1) {
      await requests((cluster.ref.journal.all().length || 10) + Math.random() * 60);
      workers[kill % 3]?.kill("SIGKILL");
      workers.splice(kill % 3, 1, ...cluster.work(1));
    }
    await cluster.settle();
  });

  it("begins again with the next round if Redis loses everything", async () => {
    disturb();
    cluster.work(2);
    await requests(100);
    await cluster.redis.kill();
    await sleep(500);
    await cluster.redis.start();
    await cluster.settle();
  });

  it("continues if the database was not reachable", async () => {
    disturb();
    cluster.work(2);
    await requests(100);
    await cluster.postgres.kill();
    await sleep(2_000);
    await cluster.postgres.start();
    await cluster.settle();
  });

  it("names the jobs that fail, and does the others", async () => {
    const { ref } = cluster;
    ref.on("listProtocols", { path: { externalId: "S-5" } }).always({ status: 422 });
    cluster.work(2);
    let failures: unknown[] = [];
    while (failures.length === 0) {
      await sleep(100);
      // on a busy machine, a job that gave no sign of life is also done by another worker
      const query = "SELECT job, error FROM failures WHERE job = 'protocols/S-5'";
      failures = await cluster.query(query).catch(() => []);
    }
    assert.deepEqual(failures, [
      {
        job: "protocols/S-5",
        error:
          "pullStores: 1 failed: S-5, protocols: GET /v1/stores/{externalId}/protocols: 422 (no code): The request failed",
      },
    ]);
    ref.overrides.clear();
    await cluster.settle();
  });

  it("shares one rate limit, and a pause after a 429", async () => {
    const { ref, env } = cluster;
    ref.on("listStores").once({ status: 429, headers: { "retry-after": "2" } });
    Object.assign(env, { SYNC_PER_SECOND: "100" });
    cluster.work(3);
    await requests(150);
    Object.assign(env, { SYNC_PER_SECOND: "2000" });
    const times = ref.journal.all().map(({ at }) => Date.parse(at));
    const gap = Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? time)));
    // requests that were on their way may arrive during the pause
    assert.ok(gap >= 1_500, `the longest pause is ${gap} ms`);
    const last = times.slice(-100);
    const seconds = ((last.at(-1) ?? 0) - (last[0] ?? 0)) / 1000;
    assert.ok(seconds >= 0.9, `100 requests within ${seconds} s`);
  });
});
