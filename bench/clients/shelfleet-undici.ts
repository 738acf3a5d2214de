import { token } from "../responses.ts";
import { nodeModule, storeModule } from "../build.ts";
import type { Client, Setting } from "./client.ts";

export async function open({ baseUrl }: Setting): Promise<Client> {
  const { StoreClient } = await storeModule();
  const { nodeTransport } = await nodeModule();
  const store = new StoreClient({ baseUrl, token, transport: nodeTransport() });
  return {
    getStore: (externalId) => store.stores.get(externalId),
    countPage: async () => (await store.stores.list({ limit: 100 })).items.length,
  };
}
