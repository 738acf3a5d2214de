import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { systemTiming } from "../../../src/field/sender/budget.ts";

it("a wait leaves no listener on the signal of the run", async () => {
  const { signal } = new AbortController();
  for (let wait = 0; wait < 20; wait += 1) await systemTiming.sleep(1, signal);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

it.each(["before", "during"])("a wait ends at once if the run is stopped %s it", async (moment) => {
  const controller = new AbortController();
  if (moment === "before") controller.abort();
  const wait = systemTiming.sleep(2 ** 30, controller.signal);
  controller.abort();
  await expect(wait).resolves.toBeUndefined();
});
