import { booleanRule, checkOptions, hasMethods, type OptionRule, requireValue } from "./option-rules.ts";
import { ConfigurationError } from "./errors.ts";
import type { Transport, TransportRequest, TransportResponse } from "./transport.ts";

/** Any dispatcher of undici 7 or 8: `Agent`, `Pool`, `ProxyAgent`, `EnvHttpProxyAgent`, `MockAgent`. */
export interface UndiciDispatcher {
  /** Sends one request. The types of its arguments differ between the versions of undici. */
  dispatch(options: never, handler: never): boolean;
  /** Resolves when every request has ended. */
  close(): Promise<void>;
  /** Returns a dispatcher that calls an interceptor before this one. */
  compose?(interceptor: never): UndiciDispatcher;
}

/** Options of `nodeTransport`. */
export interface NodeTransportOptions {
  /**
   * A dispatcher of undici, used unchanged: `Agent`, `Pool`, `ProxyAgent`, `EnvHttpProxyAgent` or `MockAgent`. It
   * excludes the other options, and `close` of the transport does not close it.
   */
  dispatcher?: UndiciDispatcher | undefined;
  /** The largest number of connections to one origin (default: unlimited). Further requests wait for one. */
  connections?: number | undefined;
  /** The URL of a proxy, or `env` for `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` (default: no proxy). */
  proxy?: "env" | (string & {}) | URL | undefined;
  /** Uses HTTP/2 if a server offers it over TLS (default: false). undici 8 is needed for requests in parallel. */
  http2?: boolean | undefined;
  /** Options of `tls.connect`, such as certificate authorities `ca` and client certificates. */
  connect?: object | undefined;
}

/** A transport over undici; one may serve many clients. */
export interface NodeTransport extends Transport {
  /** Waits for the requests in flight, then closes the connections. Later requests are rejected. */
  close(): Promise<void>;
}

/** The parts of undici that are used, which versions 7 and 8 have. */
interface Undici {
  Agent: new (options: object) => UndiciDispatcher;
  ProxyAgent: new (options: object) => UndiciDispatcher;
  EnvHttpProxyAgent: new (options: object) => UndiciDispatcher;
  interceptors: { decompress(): unknown };
}

/** Ends a request of undici. */
type Controller = Pick<AbortController, "abort">;

const rules: Record<keyof NodeTransportOptions, OptionRule> = {
  dispatcher: ["a dispatcher of undici", (value) => hasMethods(value, "dispatch")],
  connections: ["a positive integer", (value) => Number.isSafeInteger(value) && Number(value) > 0],
  proxy: [
    '"env" or a URL with http: or https:',
    (value) => value === "env" || /^https?:/.test(String(value)),
  ],
  http2: booleanRule,
  connect: ["an object", (value) => typeof value === "object" && value !== null],
};

/**
 * Sends requests with undici instead of `fetch`: it takes less time per call, and proxies, certificates and connection
 * limits are options.
 * @throws {ConfigurationError} if an option is wrong
 * @example
 * const store = new StoreClient({ baseUrl, token, transport: nodeTransport() });
 */
export function nodeTransport(options: NodeTransportOptions = {}): NodeTransport {
  checkOptions("nodeTransport: ", options, rules);
  const { dispatcher: given, ...others } = options;
  const [extra] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
  requireValue(
    `nodeTransport: ${extra} cannot be combined with dispatcher; pass it to the dispatcher`,
    given === undefined || extra === undefined,
  );
  // started here, so that the time limit of the first request does not include it
  const opening = open(options);
  opening.catch(() => {}); // each request rejects with it
  let isClosed = false;
  const transport = async (request: TransportRequest): Promise<TransportResponse> => {
    if (isClosed) throw Object.assign(new Error("the transport is closed"), { code: "UND_ERR_CLOSED" });
    return send((await opening).dispatcher, request);
  };
  return Object.assign(transport, {
    async close() {
      isClosed = true;
      if (given === undefined) await (await opening.catch(() => undefined))?.own.close();
    },
    secrets: () => secretsOf(options.proxy),
  });
}

async function open({ dispatcher, connections, proxy, http2 = false, connect = {} }: NodeTransportOptions) {
  const loading = import("undici").catch((cause: unknown) => {
    throw new ConfigurationError("shelfleet/node needs undici: npm install undici", { cause });
  });
  const undici = (await loading) as unknown as Undici; // the parts above
  const tls = { timeout: 10_000, ...connect };
  const settings = { connections: connections ?? null, allowH2: http2, connect: tls };
  // the options of TLS are those of the service and of the proxy
  const proxied = { ...settings, requestTls: tls, proxyTls: tls };
  let own = dispatcher;
  if (proxy === "env") own ??= new undici.EnvHttpProxyAgent(proxied);
  if (proxy !== undefined) own ??= new undici.ProxyAgent({ ...proxied, uri: String(proxy) });
  own ??= new undici.Agent(settings);
  // decodes bodies
  return { own, dispatcher: own.compose?.(undici.interceptors.decompress() as never) ?? own };
}

/** Sends with `dispatch`: the streams of undici's `request` cost more than the request. */
function send(
  dispatcher: UndiciDispatcher,
  { method, url, headers, body, signal, maxBytes }: TransportRequest,
): Promise<TransportResponse> {
  const { origin, pathname, search } = new URL(url);
  const options = {
    origin,
    path: pathname + search,
    method,
    // a dispatcher may have a cache, whose responses `modify` would write back
    headers: {
      "accept-encoding": "gzip, deflate, br",
      "cache-control": "no-cache",
      pragma: "no-cache",
      ...headers,
    },
    body,
    // the client has its own time limits
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  return new Promise((resolve, reject) => {
    const head = { status: 0, headers: new Headers() };
    const chunks: Uint8Array[] = [];
    let size = 0;
    const end = (complete: boolean): void =>
      resolve({ ...head, bytes: Buffer.concat(chunks).subarray(0, maxBytes), complete });
    const handler = {
      onRequestStart(controller: Controller) {
        if (signal.aborted) controller.abort(signal.reason);
        signal.addEventListener("abort", () => controller.abort(signal.reason));
      },
      // an informational one comes before that of the response
      onResponseStart(_: Controller, status: number, fields: Record<string, string>) {
        Object.assign(head, { status, headers: new Headers(fields) });
      },
      onResponseData(controller: Controller, chunk: Uint8Array) {
        chunks.push(chunk);
        size += chunk.length;
        if (size <= maxBytes) return;
        end(false);
        controller.abort(new Error("the body is too long")); // closes the connection
      },
      onResponseEnd: () => end(true),
      onResponseError: (_: Controller, error: unknown) => reject(error),
    };
    dispatcher.dispatch(options as never, handler as never); // their types differ between the versions
  });
}

/** Returns the password in the URL of a proxy or in the environment, and its form in a header. */
function secretsOf(proxy: NodeTransportOptions["proxy"]): string[] {
  const { HTTP_PROXY, HTTPS_PROXY, http_proxy, https_proxy } = process.env;
  const urls = proxy === "env" ? [HTTP_PROXY, HTTPS_PROXY, http_proxy, https_proxy] : [proxy];
  return urls.flatMap((url) => {
    if (url === undefined || !URL.canParse(String(url))) return [];
    const { username, password } = new URL(String(url));
    const secret = decodeURIComponent(password || username);
    return secret === ""
      ? []
      : [secret, btoa(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)];
  });
}
