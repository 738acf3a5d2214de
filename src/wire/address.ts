import type { Server } from "node:net";

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

/** Whether a host of a parsed URL, or an address to listen on, is reachable from this machine only. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/.test(host);
}

/** Lets a server listen. Resolves with its port, which the system chooses if `port` is 0. */
export function listenOn(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
}
