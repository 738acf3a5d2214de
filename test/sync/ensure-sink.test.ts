import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { FleetClient } from "../../src/index.ts";
import { createReferenceServer } from "../../src/mock/index.ts";
import { serve as serveHttp } from "../../src/mock/node.ts";
import { ensure, type RecordSink } from "../../src/sync/index.ts";
import { damage, damages, minutes } from "./damages.ts";
import { type Answer, pageOf, rejection, serve, settle } from "./service.ts";

// loads what the first POST of a process needs
beforeAll(() => damages().runAll("D-0"));

describe("a list that does not show what was created", () => {
  it("is a failure of the first run, and the second one creates nothing", async () => {
    const { fleet, sink, runtime, outcome, posts } = damages({ lag: 60 * minutes });
    const options = { key: "description", sink, runtime, wait: 1000 } as const;
    const error = await rejection(ensure(fleet.damages, [damage], options));
    expect(error).toMatchObject({
      name: "JobError",
      retryable: true,
      results: [{ id: "d1", isListed: false }],
    });
    expect([await outcome(), await outcome()]).toEqual(["unchanged", "unchanged"]);
    expect(posts()).toBe(1);
  });

  it("nor can be read is a failure of each run, and nothing is created", async () => {
    const { outcome, posts, clock } = damages({ lag: 60 * minutes, hasGet: false });
    const outcomes = [await outcome(), await outcome()];
    clock.now += 30 * minutes;
    outcomes.push(await outcome());
    clock.now += 60 * minutes;
    outcomes.push(await outcome());
    expect([outcomes, posts()]).toEqual([["failed", "failed", "failed", "unchanged"], 1]);
  });
});

describe("a run that is killed", () => {
  /** A sink that ends the program instead of the save of a record of this kind. */
  const killing = (sink: RecordSink, kind: "intended" | "created"): RecordSink => ({
    findRecords: (keys) => sink.findRecords(keys),
    saveRecord(key, before, text) {
      if (text.includes(kind)) throw new Error("killed");
      return sink.saveRecord(key, before, text);
    },
  });

  it("before its intention is saved creates nothing, and the next run does", async () => {
    const { sink, run, outcome, posts } = damages();
    await run({ sink: killing(sink, "intended") });
    expect([posts(), await outcome(), posts()]).toEqual([0, "done", 1]);
  });

  it("between the POST and the save of the ID creates nothing twice, also if the list does not show it yet", async () => {
    const { sink, run, outcome, posts, clock } = damages({ lag: 5 * minutes });
    await run({ sink: killing(sink, "created") });
    const outcomes = [await outcome(), await outcome()];
    clock.now += 10 * minutes;
    outcomes.push(await outcome());
    expect([outcomes, posts()]).toEqual([["failed", "failed", "unchanged"], 1]);
  });

  it("between the intention and the POST is continued after 10 minutes if nothing shows how long the list takes", async () => {
    const { sink, fleet, outcome, posts, clock, runtime } = damages();
    const stop = new AbortController();
    const stopping: RecordSink = {
      ...sink,
      async saveRecord(...values) {
        const isSaved = await sink.saveRecord(...values);
        stop.abort(new Error("killed"));
        return isSaved;
      },
    };
    const options = { key: "description", sink: stopping, runtime, signal: stop.signal } as const;
    await rejection(ensure(fleet.damages, [damage], options));
    expect([posts(), await outcome()]).toEqual([0, "failed"]);
    clock.now += 11 * minutes;
    expect([await outcome(), posts()]).toEqual(["done", 1]);
  });
});

describe("a POST that another run has begun, and whose entity the list does not show", () => {
  const lost = async (): Promise<Answer> => new Error("killed");

  it("is sent again within the run if the list shows what was begun before it, and no run works at it", async () => {
    const { runAll, refusal, posts } = damages();
    await runAll("D-1");
    refusal.answer = lost;
    expect(await runAll("D-1", "D-2")).toEqual(["unchanged", "failed"]);
    refusal.answer = undefined;
    expect(await runAll("D-1", "D-2")).toEqual(["unchanged", "done"]);
    expect(posts()).toBe(3);
  });

  it("is waited for once: what the run then sends adds a second", async () => {
    const { runAll, refusal, posts, clock } = damages();
    await runAll("D-1");
    refusal.answer = lost;
    await runAll("D-1", "D-2");
    const start = clock.now;
    await runAll("D-1", "D-2");
    expect(posts()).toBe(3);
    expect(clock.now - start).toBeLessThanOrEqual(7000);
  });

  it("is not sent again while the list may not show it yet", async () => {
    const { runAll, refusal, posts, clock } = damages({ lag: 3 * minutes });
    await runAll("D-1");
    clock.now += 4 * minutes;
    refusal.answer = lost;
    await runAll("D-1", "D-2");
    refusal.answer = undefined;
    expect([await runAll("D-1", "D-2"), posts()]).toEqual([["unchanged", "failed"], 2]);
  });

  it("is not sent again while the other run waits for its response", async () => {
    const { runAll, refusal, posts, rows } = damages();
    await runAll("D-1");
    let respond: (answer: Answer) => void = () => {};
    refusal.answer = () => new Promise((resolve) => (respond = resolve));
    const slow = runAll("D-1", "D-2");
    while (posts() < 2) await new Promise(setImmediate);
    refusal.answer = undefined;
    expect([await runAll("D-1", "D-2"), posts()]).toEqual([["unchanged", "failed"], 2]);
    rows.push({ id: "d2", at: 0, description: "D-2" });
    respond([201, { data: { id: "d2", description: "D-2" }, meta: {} }]);
    expect(await slow).toEqual(["unchanged", "done"]);
  });

  it("ends if another run has taken it over, because this one stood still", async () => {
    const { fleet, refusal, sink, runtime } = damages();
    const keys: string[] = [];
    const noting: RecordSink = {
      ...sink,
      saveRecord: (key, ...others) => sink.saveRecord(keys[keys.push(key) - 1] ?? "", ...others),
    };
    refusal.answer = async () => {
      const [key = ""] = keys;
      await sink.saveRecord(key, (await sink.findRecords([key])).get(key), "that of another run");
      return new Promise(() => {});
    };
    const options = { key: "description", sink: noting, runtime } as const;
    const error = await rejection(ensure(fleet.damages, [damage], options));
    expect(error).toMatchObject({ mayHaveBeenProcessed: true });
    expect(error.message).toMatch(/another run has begun to create it, because this one stood still/);
  });
});

describe("two runs at once", () => {
  it.each([0, 3 * minutes])("create nothing twice if the list lags by %d ms", async (lag) => {
    const { sent, fetch, rows, sink, runtime } = damages({ lag });
    const runs = Array.from({ length: 4 }, () => {
      const fleet = new FleetClient({
        baseUrl: "https://fleet.example/api/third-party/v1",
        key: `acme_${"0a".repeat(32)}`,
        retry: 0,
        fetch,
      });
      return settle(ensure(fleet.damages, [damage], { key: "description", sink, runtime, wait: 1000 }));
    });
    await Promise.allSettled(runs);
    expect(sent.filter(({ method }) => method === "POST")).toHaveLength(1);
    expect(rows).toHaveLength(1);
  });
});

describe("an entity that was created", () => {
  it("and deleted after the list had shown it is created again", async () => {
    const { rows, outcome, posts } = damages();
    expect([await outcome(), await outcome()]).toEqual(["done", "unchanged"]);
    rows.splice(0);
    expect([await outcome(), posts()]).toEqual(["done", 2]);
  });

  it("is found by its ID if the list loses it", async () => {
    const { rows, outcome, posts, clock } = damages();
    await outcome();
    Object.assign(rows[0] ?? {}, { at: clock.now + 99 * minutes });
    expect([await outcome(), posts()]).toEqual(["unchanged", 1]);
  });

  it("is not remembered if the service has refused the request", async () => {
    const { sink, runtime, outcome } = damages();
    const { fleet } = serve(({ method, query }) => (method === "GET" ? pageOf([], query) : [400, {}]));
    await settle(ensure(fleet.damages, [damage], { key: "description", sink, runtime, wait: 0 }));
    expect(await outcome()).toBe("done");
  });
});

describe("the sink", () => {
  const { fleet, sink, runtime, sent } = damages();
  const run = (options: object) =>
    rejection(ensure(fleet.damages, [damage], { key: "description", runtime, ...options }));

  it("is needed where something may be created", async () => {
    const before = sent.length;
    for (const given of [undefined, null, {}, "some"])
      expect(await run({ sink: given })).toMatchObject({ name: "ConfigurationError" });
    expect(sent).toHaveLength(before);
  });

  it("is not needed for a dry run, and for a key by which nothing is created", async () => {
    expect(await ensure(fleet.damages, [damage], { key: "description", dryRun: true })).toMatchObject([
      { outcome: "planned" },
    ]);
    const unknown = await run({ key: "id" });
    expect(unknown).toMatchObject({ failed: [{ id: "row 0" }] });
  });

  it("whose saveRecord returns no boolean is refused", async () => {
    const { message } = await run({ sink: { ...sink, saveRecord: () => undefined as never } });
    expect(message).toBe("ensure: saveRecord of the sink must return a boolean: it returned undefined");
  });

  it("of another service is refused", async () => {
    const other = damages();
    await other.run();
    const { makeFleet } = damages();
    const fleetElsewhere = makeFleet({ baseUrl: "https://other.example/api/third-party/v1" });
    const options = { key: "description", sink: other.sink, runtime } as const;
    expect((await rejection(ensure(fleetElsewhere.damages, [damage], options))).message).toMatch(
      /another service/,
    );
  });
});

it("a key of `id` creates nothing", async () => {
  const { fleet, posts } = damages();
  const [result] = await settle(ensure(fleet.damages, [{ id: "d9", ...damage }], { key: "id" }));
  expect([result?.outcome, posts()]).toEqual(["failed", 0]);
});

it("a list that loses an entity once creates nothing twice", async () => {
  const rows = Array.from({ length: 30 }, (_, n) => ({ id: `d${n}`, description: `D-${n}` }));
  let lists = 0;
  const { fleet, sent } = serve(({ query }) => {
    const [status, body] = pageOf(rows, query) as [number, { data: object[] }];
    return [status, { ...body, data: (lists += 1) === 1 ? body.data.slice(1) : body.data }];
  });
  const [result] = await settle(
    ensure(fleet.damages, [{ description: "D-0" }], { key: "description", sink: "none", wait: 0 }),
  );
  expect([result?.outcome, sent.filter(({ method }) => method === "POST").length]).toEqual(["unchanged", 0]);
});

it("a program that is killed with SIGKILL while its POST is answered creates nothing twice", async () => {
  const ref = createReferenceServer({ fleet: { damages: 0 } });
  const { fleetUrl, close } = await serveHttp(ref, { port: 0 });
  const file = join(mkdtempSync(join(tmpdir(), "ensure-")), "reported.sqlite");
  const program = fileURLToPath(new URL("ensure-program.ts", import.meta.url));
  const start = () => spawn(process.execPath, [program, file, fleetUrl, ref.key], { stdio: "ignore" });
  const killed = start();
  ref.on("createDamage").change(() => {
    killed.kill("SIGKILL");
    return undefined;
  });
  await once(killed, "close");
  expect(ref.state.fleet.damages.size).toBe(1);
  const again = [start(), start()];
  await Promise.all(again.map((child) => once(child, "close")));
  expect(ref.state.fleet.damages.size).toBe(1);
  expect(again.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  await close();
}, 60_000);
