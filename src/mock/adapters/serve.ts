import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { isIP } from "node:net";
import { setTimeout } from "node:timers";
import * as z from "zod/mini";
import { isLoopback, listenOn } from "../../wire/address.ts";
import type { ReferenceServer } from "../reference-server.ts";
import type { BaseUrls } from "../server/options.ts";
import { parse } from "../server/schemas.ts";
import { httpListener, type Mount, type ServeHooks } from "./http-listener.ts";

/** Options of `serve`. */
export interface ServeOptions {
  /** The port. Default: a free port. */
  port?: number | undefined;
  /** The address to listen on. Default: `127.0.0.1`, which other machines cannot reach. */
  host?: string | undefined;
  /** Whether pages of any origin may call the server. */
  cors?: boolean | undefined;
  /**
   * Further names that the header `Host` of a request may have, such as the name of a container. By default it must
   * be the address that the server listens on; a request with another name gets 421.
   */
  allowHosts?: readonly string[] | undefined;
}

/** A reference server that listens. */
export interface ServedReference extends BaseUrls {
  readonly port: number;
  /** Frees the port, ends idle connections at once and all others after half a second. May be called twice. */
  close(): Promise<void>;
}

const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"];

const ALL_ADDRESSES: ReadonlySet<string> = new Set(["", "0.0.0.0", "::"]);

/** The expectation in an error about a name that `isHostName` rejects. */
const HOST_NAME_EXPECTED = "must be a host name or an address without scheme, port and path";

const HOST_NAME = /^[\w.-]+$/;

const schema = z.strictObject({
  port: z.optional(z.int().check(z.gte(0), z.lte(65_535))),
  host: z.optional(z.string()),
  cors: z.optional(z.boolean()),
  allowHosts: z.optional(z.array(z.string().check(z.refine(isHostName, HOST_NAME_EXPECTED)))),
});

/** Enough for a query with thousands of IDs; a connection that is closed in a pause of a test would be an unwanted fault. */
const HTTP_LIMITS = { maxHeaderSize: 262_144, keepAliveTimeout: 60_000 };

/**
 * Serves a reference server over HTTP. Rejects with Node's error if it cannot listen, such as
 * `EADDRINUSE`.
 *
 * @example const { storeUrl, close } = await serve(ref, { port: 4010 });
 */
export async function serve(ref: ReferenceServer, options: ServeOptions = {}): Promise<ServedReference> {
  return serveWith(ref, options, {});
}

/** Serves a reference server with the hooks of the command line. */
export async function serveWith(
  ref: ReferenceServer,
  options: ServeOptions,
  hooks: ServeHooks,
): Promise<ServedReference> {
  const { port = 0, host = "127.0.0.1", cors = false, allowHosts = [] } = parse(schema, options, "serve");
  const mounts = mountsOf(ref);
  const server = createServer(HTTP_LIMITS);
  const isAllowedHost = hostGuard(host, allowHosts);
  const longestFirst = mounts.toSorted((a, b) => b.path.length - a.path.length);
  server.on("request", httpListener(ref, { mounts: longestFirst, cors, isAllowedHost, ...hooks }));
  const bound = await listenOn(server, port, host);
  const [storeUrl = "", fleetUrl = "", sandboxUrl = ""] = mounts.map(
    ({ path }) => originOf(host, bound) + path,
  );
  let closed: Promise<void> | undefined;
  return { storeUrl, fleetUrl, sandboxUrl, port: bound, close: () => (closed ??= closeServer(server)) };
}

/** The time for which open responses may continue while the server closes, in milliseconds. */
const CLOSE_TIMEOUT = 500;

async function closeServer(server: Server): Promise<void> {
  // a timer of Node's module, which fake timers do not stop
  setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT).unref();
  server.close();
  await once(server, "close");
}

/** Each API keeps the path of its base URL; a path that is already used gets the name of the base as a prefix. */
function mountsOf({ storeUrl, fleetUrl, sandboxUrl }: ReferenceServer): Mount[] {
  const mounts: Mount[] = [];
  for (const [base, url] of Object.entries({ store: storeUrl, fleet: fleetUrl, sandbox: sandboxUrl })) {
    let path = new URL(url).pathname.replace(/\/+$/, "");
    while (mounts.some((other) => other.path === path)) path = `/${base}${path}`;
    mounts.push({ base: base as Mount["base"], path }); // a name of the object
  }
  return mounts;
}

/** Whether a text can be the name in a header `Host`: a name or an address without scheme, port and path. */
function isHostName(text: string): boolean {
  return HOST_NAME.test(text) || isIP(text.replace(/^\[(.*)\]$/, "$1")) === 6;
}

function inHeader(host: string): string {
  return (isIP(host) === 6 ? `[${host}]` : host).toLowerCase();
}

/** Returns the URL of a server that listens on a host. A server that listens on all addresses gets the loopback address. */
function originOf(host: string, port: number): string {
  const loopback = host === "::" ? "::1" : "127.0.0.1";
  return `http://${inHeader(ALL_ADDRESSES.has(host) ? loopback : host)}:${port}`;
}

/**
 * Returns the check of the header `Host` for a server that listens on `host`; `allowed`: further names. A page of another
 * site can reach a server on this machine under the name of that site (DNS rebinding); its requests then have that name
 * in `Host`. HTTP 1.0, which no browser uses, has no such header.
 */
function hostGuard(host: string, allowed: readonly string[]): (header: string | undefined) => boolean {
  const isAnyAddress = ALL_ADDRESSES.has(host);
  const loopback = isLoopback(host) || isAnyAddress ? LOOPBACK_NAMES : [];
  const names = new Set([host, ...loopback, ...allowed].map(inHeader));
  return (header) => {
    if (header === undefined) return true;
    const name = header.replace(/:\d*$/, "").toLowerCase();
    return names.has(name) || (isAnyAddress && isIP(name.replace(/^\[|\]$/g, "")) !== 0);
  };
}
