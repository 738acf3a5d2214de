import type { IncomingMessage } from "node:http";
import type { Outcome } from "../adapters/node/http-server.ts";
import { type ServedReference, listen } from "../adapters/node/serve.ts";
import type { ReferenceServer } from "../reference-server.ts";
import { CONTROL_PATH, controlApi } from "./control-api.ts";

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

/** How a controlled server listens. */
export interface ControlledServerOptions {
  port: number;
  host?: string | undefined;
  cors: boolean;
  /** Whether the control API is served below `/__ref`. */
  control: boolean;
  onRequest: (summary: RequestSummary) => void;
}

/** A served reference server with the address of its control API. */
export interface ControlledServer extends ServedReference {
  readonly controlUrl: string | undefined;
}

/** Serves a reference server with a request log and, if asked for, the control API. */
export async function serveControlled(
  ref: ReferenceServer,
  { port, host, cors, control, onRequest }: ControlledServerOptions,
): Promise<ControlledServer> {
  const served = await listen(ref, host === undefined ? { port } : { port, host }, {
    cors,
    onOutcome: (outcome) => onRequest(summaryOf(ref, outcome)),
    ...(control && { intercept: controlApi(ref) }),
  });
  const controlUrl = control ? new URL(served.storeUrl).origin + CONTROL_PATH : undefined;
  return { ...served, controlUrl };
}

function summaryOf(ref: ReferenceServer, { request, status, fault, milliseconds }: Outcome): RequestSummary {
  return {
    method: request.method ?? "",
    path: pathOf(ref, request),
    status,
    fault: fault?.kind ?? null,
    milliseconds,
  };
}

function pathOf(ref: ReferenceServer, { url = "", headers }: IncomingMessage): string {
  const mark = url.indexOf("?");
  return ref.redact(mark === -1 ? url : url.slice(0, mark), headers.authorization);
}
