import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as httpRequest,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { endToEnd } from "./headers.ts";
import type { Located } from "./services.ts";

/**
 * The largest head of a request or a response, in bytes. The number of its fields has no limit: Node drops those beyond a
 * limit, and one of them can say where the body ends.
 */
export const HEAD_LIMIT = 262_144;

/** Methods that Node sends without a body unless they declare one. */
const BODILESS: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"]);

/** The connections to the services. */
export class Upstream {
  readonly #http = new HttpAgent({ keepAlive: true });
  readonly #https = new HttpsAgent({ keepAlive: true });

  /** Opens a request to the service; the caller writes the body. */
  open(incoming: IncomingMessage, { service, path, query }: Located): ClientRequest {
    const { url } = service;
    const base = url.pathname.replace(/\/+$/, "");
    const isTls = url.protocol === "https:";
    const send = isTls ? httpsRequest : httpRequest;
    const request = send({
      agent: isTls ? this.#https : this.#http,
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port,
      method: incoming.method,
      path: `${base}${path}${query === "" ? "" : `?${query}`}` || "/",
      headers: headersFor(incoming, url.host),
      maxHeaderSize: HEAD_LIMIT,
    });
    request.maxHeadersCount = 0;
    return request;
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }
}

/** Returns the received header fields, with the host of the service. */
function headersFor(incoming: IncomingMessage, host: string): string[] {
  const { "content-length": length, "transfer-encoding": coding } = incoming.headers;
  // Node refuses to announce trailers without chunks
  const others = coding === undefined ? ["host", "trailer"] : ["host"];
  const headers = ["Host", host, ...endToEnd(incoming.rawHeaders, ...others)];
  // without this Node would send a chunked body for a request without a body
  const declaresNone = length === undefined && coding === undefined;
  if (declaresNone && !BODILESS.has(incoming.method ?? "")) headers.push("Content-Length", "0");
  return headers;
}
