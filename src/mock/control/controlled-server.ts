import type { IncomingMessage, ServerResponse } from "node:http";
import { omitUndefined } from "../../wire/names.ts";
import { type ServedReference, type ServedRequest, type ServeOptions, serveWith } from "../adapters/serve.ts";
import { parseKey } from "../../wire/fleet-key.ts";
import type { ReferenceServer } from "../reference-server.ts";
import { controlApi } from "./control-api.ts";
import { CONTROL_PATH, HEALTH_PATH } from "./routes.ts";

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

interface ControlledServerOptions extends ServeOptions {
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
  { controlToken, onRequest, ...options }: ControlledServerOptions,
): Promise<ControlledServer> {
  const control = controlToken === undefined ? undefined : controlApi(ref, controlToken);
  const served = await serveWith(ref, options, {
    onServed: (end) => {
      if (onRequest !== undefined && !isHealthRequest(end.request)) onRequest(summaryOf(ref, end));
    },
    intercept: (request, response) =>
      handleHealth(request, response) || control?.(request, response) === true,
  });
  const controlUrl = control && new URL(served.storeUrl).origin + CONTROL_PATH;
  return { ...served, controlUrl, controlToken };
}

function isHealthRequest({ url = "", method }: IncomingMessage): boolean {
  return url.split("?", 1)[0] === HEALTH_PATH && method === "GET";
}

/** Returns whether the request was one for the health of the server. */
function handleHealth(request: IncomingMessage, response: ServerResponse): boolean {
  if (!isHealthRequest(request)) return false;
  request.resume();
  response.writeHead(200, { "content-type": "application/json", "cache-control": "no-store" });
  response.end('{"status":"ok"}');
  return true;
}

function summaryOf(
  ref: ReferenceServer,
  { request, status, fault, milliseconds }: ServedRequest,
): RequestSummary {
  const { method = "", url = "", headers } = request;
  // the absolute URL of a request to a proxy may contain a password
  const [path = ""] = url.replace(/^[a-z][\w+.-]*:\/\/[^/?#]*/i, "").split("?", 1);
  return { method, path: ref.redact(path, headers), status, fault: fault?.kind ?? null, milliseconds };
}

/** A key of the fleet API with the environment that it belongs to. */
interface KeyInfo {
  key: string;
  environment: "production" | "sandbox" | undefined;
  scopes: readonly string[];
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
  const addresses = { storeUrl, fleetUrl, sandboxUrl, ...omitUndefined({ controlUrl, controlToken }) };
  const keys = ref.keys.map(({ key, scopes }) => ({ key, environment: parseKey(key)?.environment, scopes }));
  return { ...addresses, token: ref.token, keys };
}
