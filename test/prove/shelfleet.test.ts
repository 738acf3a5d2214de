import { describe, expect, it } from "vitest";
import { scenarios } from "../../src/mock/scenarios/index.ts";
import { inCode } from "./programs/in-code.ts";
import { runShelfleet } from "./programs/shelfleet.ts";

describe("a program with shelfleet", () => {
  it.each(scenarios.all.map((scenario) => [scenario.name, scenario] as const))(
    "passes %s",
    async (_, scenario) => {
      expect(await scenario.run(inCode(runShelfleet), { timeout: 300_000 })).toMatchObject({ isPass: true });
    },
  );
});
