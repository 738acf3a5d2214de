import { parseBaseUrl } from "../../wire/base-url.ts";
import { hasDotSegment } from "../../wire/path-segment.ts";
import type { ApiName } from "../routes.ts";

/** A base URL that the proxy forwards requests to. */
export interface MountedService {
  readonly name: "store" | "fleet" | "sandbox";
  readonly api: ApiName;
  /** The base URL of the service. */
  readonly url: URL;
  /** The path on the proxy, without a trailing slash. */
  readonly mount: string;
}

/** The base URLs of the services. */
export interface ServiceUrls {
  readonly storeUrl?: string | undefined;
  readonly fleetUrl?: string | undefined;
  readonly sandboxUrl?: string | undefined;
}

/** An error of an option of the proxy. */
export class ProxyOptionError extends Error {
  override readonly name = "ProxyOptionError";
}

/**
 * The services behind one port. Each keeps the path of its base URL; a path that is already used gets the name of
 * the service in front.
 *
 * @throws {ProxyOptionError}
 */
export function mountServices({ storeUrl, fleetUrl, sandboxUrl }: ServiceUrls): MountedService[] {
  const given = [
    ["store", "store", storeUrl],
    ["fleet", "fleet", fleetUrl],
    ["sandbox", "fleet", sandboxUrl],
  ] as const;
  const services: MountedService[] = [];
  for (const [name, api, text] of given) {
    if (text === undefined) continue;
    const url = baseUrl(name, text);
    const path = url.pathname.replace(/\/+$/, "");
    const isTaken = services.some(({ mount }) => mount === path);
    services.push({ name, api, url, mount: isTaken ? `/${name}${path}` : path });
  }
  if (services.length === 0)
    throw new ProxyOptionError("No service: expected --store-url, --fleet-url or --sandbox-url");
  return services;
}

function baseUrl(name: string, text: string): URL {
  const url = parseBaseUrl(text);
  if (typeof url === "string") throw new ProxyOptionError(`--${name}-url ${url}`);
  return url;
}

/** A request for a service: the path below its base URL and the query. */
export interface Located {
  readonly service: MountedService;
  readonly path: string;
  readonly query: string;
}

/** Finds the service of a request; `undefined` if the request must not be forwarded. */
export function locate(services: readonly MountedService[], requestTarget: string): Located | undefined {
  const [path = "", ...rest] = requestTarget.split("?");
  if (!path.startsWith("/") || hasDotSegment(path)) return undefined;
  const longestFirst = services.toSorted((a, b) => b.mount.length - a.mount.length);
  const service = longestFirst.find(({ mount }) => path === mount || path.startsWith(`${mount}/`));
  if (service === undefined) return undefined;
  return { service, path: path.slice(service.mount.length), query: rest.join("?") };
}
