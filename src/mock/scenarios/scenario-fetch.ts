import type { ReferenceFetch } from "../adapters/fetch/reference-fetch.ts";
import type { World } from "./world.ts";

/** The type of the global `fetch`. */
export type ScenarioFetch = ReferenceFetch;

/** As many as `fetch` follows. */
const MAX_REDIRECTS = 20;

/**
 * Returns a `fetch` that follows redirects as the standard says, which `ref.fetch` leaves to its caller. Another host
 * records the request. Requests of a stopped run fail.
 */
export function followRedirects(world: World, stopped: AbortSignal): ScenarioFetch {
  return async (input, init) => {
    let request = new Request(input, init);
    for (let count = 0; count <= MAX_REDIRECTS; count += 1) {
      if (stopped.aborted) throw stopped.reason;
      const body = request.body === null ? undefined : await request.clone().arrayBuffer();
      const response = await send(world, request);
      const location = response.headers.get("location");
      if (location === null || response.status < 300 || response.status > 399) return response;
      if (request.redirect === "manual") return response;
      if (request.redirect === "error") throw new TypeError("fetch failed: unexpected redirect");
      request = redirected(request, response.status, new URL(location, request.url), body);
    }
    throw new TypeError("fetch failed: too many redirects");
  };
}

async function send(world: World, request: Request): Promise<Response> {
  const { storeUrl, fleetUrl, sandboxUrl } = world.ref;
  if ([storeUrl, fleetUrl, sandboxUrl].some((base) => request.url.startsWith(base)))
    return world.ref.fetch(request);
  world.elsewhere.push(`${request.url} ${JSON.stringify([...request.headers])} ${await request.text()}`);
  return Response.json({ items: [], data: [] });
}

/** Returns the request that follows a redirect. */
function redirected(
  { method, headers, signal, url }: Request,
  status: number,
  to: URL,
  body?: ArrayBuffer,
): Request {
  const isReplaced =
    (status === 303 && method !== "GET" && method !== "HEAD") ||
    ((status === 301 || status === 302) && method === "POST");
  const next = new Headers(headers);
  if (to.origin !== new URL(url).origin) next.delete("authorization");
  if (isReplaced) for (const name of ["content-type", "content-length"]) next.delete(name);
  return new Request(to, {
    method: isReplaced ? "GET" : method,
    headers: next,
    signal,
    ...(!isReplaced && body !== undefined && { body }),
  });
}
