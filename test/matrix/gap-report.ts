import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Reporter, TestModule } from "vitest/node";
import { gaps } from "../../generated/gaps.ts";

interface Entry {
  id: string;
  affects: readonly string[];
  readings: string[];
  tests: { name: string; file: string; passed: boolean; reading: string | undefined; stance: boolean }[];
}

interface KnownGap {
  affects?: readonly string[];
  readings?: Record<string, string>;
}

const folder = fileURLToPath(new URL("../../reports/", import.meta.url));

/** Lists each gap with its readings and tests; a reading without a stance test that passed fails the run. */
export class GapReport implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const entries = entriesOf(modules);
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}matrix.json`, JSON.stringify(entries, undefined, 2));
    writeFileSync(`${folder}matrix.md`, markdown(entries));
    const faults = entries.flatMap(faultsOf);
    const readings = entries.flatMap((entry) => entry.readings).length;
    const tests = entries.flatMap((entry) => entry.tests).length;
    const summary = `${entries.length} gaps, ${readings} readings, ${tests} tests depend on them: reports/matrix.md`;
    process.stdout.write(`${[...faults, summary].join("\n")}\n`);
    if (faults.length > 0) process.exitCode = 1;
  }
}

function entriesOf(modules: readonly TestModule[]): Entry[] {
  const tests = modules.flatMap((module) =>
    [...module.children.allTests()].flatMap((test) => {
      const { parent } = test;
      const id = parent.type === "suite" ? /^gap (\S+)/.exec(parent.name)?.[1] : undefined;
      if (id === undefined) return [];
      const passed = test.result().state === "passed";
      const { reading, stance = false } = test.meta();
      return [{ id, name: test.name, file: module.relativeModuleId, passed, reading, stance }];
    }),
  );
  const unknown = tests.find(({ id }) => !Object.hasOwn(gaps, id));
  if (unknown !== undefined) throw new Error(`${unknown.file} names a gap that is none: ${unknown.id}`);
  return Object.entries(gaps as Record<string, KnownGap>)
    .filter(([, { affects }]) => affects !== undefined)
    .map(([id, { affects = [], readings = {} }]) => ({
      id,
      affects,
      readings: Object.keys(readings),
      tests: tests.filter((test) => test.id === id).map(({ id: _, ...test }) => test),
    }));
}

/** The readings of a gap without a stance test that passed. */
function faultsOf({ id, readings, tests }: Entry): string[] {
  const counting = tests.filter((test) => test.passed && test.stance);
  const passed = new Set(counting.map((test) => test.reading));
  const missing = readings.filter((reading) => !passed.has(reading));
  return missing.length === 0 ? [] : [`gap ${id}: no stance test passed under ${missing.join(", ")}`];
}

function markdown(entries: readonly Entry[]): string {
  const blocks = entries.map(({ id, affects, readings, tests }) => {
    const lines = tests.map(
      ({ passed, name, file }) => `- ${passed ? "passed" : "FAILED"}: ${name} (${file})`,
    );
    return `## ${id}\n\naffects ${affects.join(" and ")}; readings: ${readings.join(", ")}\n\n${lines.join("\n")}`;
  });
  return `# Gaps, their readings and the tests that depend on them\n\n${blocks.join("\n\n")}\n`;
}
