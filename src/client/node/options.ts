import type { ConnectionOptions } from "node:tls";
import { ConfigurationError } from "../core/errors/errors.ts";
import { checkNames } from "../core/errors/unknown-name.ts";
import type { UndiciDispatcher } from "./undici.ts";

/**
 * Options of `tls.connect`, except the host, the port and the protocols, which come from the request and from `http2`.
 */
export interface ConnectOptions
  extends Omit<ConnectionOptions, "host" | "port" | "path" | "socket" | "ALPNProtocols" | "timeout"> {
  /** The time to wait for a connection, in ms (default: 10 000). 0 disables it. */
  timeout?: number | undefined;
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
  /**
   * The URL of a proxy, or `env` for the environment variables `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` (default: no
   * proxy).
   */
  proxy?: "env" | (string & {}) | URL | undefined;
  /** Uses HTTP/2 if a server offers it over TLS (default: false). */
  http2?: boolean | undefined;
  /** Certificate authorities, client certificates and other options of TLS. */
  connect?: ConnectOptions | undefined;
}

const names = ["dispatcher", "connections", "proxy", "http2", "connect"];

/** Throws a `ConfigurationError` if an option is unknown or has a wrong value. Messages quote no value. */
export function checkOptions(options: NodeTransportOptions): void {
  if (!isObject(options)) throw new ConfigurationError("nodeTransport: the options must be an object");
  checkNames("nodeTransport: unknown option", options, names);
  const { dispatcher, connections, proxy, http2, connect } = options;
  check(
    "connections must be a positive integer",
    connections,
    (value) => Number.isInteger(value) && value > 0,
  );
  check("http2 must be true or false", http2, (value) => typeof value === "boolean");
  check("connect must be an object", connect, isObject);
  check('proxy must be "env" or a URL with http: or https:', proxy, isProxy);
  if (dispatcher !== undefined) checkDispatcher(dispatcher, options);
}

function checkDispatcher(dispatcher: UndiciDispatcher, options: NodeTransportOptions): void {
  check(
    "dispatcher must be a dispatcher of undici",
    dispatcher,
    (value) => isObject(value) && typeof value.dispatch === "function",
  );
  const extra = Object.entries(options).find(([name, value]) => name !== "dispatcher" && value !== undefined);
  if (extra !== undefined) {
    throw new ConfigurationError(
      `nodeTransport: ${extra[0]} cannot be combined with dispatcher; pass it to the dispatcher`,
    );
  }
  if (isRetryAgent(dispatcher)) {
    throw new ConfigurationError(
      "nodeTransport: dispatcher must not be a RetryAgent, which would repeat requests that must not be sent twice; pass the dispatcher inside it, and use the client's option retry",
    );
  }
}

/** Accepts the class of any installed version of undici. */
function isRetryAgent(dispatcher: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(dispatcher);
  if (!isObject(prototype)) return false;
  return prototype.constructor.name === "RetryAgent" || isRetryAgent(prototype);
}

function isProxy(proxy: string | URL): boolean {
  if (proxy === "env") return true;
  if (typeof proxy !== "string" && !(proxy instanceof URL)) return false;
  return URL.canParse(proxy) && /^https?:$/.test(new URL(proxy).protocol);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function check<T>(message: string, value: T | undefined, fits: (value: T) => boolean): void {
  if (value !== undefined && !fits(value)) throw new ConfigurationError(`nodeTransport: ${message}`);
}
