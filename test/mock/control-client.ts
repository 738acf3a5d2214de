import { request } from "node:http";
import { onTestFinished } from "vitest";
import type { RequestSummary } from "../../src/mock/adapters/http-listener.ts";
import { type ServedReference, serveWith } from "../../src/mock/adapters/serve.ts";
import { controlApi } from "../../src/mock/adapters/control.ts";
import {
  createReferenceServer,
  type ReferenceServer,
  type ReferenceServerOptions,
} from "../../src/mock/index.ts";

export const TOKEN = "control-token-of-the-tests";

/** A response of the control API; the body is `undefined` without one. */
export interface ControlResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The parts of a request in addition to method and path. */
export interface RequestParts {
  readonly body?: unknown;
  /** A body that is sent unchanged, instead of `body`. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A served reference server with its control API. */
export class ControlClient {
  readonly ref: ReferenceServer;
  readonly served: ServedReference;
  readonly log: RequestSummary[];

  constructor(ref: ReferenceServer, served: ServedReference, log: RequestSummary[]) {
    this.ref = ref;
    this.served = served;
    this.log = log;
  }

  /** Sends `POST /reset`, say, with a body. */
  call(route: string, body?: unknown): Promise<ControlResponse> {
    const [method = "", path = ""] = route.split(" ");
    return this.send(method, path, { body });
  }

  /** `fetch` cannot send the headers `Host` and `Origin`. */
  send(
    method: string,
    path: string,
    { body, text = body === undefined ? undefined : JSON.stringify(body), headers = {} }: RequestParts = {},
  ): Promise<ControlResponse> {
    const url = `${new URL(this.served.storeUrl).origin}/__ref${path}`;
    const type = text === undefined ? {} : { "content-type": "application/json" };
    const sent = { authorization: `Bearer ${TOKEN}`, ...type, ...headers };
    return new Promise((resolve, reject) => {
      const outgoing = request(url, { method, agent: false, headers: sent }, (response) => {
        let received = "";
        response.setEncoding("utf8").on("data", (part: string) => (received += part));
        response.on("end", () => {
          const isJson = response.headers["content-type"] === "application/json";
          const parsed: unknown = isJson ? JSON.parse(received) : received || undefined;
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: parsed });
        });
      });
      outgoing.on("error", reject).end(text);
    });
  }

  /** Sends a request to the store API; returns its status. */
  async store(path: string, token = this.ref.token, init: RequestInit = {}): Promise<number> {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(`${this.served.storeUrl}${path}`, { ...init, headers });
    await response.arrayBuffer();
    return response.status;
  }
}

/** Starts a reference server with its control API for the current test. */
export async function startControlled(options: ReferenceServerOptions = {}): Promise<ControlClient> {
  const ref = createReferenceServer(options);
  const log: RequestSummary[] = [];
  const hooks = {
    intercept: controlApi(ref, TOKEN),
    onRequest: (line: RequestSummary) => void log.push(line),
  };
  const served = await serveWith(ref, { cors: true }, hooks);
  onTestFinished(() => served.close());
  return new ControlClient(ref, served, log);
}
