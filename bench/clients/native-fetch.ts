import { token } from "../responses.ts";
import type { Client, Named, Setting, StorePage } from "./client.ts";

/** Only `fetch` and `json()`: no retry, no timeout, no validation. */
export function open({ baseUrl, fetch = globalThis.fetch }: Setting): Client {
  const headers = { authorization: `Bearer ${token}` };
  return {
    async getStore(externalId) {
      const response = await fetch(`${baseUrl}/v1/stores/${externalId}`, { headers });
      return (await response.json()) as Named;
    },
    async countPage() {
      const response = await fetch(`${baseUrl}/v1/stores?limit=100`, { headers });
      return ((await response.json()) as StorePage).items.length;
    },
  };
}
