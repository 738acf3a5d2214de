import { token } from "../responses.ts";
import type { Client, Named, Setting } from "./client.ts";

/** The part of the generated client that is called here. It is generated before each run. */
interface Generated {
  getStore: (options: {
    client: unknown;
    path: { externalId: string };
    throwOnError: true;
  }) => Promise<{ data: Named }>;
}

interface GeneratedClient {
  createClient: (config: { baseUrl: string; auth: string; fetch?: typeof globalThis.fetch }) => unknown;
}

const generated = (file: string): string =>
  new URL(`../generated/hey-api/built/store/${file}`, import.meta.url).href;

/** Without retries and timeouts, which its fetch client does not support. */
export async function open({ baseUrl, fetch }: Setting): Promise<Client> {
  const { getStore } = (await import(generated("index.js"))) as Generated;
  const { createClient } = (await import(generated("client/index.js"))) as GeneratedClient;
  const client = createClient({ baseUrl, auth: token, ...(fetch && { fetch }) });
  return {
    async getStore(externalId) {
      const { data } = await getStore({ client, path: { externalId }, throwOnError: true });
      return data;
    },
  };
}
