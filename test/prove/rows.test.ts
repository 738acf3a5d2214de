import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Report, type Scenario, scenarios } from "../../src/prove/index.ts";
import { runInParallel } from "./parallel.ts";
import { recordedVerdicts, verdictsFile } from "./recorded.ts";
import { guideLines, runGuides } from "./programs/guides.ts";
import { inCode } from "./programs/in-code.ts";
import type { Job } from "./programs/job.ts";
import { readmeLines, runReadme } from "./programs/readme.ts";

/**
 * The programs of this package: the lines of the guides, and those of README and the skill. A change of the clients, the jobs or
 * the reference server names each verdict that it changes, with the reason, in its commit. `npm run prove:verdicts` writes the
 * files.
 */
const programs: readonly { program: string; run: (job: Job) => Promise<void>; lines?: object }[] = [
  { program: "guides", run: runGuides, lines: guideLines },
  { program: "readme", run: runReadme, lines: readmeLines },
];

const isWriting = process.env["WRITE_VERDICTS"] !== undefined;
/** Runs a program in all worlds. It fails if it does not end. */
async function judgeAll(
  selected: readonly Scenario[],
  run: (job: Job) => Promise<void>,
): Promise<Map<string, Report>> {
  const found = new Map<string, Report>();
  await runInParallel(selected, async (scenario) => {
    found.set(scenario.name, await scenario.try(inCode(run), { timeout: 300_000 }));
  });
  return found;
}

describe.for(programs)("the program $program", ({ program, run, lines }) => {
  const recorded = new Map(recordedVerdicts(program));
  const selected = scenarios.filter(({ task }) => lines === undefined || Object.hasOwn(lines, task));
  let found = new Map<string, Report>();
  /** A program of ours that does not end hangs: its limit is far more than it needs on any machine. */
  const lineOf = (name: string) => {
    const verdict = found.get(name)?.verdict;
    return `${name}: ${verdict === "too slow" ? "hung" : verdict}`;
  };
  beforeAll(async () => {
    found = await judgeAll(selected, run);
  });

  it.each(selected.map(({ name }) => name))("has the recorded verdict in %s", (name) => {
    const { failure, findings } = found.get(name) ?? {};
    expect
      .soft(lineOf(name), JSON.stringify({ failure, findings }).slice(0, 2000))
      .toBe(isWriting ? lineOf(name) : `${name}: ${recorded.get(name)}`);
  });

  it("is judged in each recorded scenario", () => {
    const names = selected.map(({ name }) => name);
    expect(isWriting ? names : [...recorded.keys()]).toEqual(names);
  });

  afterAll(() => {
    if (isWriting)
      writeFileSync(verdictsFile(program), selected.map(({ name }) => `${lineOf(name)}\n`).join(""));
  });
});
