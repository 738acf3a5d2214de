import { runWithClient } from "./http-job.ts";
import type { Job } from "./job.ts";

/** The part of the generated modules that is called here. They are generated before each run. */
interface Generated {
  createClient(config: object): object;
}

type Call = (options: object) => Promise<{ data?: unknown }>;

/** Does a task with the functions that hey-api generates, with a time limit for each request. It has no retry. */
export function runHeyApi(job: Job): Promise<void> {
  return runWithClient(job, async ({ api, baseUrl, readSecret, fetch }) => {
    const file = `${process.env["PROVE_CLIENTS"]}/hey-api-${api}.js`; // npm run prove:scoreboard sets it
    const { createClient, ...sdk } = (await import(file)) as Generated;
    const calls = sdk as Readonly<Record<string, Call>>; // the job names existing operations
    const client = createClient({ baseUrl, fetch, auth: readSecret, throwOnError: true });
    return {
      async call(operation, { path, query, body }) {
        const request = { client, path, query, body, signal: AbortSignal.timeout(1500) };
        return (await calls[operation]?.(request))?.data;
      },
    };
  });
}
