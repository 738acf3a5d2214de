import { storeQueries } from "../../../generated/store.queries.ts";
import { storeOperations } from "../../../generated/store.operations.ts";
import type { paths } from "../../../generated/store.ts";
import { createCore, type ApiSettings } from "../../../src/client/configuration.ts";
import type { Core } from "../../../src/client/core.ts";
import { ApiError } from "../../../src/client/errors.ts";
import { createHttp, type Http } from "../../../src/client/http.ts";
import type { ClientOptions } from "../../../src/client/options.ts";

export const baseUrl = "https://stores.example.com";
export const token = "token-of-the-tests-1";

/** A client of the store API without resources, for tests of the call path. */
export interface SmallApi {
  core: Core;
  http: Http<paths>;
}

export function createSmallApi(
  options: ClientOptions = {},
  settings: Partial<Pick<ApiSettings, "credential" | "mayRepeat" | "describeError" | "loadCheck">> = {},
): SmallApi {
  const core = createCore(options, {
    baseUrl,
    baseUrlOf: () => baseUrl,
    operations: storeOperations,
    credential: token,
    checkCredential: () => {},
    mayRepeat: () => true,
    parameterNames: {},
    describeError: () => ({ isPermanent: false, isForeign: false }),
    apiError: (_, details) => new ApiError("failed", details),
    queries: storeQueries,
    loadCheck: () => import("../../../src/client/store/contract-check.ts"),
    ...settings,
  });
  return { core, http: createHttp<paths>(core) };
}

export const store = { storeId: "1", externalId: "S-1", name: "A" };

/** Responds with JSON. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

/** A `fetch` that gives the responses in order, the last one for ever, and keeps the requests. */
export function stubFetch(...responses: (Response | Error | (() => unknown))[]) {
  const requests: {
    url: string;
    method: string;
    headers: Record<string, string>;
    body?: string;
    signal: AbortSignal;
  }[] = [];
  const fetch = async (url: string, init: (typeof requests)[number]): Promise<Response> => {
    requests.push({ ...init, url });
    const next = responses[Math.min(requests.length, responses.length) - 1];
    if (next instanceof Error) throw next;
    return typeof next === "function" ? ((await next()) as Response) : (next as Response).clone();
  };
  return { fetch: fetch as never, requests };
}

/** A runtime whose timers fire at once, in virtual time; `pass` lets time pass besides. */
export function virtualRuntime() {
  let now = 1_000;
  const waits: number[] = [];
  return {
    waits,
    pass: (time: number) => void (now += time),
    runtime: {
      setTimeout: (run: () => void, delay: number) => {
        if (delay >= 30_000) return undefined; // time limits do not pass
        return globalThis.setTimeout(() => {
          waits.push(delay);
          now += delay;
          run();
        }, 0);
      },
      clearTimeout: (timer: unknown) => globalThis.clearTimeout(timer as never),
      performance: { now: () => now },
      Date: { now: () => now },
      Math: { random: () => 1 },
    },
  };
}

export const route = "/v1/stores/{externalId}";
export const byId = { params: { path: { externalId: "S-1" } } };
