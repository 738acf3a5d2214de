import type { paths } from "../generated/store.ts";
import { load } from "./package-under-test.ts";
import { token } from "./responses.ts";

/** The operations that each contender has. */
export interface Client {
  /** `GET /v1/stores/{externalId}`, or the operation most like it. */
  getStore: (externalId: string) => Promise<{ name?: string | null | undefined }>;
  /** Requests a page of 100 stores, or of the list most like it. Returns the number of items. */
  countPage?: () => Promise<number>;
  /** `PUT /v1/stores/{externalId}` with a name. */
  putStore?: (externalId: string, name: string) => Promise<{ name?: string | null | undefined }>;
}

export interface ClientSetting {
  /** Without a trailing slash. */
  baseUrl: string;
  /** Used instead of the contender's own HTTP client. */
  fetch?: typeof globalThis.fetch | undefined;
}

interface Store {
  name: string;
}

/** What all contenders that have retries and timeouts are set to: attempts after the first one, and ms. */
const policy = { retries: 2, timeout: 30_000 };

const headers = { authorization: `Bearer ${token}` };

/** A client over a function that reads the JSON of a path. */
function reading(read: (path: string, init?: { method: "PUT"; body: string }) => Promise<unknown>): Client {
  return {
    getStore: async (externalId) => (await read(`/v1/stores/${externalId}`)) as Store,
    countPage: async () => ((await read("/v1/stores?limit=100")) as { items: Store[] }).items.length,
    putStore: async (externalId, name) =>
      (await read(`/v1/stores/${externalId}`, { method: "PUT", body: JSON.stringify({ name }) })) as Store,
  };
}

async function openStore(setting: ClientSetting, options: object = {}): Promise<Client> {
  const { StoreClient } = await load("store");
  const store = new StoreClient({ ...setting, token, ...options });
  return {
    getStore: (externalId) => store.stores.get(externalId),
    countPage: async () => (await store.stores.list({ limit: 100 })).items.length,
    putStore: (externalId, name) => store.stores.upsert(externalId, { name }),
  };
}

/** Imports a client that `generate.ts` has written. */
const generated = (file: string): Promise<unknown> =>
  import(new URL(`generated/${file}`, import.meta.url).href);

export async function openOpenai({ baseUrl, fetch }: ClientSetting) {
  const { OpenAI } = await import("openai");
  const options = { maxRetries: policy.retries, timeout: policy.timeout, ...(fetch && { fetch }) };
  return new OpenAI({ apiKey: token, baseURL: `${baseUrl}/v1`, ...options });
}

interface Page {
  items: Store[];
}

async function openHeyApi(folder: string, { baseUrl, fetch }: ClientSetting): Promise<Client> {
  const operations = (await generated(`${folder}/built/store/index.js`)) as Record<
    "getStore" | "listStores" | "putStore",
    (options: object) => Promise<{ data: unknown }>
  >;
  const { createClient } = (await generated(`${folder}/built/store/client/index.js`)) as {
    createClient: (config: object) => unknown;
  };
  const shared = {
    client: createClient({ baseUrl, auth: token, ...(fetch && { fetch }) }),
    throwOnError: true,
  };
  return {
    getStore: async (externalId) =>
      (await operations.getStore({ ...shared, path: { externalId } })).data as Store,
    countPage: async () =>
      ((await operations.listStores({ ...shared, query: { limit: 100 } })).data as Page).items.length,
    putStore: async (externalId, name) =>
      (await operations.putStore({ ...shared, path: { externalId }, body: { name } })).data as Store,
  };
}

/** Each contender as its users would write it. */
export const clients: Readonly<Record<string, (setting: ClientSetting) => Promise<Client>>> = {
  shelfleet: (setting) => openStore(setting),

  "shelfleet/node": async (setting) =>
    openStore(setting, { transport: (await load("node")).nodeTransport() }),

  "shelfleet, validate: full": (setting) => openStore(setting, { validate: "full" }),

  async "openapi-fetch + ky"({ baseUrl, fetch }) {
    const { default: ky } = await import("ky");
    const { default: createClient } = await import("openapi-fetch");
    const send = ky.create({ retry: policy.retries, timeout: policy.timeout, ...(fetch && { fetch }) });
    const client = createClient<paths>({ baseUrl, headers, fetch: (request) => send(request) });
    return {
      async getStore(externalId) {
        const { data, error } = await client.GET("/v1/stores/{externalId}", {
          params: { path: { externalId } },
        });
        if (error !== undefined) throw new Error(error.error.message);
        return data;
      },
      async countPage() {
        const { data, error } = await client.GET("/v1/stores", { params: { query: { limit: 100 } } });
        if (error !== undefined) throw new Error(error.error.message);
        return data.items.length;
      },
      async putStore(externalId, name) {
        const init = { params: { path: { externalId } }, body: { name } };
        const { data, error } = await client.PUT("/v1/stores/{externalId}", init);
        if (error !== undefined) throw new Error(error.error.message);
        return data;
      },
    };
  },

  async openai(setting) {
    const client = await openOpenai(setting);
    return reading((path) => client.get(path.slice("/v1".length)));
  },

  async stripe({ baseUrl, fetch }) {
    const { Stripe } = await import("stripe");
    const { hostname, port, protocol } = new URL(baseUrl);
    const { customers } = new Stripe("sk_test_0123456789", {
      host: hostname,
      port: port === "" ? 443 : Number(port),
      protocol: protocol === "http:" ? "http" : "https",
      maxNetworkRetries: policy.retries,
      timeout: policy.timeout,
      telemetry: false,
      // without a `fetch` it uses node:http, as for its users
      ...(fetch && { httpClient: Stripe.createFetchHttpClient(fetch) }),
    });
    // the servers respond with a store
    return { getStore: async (externalId) => (await customers.retrieve(externalId)) as Store };
  },

  async "Redocly's client"({ baseUrl, fetch }) {
    const { OPERATIONS, createClient } = (await generated("redocly/built/store.js")) as {
      OPERATIONS: object;
      createClient: (
        operations: object,
        config: object,
      ) => Record<string, (input: object) => Promise<unknown>>;
    };
    const client = createClient(OPERATIONS, {
      serverUrl: baseUrl,
      auth: { bearer: token },
      retry: { retries: policy.retries },
      timeout: policy.timeout,
      ...(fetch && { fetch }),
    });
    const call = async <T>(name: string, input: object): Promise<T> => (await client[name]?.(input)) as T;
    return {
      getStore: (externalId) => call<Store>("getStore", { path: { externalId } }),
      countPage: async () => (await call<Page>("listStores", { query: { limit: 100 } })).items.length,
      putStore: (externalId, name) => call<Store>("putStore", { path: { externalId }, body: { name } }),
    };
  },

  "hey-api": (setting) => openHeyApi("hey-api", setting),

  "hey-api with its zod plugin": (setting) => openHeyApi("hey-api-zod", setting),

  async "undici request"({ baseUrl }) {
    const { Agent, request } = await import("undici");
    const options = { headers, dispatcher: new Agent() };
    return reading(async (path, init) =>
      (await request(baseUrl + path, { ...options, ...init })).body.json(),
    );
  },

  async "native fetch"({ baseUrl, fetch = globalThis.fetch }) {
    return reading(async (path, init) => {
      const sent = init && { ...init, headers: { ...headers, "content-type": "application/json" } };
      return (await fetch(baseUrl + path, sent ?? { headers })).json();
    });
  },
};
