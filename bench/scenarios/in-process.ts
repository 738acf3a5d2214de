import { storeNumber, token } from "../responses.ts";
import { mockModule } from "../build.ts";
import { base, storeHandlers } from "../clients/msw-handlers.ts";
import type { Scenario } from "../scenario.ts";

/** A `fetch` whose responses come from this process. */
type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Each has 250 stores; the handlers of msw are written by hand. */
const mocks: Record<string, () => Promise<Fetch>> = {
  async "ref-fetch"() {
    const { createReferenceServer } = await mockModule();
    return createReferenceServer({ storeUrl: base, store: { token } }).fetch;
  },
  async msw2() {
    const { setupServer } = await import("msw2/node");
    const { http, HttpResponse } = await import("msw2");
    setupServer(...storeHandlers(http, HttpResponse)).listen({ onUnhandledRequest: "error" });
    return fetch;
  },
  async msw3() {
    const { setupServer } = await import("msw3/node");
    const { http, HttpResponse } = await import("msw3");
    setupServer(...storeHandlers(http, HttpResponse)).listen({ onUnhandledFrame: "error" });
    return fetch;
  },
};

/** Calls per second, each with its response parsed. */
export async function prepare(contender: string): Promise<Scenario> {
  const ask = await mocks[contender]?.();
  if (ask === undefined) throw new Error(`there is no mock by the name of ${contender}`);
  const headers = { authorization: `Bearer ${token}` };
  return {
    async run(calls) {
      const start = performance.now();
      for (let call = 0; call < calls; call += 1) {
        const response = await ask(`${base}/v1/stores/S-7`, { headers });
        const { externalId } = (await response.json()) as { externalId?: string };
        if (externalId !== storeNumber(7).externalId) throw new Error(`answered ${response.status}`);
      }
      return (calls / (performance.now() - start)) * 1000;
    },
  };
}
