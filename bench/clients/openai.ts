import { OpenAI } from "openai";
import { token } from "../responses.ts";
import { type Client, type Named, policy, type Setting, type StorePage } from "./client.ts";

export function openClient({ baseUrl, fetch }: Setting): OpenAI {
  return new OpenAI({
    apiKey: token,
    baseURL: `${baseUrl}/v1`,
    maxRetries: policy.retries,
    timeout: policy.timeout,
    ...(fetch && { fetch }),
  });
}

/** Its own method for undocumented routes. */
export function open(setting: Setting): Client {
  const client = openClient(setting);
  return {
    getStore: (externalId) => client.get<Named>(`/stores/${encodeURIComponent(externalId)}`),
    countPage: async () => (await client.get<StorePage>("/stores?limit=100")).items.length,
  };
}
