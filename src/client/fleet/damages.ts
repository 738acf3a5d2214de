import type { Damage, DamageInput, DamageSummary } from "../../../generated/fleet.ts";
import type { Call } from "../core/request/api.ts";
import type { CallOptions } from "../core/options/options.ts";
import type { PageList } from "../core/pagination/list.ts";
import type { PageQuery } from "./query.ts";
import type { Resource } from "./resource.ts";

/** The damages. The contract does not show the properties of their summaries and inputs. Contract: fleet 4, Damages. */
export class Damages<S = DamageSummary, I = DamageInput> {
  readonly #resource: Resource<S>;

  constructor(resource: Resource<S>) {
    this.#resource = resource;
  }

  /**
   * Lists the damages.
   *
   * `GET /damages`
   * @throws {ScopeError} without `damages:read`
   * @throws {PaginationError} if the server repeats a page, or the list changes under `onDrift: "throw"`
   * @example for await (const damage of fleet.damages.list()) console.log(damage);
   */
  list(query?: PageQuery, options?: CallOptions): PageList<S> {
    return this.#resource.list("listDamages", query, options);
  }

  /**
   * Returns one damage in full.
   *
   * `GET /damages/{id}`
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `damages:read` or `vehicles:read`; which of them is a gap (`scopes.get-damage`)
   */
  get(id: string, options?: CallOptions): Call<Damage> {
    return this.#resource.call("getDamage", { path: { id } }, options);
  }

  /**
   * Creates a damage.
   *
   * `POST /damages`
   * @throws {FleetApiError} if the server rejects the input
   * @throws {ScopeError} without `damages:write`
   */
  create(damage: I, options?: CallOptions): Call<S> {
    return this.#resource.create("createDamage", damage, options);
  }

  /**
   * Changes a damage.
   *
   * `PUT /damages/{id}`
   *
   * Whether omitted properties keep their values is a gap (`fleet.put`): send every property that must be kept.
   * @throws {FleetApiError} `NOT_FOUND`, or another code if the server rejects the input
   * @throws {ScopeError} without `damages:write`
   */
  update(id: string, damage: I, options?: CallOptions): Call<S> {
    return this.#resource.replace("updateDamage", id, damage, options);
  }

  /**
   * Deletes a damage.
   *
   * `DELETE /damages/{id}`
   *
   * Resolves with the `data` of the response, or with null if it has no body (gap `fleet.delete-response`).
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `damages:write`
   */
  delete(id: string, options?: CallOptions): Call<unknown> {
    return this.#resource.delete("deleteDamage", id, options);
  }
}
