/**
 * Runs features and random histories until one breaks a rule: `mutant-run.ts SECONDS FEATURE,FEATURE`. The exit code is
 * 1 if one did. `mutant-run.ts coverage FILE` writes which changes each feature runs. See mutants.ts.
 */
import { writeFileSync } from "node:fs";
import { generate } from "../generate.ts";
import { runHistory } from "../history.ts";
import { explore } from "./explore.ts";
import { features } from "./features.ts";

const random = "random histories";

interface Stryker {
  currentTestId?: string;
  mutantCoverage?: { readonly static: Record<string, number>; readonly perTest: Record<string, object> };
}

/** The variable of the changed code. */
const stryker = ((globalThis as { ["__stryker__"]?: Stryker })["__stryker__"] ??= {});

/** Runs some random histories of a feature. Returns the first violation. */
async function sample(name: string, samples: number, seed: number): Promise<string | undefined> {
  if (name === random) {
    for (let number = 0; number < samples; number += 1) {
      const { violations } = await runHistory(generate(number + 1)); // the same ones each time
      if (violations.length > 0) return violations[0];
    }
    return undefined;
  }
  for (const data of (features[name]?.data ?? []).keys()) {
    const { findings } = await explore(name, data, { bound: 1, samples, seed, isShort: true });
    for (const { violation } of findings.values()) return violation;
  }
  return undefined;
}

async function writeCoverage(path: string): Promise<number> {
  for (const name of [...Object.keys(features), random]) {
    stryker.currentTestId = name;
    const violation = await sample(name, name === random ? 150 : 40, 1);
    if (violation !== undefined) {
      console.log(`${name}: ${violation}`);
      return 1;
    }
  }
  const { static: always = {}, perTest = {} } = stryker.mutantCoverage ?? {};
  const all = [...Object.keys(features), random].map(
    (name) => [name, { ...always, ...perTest[name] }] as const,
  );
  writeFileSync(path, JSON.stringify(Object.fromEntries(all)));
  return 0;
}

/** More and more histories of each feature, as long as there is time. */
async function search(seconds: number, names: readonly string[]): Promise<number> {
  const isLate = (): boolean => process.cpuUsage().user / 1e6 > seconds;
  for (const samples of [10, 40, 150]) {
    for (const name of names) {
      const violation = await sample(name, samples, samples * 1000);
      if (violation !== undefined) {
        console.log(`${name}: ${violation}`);
        return 1;
      }
      if (isLate()) return 0;
    }
  }
  return 0;
}

const [first = "", names = ""] = process.argv.slice(2);
process.exit(
  first === "coverage" ? await writeCoverage(names) : await search(Number(first), names.split(",")),
);
