import { omitUndefined } from "../../wire/names.ts";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServedRequest } from "../adapters/node/http-server.ts";
import { listen, type ServedReference } from "../adapters/node/serve.ts";
import type { ReferenceServer } from "../reference-server.ts";
import { controlApi } from "./control-api.ts";
import { CONTROL_PATH, HEALTH_PATH } from "./paths.ts";
import { type KeyInfo, keysOf } from "./routes/server.ts";

function isHealthRequest({ url = "", method }: IncomingMessage): boolean {
  const [path] = url.split("?", 1);
  return path === HEALTH_PATH && method === "GET";
}

/** Returns whether the request was one for the health of the server. */
function handleHealth(request: IncomingMessage, response: ServerResponse): boolean {
  if (!isHealthRequest(request)) return false;
  request.resume();
  response.writeHead(200, { "content-type": "application/json", "cache-control": "no-store" });
  response.end('{"status":"ok"}');
  return true;
}

/** One request, as a log shows it. */
export interface RequestSummary {
  method: string;
  /** Without the query and without secrets. */
  path: string;
  /** `null` where a fault replaced the response. */
  status: number | null;
  fault: string | null;
  /** Since the head of the request was read. */
  milliseconds: number;
}

interface ControlledServerOptions {
  port: number;
  host?: string | undefined;
  cors: boolean;
  allowHosts: readonly string[];
  /** The token of the control API; without one the API is not served. */
  controlToken: string | undefined;
  onRequest?: ((summary: RequestSummary) => void) | undefined;
}

/** A served reference server with the address and the token of its control API. */
export interface ControlledServer extends ServedReference {
  readonly controlUrl: string | undefined;
  readonly controlToken: string | undefined;
}

/** Serves a reference server with a request log and, if asked for, the control API. */
export async function serveControlled(
  ref: ReferenceServer,
  { port, host, cors, allowHosts, controlToken, onRequest }: ControlledServerOptions,
): Promise<ControlledServer> {
  const place = { port, allowHosts, ...(host !== undefined && { host }) };
  const control = controlToken === undefined ? undefined : controlApi(ref, controlToken);
  const served = await listen(ref, place, {
    cors,
    onServed: (end) => {
      if (onRequest !== undefined && !isHealthRequest(end.request)) onRequest(summaryOf(ref, end));
    },
    intercept: (request, response) =>
      handleHealth(request, response) || control?.(request, response) === true,
  });
  const isControlled = controlToken !== undefined;
  const controlUrl = isControlled ? new URL(served.storeUrl).origin + CONTROL_PATH : undefined;
  return { ...served, controlUrl, controlToken };
}

function summaryOf(
  ref: ReferenceServer,
  { request, status, fault, milliseconds }: ServedRequest,
): RequestSummary {
  return {
    method: request.method ?? "",
    path: pathOf(ref, request),
    status,
    fault: fault?.kind ?? null,
    milliseconds,
  };
}

function pathOf(ref: ReferenceServer, { url = "", headers }: IncomingMessage): string {
  // the absolute URL of a request to a proxy may contain a password
  const target = url.replace(/^[a-z][\w+.-]*:\/\/[^/?#]*/i, "");
  return ref.redact(target.split("?", 1)[0] ?? "", headers);
}

/** The URLs and credentials that a caller needs to use a server. */
export interface StartupInfo {
  storeUrl: string;
  fleetUrl: string;
  sandboxUrl: string;
  controlUrl?: string;
  controlToken?: string;
  token: string;
  keys: KeyInfo[];
}

/** Returns addresses, token and keys. */
export function startupInfo(ref: ReferenceServer, served: ControlledServer): StartupInfo {
  const { storeUrl, fleetUrl, sandboxUrl, controlUrl, controlToken } = served;
  return {
    storeUrl,
    fleetUrl,
    sandboxUrl,
    ...omitUndefined({ controlUrl, controlToken }),
    token: ref.token,
    keys: keysOf(ref),
  };
}
