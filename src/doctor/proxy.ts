import * as http from "node:http";

type Environment = Readonly<Record<string, string | undefined>>;

/** What Node 24.14 and later has. */
interface WithProxies {
  setGlobalProxyFromEnv?: (env: Environment) => () => void;
}

/** Makes `fetch` use the proxies of the environment. Returns whether it does; an older Node cannot. */
export function useProxies(env: Environment): boolean {
  if (env["NODE_USE_ENV_PROXY"] === "1") return true;
  const { setGlobalProxyFromEnv } = http as WithProxies;
  setGlobalProxyFromEnv?.(env);
  return setGlobalProxyFromEnv !== undefined;
}

/** Returns host and port of the proxy that the environment names for a URL, without its password. */
export function findProxy({ protocol, hostname, port }: URL, env: Environment): string | undefined {
  const read = (name: string): string => env[name] || env[name.toUpperCase()] || "";
  const given = read(protocol === "http:" ? "http_proxy" : "https_proxy");
  const host = URL.parse(given)?.host;
  const defaultPort = protocol === "http:" ? "80" : "443";
  const isDirect = read("no_proxy")
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .some((entry) => matches(entry, hostname, port || defaultPort));
  return isDirect ? undefined : host;
}

/** Whether an entry of `NO_PROXY` names a host: itself, a domain above it, or everything. */
function matches(entry: string, hostname: string, port: string): boolean {
  const [, name = "", only] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (only !== undefined && only !== port) return false;
  const domain = name.replace(/^\*?\.?/, "");
  return name === "*" || hostname === domain || hostname.endsWith(`.${domain}`);
}
