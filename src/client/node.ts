import {
  booleanRule,
  hasMethods,
  integer,
  type OptionRule,
  readOptions,
  requireValue,
} from "./option-rules.ts";
import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { ConfigurationError } from "./errors.ts";
import type { ResponseHeaders } from "./headers.ts";
import { BodyBytes, type Transport, type TransportRequest, type TransportResponse } from "./transport.ts";

/** Any dispatcher of undici 7 or 8: `Agent`, `Pool`, `ProxyAgent`, `EnvHttpProxyAgent`, `MockAgent`. */
export interface UndiciDispatcher {
  /** Sends one request. The types of its arguments differ between the versions of undici. */
  dispatch(options: never, handler: never): boolean;
  /** Resolves when every request has ended. */
  close(): Promise<void>;
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
}

/** Controls a request of undici. */
interface Controller {
  abort(reason: unknown): void;
  pause(): void;
  resume(): void;
}

const rules: Record<keyof NodeTransportOptions, OptionRule> = {
  dispatcher: ["a dispatcher of undici", (value) => hasMethods(value, "dispatch")],
  connections: integer(1),
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
  readOptions("nodeTransport: ", options, rules);
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
    return send(await opening, request);
  };
  return Object.assign(transport, {
    async close() {
      isClosed = true;
      if (given === undefined) await (await opening.catch(() => undefined))?.close();
    },
    secrets: () => secretsOf(options.proxy),
  });
}

async function open(options: NodeTransportOptions): Promise<UndiciDispatcher> {
  const { dispatcher, connections = null, proxy, http2 = false, connect = {} } = options;
  if (dispatcher !== undefined) return dispatcher;
  const loading = import("undici").catch((cause: unknown) => {
    throw new ConfigurationError("shelfleet/node needs undici: npm install undici", { cause });
  });
  const undici = (await loading) as unknown as Undici; // the parts above
  const tls = { timeout: 10_000, ...connect };
  const settings = {
    connections,
    allowH2: http2,
    connect: tls,
    // of the service behind a proxy, and of the proxy
    requestTls: { ...tls, allowH2: http2 },
    proxyTls: tls,
  };
  if (proxy === "env") return new undici.EnvHttpProxyAgent(settings);
  if (proxy !== undefined) return new undici.ProxyAgent({ ...settings, uri: String(proxy) });
  return new undici.Agent(settings);
}

/** Create the decoders of codings. Another coding, or several, were not offered: such a body is not JSON. */
const decoders = new Map<string, () => Transform>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

/** Headers of every request. A dispatcher may have a cache, whose responses `modify` would write back. */
const ownHeaders = {
  "accept-encoding": "gzip, br",
  "cache-control": "no-cache",
  pragma: "no-cache",
};

/** Sends with `dispatch`: the streams of undici's `request` cost more than the request. */
function send(dispatcher: UndiciDispatcher, request: TransportRequest): Promise<TransportResponse> {
  const { method, url, headers, body } = request;
  const slash = url.indexOf("/", url.indexOf("//") + 2);
  const options = {
    origin: slash < 0 ? url : url.slice(0, slash),
    path: slash < 0 ? "/" : url.slice(slash),
    method,
    headers: { ...ownHeaders, ...headers },
    body,
    // the client has its own time limits
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const reader = new ResponseReader(request);
  dispatcher.dispatch(options as never, reader as never); // their types differ between the versions
  return reader.result.promise;
}

/** Headers as undici returns them. */
type Fields = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Headers with lower-case names. A `Headers` object costs more than the rest of reading a response. */
class HeaderFields implements ResponseHeaders {
  readonly #fields: Fields;

  constructor(fields: Fields) {
    this.#fields = fields;
  }

  get(name: string): string | null {
    const value = Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
    return typeof value === "object" ? value.join(", ") : (value ?? null);
  }

  forEach(visit: (value: string, name: string) => void): void {
    for (const [name, value] of Object.entries(this.#fields)) {
      // HTTP/2 has the status among the headers
      if (!name.startsWith(":")) for (const part of [value ?? []].flat()) visit(part, name);
    }
  }
}

/** Reads the response to one request. undici calls its methods. */
class ResponseReader {
  readonly result = Promise.withResolvers<TransportResponse>();
  readonly #request: TransportRequest;
  readonly #bytes = new BodyBytes();
  #status = 0;
  #fields: Fields = {};
  /** Decodes the body; undefined if it comes as it is, and before its first byte: a 204 may name a coding. */
  #decoder: Transform | undefined;

  constructor(request: TransportRequest) {
    this.#request = request;
  }

  onRequestStart(controller: Controller): void {
    const { signal } = this.#request;
    if (signal.aborted) controller.abort(signal.reason);
    signal.addEventListener("abort", () => controller.abort(signal.reason), { once: true });
  }

  onResponseStart(_: Controller, status: number, fields: Fields): void {
    if (status < 200) return; // an informational one comes before that of the response
    this.#status = status;
    this.#fields = fields;
  }

  onResponseData(controller: Controller, chunk: Uint8Array): void {
    if (this.#bytes.size === 0) this.#decoder ??= this.#decode(controller);
    if (this.#decoder === undefined) this.#add(controller, chunk);
    else if (!this.#decoder.write(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    if (this.#decoder === undefined) this.#end(true);
    else this.#decoder.end();
  }

  onResponseError(_: Controller, error: unknown): void {
    this.#decoder?.destroy();
    this.result.reject(error);
  }

  #decode(controller: Controller): Transform | undefined {
    const create = decoders.get(String(this.#fields["content-encoding"]).toLowerCase());
    return create?.()
      .on("error", (error: unknown) => {
        this.result.reject(error);
        controller.abort(error);
      })
      .on("drain", () => controller.resume())
      .on("data", (decoded: Uint8Array) => this.#add(controller, decoded))
      .on("end", () => this.#end(true));
  }

  #add(controller: Controller, chunk: Uint8Array): void {
    this.#bytes.add(chunk);
    if (this.#bytes.size <= this.#request.maxBytes) return;
    this.#end(false);
    this.#decoder?.destroy(); // a few bytes may be gigabytes
    controller.abort(new Error("the body is too long")); // closes the connection
  }

  #end(complete: boolean): void {
    const body = this.#bytes.read(this.#request.maxBytes);
    this.result.resolve({ status: this.#status, headers: new HeaderFields(this.#fields), body, complete });
  }
}

/** Returns the password in the URL of a proxy or in the environment, and its form in a header. */
function secretsOf(proxy: NodeTransportOptions["proxy"]): string[] {
  const { HTTP_PROXY, HTTPS_PROXY, http_proxy, https_proxy } = process.env;
  const urls = proxy === "env" ? [HTTP_PROXY, HTTPS_PROXY, http_proxy, https_proxy] : [proxy];
  return urls.flatMap((url) => {
    if (!URL.canParse(String(url))) return [];
    const { username, password } = new URL(String(url));
    if (username + password === "") return [];
    const isEncoded = !/%(?![\da-f]{2})/i.test(username + password);
    requireValue("nodeTransport: in the URL of a proxy, a % of its password is written as %25", isEncoded);
    const [user, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
    return [secret || user, btoa(`${user}:${secret}`)];
  });
}
