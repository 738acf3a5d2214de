import { token } from "../responses.ts";
import { type Client, type Named, policy, type Setting, type StorePage } from "./client.ts";

/** The part of the generated client that is called here. It is generated before each run. */
interface Generated {
  OPERATIONS: object;
  createClient: (
    operations: object,
    config: object,
  ) => {
    getStore: (input: { path: { externalId: string } }) => Promise<Named>;
    listStores: (input: { query: { limit: number } }) => Promise<StorePage>;
  };
}

const generated = new URL("../generated/redocly/built/store.js", import.meta.url).href;

/** Retries and timeouts are opt-in. */
export async function open({ baseUrl, fetch }: Setting): Promise<Client> {
  const { OPERATIONS, createClient } = (await import(generated)) as Generated;
  const client = createClient(OPERATIONS, {
    serverUrl: baseUrl,
    auth: { bearer: token },
    retry: { retries: policy.retries },
    timeout: policy.timeout,
    ...(fetch && { fetch }),
  });
  return {
    getStore: (externalId) => client.getStore({ path: { externalId } }),
    async countPage() {
      const { items } = await client.listStores({ query: { limit: 100 } });
      return items.length;
    },
  };
}
