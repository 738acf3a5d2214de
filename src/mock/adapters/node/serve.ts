import type { ReferenceServer } from "../../reference-server.ts";
import { HOST_NAME_EXPECTED, HostGuard, isHostName, originOf } from "../../../wire/host-guard.ts";
import { checkNames } from "../../testing/checks.ts";
import { HttpServer, type HttpServerOptions } from "./http-server.ts";

/** Options of `serve`. */
export interface ServeOptions {
  /** The port. Default: a free port. */
  port?: number;
  /** The address to listen on. Default: `127.0.0.1`, which other machines cannot reach. */
  host?: string;
  /** Whether pages of any origin may call the server. */
  cors?: boolean;
  /**
   * Further names that the header `Host` of a request may have, such as the name of a container. By default it must
   * be the address that the server listens on; a request with another name gets 421.
   */
  allowHosts?: readonly string[];
}

/** A reference server that listens. */
export interface ServedReference {
  readonly storeUrl: string;
  readonly fleetUrl: string;
  readonly sandboxUrl: string;
  readonly port: number;
  /** Finishes open responses, ends idle and stalled connections, and frees the port. May be called twice. */
  close(): Promise<void>;
}

const LOOPBACK = "127.0.0.1";

/**
 * Serves a reference server over HTTP. Rejects with Node's error if it cannot listen, such as
 * `EADDRINUSE`.
 *
 * @example const { storeUrl, close } = await serve(ref, { port: 4010 });
 */
export async function serve(ref: ReferenceServer, options: ServeOptions = {}): Promise<ServedReference> {
  checkNames("serve", options, ["port", "host", "cors", "allowHosts"]);
  return listen(ref, options, { cors: options.cors ?? false });
}

/** `serve` with the additional options of the command line. */
export async function listen(
  ref: ReferenceServer,
  { port = 0, host = LOOPBACK, allowHosts = [] }: ServeOptions,
  options: Omit<HttpServerOptions, "hosts">,
): Promise<ServedReference> {
  const wrong = allowHosts.find((name) => !isHostName(name));
  if (wrong !== undefined) throw new Error(`allowHosts: ${HOST_NAME_EXPECTED}, not "${wrong}"`);
  const server = new HttpServer(ref, { ...options, hosts: new HostGuard(host, allowHosts) });
  const bound = await server.listen(port, host);
  const origin = originOf(host, bound);
  const { store, fleet, sandbox } = server.mounts;
  return {
    storeUrl: origin + store.path,
    fleetUrl: origin + fleet.path,
    sandboxUrl: origin + sandbox.path,
    port: bound,
    close: () => server.close(),
  };
}
