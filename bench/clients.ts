import type { paths } from "../generated/store.ts";
import { load } from "./package-under-test.ts";
import { token } from "./responses.ts";

/** The operations that each contender has. */
export interface Client {
  /** `GET /v1/stores/{externalId}`, or the operation most like it. */
  getStore: (externalId: string) => Promise<{ name?: string | null | undefined }>;
  /** Requests a page of 100 stores, or of the list most like it. Returns the number of items. */
  countPage?: () => Promise<number>;
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
function reading(read: (path: string) => Promise<unknown>): Client {
  return {
    getStore: async (externalId) => (await read(`/v1/stores/${externalId}`)) as Store,
    countPage: async () => ((await read("/v1/stores?limit=100")) as { items: Store[] }).items.length,
  };
}

async function openStore(setting: ClientSetting, isOverUndici = false): Promise<Client> {
  const { StoreClient } = await load("store");
  const transport = isOverUndici ? (await load("node")).nodeTransport() : undefined;
  const store = new StoreClient({ ...setting, token, transport });
  return {
    getStore: (externalId) => store.stores.get(externalId),
    countPage: async () => (await store.stores.list({ limit: 100 })).items.length,
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

/** Each contender as its users would write it. */
export const clients: Readonly<Record<string, (setting: ClientSetting) => Promise<Client>>> = {
  shelfleet: (setting) => openStore(setting),

  "shelfleet/node": (setting) => openStore(setting, true),

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
      createClient: (operations: object, config: object) => { getStore: (input: object) => Promise<Store> };
    };
    const client = createClient(OPERATIONS, {
      serverUrl: baseUrl,
      auth: { bearer: token },
      retry: { retries: policy.retries },
      timeout: policy.timeout,
      ...(fetch && { fetch }),
    });
    return { getStore: (externalId) => client.getStore({ path: { externalId } }) };
  },

  async "hey-api"({ baseUrl, fetch }) {
    const { getStore } = (await generated("hey-api/built/store/index.js")) as {
      getStore: (options: object) => Promise<{ data: Store }>;
    };
    const { createClient } = (await generated("hey-api/built/store/client/index.js")) as {
      createClient: (config: object) => unknown;
    };
    const client = createClient({ baseUrl, auth: token, ...(fetch && { fetch }) });
    return {
      async getStore(externalId) {
        return (await getStore({ client, path: { externalId }, throwOnError: true })).data;
      },
    };
  },

  async "undici request"({ baseUrl }) {
    const { Agent, request } = await import("undici");
    const options = { headers, dispatcher: new Agent() };
    return reading(async (path) => (await request(baseUrl + path, options)).body.json());
  },

  async "native fetch"({ baseUrl, fetch = globalThis.fetch }) {
    return reading(async (path) => (await fetch(baseUrl + path, { headers })).json());
  },
};
