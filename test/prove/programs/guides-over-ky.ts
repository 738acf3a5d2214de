import ky from "ky";
import { runGuides } from "./guides.ts";
import type { Job } from "./job.ts";

/** The guides with ky as `fetch`, as the guide on runtimes shows it. */
export function runGuidesOverKy(job: Job): Promise<void> {
  const fetch = ky.create({ fetch: job.fetch, throwHttpErrors: false, retry: 0, timeout: false });
  return runGuides({ ...job, fetch });
}
