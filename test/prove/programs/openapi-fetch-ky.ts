import ky from "ky";
import createClient from "openapi-fetch";
import type { paths as FleetPaths } from "../../../generated/fleet.ts";
import type { paths as StorePaths } from "../../../generated/store.ts";
import { routeOf, runWithClient } from "./http-job.ts";
import type { Job } from "./job.ts";

/** The method and the path of an operation come from a table here. */
export type Send = (
  method: string,
  path: string,
  init: object,
) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

/** Does a task with openapi-fetch over ky, which has the time limit and the retries. */
export function runOpenapiFetchKy(job: Job): Promise<void> {
  return runWithClient(job, ({ baseUrl, readSecret, fetch }) => {
    const send = ky.create({
      fetch,
      timeout: 1500,
      throwHttpErrors: false,
      retry: { limit: 2, maxRetryAfter: 5000 },
      hooks: {
        beforeRequest: [({ request }) => request.headers.set("authorization", `Bearer ${readSecret()}`)],
      },
    });
    const client = createClient<StorePaths & FleetPaths>({ baseUrl, fetch: (request) => send(request) });
    const request = client.request as unknown as Send;
    return {
      async call(operation, { path, query, body }) {
        const { method, path: route } = routeOf(operation);
        const init = { params: { path, query }, body };
        const { data, error, response } = await request(method.toLowerCase(), route, init);
        if (error === undefined && response.ok) return data;
        throw new Error(`${operation}: ${response.status} ${JSON.stringify(error)}`);
      },
    };
  });
}
