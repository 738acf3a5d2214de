/** Runs a history and its twins in a test, and expects that they break no rule. */
import { expect } from "vitest";
import type { Scenario } from "./scenario.ts";
import { runWithTwins } from "./twins.ts";

export async function expectSound(scenario: Scenario): Promise<void> {
  const { violations } = await runWithTwins(scenario);
  expect(violations).toEqual([]);
}
