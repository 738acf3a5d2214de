import { describe, expect, it } from "vitest";
import { type Scenario, type ScenarioContext, scenarios } from "../../src/prove/index.ts";
import { plantedPrograms } from "../prove/naive.ts";

const TIMEOUT = 250;
/** Ends the test only if a program hangs. */
const TEST_TIMEOUT = 900_000;

/** Returns the names of the programs that a scenario finds out, up to the first one. */
async function findOut(scenario: Scenario): Promise<string | undefined> {
  const idle = {
    "asks once, and does nothing": ({ storeUrl, fleetUrl, fetch }: ScenarioContext) =>
      fetch(scenario.api === "store" ? `${storeUrl}/v1/stores` : `${fleetUrl}/vehicles`),
  };
  const programs = scenario.family === "plain" ? idle : plantedPrograms;
  for (const [name, program] of Object.entries(programs)) {
    const { isPass, verdict } = await scenario.try(program, { timeout: TIMEOUT });
    if (!isPass && verdict !== "not exercised") return name;
  }
  return undefined;
}

describe("the scenarios", () => {
  it("each find out a program with a common fault", { timeout: TEST_TIMEOUT }, async () => {
    const counted = scenarios.filter(({ plan }) => plan.cannotDiffer === undefined);
    const found = await Promise.all(
      counted.map(async (scenario) => [scenario.name, await findOut(scenario)] as const),
    );
    expect(found.filter(([, program]) => program === undefined).map(([name]) => name)).toEqual([]);
  });
});
