import { Agent, request } from "undici";
import { token } from "../responses.ts";
import type { Client, Named, Setting, StorePage } from "./client.ts";

/** Only `request` and `json()`: no retry, no timeout, no validation. */
export function open({ baseUrl }: Setting): Client {
  const options = { headers: { authorization: `Bearer ${token}` }, dispatcher: new Agent() };
  const read = async (path: string): Promise<unknown> =>
    (await request(`${baseUrl}${path}`, options)).body.json();
  return {
    getStore: async (externalId) => (await read(`/v1/stores/${externalId}`)) as Named,
    countPage: async () => ((await read("/v1/stores?limit=100")) as StorePage).items.length,
  };
}
