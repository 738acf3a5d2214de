import { answerRequest } from "./request-handling.ts";
import { fleetApi } from "../apis/fleet/api.ts";
import type { Base, CoreAnswer, CoreRequest } from "./request.ts";
import { presented } from "./redaction.ts";
import { storeApi } from "../apis/store/api.ts";
import type { Tenant } from "./tenant.ts";

/** The three addresses of a reference server. */
export interface Addresses {
  readonly storeUrl: string;
  readonly fleetUrl: string;
  readonly sandboxUrl: string;
}

/** What all tenants share: the addresses, and who is told apart by which secret. */
export class Front {
  readonly addresses: Addresses;
  readonly #bases: readonly (readonly [url: string, base: Base])[];
  readonly #bySecret = new Map<string, Tenant>();
  #root: Tenant | undefined;

  constructor(addresses: Addresses) {
    this.addresses = addresses;
    const bases: (readonly [string, Base])[] = [
      [addresses.storeUrl, "store"],
      [addresses.fleetUrl, "fleet"],
      [addresses.sandboxUrl, "sandbox"],
    ];
    // One base may lie below another: the longest that fits is meant.
    this.#bases = bases.toSorted(([one], [other]) => other.length - one.length);
  }

  /** Takes in a tenant; requests with an unknown secret are the first one's. */
  admit(tenant: Tenant): void {
    this.#root ??= tenant;
    for (const secret of [tenant.token, ...tenant.keys.keys()]) this.#bySecret.set(secret, tenant);
  }

  /** The base and the rest of an absolute address; nothing outside the three. */
  locate(url: string): { base: Base; target: string } | undefined {
    for (const [prefix, base] of this.#bases) {
      if (!url.startsWith(prefix)) continue;
      const target = url.slice(prefix.length);
      if (target === "" || /^[/?#]/.test(target)) return { base, target };
    }
    return undefined;
  }

  /** Answers a request in the name of the tenant whose secret it carries. */
  answer(request: CoreRequest): CoreAnswer {
    const secret = presented(request.authorization);
    const tenant = (secret === undefined ? undefined : this.#bySecret.get(secret)) ?? this.#root;
    if (tenant === undefined) throw new Error("a front without a tenant");
    return request.base === "store"
      ? answerRequest(storeApi, tenant, request)
      : answerRequest(fleetApi, tenant, request);
  }
}
