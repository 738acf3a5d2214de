import { createBullBoard } from "@bull-board/api";
import { BullMQAdapter } from "@bull-board/api/bullMQAdapter";
import { HonoAdapter } from "@bull-board/hono";
import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import type { Log } from "./log.ts";
import { connect, openQueue } from "./queue.ts";
import type { Settings } from "./settings.ts";

/** Serves bull-board on 127.0.0.1 only, because it has no password and can delete jobs. */
export async function openBoard(
  settings: Settings,
  log: Log,
): Promise<{ url: string; close(): Promise<void> }> {
  const redis = connect(settings.redisUrl, log);
  const queue = openQueue(redis, settings, log);
  const adapter = new HonoAdapter(serveStatic);
  createBullBoard({ queues: [new BullMQAdapter(queue)], serverAdapter: adapter });
  const app = new Hono();
  app.route("/", adapter.registerPlugin());
  const { server, port } = await listen(app, settings.boardPort);
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      await new Promise((resolve) => server.close(resolve));
      await queue.close();
      redis.disconnect();
    },
  };
}

function listen(app: Hono, port: number): Promise<{ server: ReturnType<typeof serve>; port: number }> {
  return new Promise((resolve, reject) => {
    const options = { fetch: app.fetch, port, hostname: "127.0.0.1", overrideGlobalObjects: false };
    const server = serve(options, (info) => resolve({ server, port: info.port }));
    server.once("error", reject);
  });
}
