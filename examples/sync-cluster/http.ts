import { serve } from "@hono/node-server";
import { Hono } from "hono";
import type { SyncWorker } from "./worker.ts";

/** Serves `/healthz` and `/metrics` of a worker, for Kubernetes and Prometheus. */
export function serveStatus(
  worker: SyncWorker,
  port: number,
): Promise<{ port: number; close(): Promise<void> }> {
  const app = new Hono();
  app.get("/healthz", async (context) => {
    const problems = await worker.findProblems();
    return context.json({ problems }, problems.length === 0 ? 200 : 503);
  });
  app.get("/metrics", async (context) => context.text(await worker.metrics.text()));
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, port, overrideGlobalObjects: false }, (info) =>
      resolve({
        port: info.port,
        close: () => new Promise((closed) => void server.close(() => closed())),
      }),
    );
    server.once("error", reject);
  });
}
