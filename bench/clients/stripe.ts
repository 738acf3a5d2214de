import { Stripe } from "stripe";
import { type Client, type Named, policy, type Setting } from "./client.ts";

export function openClient({ baseUrl, fetch }: Setting): Stripe {
  const { hostname, port, protocol } = new URL(baseUrl);
  return new Stripe("sk_test_0123456789", {
    host: hostname,
    port: port === "" ? 443 : Number(port),
    protocol: protocol === "http:" ? "http" : "https",
    maxNetworkRetries: policy.retries,
    timeout: policy.timeout,
    telemetry: false,
    // without a `fetch` it uses node:http, as for its users
    ...(fetch && { httpClient: Stripe.createFetchHttpClient(fetch) }),
  });
}

/** One of its methods, to which the servers of this folder respond with a store. */
export function open(setting: Setting): Client {
  const client = openClient(setting);
  return {
    getStore: async (externalId): Promise<Named> => {
      const customer = await client.customers.retrieve(externalId);
      return "name" in customer ? { name: customer.name } : {};
    },
    countPage: async () => (await client.customers.list({ limit: 100 })).data.length,
  };
}
