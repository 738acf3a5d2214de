import { isIP } from "node:net";
import { isLoopback } from "../../wire/loopback.ts";

const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"];

const ALL_ADDRESSES: ReadonlySet<string> = new Set(["", "0.0.0.0", "::"]);

/** The expectation in an error about a name that `isHostName` rejects. */
export const HOST_NAME_EXPECTED = "must be a host name or an address without scheme, port and path";

const HOST_NAME = /^[\w.-]+$/;

/** Whether a text can be the name in a header `Host`: a name or an address without scheme, port and path. */
export function isHostName(text: string): boolean {
  return HOST_NAME.test(text) || isIP(text.replace(/^\[(.*)\]$/, "$1")) === 6;
}

function inHeader(host: string): string {
  return (isIP(host) === 6 ? `[${host}]` : host).toLowerCase();
}

/** Returns the URL of a server that listens on a host. A server that listens on all addresses gets the loopback address. */
export function originOf(host: string, port: number): string {
  const reachable = host === "::" ? "::1" : ALL_ADDRESSES.has(host) ? "127.0.0.1" : host;
  return `http://${inHeader(reachable)}:${port}`;
}

/**
 * Returns the check of the header `Host` for a server that listens on `host`; `allowed`: further names. A page of another
 * site can reach a server on this machine under the name of that site (DNS rebinding); its requests then have that name
 * in `Host`. HTTP 1.0, which no browser uses, has no such header.
 */
export function hostGuard(host: string, allowed: readonly string[]): (header: string | undefined) => boolean {
  const isAnyAddress = ALL_ADDRESSES.has(host);
  const loopback = isLoopback(host) || isAnyAddress ? LOOPBACK_NAMES : [];
  const names = new Set([host, ...loopback, ...allowed].map(inHeader));
  return (header) => {
    if (header === undefined) return true;
    const name = header.replace(/:\d*$/, "").toLowerCase();
    return names.has(name) || (isAnyAddress && isIP(name.replace(/^\[|\]$/g, "")) !== 0);
  };
}
