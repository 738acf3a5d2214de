import { ConfigurationError } from "../errors/errors.ts";
import { isObject } from "../../../wire/json.ts";
import { isLoopback } from "../../../wire/loopback.ts";

/** Validates a base URL and removes its trailing slashes, so that a path can be appended. */
export function checkBaseUrl(name: string, value: unknown, allowInsecure: boolean): string {
  const text = isObject(value) ? value.href : value; // a `URL`, possibly of another realm
  if (typeof text !== "string" || !URL.canParse(text)) {
    throw new ConfigurationError(`${name} must be an absolute URL such as https://api.example.com`);
  }
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") {
    throw new ConfigurationError(`${name} must not contain a user name or password`);
  }
  if (url.search !== "" || url.hash !== "") {
    throw new ConfigurationError(
      `${name} must not contain a query or fragment: ${url.origin}${url.pathname}`,
    );
  }
  const secure = url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
  if (!secure && !(allowInsecure && url.protocol === "http:")) {
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
