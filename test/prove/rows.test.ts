import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Scenario, scenarios } from "../../src/prove/index.ts";
import { judgeOwn } from "./own-rows.ts";
import { StoreClient } from "../../src/index.ts";
import { runInParallel } from "./parallel.ts";
import { recordedVerdicts, verdictsFile } from "./recorded.ts";
import { guideLines, runGuides } from "./programs/guides.ts";
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

type Judged = Awaited<ReturnType<typeof judgeOwn>>;

/** Runs a program in all worlds. */
async function judgeAll(
  selected: readonly Scenario[],
  run: (job: Job) => Promise<void>,
  recorded: ReadonlyMap<string, string>,
): Promise<Map<string, Judged>> {
  const found = new Map<string, Judged>();
  await runInParallel(selected, async (scenario) => {
    found.set(scenario.name, await judgeOwn(scenario, run, { expected: recorded.get(scenario.name) }));
  });
  return found;
}

describe.for(programs)("the program $program", ({ program, run, lines }) => {
  const recorded = new Map(recordedVerdicts(program));
  const selected = scenarios.filter(({ task }) => lines === undefined || Object.hasOwn(lines, task));
  let found = new Map<string, Judged>();
  const lineOf = (name: string) => `${name}: ${found.get(name)?.verdict}`;
  beforeAll(async () => {
    found = await judgeAll(selected, run, recorded);
  });

  it.each(selected.map(({ name }) => name))("has the recorded verdict in %s", (name) => {
    const { failure, findings } = found.get(name)?.report ?? {};
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

describe("a program that waits for its own lost permit", () => {
  it("hangs in our rows, although its world holds no response back", async () => {
    const scenario = scenarios.find(({ name }) => name === "copy-stores/no-fault") as Scenario; // of every task
    const judged = await judgeOwn(scenario, waitForLostPermit, { timeout: 3000 });
    expect([judged.verdict, judged.report.verdict]).toEqual(["hung", "too slow"]);
  });
});

/** Reads the first page of a list, and waits for its second permit, which nobody gives back. */
async function waitForLostPermit({ storeUrl, readToken, fetch, deliver }: Job): Promise<void> {
  let permits = 1;
  const limiter = { tryAcquire: () => permits-- > 0, acquire: () => new Promise<never>(() => {}) };
  const store = new StoreClient({ baseUrl: storeUrl, token: readToken, fetch, limiter });
  deliver(await store.stores.list().toArray());
}
