import { pathBelow } from "./path-below.ts";
import { isRedirect } from "./url.ts";
import type { Transport, TransportRequest, TransportResponse } from "../transport/transport.ts";

const maxRedirects = 5;

/**
 * Follows the redirects of a read. A request that is not below the base URL has no token and no custom headers: another
 * path of the same origin may be another environment. A redirect that must not be followed is returned as the response:
 * after five redirects, to a scheme other than HTTP, from https to http, or from a public host to a loopback,
 * link-local or private one.
 * @param mode undefined for an operation: a redirect that loses a query parameter is not followed either, because the
 * response would have other filters or be another page
 */
export async function followRedirects(
  transport: Transport,
  request: TransportRequest,
  first: TransportResponse,
  baseUrl: string,
  mode: string | undefined,
): Promise<TransportResponse> {
  let [current, response] = [request, first];
  for (let hops = 0; hops < maxRedirects && isRedirect(response.status); hops += 1) {
    // a browser would take the token to every path of the origin
    if (response.status === 0)
      return new URL(baseUrl).pathname === "/" ? transport(inBrowser(current)) : response;
    const target = targetOf(response, current.url);
    if (target === undefined || (mode === undefined && losesQuery(current.url, target))) return response;
    await response.read(0);
    current.signal.throwIfAborted();
    const isBelowBase = pathBelow(baseUrl, target.href) !== undefined;
    current = {
      ...current,
      url: target.href,
      headers: isBelowBase ? current.headers : pickHeaders(current, ["accept"]),
    };
    response = await transport(current);
  }
  return response;
}

/** A browser hides the target of a redirect. It removes the token for another origin, but not the custom headers. */
function inBrowser(request: TransportRequest): TransportRequest {
  return { ...request, headers: pickHeaders(request, ["accept", "authorization"]), redirect: "follow" };
}

function pickHeaders({ headers }: TransportRequest, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)));
}

/** Returns the target of a redirect if it may be followed. */
function targetOf(response: TransportResponse, from: string): URL | undefined {
  const location = response.headers.get("location");
  if (location === null || !URL.canParse(location, from)) return undefined;
  const [source, target] = [new URL(from), new URL(location, from)];
  if (target.protocol !== "https:" && target.protocol !== "http:") return undefined;
  if (target.username !== "" || target.password !== "") return undefined;
  if (source.protocol === "https:" && target.protocol === "http:") return undefined;
  if (isPrivateHost(target.hostname) && !isPrivateHost(source.hostname)) return undefined;
  return target;
}

/** Whether a URL lacks a query parameter of another one, or has another value for it. */
function losesQuery(from: string, { searchParams }: URL): boolean {
  return [...new URL(from).searchParams].some(([name, value]) => !searchParams.getAll(name).includes(value));
}

/** A name of one label, as in a local network, or in a domain that is never public. */
const privateNames = /^[^.]+\.?$|\.(localhost|local|internal|home\.arpa)\.?$/;

/** Whether the host of a parsed URL is a loopback, link-local or private IP address, or a name for one. */
export function isPrivateHost(hostname: string): boolean {
  if (hostname.startsWith("[")) return isPrivateIpv6(hostname.slice(1, -1));
  // the URL parser normalizes every IPv4 address to four decimal numbers, and rejects other hosts that end in a number
  const parts = /(\d+)\.(\d+)\.\d+\.\d+$/.exec(hostname);
  return parts === null ? privateNames.test(hostname) : isPrivateIpv4(Number(parts[1]), Number(parts[2]));
}

function isPrivateIpv4(first: number, second: number): boolean {
  if (first === 0 || first === 10 || first === 127) return true;
  if (first === 169) return second === 254;
  if (first === 172) return second >= 16 && second <= 31;
  if (first === 192) return second === 168;
  return first === 100 && second >= 64 && second <= 127; // shared by the customers of a carrier
}

function isPrivateIpv6(address: string): boolean {
  if (address === "::" || address === "::1") return true;
  // an IPv4 address within an IPv6 one: ::ffff:7f00:1, 64:ff9b::7f00:1, 2002:7f00:1::
  const embedded =
    /^(?:::ffff:(?:0:)?|::|64:ff9b::)([\da-f]{1,4}):[\da-f]{1,4}$/.exec(address) ??
    /^2002:([\da-f]{1,4}):/.exec(address);
  const [, part] = embedded ?? [];
  if (part !== undefined) {
    const high = Number.parseInt(part, 16);
    return isPrivateIpv4(high >> 8, high & 0xff);
  }
  return /^(f[cd]|fe[89a-f])/.test(address); // unique local, link-local, site-local
}
