import { beforeAll, describe, expect, it } from "vitest";
import { ensure, type RecordSink } from "../../src/sync/index.ts";
import { damages, minutes } from "./damages.ts";
import { type Answer, rejection, settle } from "./service.ts";

const seconds = 1000;
const turn = () => new Promise(setImmediate);
const created = (id: string, description: string): Answer => [201, { data: { id, description }, meta: {} }];

beforeAll(() => damages().runAll("D-0"));

describe("nothing is created twice", () => {
  it("if a killed run had sent its POST long after its intention, and the list lags", async () => {
    const { runAll, refusal, posts, rows, clock } = damages({ lag: 40 * seconds });
    let respond: (answer: Answer) => void = () => {};
    refusal.answer = async () => {
      refusal.answer = () => new Promise((resolve) => (respond = resolve));
      rows.push({ id: "d1", at: clock.now, description: "D-1" });
      return created("d1", "D-1");
    };
    const slow = runAll("D-1", "D-2");
    while (posts() < 2) await turn();
    const end = clock.now + 28 * seconds;
    while (clock.now < end) await turn(); // it saves its intention again and again
    rows.push({ id: "d2", at: clock.now, description: "D-2" });
    respond(new Error("killed"));
    await slow;
    refusal.answer = undefined;
    clock.now = Math.max(clock.now, 41 * seconds);
    expect([await runAll("D-1", "D-2"), rows.length]).toEqual([["unchanged", "failed"], 2]);
  });

  it("if the sink is slow to confirm an intention", async () => {
    const { runAll, rows, sink, makeFleet, runtime } = damages();
    await runAll("D-1");
    let confirm = () => {};
    const slow: RecordSink = {
      ...sink,
      async saveRecord(key, before, text) {
        const isSaved = await sink.saveRecord(key, before, text);
        if (before === undefined) await new Promise<void>((resolve) => (confirm = resolve));
        return isSaved;
      },
    };
    const options = { key: "description", sink: slow, runtime, update: false } as const;
    const desired = [{ description: "D-2" }];
    const standing = settle(ensure(makeFleet().damages, desired, options));
    for (let n = 0; n < 200; n += 1) await turn();
    await runAll("D-1", "D-2");
    confirm();
    await standing;
    expect(rows.map(({ description }) => description)).toEqual(["D-1", "D-2"]);
  });

  it("if a renewal fails while the service refuses the POST for a time", async () => {
    const { runAll, rows, refusal, posts, sink, makeFleet, runtime } = damages();
    await runAll("D-1");
    let isBusy = true;
    const busy: RecordSink = {
      ...sink,
      async saveRecord(key, before, text) {
        if (before !== undefined && text.includes("intended") && isBusy) {
          isBusy = false;
          throw new Error("SQLITE_BUSY");
        }
        return sink.saveRecord(key, before, text);
      },
    };
    const options = { key: "description", sink: busy, runtime, update: false } as const;
    let respond: (answer: Answer) => void = () => {};
    refusal.answer = () => new Promise((resolve) => (respond = resolve));
    const standing = settle(ensure(makeFleet({ retry: 3 }).damages, [{ description: "D-2" }], options));
    while (posts() < 2) await turn();
    for (let n = 0; n < 200; n += 1) await turn();
    const refuse = respond;
    refusal.answer = undefined;
    await runAll("D-1", "D-2");
    refuse([429, {}, { "retry-after": "0" }]);
    await standing;
    expect(rows.map(({ description }) => description)).toEqual(["D-1", "D-2"]);
  });

  it("if the service responds to the POST with a redirect to its result, and the list lags", async () => {
    const { runAll, refusal, rows, clock } = damages({ lag: 30 * seconds });
    refusal.answer = async () => {
      rows.push({ id: "d1", at: clock.now, description: "D-1" });
      return [302, undefined, { location: "/damages/d1" }];
    };
    await runAll("D-1");
    refusal.answer = undefined;
    expect([await runAll("D-1"), rows.length]).toEqual([["failed"], 1]);
  });

  it.each<[string, Answer]>([
    ["is refused", [400, {}]],
    ["succeeds", created("d9", "D-2")],
  ])("if the POST of a run that stood still %s after another run has taken it over", async (_, answer) => {
    const { sink, refusal, makeFleet, runtime, db } = damages();
    let respond: (answer: Answer) => void = () => {};
    refusal.answer = () => new Promise((resolve) => (respond = resolve));
    const overtaken: RecordSink = {
      ...sink,
      async saveRecord(key, before, text) {
        if (before === undefined || !text.includes("intended")) return sink.saveRecord(key, before, text);
        const other = { ...(JSON.parse(text) as object), at: 99, by: "another run" };
        await sink.saveRecord(key, before, JSON.stringify(other));
        respond(answer);
        for (let n = 0; n < 200; n += 1) await turn();
        return sink.saveRecord(key, before, text);
      },
    };
    const options = { key: "description", sink: overtaken, runtime } as const;
    await settle(ensure(makeFleet().damages, [{ description: "D-2" }], options));
    expect(db.prepare("SELECT state ->> 'by' AS by FROM reported_state").get()).toEqual({
      by: "another run",
    });
  });

  it("if the clock was put back", async () => {
    const { runAll, refusal, rows, clock } = damages({ lag: 30 * seconds });
    clock.now = 60 * minutes;
    await runAll("D-1");
    clock.now += minutes;
    for (const row of rows) row.at = -minutes;
    clock.now = 0; // an hour back
    refusal.answer = async () => {
      rows.push({ id: "d2", at: clock.now, description: "D-2" });
      return new Error("killed");
    };
    await runAll("D-1", "D-2");
    refusal.answer = undefined;
    await runAll("D-1", "D-2");
    expect(rows.length).toBe(2);
  });
});

describe("a sink", () => {
  const run = ({ makeFleet, runtime }: ReturnType<typeof damages>, sink: RecordSink) =>
    rejection(ensure(makeFleet().damages, [{ description: "D-2" }], { key: "description", sink, runtime }));

  it("that is slow each time ends the row before anything is sent, and nothing is remembered", async () => {
    const served = damages();
    const { sink, clock, posts, runAll } = served;
    const error = await run(served, {
      ...sink,
      saveRecord(...values) {
        clock.now += 3 * seconds;
        return sink.saveRecord(...values);
      },
    });
    expect(error).toMatchObject({ retryable: true, mayHaveBeenProcessed: false });
    expect(error.message).toMatch(/the sink takes longer than 3000 ms to save a record: nothing was sent/);
    expect([posts(), await runAll("D-2")]).toEqual([0, ["done"]]);
  });

  it("that fails while the POST is in progress ends the request", async () => {
    const served = damages();
    const { sink, refusal } = served;
    refusal.answer = () => new Promise(() => {});
    const error = await run(served, {
      ...sink,
      saveRecord(key, before, text) {
        if (before !== undefined) throw new Error("the disk is full");
        return sink.saveRecord(key, before, text);
      },
    });
    expect(error).toMatchObject({ mayHaveBeenProcessed: true });
    expect(error.message).toMatch(
      /the sink has not saved its intention again, and another run may create it/,
    );
  });
});
