import { StoreClient, type StoreClientOptions } from "../../../src/client/store/index.ts";
import { token } from "./stub-client.ts";

/** A store client over real HTTP with one retry after a millisecond or two. */
export function socketClient(baseUrl: string, options: Partial<StoreClientOptions> = {}): StoreClient {
  return new StoreClient({ baseUrl, token, retry: { limit: 1, maxDelay: 2 }, ...options });
}
