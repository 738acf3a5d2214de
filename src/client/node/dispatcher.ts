import type * as undici from "undici";
import { isLoopback } from "../../wire/loopback.ts";
import { ConfigurationError } from "../core/errors/errors.ts";
import type { NodeTransportOptions } from "./options.ts";
import { isRemote } from "./proxy-secrets.ts";
import type { UndiciDispatcher } from "./undici.ts";

type Connect = undici.buildConnector.BuildOptions;

/** Creates the dispatcher of a transport. */
export async function createDispatcher(options: NodeTransportOptions): Promise<UndiciDispatcher> {
  const { connections, proxy, http2 = false, connect = {} } = options;
  const { Agent, EnvHttpProxyAgent, Pool, ProxyAgent } = await loadUndici();
  const agent = {
    connect: connect as Connect, // undici reads an undefined property as a missing one
    allowH2: http2,
    ...(connections === undefined ? {} : { connections }),
  };
  if (proxy === undefined) return new Agent(agent);
  const proxied = {
    ...agent,
    // undici 7 would also open a tunnel for plain HTTP
    proxyTunnel: false,
    requestTls: { ...connect, allowH2: http2 } as Connect, // as above
    clientFactory: (origin: URL, pool: object) => refuseReconnects(new Pool(origin, pool)),
    // the client certificate and the server name are for the service, not for the proxy
    proxyTls: { ca: connect.ca, timeout: connect.timeout, allowH2: false } as Connect, // as above
  };
  const dispatcher =
    proxy === "env" ? new EnvHttpProxyAgent(proxied) : new ProxyAgent({ ...proxied, uri: String(proxy) });
  return isRemote(proxy) ? exceptLoopback(dispatcher, new Agent(agent)) : dispatcher;
}

/** A proxy on another machine has other loopback hosts, and would receive the secrets of their plain HTTP. */
function exceptLoopback(proxied: UndiciDispatcher, direct: UndiciDispatcher): UndiciDispatcher {
  return {
    dispatch: (options, handler) => {
      const { hostname } = new URL(options.origin);
      return (isLoopback(hostname) ? direct : proxied).dispatch(options, handler);
    },
    close: async () => {
      await Promise.all([proxied.close(), direct.close()]);
    },
  };
}

/** undici 7 would reconnect forever to a proxy that closes the connection instead of opening a tunnel. */
function refuseReconnects(pool: undici.Pool): undici.Pool {
  const connect = pool.connect.bind(pool) as (options: object) => Promise<unknown>; // the overload that undici calls
  const connectOnce = async (options: object): Promise<unknown> => {
    try {
      return await connect(options);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException; // undici rejects only with errors
      if (code !== "UND_ERR_SOCKET") throw error;
      throw Object.assign(new Error(`the proxy closed the connection: ${message}`), {
        code: "UND_ERR_PRX_CONN",
      });
    }
  };
  return Object.assign(pool, { connect: connectOnce });
}

async function loadUndici(): Promise<typeof undici> {
  try {
    return await import("undici");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException; // a failed import throws only errors
    const missing = code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND";
    throw new ConfigurationError(
      missing
        ? "shelfleet/node needs undici 7 or 8, which is not installed: run npm install undici"
        : `shelfleet/node could not load undici (undici 8 needs Node.js 22.19 or later): ${message}`,
    );
  }
}
