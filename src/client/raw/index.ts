import createClient, { type Client } from "openapi-fetch";
import type { paths as FleetPaths } from "../../../generated/fleet.ts";
import type { paths as StorePaths } from "../../../generated/store.ts";
import { ConfigurationError, InvalidRequestError } from "../core/errors/errors.ts";
import { fillPath } from "../core/request/build.ts";
import { type ClientFetch, findRawSource } from "../core/request/client-fetch.ts";

/** A client of one of the two APIs. */
interface AnyClient {
  readonly fetch: ClientFetch;
}

const rawClients = new WeakMap<ClientFetch, object>();

/**
 * Returns the openapi-fetch client over the `fetch` of a client, for requests that its methods do not offer. It is the
 * same object for each call. Path IDs are validated as those of the methods are.
 * @throws {ConfigurationError} for an object that is not a client
 * @example const { data } = await raw(store).GET("/v1/stores", { params: { query: { limit: 5 } } });
 */
export function raw(client: AnyClient & { readonly stores: object }): Client<StorePaths, "application/json">;
export function raw(
  client: AnyClient & { readonly vehicles: object },
): Client<FleetPaths, "application/json">;
export function raw(client: AnyClient): object {
  const known = rawClients.get(client.fetch);
  if (known !== undefined) return known;
  const source = findRawSource(client.fetch);
  if (source === undefined) throw new ConfigurationError("raw: the argument must be a client");
  const { baseUrl, fetch } = source;
  const pathSerializer = (path: string, ids: Record<string, unknown>): string => {
    const { text, issues } = fillPath({ path }, ids);
    if (issues.length > 0) throw new InvalidRequestError(path.slice(baseUrl.length), issues);
    return text;
  };
  const created = createClient({ baseUrl, fetch, pathSerializer });
  rawClients.set(client.fetch, created);
  return created;
}
