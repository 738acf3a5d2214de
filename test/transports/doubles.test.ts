import { http as http3, HttpResponse as Response3 } from "msw";
import { setupServer as setupServer3 } from "msw/node";
import { http as http2, HttpResponse as Response2 } from "msw2";
import { setupServer as setupServer2 } from "msw2/node";
import { fetch as fetch8, MockAgent as MockAgent8 } from "undici";
import { MockAgent as MockAgent7 } from "undici7";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ConfigurationError, StoreClient, type ClientOptions } from "../../src/index.ts";
import { nodeTransport } from "../../src/client/node.ts";

// Each double is used as its documentation shows, below a client.

const baseUrl = "https://stores.example.com";
const path = "/v1/stores/S-1";
const store = { storeId: "1", externalId: "S-1", name: "Kiosk" };
const noStore = { error: { code: "not_found", message: "no such store" } };

/** A response of a double, or a connection that breaks. */
type Planned = { status: number; body: object } | "broken";

/** A double that has started: options for the client, and what takes the double away. */
interface Started {
  options?: Pick<ClientOptions, "fetch" | "transport">;
  stop?: () => unknown;
}

type Double = (plan: readonly Planned[]) => Started | Promise<Started>;

/** The parts of packages that do not exist before this folder is installed. */
interface Nock {
  (
    base: string,
  ): {
    get(path: string): {
      reply(status: number, body: object): void;
      replyWithError(error: Error): void;
    };
  };
  cleanAll(): void;
  restore(): void;
  activate(): void;
  isActive(): boolean;
}
interface FetchMock {
  mockGlobal(): FetchMock;
  route(url: string, response: object, options: { repeat: number }): FetchMock;
  fetchHandler: ClientOptions["fetch"];
  hardReset(): void;
}
const names = { nock: "nock", fetchMock: "fetch-mock" } as Record<string, string>;
const importNamed = async <T>(name: string): Promise<T> =>
  ((await import(names[name] ?? name)) as { default: T }).default;

const failure = () =>
  new TypeError("fetch failed", { cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }) });

function mockAgent(Agent: typeof MockAgent8): (plan: readonly Planned[]) => MockAgent8 {
  return (plan) => {
    const agent = new Agent();
    agent.disableNetConnect();
    for (const planned of plan) {
      const intercepted = agent.get(baseUrl).intercept({ path, method: "GET" });
      if (planned === "broken") intercepted.replyWithError(failure());
      else intercepted.reply(planned.status, planned.body);
    }
    return agent;
  };
}

const overTransport =
  (create: (plan: readonly Planned[]) => MockAgent8): Double =>
  (plan) => {
    const dispatcher = create(plan);
    return { options: { transport: nodeTransport({ dispatcher }) }, stop: () => dispatcher.close() };
  };

async function startFetchMock(plan: readonly Planned[], isGlobal: boolean): Promise<Started> {
  const fetchMock = await importNamed<FetchMock>("fetchMock");
  for (const planned of plan)
    fetchMock.route(
      baseUrl + path,
      planned === "broken" ? { throws: failure() } : { status: planned.status, body: planned.body },
      { repeat: 1 },
    );
  if (isGlobal) fetchMock.mockGlobal();
  return { options: isGlobal ? {} : { fetch: fetchMock.fetchHandler }, stop: () => fetchMock.hardReset() };
}

/** A mock function that responds once with each of the values. */
function mockFunction(
  plan: readonly Planned[],
  respond: (planned: { status: number; body: object }) => object,
) {
  const fetch = vi.fn<() => Promise<never>>();
  for (const planned of plan) {
    if (planned === "broken") fetch.mockRejectedValueOnce(failure());
    else fetch.mockResolvedValueOnce(respond(planned) as never);
  }
  return fetch;
}

const doubles: Record<string, Double> = {
  async nock(plan) {
    const nock = await importNamed<Nock>("nock");
    if (!nock.isActive()) nock.activate();
    for (const planned of plan) {
      const route = nock(baseUrl).get(path);
      if (planned === "broken") route.replyWithError(failure());
      else route.reply(planned.status, planned.body);
    }
    const stop = (): void => {
      nock.cleanAll();
      nock.restore();
    };
    return { stop };
  },
  "MockAgent of undici 7": overTransport(mockAgent(MockAgent7 as never)), // the same interface
  "MockAgent of undici 8": overTransport(mockAgent(MockAgent8)),
  "MockAgent of undici 8 over its fetch"(plan) {
    const dispatcher = mockAgent(MockAgent8)(plan);
    return {
      options: { fetch: (url, init) => fetch8(url, { ...init, dispatcher }) },
      stop: () => dispatcher.close(),
    };
  },
  "fetch-mock as the global fetch": (plan) => startFetchMock(plan, true),
  "fetch-mock as the option fetch": (plan) => startFetchMock(plan, false),
  "vi.fn with a Response": (plan) => ({
    options: { fetch: mockFunction(plan, ({ status, body }) => Response.json(body, { status })) },
  }),
  "vi.fn with { ok, status, json }": (plan) => ({
    options: {
      fetch: mockFunction(plan, ({ status, body }) => ({
        ok: status < 300,
        status,
        json: async () => body,
        headers: { get: () => undefined },
      })),
    },
  }),
  "vi.fn with { status, headers, text }": (plan) => ({
    options: {
      fetch: mockFunction(plan, ({ status, body }) => ({
        status,
        headers: new Map([["Content-Type", "application/json"]]),
        text: () => JSON.stringify(body),
      })),
    },
  }),
  "vi.stubGlobal"(plan) {
    vi.stubGlobal(
      "fetch",
      mockFunction(plan, ({ status, body }) => Response.json(body, { status })),
    );
    return {};
  },
  "msw 2"(plan) {
    const handlers = plan.map((planned) =>
      http2.get(
        baseUrl + path,
        () =>
          planned === "broken" ? Response2.error() : Response2.json(planned.body, { status: planned.status }),
        { once: true },
      ),
    );
    const server = setupServer2(...handlers);
    server.listen({ onUnhandledRequest: "error" });
    return { stop: () => server.close() };
  },
  "msw 3"(plan) {
    const handlers = plan.map((planned) =>
      http3.get(
        baseUrl + path,
        () =>
          planned === "broken" ? Response3.error() : Response3.json(planned.body, { status: planned.status }),
        { once: true },
      ),
    );
    const server = setupServer3(...handlers);
    server.listen({ onUnhandledFrame: "error" } as never); // the option's name in msw 3
    return { stop: () => server.close() };
  },
};

afterEach(() => void vi.unstubAllGlobals());

describe.each(Object.entries(doubles))("%s", (_, start) => {
  const get = async (plan: readonly Planned[], retry: ClientOptions["retry"]): Promise<unknown> => {
    const { options = {}, stop } = await start(plan);
    try {
      const client = new StoreClient({ baseUrl, token: "a-token-1", retry, ...options });
      return await client.stores.get("S-1").catch((error: unknown) => error);
    } finally {
      await stop?.();
    }
  };
  const twice = { limit: 2, maxDelay: 1 };
  const found = { status: 200, body: store };

  it("returns its response", async () => {
    expect(await get([found], 0)).toEqual(store);
  });

  it("is asked again after a 503 and after a broken connection", async () => {
    expect(await get([{ status: 503, body: {} }, "broken", found], twice)).toEqual(store);
  });

  it("has the code of an error of the service", async () => {
    const error = await get([{ status: 404, body: noStore }], 0);
    expect(error).toMatchObject({ name: "StoreApiError", code: "not_found", attempts: 1 });
  });

  it("breaks a connection", async () => {
    expect(await get(["broken"], 0)).toMatchObject({ name: "ConnectionError", retryable: true, attempts: 1 });
  });
});

describe("a double that is wrong", () => {
  it.each<[string, () => unknown]>([
    ["returns nothing", () => undefined],
    [
      "returns one Response for all calls",
      (() => {
        const response = Response.json(store);
        return () => response;
      })(),
    ],
    ["returns only a status", () => ({ status: 200 })],
  ])("%s: a ConfigurationError after one request", async (_, respond) => {
    const fetch = vi.fn<() => Promise<never>>(async () => respond() as never);
    const client = new StoreClient({ baseUrl, token: "a-token-1", fetch });
    const errors: unknown[] = [];
    for (let call = 0; call < 2; call += 1)
      await client.stores.get("S-1").catch((error: unknown) => errors.push(error));
    expect(errors.at(-1)).toBeInstanceOf(ConfigurationError);
    expect((errors.at(-1) as Error).message).toMatch(
      /^fetch returned no response with an unread body.*: return a new one for each request/,
    );
    expect(fetch).toHaveBeenCalledTimes(2);
  });
});
