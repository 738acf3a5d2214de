import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as httpRequest,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { endToEnd } from "./headers.ts";
import type { Located } from "./targets.ts";

/** Larger heads are refused, in bytes. */
export const HEAD_LIMIT = 262_144;

/** Methods that Node sends without a body unless they declare one. */
const BODILESS: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"]);

/** The connections to the services. */
export class Upstream {
  readonly #http = new HttpAgent({ keepAlive: true });
  readonly #https = new HttpsAgent({ keepAlive: true });

  /** Opens a request for what came in; its body has to be written to it. */
  open(incoming: IncomingMessage, { target, path, query }: Located): ClientRequest {
    const { url } = target;
    const base = url.pathname.replace(/\/+$/, "");
    const isTls = url.protocol === "https:";
    const send = isTls ? httpsRequest : httpRequest;
    return send({
      agent: isTls ? this.#https : this.#http,
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port,
      method: incoming.method,
      path: `${base}${path}${query === "" ? "" : `?${query}`}` || "/",
      headers: headersFor(incoming, url.host),
      maxHeaderSize: HEAD_LIMIT,
    });
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }
}

/** The header fields as they came, with the host of the service. */
function headersFor(incoming: IncomingMessage, host: string): string[] {
  const headers = ["Host", host, ...endToEnd(incoming.rawHeaders, "host")];
  // Node would announce a chunked body where the request declares none
  const { "content-length": length, "transfer-encoding": coding } = incoming.headers;
  const declaresNone = length === undefined && coding === undefined;
  if (declaresNone && !BODILESS.has(incoming.method ?? "")) headers.push("Content-Length", "0");
  return headers;
}
