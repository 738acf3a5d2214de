import { fleetOperations } from "../../../generated/fleet.operations.ts";
import { storeOperations } from "../../../generated/store.operations.ts";
import { type Client, type Input, runWithClient } from "./http-job.ts";
import type { Job } from "./job.ts";

const operations: Readonly<Record<string, { method: string; path: string }>> = {
  ...storeOperations,
  ...fleetOperations,
};

/** Returns method and URL of an operation. */
export function locate(
  baseUrl: string,
  operation: string,
  { path = {}, query = {} }: Input,
): { method: string; url: string } {
  const { method, path: template } = operations[operation] as { method: string; path: string }; // the job names existing ones
  const route = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ""));
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return { method, url: `${baseUrl}${route}?${search}` };
}

const ATTEMPTS = 3;
const TIMEOUT = 1500;

/** Does a task with `fetch`, time limits, and retries of what may be repeated. */
export function runPlainFetch(job: Job): Promise<void> {
  return runWithClient(job, ({ task, storeUrl, fleetUrl, readToken, readKey, fetch }): Client => {
    const isStore = task.api === "store";
    return {
      async call(operation, input) {
        const { method, url } = locate(isStore ? storeUrl : fleetUrl, operation, input);
        const isRepeatable = method === "GET" || method === "PUT" || method === "DELETE";
        for (let attempt = 1; ; attempt += 1) {
          try {
            const response = await fetch(url, {
              method,
              headers: {
                authorization: `Bearer ${isStore ? readToken() : readKey()}`,
                ...(input.body !== undefined && { "content-type": "application/json" }),
              },
              signal: AbortSignal.timeout(TIMEOUT),
              ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
            });
            if (!response.ok) throw new Error(`${method} ${operation}: ${response.status}`);
            return response.status === 204 ? undefined : ((await response.json()) as unknown);
          } catch (error) {
            if (attempt === ATTEMPTS || !isRepeatable) throw error;
            await new Promise((resolve) => void setTimeout(resolve, 100 * 2 ** attempt));
          }
        }
      },
    };
  });
}
