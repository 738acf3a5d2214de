import type { Api } from "./api.ts";
import { transmittedText } from "../http/body.ts";
import type { Endpoint, Location } from "./endpoint.ts";
import type { HandlerInput } from "./handler.ts";
import { bearerToken } from "../../wire/credentials.ts";
import type { CoreResponse, CoreRequest } from "../http/request.ts";
import { handleRequest } from "./request-handling.ts";
import type { Tenant } from "./tenant.ts";

/** An API at a base address. */
export interface ApiMount<State> {
  /** The name of the base, such as `store`. */
  readonly base: string;
  /** The base URL, without a slash at its end. */
  readonly url: string;
  handle(tenant: Tenant<State>, request: CoreRequest): CoreResponse;
}

/** Mounts an API at a base address. */
export function mountApi<State, Context extends HandlerInput>(
  base: string,
  url: string,
  api: Api<State, Context>,
): ApiMount<State> {
  return { base, url, handle: (tenant, request) => handleRequest(api, tenant, request) };
}

/** Routes each request to an API, by its base, and to a tenant, by its secret. */
export class TenantRouter<State> implements Endpoint {
  readonly #mounts: ReadonlyMap<string, ApiMount<State>>;
  readonly #longestFirst: readonly ApiMount<State>[];
  readonly #bySecret = new Map<string, Tenant<State>>();
  #root: Tenant<State> | undefined;

  constructor(mounts: readonly ApiMount<State>[]) {
    this.#mounts = new Map(mounts.map((mount) => [mount.base, mount]));
    // One base may be below another: the longest match is used.
    this.#longestFirst = mounts.toSorted((a, b) => b.url.length - a.url.length);
  }

  /** Adds a tenant with its secrets; requests with an unknown secret go to the first tenant. */
  add(tenant: Tenant<State>, secrets: Iterable<string>): void {
    this.#root ??= tenant;
    for (const secret of secrets) this.#bySecret.set(secret, tenant);
  }

  /** Returns the tenant that has a secret. */
  ownerOf(secret: string): Tenant<State> | undefined {
    return this.#bySecret.get(secret);
  }

  /** Splits an absolute URL into base and target; returns `undefined` for a URL outside the bases. */
  locate(url: string): Location | undefined {
    for (const { base, url: prefix } of this.#longestFirst) {
      if (!url.startsWith(prefix)) continue;
      const target = url.slice(prefix.length);
      if (target === "" || /^[/?#]/.test(target)) return { base, target };
    }
    return undefined;
  }

  /** Returns the response of the tenant whose secret the request carries. */
  handle(request: CoreRequest): CoreResponse {
    const secret = bearerToken(request.authorization);
    const tenant = (secret === undefined ? undefined : this.#bySecret.get(secret)) ?? this.#root;
    const mount = this.#mounts.get(request.base);
    if (tenant === undefined) throw new Error("The router has no tenant");
    if (mount === undefined) {
      throw new Error(
        `Unknown base "${request.base}". Expected one of ${[...this.#mounts.keys()].join(", ")}`,
      );
    }
    const { body } = request;
    return mount.handle(tenant, body === undefined ? request : { ...request, body: transmittedText(body) });
  }
}
