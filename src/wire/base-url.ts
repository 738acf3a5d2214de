import { isLoopback } from "./loopback.ts";

/** Parses the base URL of a service. Returns a string if it cannot be used: what must be different. */
export function parseBaseUrl(text: unknown): URL | string {
  const url = typeof text === "string" && URL.canParse(text) ? new URL(text) : undefined;
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
