import { ConfigurationError } from "../errors/errors.ts";
import { isObject } from "../../internal/json.ts";
import type { Operation } from "./operation.ts";

const loopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Checks a base address and takes the slashes off its end, so that a route can be appended. */
export function checkBaseUrl(name: string, value: unknown, allowInsecure: boolean): string {
  const text = isObject(value) ? value.href : value; // a `URL`, of whatever realm
  if (typeof text !== "string" || !URL.canParse(text)) {
    throw new ConfigurationError(`${name} must be an absolute URL such as https://api.example.com`);
  }
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") {
    throw new ConfigurationError(`${name} must not carry a user name or password`);
  }
  if (url.search !== "" || url.hash !== "") {
    throw new ConfigurationError(`${name} must not carry a query or fragment: ${url.origin}${url.pathname}`);
  }
  const secure = url.protocol === "https:" || (url.protocol === "http:" && loopback.test(url.hostname));
  if (!secure && !(allowInsecure && url.protocol === "http:")) {
    throw new ConfigurationError(
      `${name} must be https (http only to a loopback host, or with allowInsecure: true): ${url.origin}`,
    );
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

/**
 * What follows the base in a URL: its path and query. Undefined if the URL is not below the base, by the platform's own
 * parser: `https://api.example.com.evil.example` is another origin.
 */
export function pathBelow(base: string, url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin, pathname, search } = new URL(url);
  const root = new URL(base);
  const prefix = root.pathname.replace(/\/$/, "");
  if (origin !== root.origin || !pathname.startsWith(`${prefix}/`)) return undefined;
  return pathname.slice(prefix.length) + search;
}

/** The operation that a method and a path below the base belong to. */
export function findOperation<Op extends Pick<Operation, "method" | "path">>(
  operations: Readonly<Record<string, Op>>,
  method: string,
  path: string,
): Op | undefined {
  const [pathname = ""] = path.split("?", 1);
  const segments = pathname.split("/");
  return Object.values(operations).find((operation) => {
    const pattern = operation.path.split("/");
    const fits = (part: string, at: number): boolean => part.startsWith("{") || part === segments[at];
    return operation.method === method && pattern.length === segments.length && pattern.every(fits);
  });
}
