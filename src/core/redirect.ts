// Loaded when a read is answered with a redirect, which neither API documents.
import type { Fetch } from "./options.ts";

const mostHops = 20;

const redirects = new Set([301, 302, 303, 307, 308]);

/** A redirect; a browser hides them behind status 0. */
function leadsOn({ type, status }: Response): boolean {
  return type === "opaqueredirect" || redirects.has(status);
}

/**
 * Follows the redirects of a read. The platform would too, but not each of them takes the token off on the way to
 * another origin. A redirect that cannot be followed is the answer.
 */
export async function follow(
  fetch: Fetch,
  url: string,
  init: RequestInit,
  first: Response,
): Promise<Response> {
  let [at, headers, response] = [url, new Headers(init.headers), first];
  for (let hops = 0; hops < mostHops && leadsOn(response); hops += 1) {
    // a browser hides where a redirect leads; it takes the token off itself
    if (response.type === "opaqueredirect") return fetch(at, { ...init, headers, redirect: "follow" });
    const target = targetOf(response, at);
    if (target === undefined) return response;
    await response.body?.cancel();
    if (target.origin !== new URL(at).origin) headers = withoutSecrets(headers);
    at = target.href;
    response = await fetch(at, { ...init, headers });
  }
  return response;
}

function targetOf(response: Response, from: string): URL | undefined {
  const location = response.headers.get("location");
  if (location === null || !URL.canParse(location, from)) return undefined;
  const target = new URL(location, from);
  return target.protocol === "https:" || target.protocol === "http:" ? target : undefined;
}

function withoutSecrets(headers: Headers): Headers {
  const kept = new Headers(headers);
  for (const name of ["authorization", "proxy-authorization", "cookie"]) kept.delete(name);
  return kept;
}
