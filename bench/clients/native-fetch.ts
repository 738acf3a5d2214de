import { token } from "../responses.ts";
import type { Client, Named, Setting, StorePage } from "./client.ts";

/** `fetch` and `json()`, and nothing else: no retry, no deadline, no check. */
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
