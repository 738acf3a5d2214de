import { routeOf, runWithClient } from "./http-job.ts";
import type { Job } from "./job.ts";

const ATTEMPTS = 3;
const TIMEOUT = 1500;

/** Does a task with `fetch`, time limits, and retries of what may be repeated. */
export function runPlainFetch(job: Job): Promise<void> {
  return runWithClient(job, ({ baseUrl, readSecret, fetch }) => ({
    async call(operation, { path = {}, query = {}, body }) {
      const { method, path: template } = routeOf(operation);
      const route = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(path[name] ?? ""),
      );
      const given = Object.entries(query).filter(([, value]) => value !== undefined);
      const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
      const isRepeatable = method === "GET" || method === "PUT" || method === "DELETE";
      for (let attempt = 1; ; attempt += 1) {
        try {
          const response = await fetch(`${baseUrl}${route}?${search}`, {
            method,
            headers: {
              authorization: `Bearer ${readSecret()}`,
              ...(body !== undefined && { "content-type": "application/json" }),
            },
            signal: AbortSignal.timeout(TIMEOUT),
            ...(body !== undefined && { body: JSON.stringify(body) }),
          });
          if (!response.ok) throw new Error(`${method} ${operation}: ${response.status}`);
          return response.status === 204 ? undefined : ((await response.json()) as unknown);
        } catch (error) {
          if (attempt === ATTEMPTS || !isRepeatable) throw error;
          await new Promise((resolve) => void setTimeout(resolve, 100 * 2 ** attempt));
        }
      }
    },
  }));
}
