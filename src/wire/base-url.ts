import { isLoopback } from "./loopback.ts";

/** Parses the base URL of a service. Returns the end of an error message if it cannot be used. */
export function parseBaseUrl(value: unknown): URL | string {
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return "must be an http or https URL such as https://api.example.com";
  const { username, password, search, hash } = url;
  const hasOtherParts = username !== "" || password !== "" || search !== "" || hash !== "";
  return hasOtherParts ? "must not contain credentials, a query or a fragment" : url;
}

/** Whether secrets that are sent to a URL can be read on the way: it has no TLS and leads to another machine. */
export function isInsecure({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && !isLoopback(hostname);
}
