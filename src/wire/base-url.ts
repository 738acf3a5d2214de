import { isLoopback } from "./loopback.ts";

/** Parses the base URL of a service. Returns the end of an error message if it cannot be used. */
export function parseBaseUrl(value: unknown): URL | string {
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  const fits = url !== undefined && /^https?:$/.test(url.protocol) && url.href === url.origin + url.pathname;
  return fits
    ? url
    : "must be an http or https URL such as https://api.example.com, without credentials, query and fragment";
}

/** Whether secrets that are sent to a URL can be read on the way: it has no TLS and leads to another machine. */
export function isInsecure({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && !isLoopback(hostname);
}
