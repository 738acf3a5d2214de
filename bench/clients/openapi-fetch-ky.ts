import ky from "ky";
import createClient from "openapi-fetch";
import type { paths } from "../../generated/store.ts";
import { token } from "../responses.ts";
import { type Client, policy, type Setting } from "./client.ts";

/** A client as users write it with the same two libraries. */
export function open({ baseUrl, fetch }: Setting): Client {
  const send = ky.create({ retry: policy.retries, timeout: policy.timeout, ...(fetch && { fetch }) });
  const headers = { authorization: `Bearer ${token}` };
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
}
