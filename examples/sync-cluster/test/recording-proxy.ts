import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { ReferenceServer } from "../../../src/mock/index.ts";

/** A request as it arrived. */
export interface ReceivedRequest {
  /** ms since the process began. */
  at: number;
  url: URL;
  status: number;
}

/** The response of the service to the request with this index; undefined: the response of the reference server. */
export type Rule = (url: URL, earlier: number) => RuledResponse | Promise<RuledResponse>;
type RuledResponse = Response | undefined;

/** The path of the fleet API. */
export const fleetPath = "/api/third-party/v1";

/** A rule without a response. */
export const never = new Promise<never>(() => {});

/** A reference server over HTTP whose responses a test can replace, delay or withhold. */
export class RecordingProxy {
  readonly receivedRequests: ReceivedRequest[] = [];
  rule: Rule = () => undefined;
  /** The delay of a response in milliseconds. */
  delay = 0;
  readonly #ref: ReferenceServer;
  readonly #server = createServer((request, response) => void this.#handle(request, response));

  constructor(ref: ReferenceServer) {
    this.#ref = ref;
  }

  async listen(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`; // it listens on a port
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  #upstreamUrl(path: string): string {
    const { storeUrl, fleetUrl } = this.#ref;
    return path.startsWith(fleetPath) ? fleetUrl + path.slice(fleetPath.length) : storeUrl + path;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = { at: performance.now(), url: new URL(request.url ?? "/", "http://proxy"), status: 0 };
    const earlier = this.receivedRequests.push(received) - 1;
    const ruled = await this.rule(received.url, earlier);
    const headers = { authorization: request.headers.authorization ?? "" };
    const upstream = ruled ?? (await this.#ref.fetch(this.#upstreamUrl(request.url ?? ""), { headers }));
    received.status = upstream.status;
    if (this.delay > 0) await pause(this.delay);
    response.writeHead(upstream.status, Object.fromEntries(upstream.headers));
    response.end(await upstream.text());
  }
}

/** Responds to the first requests at once, and to the others after the returned function is called. */
export function gate(proxy: RecordingProxy, requests: number): () => void {
  const control = new AbortController();
  const opened = once(control.signal, "abort");
  proxy.rule = async (_, earlier) => {
    if (earlier >= requests) await opened;
    return undefined;
  };
  return () => control.abort();
}

/** An error response in the format of the service. */
export function refusal(status: number, code: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error: { code, message: `error of the test: ${code}` } }, { status, headers });
}
