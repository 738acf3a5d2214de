import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type Report, type Scenario, scenarios } from "../../src/prove/index.ts";
import {
  anotherCopy,
  eachPageInANewProcess,
  endingRequests,
  ODD_REASONS,
  type Program,
  reusingObjects,
} from "./callers.ts";
import type { Package } from "./programs/documented.ts";
import { guideLines, runGuides } from "./programs/guides.ts";
import { inCode } from "./programs/in-code.ts";
import { readmeLines, runReadme } from "./programs/readme.ts";
import { runInParallel } from "./parallel.ts";

const folder = mkdtempSync(join(tmpdir(), "prove-callers-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Verdicts that may not be: the others are right, loud, or nobody could notice. */
const WRONG = ["silent", "harmful", "hung", "too slow", "leaked", "hammered", "not judged"];

const programs: readonly { program: string; run: Program; lines: object }[] = [
  { program: "guides", run: runGuides, lines: guideLines },
  { program: "readme", run: runReadme, lines: readmeLines },
];

describe.for(programs)("the program $program", ({ run, lines }) => {
  const select = (isWanted: (scenario: Scenario) => boolean) =>
    scenarios.filter((scenario) => Object.hasOwn(lines, scenario.task) && isWanted(scenario));
  const isCopy = ({ task, event }: Scenario) => task.startsWith("copy-") && !event.startsWith("killed");

  async function wrongIn(selected: readonly Scenario[], variant: Program): Promise<string[]> {
    const wrong: string[] = [];
    await runInParallel(selected, async (scenario) => {
      const report: Report = await scenario.try(
        inCode((job) => variant(job)),
        { timeout: 300_000 },
      );
      const isPlain = scenario.family === "plain" && report.verdict !== "correct";
      if (isPlain || WRONG.includes(report.verdict)) wrong.push(`${scenario.name}: ${report.verdict}`);
    });
    return wrong.toSorted();
  }

  it("is not wrong if the caller reuses one object for all rows", async () => {
    const writes = select(({ task }) => /^(change|create|report|submit)-/.test(task));
    expect(await wrongIn(writes, reusingObjects(run))).toEqual([]);
  });

  it("is not wrong if each page is read by a new process", async () => {
    expect(await wrongIn(select(isCopy), eachPageInANewProcess(run))).toEqual([]);
  });

  it.each(ODD_REASONS.map((reason) => [String(reason), reason] as const))(
    "is right if one request ends with %s, and never wrong if all do",
    async (_, reason) => {
      const plain = select(({ family }) => family === "plain");
      for (const isForGood of [false, true]) {
        const variant = endingRequests(run, reason, isForGood);
        const wrong = await wrongIn(plain, variant);
        expect(wrong.filter((name) => !name.endsWith("not exercised"))).toEqual([]);
      }
    },
  );

  it("is not wrong with the clients of another copy of the package", async () => {
    const copy: Package = await anotherCopy(folder);
    expect(
      await wrongIn(
        select(() => true),
        (job) => run(job, copy),
      ),
    ).toEqual([]);
  });
});
