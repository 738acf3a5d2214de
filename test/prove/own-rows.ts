import type { Report, Scenario, Verdict } from "../../src/prove/index.ts";
import { inCode } from "./programs/in-code.ts";
import type { Job } from "./programs/job.ts";

interface OwnOptions {
  /** The recorded verdict. */
  readonly expected?: string | undefined;
  /** The time limit of a run, in milliseconds: far more than a program of ours needs on any machine. */
  readonly timeout?: number;
}

/** So often a program may be ended by its own time limits, which are shorter than a busy machine needs. */
const ATTEMPTS = 5;

/** Judges a program of ours. One that does not end hangs, whatever it waits for: it may be a place that it never gives back. */
export async function judgeOwn(
  scenario: Scenario,
  run: (job: Job) => Promise<void>,
  { expected, timeout = 300_000 }: OwnOptions = {},
): Promise<{ verdict: Verdict; report: Report }> {
  let report = await scenario.try(inCode(run), { timeout });
  for (let attempt = 1; attempt < ATTEMPTS && report.verdict !== expected && isLate(report); attempt += 1)
    report = await scenario.try(inCode(run), { timeout });
  return { verdict: report.verdict === "too slow" ? "hung" : report.verdict, report };
}

/** Whether a time limit of its own has stopped the program, and nothing else is wrong. */
function isLate({ verdict, failure = "" }: Report): boolean {
  return (verdict === "loud" || verdict === "not exercised") && failure.includes("TimeoutError");
}
