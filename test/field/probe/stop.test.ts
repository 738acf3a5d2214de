import { expect, it, onTestFinished, vi } from "vitest";
import { Budget, type Timing } from "../../../src/field/probe/budget.ts";
import { HttpSender } from "../../../src/field/probe/http-sender.ts";
import { Redactor } from "../../../src/wire/redaction.ts";

/** A clock that a sleep moves on; an aborted sleep takes no time. */
function recordedTiming(): Timing & { sleeps: number[] } {
  let now = 0;
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => now,
    sleep(ms, signal) {
      const slept = signal.aborted ? 0 : ms;
      sleeps.push(slept);
      now += slept;
      return Promise.resolve();
    },
  };
}

it.each([
  ["a run that goes on waits as long as `Retry-After` says", false, 60_000],
  ["a run that was stopped waits for seconds, whatever `Retry-After` says", true, 5_000],
])("to restore data, %s", async (_, isStopped, limit) => {
  const timing = recordedTiming();
  const controller = new AbortController();
  const budget = new Budget(10, 1_000, timing, controller.signal);
  budget.postpone(60_000);
  if (isStopped) controller.abort();
  await budget.acquire(true, true);
  expect(timing.sleeps).toEqual([limit]);
});

it.each([
  [false, 30_000],
  [true, 5_000],
])(
  "a request that restores data has a shorter time limit if the run was stopped: %s",
  async (stop, limit) => {
    const timeout = vi.spyOn(AbortSignal, "timeout");
    onTestFinished(() => timeout.mockRestore());
    const controller = new AbortController();
    const { signal } = controller;
    if (stop) controller.abort();
    const sender = new HttpSender({
      fetch: () => Promise.resolve(Response.json({})),
      budget: new Budget(10, 1_000, recordedTiming(), signal),
      redactor: new Redactor(),
      signal,
      timeout: 30_000,
      onExchange: () => {},
    });
    const target = { api: "store", as: "store", base: "https://store.example", secret: "secret-1" } as const;
    await sender.send(target, { method: "PUT", path: "/v1/stores/S-1", body: {}, isCleanup: true });
    expect(timeout).toHaveBeenCalledWith(limit);
  },
);
