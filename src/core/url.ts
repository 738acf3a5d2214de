import { ConfigurationError } from "./errors.ts";
import type { Issue } from "./issue.ts";
import { problemOfUuid } from "./rules.ts";

const loopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Checks a base address and takes the slashes off its end, so that a route can be appended. */
export function checkBaseUrl(name: string, value: unknown, allowInsecure: boolean): string {
  if (typeof value !== "string" || !URL.canParse(value)) {
    throw new ConfigurationError(`${name} must be an absolute URL such as https://api.example.com`);
  }
  const url = new URL(value);
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

/** A route taken apart once, so that a call only joins it: texts and the names of path ids take turns. */
export type RouteParts = readonly string[];

export function routeParts(route: string): RouteParts {
  return route.split(/[{}]/);
}

/** Puts path ids into a route. An id that would change the path is an issue instead. */
export function fillRoute(
  parts: RouteParts,
  ids: Record<string, unknown>,
  issues: Issue[],
  uuids?: readonly PropertyKey[],
): string {
  let path = parts[0] as string; // a split text has one part at least
  for (let at = 1; at < parts.length; at += 2) {
    const name = parts[at] as string;
    const id = ids[name];
    const problem = problemOfId(id) ?? (uuids?.includes(name) ? problemOfUuid(id) : undefined);
    if (problem === undefined) path += encodeURIComponent(id as string) + parts[at + 1];
    else issues.push({ path: name, message: problem });
  }
  return path;
}

function problemOfId(id: unknown): string | undefined {
  if (typeof id !== "string") return "must be a string";
  if (id === "") return "must not be empty: the path would be another one";
  if (id === "." || id === "..") return "must not be a dot segment: the path would be another one";
  if (!id.isWellFormed()) return "must not hold a lone surrogate: it has no percent-encoded form";
  return undefined;
}
