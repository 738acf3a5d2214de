/** The simulation itself: it is repeatable, it sees what escapes from it, and it shrinks what it finds. */
import { expect, test } from "vitest";
import { VirtualRuntime } from "./clock.ts";
import { expectSound } from "./expect-sound.ts";
import { generate } from "./generate.ts";
import { runHistory } from "./history.ts";
import type { Scenario } from "./scenario.ts";
import { kindOf, shrink, toTest } from "./shrink.ts";

test("the simulation finds no fault in its first 200 histories", async () => {
  for (let seed = 1; seed <= 200; seed += 1) await expectSound(generate(seed));
});

test("the simulation gives the same trace for the same seed", async () => {
  for (let seed = 300; seed < 340; seed += 1) {
    const [one, other] = [await runHistory(generate(seed)), await runHistory(generate(seed))];
    expect(other.trace.join("\n")).toBe(one.trace.join("\n"));
  }
});

/** A call that times out once and waits before it is sent again. */
const patient: Scenario = {
  api: "store",
  seed: 3,
  readings: {},
  world: { entities: 1, unnamed: 0, protocols: 0, spacing: 0, pairs: false },
  client: { via: "transport", token: "fixed", configuredGaps: [], timeout: 60, retries: 1 },
  faults: { 1: { kind: "stall", acts: false } },
  changes: {},
  programs: [[{ do: "call", method: "stores.get", args: ["S-000"] }]],
};

test("the simulation runs the client's timers in virtual time", async () => {
  const { violations, duration, requests } = await runHistory({
    ...patient,
    client: { ...patient.client, timeout: 100_000 },
  });
  expect({ violations, requests }).toEqual({ violations: [], requests: 2 });
  expect(duration).toBeGreaterThan(100_000);
});

test("the simulation detects a client that uses the platform's timers", async () => {
  const own = VirtualRuntime.prototype.setTimeout;
  try {
    // the client's own code calls this getter's function, so the caller on the stack is the client
    VirtualRuntime.prototype.setTimeout = globalThis.setTimeout;
    const { violations } = await runHistory(patient);
    expect(violations).toContainEqual(expect.stringContaining("setTimeout of globalThis was called"));
  } finally {
    VirtualRuntime.prototype.setTimeout = own;
  }
});

test("the simulation shrinks a history to the part that breaks the rule", async () => {
  const scenario = { ...patient, client: { ...patient.client, timeout: 60, totalTimeout: 3000 } };
  const own = VirtualRuntime.prototype.clearTimeout;
  try {
    VirtualRuntime.prototype.clearTimeout = () => {};
    const { violations } = await runHistory(scenario);
    const smallest = await shrink(scenario, kindOf(violations[0] ?? ""));
    expect(smallest.faults).toEqual({});
    expect(toTest("A title", smallest)).toContain('{do: "call", method: "stores.get", args: ["S-000"]}');
  } finally {
    VirtualRuntime.prototype.clearTimeout = own;
  }
});
