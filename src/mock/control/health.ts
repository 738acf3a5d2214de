import type { IncomingMessage, ServerResponse } from "node:http";

/** The path that responds with 200 without a token, for scripts that wait for the server. */
export const HEALTH_PATH = "/__ref/health";

/** Whether a request asks for the health of the server. */
export function isHealthRequest({ url = "", method }: IncomingMessage): boolean {
  const [path] = url.split("?", 1);
  return path === HEALTH_PATH && method === "GET";
}

/** Handles a request for the health of the server; returns whether it was one. */
export function handleHealth(request: IncomingMessage, response: ServerResponse): boolean {
  if (!isHealthRequest(request)) return false;
  request.resume();
  response.writeHead(200, { "content-type": "application/json", "cache-control": "no-store" });
  response.end('{"status":"ok"}');
  return true;
}
