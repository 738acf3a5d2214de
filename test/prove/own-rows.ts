import type { Report, Scenario, ScenarioProgram, Verdict } from "../../src/prove/index.ts";
import { inCode } from "./programs/in-code.ts";
import type { Job } from "./programs/job.ts";

/** Far more than a program of ours needs on any machine, in milliseconds. */
const TIMEOUT = 300_000;

/** Judges a program of ours. One that does not end hangs, whatever it waits for: it may be a place that it never gives back. */
export async function judgeOwn(
  scenario: Scenario,
  run: (job: Job) => Promise<void>,
  timeout = TIMEOUT,
): Promise<{ verdict: Verdict; report: Report }> {
  const program: ScenarioProgram = inCode(run);
  const report = await scenario.try(program, { timeout });
  return { verdict: report.verdict === "too slow" ? "hung" : report.verdict, report };
}
