import { runWithClient } from "./http-job.ts";
import type { Job } from "./job.ts";

/** The part of a generated module that is called here. It is generated before each run. */
interface Generated {
  createClient(operations: unknown, config: object): Record<string, Method>;
  OPERATIONS: unknown;
}

interface Method {
  (args: object): Promise<unknown>;
  items?: (args: object) => AsyncIterable<unknown>;
}

/** Does a task with the client that Redocly CLI generates, with its retries, time limit and pagination. */
export function runRedocly(job: Job): Promise<void> {
  return runWithClient(job, async ({ api, baseUrl, readSecret, fetch }) => {
    const file = `${process.env["PROVE_CLIENTS"]}/${api}.js`; // npm run prove:scoreboard sets it
    const { createClient, OPERATIONS } = (await import(file)) as Generated;
    const client = createClient(OPERATIONS, {
      serverUrl: baseUrl,
      fetch,
      timeout: 1500,
      retry: { retries: 2, retryDelay: 100 },
      auth: { bearer: readSecret },
    });
    const method = (operation: string) => client[operation] as Method; // the job names existing operations
    return {
      call: (operation, input) => method(operation)(input),
      list: (operation, input) => method(operation).items?.(input),
    };
  });
}
