import http from "node:http";
import tls from "node:tls";
import { Agent, EnvHttpProxyAgent, fetch as undiciFetch, ProxyAgent } from "undici";
import type { ClientOptions } from "../../src/index.ts";
import { type NodeTransportOptions, nodeTransport } from "../../src/client/node.ts";

/** How a client connects, as options of `nodeTransport`. */
export type Connection = Omit<NodeTransportOptions, "dispatcher" | "connect"> & {
  connect?: { ca?: string; cert?: string; key?: string };
  /** Whether the dispatcher is the user's. */
  hasDispatcher?: boolean;
};

/** The options of a client, and what ends its connections. */
export interface Opened {
  options: Pick<ClientOptions, "fetch" | "transport">;
  close(): Promise<void>;
}

/** Opens a transport; undefined if it has no such connection. */
export type Open = (connection: Connection) => Opened | undefined;

/** The version of undici that this process has (vitest.config.ts). */
const version = process.env["UNDICI"];

function createDispatcher({ proxy, http2 = false, connect = {}, connections }: Connection) {
  const settings = { allowH2: http2, connect, ...(connections !== undefined && { connections }) };
  const proxied = { ...settings, requestTls: { ...connect, allowH2: http2 }, proxyTls: connect };
  if (proxy === "env") return new EnvHttpProxyAgent(proxied);
  return proxy === undefined ? new Agent(settings) : new ProxyAgent({ ...proxied, uri: String(proxy) });
}

const openNodeTransport: Open = ({ hasDispatcher = false, ...options }) => {
  const dispatcher = hasDispatcher ? createDispatcher(options) : undefined;
  const transport = nodeTransport(dispatcher === undefined ? options : { dispatcher });
  const close = async (): Promise<void> => {
    await transport.close();
    await dispatcher?.close();
  };
  return { options: { transport }, close };
};

const openUndiciFetch: Open = (connection) => {
  const dispatcher = createDispatcher(connection);
  return {
    options: { fetch: (url, init) => undiciFetch(url, { ...init, dispatcher }) },
    close: () => dispatcher.close(),
  };
};

/** The part of Node 24 that its types lack. */
const { setGlobalProxyFromEnv } = http as unknown as {
  setGlobalProxyFromEnv(environment: NodeJS.ProcessEnv): () => void;
};

/** The global `fetch`: authorities and proxies are settings of the process, and it has no HTTP/2. */
const openFetch: Open = ({ http2, connect = {}, connections, proxy, hasDispatcher }) => {
  const isUnable = http2 === true || connect.cert !== undefined || connections !== undefined || hasDispatcher;
  if (isUnable === true || (proxy !== undefined && proxy !== "env")) return undefined;
  const authorities = tls.getCACertificates();
  if (connect.ca !== undefined) tls.setDefaultCACertificates([...authorities, connect.ca]);
  const restoreProxy = proxy === "env" ? setGlobalProxyFromEnv(process.env) : () => {};
  const close = async (): Promise<void> => {
    restoreProxy();
    tls.setDefaultCACertificates(authorities);
  };
  return { options: {}, close };
};

export const transports: [name: string, open: Open][] = [
  ...(version === "8" ? ([["fetch", openFetch]] as [string, Open][]) : []),
  [`fetch of undici ${version}`, openUndiciFetch],
  [`nodeTransport, undici ${version}`, openNodeTransport],
];
