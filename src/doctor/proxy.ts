import * as http from "node:http";

type Environment = Readonly<Record<string, string | undefined>>;

/** What Node 24.14 and later has. */
interface WithProxies {
  setGlobalProxyFromEnv?: (env: Environment) => () => void;
}

/** Makes `fetch` use the proxies that the environment names. Returns what happened, in a sentence. */
export function useProxies(env: Environment): string | undefined {
  const { setGlobalProxyFromEnv } = http as WithProxies;
  const names = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"].filter((name) => env[name]);
  if (names.length === 0) return undefined;
  if (env["NODE_USE_ENV_PROXY"] !== "1" && setGlobalProxyFromEnv === undefined)
    return "the proxy of the environment is not used: that needs Node 24.14 or later";
  if (env["NODE_USE_ENV_PROXY"] !== "1") setGlobalProxyFromEnv?.(env);
  return `the proxy of ${names.join(" and ")} is used, except for the hosts of NO_PROXY`;
}
