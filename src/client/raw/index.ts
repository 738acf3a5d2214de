import createClient, { type Client, defaultBodySerializer } from "openapi-fetch";
import type { paths as FleetPaths } from "../../../generated/fleet.ts";
import type { paths as StorePaths } from "../../../generated/store.ts";
import { ConfigurationError, InvalidRequestError } from "../core/errors/errors.ts";
import { fillPath } from "../core/request/build.ts";
import { findInexact } from "../../wire/exact-numbers.ts";
import { findJsonLoss } from "../../wire/json-loss.ts";
import { type ClientFetch, findRawSource } from "../core/request/client-fetch.ts";

/** A client of one of the two APIs. */
interface AnyClient {
  readonly fetch: ClientFetch;
}

const serializeJson = defaultBodySerializer as (body: unknown, headers: unknown) => unknown; // its type lacks the headers

function bodySerializer(body: unknown, headers?: unknown): unknown {
  if (body instanceof FormData || body instanceof URLSearchParams) return serializeJson(body, headers);
  const issues = [...findJsonLoss(body), ...findInexact(body)];
  if (issues.length > 0) throw new InvalidRequestError("raw", issues);
  return serializeJson(body, headers);
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
  const created = createClient<object>({ baseUrl, fetch, pathSerializer, bodySerializer });
  created.use({
    // without path IDs, the names in braces would be sent
    onRequest({ schemaPath, params }) {
      const [, name] = /\{(\w+)\}/.exec(schemaPath) ?? [];
      if (name === undefined || params.path !== undefined) return;
      throw new InvalidRequestError(schemaPath, [{ path: name, message: "must be a string" }]);
    },
  });
  rawClients.set(client.fetch, created);
  return created;
}
