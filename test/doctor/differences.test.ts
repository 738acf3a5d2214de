import { describe, expect, it } from "vitest";
import { createService, differences } from "./own-service.ts";
import { differencesOf, type Result, run } from "./run.ts";

const env = {
  SHELFLEET_STORE_URL: "http://store.localhost",
  SHELFLEET_TOKEN: "token-of-the-store",
  SHELFLEET_FLEET_URL: "http://fleet.localhost/api/third-party/v1",
  SHELFLEET_KEY: `acme_${"3".repeat(64)}`,
};

async function examineOwn(seed: number, isDifferent: boolean): Promise<Result> {
  const { stdout } = await run(["--json"], createService(seed, isDifferent), env);
  return JSON.parse(stdout) as Result;
}

const seeds = Array.from({ length: 20 }, (_, index) => index);

describe("doctor", () => {
  it("finds the fifteen differences of a service, and nothing else, whatever its data are", async () => {
    for (const seed of seeds) {
      const result = await examineOwn(seed, true);
      const found = differencesOf(result).map((text) => text.replace(/ \(\d+ of \d+\)$/, ""));
      expect(found.toSorted(), `seed ${seed}`).toEqual(differences.toSorted());
      expect(result.exitCode).toBe(1);
      expect(result.requests).toBeLessThanOrEqual(60);
    }
  });

  it("finds none in the same service as documented", async () => {
    for (const seed of seeds.slice(0, 3)) {
      const result = await examineOwn(seed, false);
      expect(result.exitCode, JSON.stringify(result.findings)).toBe(0);
    }
  });
});
