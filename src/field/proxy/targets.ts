import { hasDotSegment } from "../../wire/path-segment.ts";
import type { Api } from "../routes.ts";

/** A base URL that the proxy forwards requests to. */
export interface Target {
  readonly name: "store" | "fleet" | "sandbox";
  readonly api: Api;
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
 * The targets behind one port. Each keeps the path of its base URL; a path that is already used gets the name of
 * the target in front.
 *
 * @throws {ProxyOptionError}
 */
export function targetsOf({ storeUrl, fleetUrl, sandboxUrl }: ServiceUrls): Target[] {
  const given = [
    ["store", "store", storeUrl],
    ["fleet", "fleet", fleetUrl],
    ["sandbox", "fleet", sandboxUrl],
  ] as const;
  const targets: Target[] = [];
  for (const [name, api, text] of given) {
    if (text === undefined) continue;
    const url = baseUrl(name, text);
    const path = url.pathname.replace(/\/+$/, "");
    const isTaken = targets.some(({ mount }) => mount === path);
    targets.push({ name, api, url, mount: isTaken ? `/${name}${path}` : path });
  }
  if (targets.length === 0)
    throw new ProxyOptionError("No service: expected --store-url, --fleet-url or --sandbox-url");
  return targets;
}

function baseUrl(name: string, text: string): URL {
  const flag = `--${name}-url`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new ProxyOptionError(`${flag} must be an http or https URL`);
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    throw new ProxyOptionError(`${flag} must not contain credentials, a query or a fragment`);
  return url;
}

/** A request for a target: the path below its base URL and the query. */
export interface Located {
  readonly target: Target;
  readonly path: string;
  readonly query: string;
}

/** Finds the target of a request; `undefined` if the request must not be forwarded. */
export function locate(targets: readonly Target[], requestTarget: string): Located | undefined {
  const [path = "", ...rest] = requestTarget.split("?");
  if (!path.startsWith("/") || hasDotSegment(path)) return undefined;
  const longestFirst = targets.toSorted((one, other) => other.mount.length - one.mount.length);
  const target = longestFirst.find(({ mount }) => path === mount || path.startsWith(`${mount}/`));
  if (target === undefined) return undefined;
  return { target, path: path.slice(target.mount.length), query: rest.join("?") };
}
