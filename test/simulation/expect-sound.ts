/** Runs a history in a test and expects that it breaks no rule. */
import { expect } from "vitest";
import { runHistory } from "./history.ts";
import type { Scenario } from "./scenario.ts";

export async function expectSound(scenario: Scenario): Promise<void> {
  const { violations } = await runHistory(scenario);
  expect(violations).toEqual([]);
}
