import { expect, it, onTestFinished, vi } from "vitest";
import { Budget, type Timing } from "../../../src/field/sender/budget.ts";
import { Sender } from "../../../src/field/sender/sender.ts";
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
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const controller = new AbortController();
    const { signal } = controller;
    if (stop) controller.abort();
    const timing = recordedTiming();
    const sender = new Sender({
      fetch: () => new Promise(() => {}),
      budget: new Budget(10, 1_000, timing, signal),
      timing,
      redactor: new Redactor(),
      signal,
    });
    const target = { api: "store", as: "store", base: "https://store.example", secret: "secret-1" } as const;
    const sent = sender.send(target, { method: "PUT", path: "/v1/stores/S-1", body: {}, isCleanup: true });
    const isSettled = vi.fn<() => void>();
    sent.catch(isSettled);
    await vi.advanceTimersByTimeAsync(limit - 1);
    expect(isSettled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2);
    await expect(sent).rejects.toMatchObject({ reason: "it did not respond in time" });
  },
);
