import { token } from "../responses.ts";
import type { Client, Setting } from "./client.ts";
import { storeModule } from "../build.ts";

export async function open({ baseUrl, fetch }: Setting): Promise<Client> {
  const { StoreClient } = await storeModule();
  const store = new StoreClient({ baseUrl, token, fetch });
  return {
    getStore: (externalId) => store.stores.get(externalId),
    countPage: async () => (await store.stores.list({ limit: 100 })).items.length,
  };
}
