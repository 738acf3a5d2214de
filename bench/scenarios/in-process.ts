import { load } from "../package-under-test.ts";
import { storeNumber, token } from "../responses.ts";
import type { Scenario } from "../scenario.ts";

const base = "https://store.example";
const headers = { authorization: `Bearer ${token}` };

const stores = new Map(Array.from({ length: 250 }, (_, index) => [`S-${index + 1}`, storeNumber(index + 1)]));

/** A handler for msw as users write it: a token, a Map, and the two errors that a test needs. */
function getStore({ request, params }: { request: Request; params: Record<string, unknown> }): Response {
  if (request.headers.get("authorization") !== headers.authorization) return fail(401, "unauthorized");
  const store = stores.get(String(params["externalId"]));
  return store === undefined ? fail(404, "not_found") : Response.json(store);
}

function fail(status: number, code: string): Response {
  return Response.json({ error: { code, message: code } }, { status });
}

const path = `${base}/v1/stores/:externalId`;

/** Each has 250 stores. */
const mocks: Readonly<Record<string, () => Promise<(url: string, init: RequestInit) => Promise<Response>>>> =
  {
    async shelfleet() {
      const { createReferenceServer } = await load("mock");
      return createReferenceServer({ storeUrl: base, store: { token } }).fetch;
    },
    async "msw 2 by hand"() {
      const { setupServer } = await import("msw2/node");
      const { http } = await import("msw2");
      setupServer(http.get(path, getStore)).listen({ onUnhandledRequest: "error" });
      return fetch;
    },
    async "msw 3 by hand"() {
      const { setupServer } = await import("msw/node");
      const { http } = await import("msw");
      setupServer(http.get(path, getStore)).listen({ onUnhandledFrame: "error" });
      return fetch;
    },
  };

/** Calls per second, each with its response parsed. */
export async function prepare(contender: string): Promise<Scenario> {
  const fetchStore = await mocks[contender]?.();
  if (fetchStore === undefined) throw new Error(`there is no mock ${contender}`);
  return {
    async run(calls) {
      const start = performance.now();
      for (let call = 0; call < calls; call += 1) {
        const response = await fetchStore(`${base}/v1/stores/S-7`, { headers });
        const { externalId } = (await response.json()) as { externalId?: string };
        if (externalId !== "S-7") throw new Error(`the response has another ID: ${externalId}`);
      }
      return (calls / (performance.now() - start)) * 1000;
    },
  };
}
