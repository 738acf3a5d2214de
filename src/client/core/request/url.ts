import { ConfigurationError } from "../errors/errors.ts";
import { isObject } from "../../../wire/json.ts";
import { isInsecure, parseBaseUrl } from "../../../wire/base-url.ts";

/** Validates a base URL and removes its trailing slashes, so that a path can be appended. */
export function checkBaseUrl(name: string, value: unknown, allowInsecure: boolean): string {
  const url = parseBaseUrl(isObject(value) ? value.href : value); // a `URL`, possibly of another realm
  if (typeof url === "string") throw new ConfigurationError(`${name} ${url}`);
  if (isInsecure(url) && !allowInsecure) {
    throw new ConfigurationError(
      `${name} must be an https URL (http only for a loopback host, or with allowInsecure: true): ${url.origin}`,
    );
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

/** Whether a response is a redirect; a browser reports a redirect with status 0. */
export function isRedirect(status: number): boolean {
  return [0, 301, 302, 303, 307, 308].includes(status);
}
