import { existsSync, readFileSync } from "node:fs";

/** The file with the verdict of a program in each scenario. */
export function verdictsFile(program: string): URL {
  return new URL(`verdicts/${program}.txt`, import.meta.url);
}

/** Returns the recorded verdicts by their scenarios. */
export function recordedVerdicts(program: string): [scenario: string, verdict: string][] {
  const file = verdictsFile(program);
  const lines = existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
  return lines.map((line) => line.split(": ") as [string, string]); // as prove:verdicts writes them
}
