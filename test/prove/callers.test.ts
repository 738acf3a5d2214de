import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type Scenario, scenarios } from "../../src/prove/index.ts";
import {
  anotherCopy,
  eachPageInANewProcess,
  endingRequests,
  ODD_REASONS,
  type Program,
  reusingObjects,
} from "./callers.ts";
import { runInParallel } from "./parallel.ts";
import { guideLines, runGuides } from "./programs/guides.ts";
import { inCode } from "./programs/in-code.ts";
import { readmeLines, runReadme } from "./programs/readme.ts";
import { recordedVerdicts } from "./recorded.ts";

const folder = mkdtempSync(join(tmpdir(), "prove-callers-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Verdicts that may not be: the others are right, loud, or nobody could notice. */
const WRONG = new Set(["silent", "harmful", "hung", "too slow", "leaked", "hammered", "not judged"]);

const programs: readonly { program: string; run: Program; lines: object }[] = [
  { program: "guides", run: runGuides, lines: guideLines },
  { program: "readme", run: runReadme, lines: readmeLines },
];

describe.for(programs)("the program $program", ({ program, run, lines }) => {
  const recorded = new Map(recordedVerdicts(program));
  const select = (isWanted: (scenario: Scenario) => boolean) =>
    scenarios.filter((scenario) => Object.hasOwn(lines, scenario.task) && isWanted(scenario));
  const isCopy = ({ task, family }: Scenario) =>
    task.startsWith("copy-") && ["plain", "lists"].includes(family);

  /** Returns what is wrong with a caller, and not without it. */
  async function wrongIn(selected: readonly Scenario[], caller: Program): Promise<string[]> {
    const wrong: string[] = [];
    await runInParallel(selected, async (scenario) => {
      const { name, family } = scenario;
      const judged = inCode((job) => caller(job));
      const { verdict } = await scenario.try(judged, { timeout: 300_000 });
      const isNew = WRONG.has(verdict) && !WRONG.has(recorded.get(name) ?? "");
      if (isNew || (family === "plain" && verdict === "not exercised")) wrong.push(`${name}: ${verdict}`);
    });
    return wrong.toSorted();
  }

  it("is not wrong if the caller reuses one object for all rows", async () => {
    const tables = select(({ task }) => task === "change-stores" || task === "create-stores");
    expect(await wrongIn(tables, reusingObjects(run))).toEqual([]);
  });

  it("is not wrong if each page is read by a new process", async () => {
    const wrong = await wrongIn(select(isCopy), eachPageInANewProcess(run));
    // many processes that read the same pages of a service that loops are a loop of this caller, and lose nothing
    expect(wrong.filter((name) => !name.endsWith(": hung"))).toEqual([]);
  });

  it.each(ODD_REASONS)("copies all if a request ends with $name, and is never wrong", async ({ reason }) => {
    const plain = select(({ family }) => family === "plain");
    expect(await wrongIn(plain.filter(isCopy), endingRequests(run, reason, "once"))).toEqual([]);
    // a write that may have been made is an error
    for (const how of ["once", "always"] as const) {
      const wrong = await wrongIn(plain, endingRequests(run, reason, how));
      expect(wrong.filter((name) => !name.endsWith("not exercised"))).toEqual([]);
    }
  });

  it("is not wrong with the clients of another copy of the package", async () => {
    const copy = await anotherCopy(folder);
    const written = select(({ family }) => family === "plain" || family === "writes");
    expect(await wrongIn(written, (job) => run(job, copy))).toEqual([]);
  });
});
