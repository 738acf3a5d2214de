import ky from "ky";
import createClient from "openapi-fetch";
import { fleetOperations } from "../../../generated/fleet.operations.ts";
import { storeOperations } from "../../../generated/store.operations.ts";
import type { paths as FleetPaths } from "../../../generated/fleet.ts";
import type { paths as StorePaths } from "../../../generated/store.ts";
import { type Client, runWithClient } from "./http-job.ts";
import type { Job } from "./job.ts";

type Send = (
  method: string,
  path: string,
  init: object,
) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

const operations: Readonly<Record<string, { method: string; path: string }>> = {
  ...storeOperations,
  ...fleetOperations,
};

/** Does a task with openapi-fetch over ky, which has the time limit and the retries. */
export function runOpenapiFetchKy(job: Job): Promise<void> {
  return runWithClient(job, ({ task, storeUrl, fleetUrl, readToken, readKey, fetch }): Client => {
    const isStore = task.api === "store";
    const send = ky.create({
      fetch,
      timeout: 1500,
      throwHttpErrors: false,
      retry: { limit: 2, maxRetryAfter: 5000 },
      hooks: {
        beforeRequest: [
          ({ request }) =>
            request.headers.set("authorization", `Bearer ${isStore ? readToken() : readKey()}`),
        ],
      },
    });
    const baseUrl = isStore ? storeUrl : fleetUrl;
    const client = createClient<StorePaths & FleetPaths>({ baseUrl, fetch: (request) => send(request) });
    const request = client.request as unknown as Send; // the method and the path of an operation come from a table
    return {
      async call(operation, { path, query, body }) {
        const { method, path: route } = operations[operation] as { method: string; path: string }; // as above
        const { data, error, response } = await request(method.toLowerCase(), route, {
          params: { path, query },
          body,
        });
        if (error !== undefined || !response.ok)
          throw new Error(`${operation}: ${response.status} ${JSON.stringify(error)}`);
        return data;
      },
    };
  });
}
