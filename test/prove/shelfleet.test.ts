import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { scenarios } from "../../src/prove/index.ts";
import { inCode } from "./programs/in-code.ts";
import { runShelfleet } from "./programs/shelfleet.ts";

/**
 * The verdict of the package's own program in each scenario. A change of the clients, the jobs or the reference server names
 * each verdict that it changes, with the reason, in its commit. `npm run prove:verdicts` writes the file.
 */
const file = new URL("verdicts.txt", import.meta.url);
const isWriting = process.env["WRITE_VERDICTS"] !== undefined;

const recorded = new Map(
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split(": ") as [name: string, verdict: string]),
);
const found = new Map<string, string>();

describe("a program with shelfleet", () => {
  it.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    "passes %s with the recorded verdict",
    async (name, scenario) => {
      const result = await scenario.run(inCode(runShelfleet), { timeout: 300_000 });
      found.set(name, result.verdict);
      expect(result).toMatchObject({ isPass: true });
      expect(`${name}: ${result.verdict}`).toBe(
        `${name}: ${isWriting ? result.verdict : recorded.get(name)}`,
      );
    },
  );

  it("is judged in each recorded scenario", () => {
    const names = scenarios.map(({ name }) => name);
    expect(isWriting ? names : [...recorded.keys()]).toEqual(names);
  });
});

afterAll(() => {
  if (!isWriting) return;
  const lines = scenarios.map(({ name }) => `${name}: ${found.get(name)}\n`);
  writeFileSync(file, lines.join(""));
});
