import type { Damage, DamageInput, DamageSummary } from "../../../generated/fleet.ts";
import { type FleetApi, type PageQuery, pagesOf, toReplace, toWrite } from "./resource.ts";
import { dataOf, toInit } from "../call.ts";
import type { Call } from "../response.ts";
import type { PageList } from "../lists/numbered.ts";
import type { CallOptions } from "../options.ts";

/** The damages. The contract does not show the properties of their summaries and inputs. Contract: fleet 4, Damages. */
export class Damages<S = DamageSummary, I = DamageInput> {
  readonly #api: FleetApi<S>;

  constructor(api: FleetApi<S>) {
    this.#api = api;
  }

  /**
   * Lists the damages.
   *
   * `GET /damages`
   * @throws {ScopeError} without `damages:read`
   * @throws {PaginationError} if the server repeats a page, or the list changes under `onDrift: "throw"`
   * @example for await (const damage of fleet.damages.list()) console.log(damage);
   */
  readonly list = (query?: PageQuery, options?: CallOptions): PageList<S> =>
    pagesOf(this.#api, "/damages", { query, options });

  /**
   * Returns one damage in full.
   *
   * `GET /damages/{id}`
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `damages:read` or `vehicles:read`; which of them is a gap (`scopes.get-damage`)
   */
  readonly get = (id: string, options?: CallOptions): Call<Damage> =>
    dataOf(this.#api.http.GET("/damages/{id}", toInit({ id }, options)));

  /**
   * Creates a damage.
   *
   * `POST /damages`
   * @throws {FleetApiError} if the server rejects the input
   * @throws {ScopeError} without `damages:write`
   */
  readonly create = (damage: I, options?: CallOptions): Call<S> =>
    dataOf(this.#api.http.POST("/damages", toWrite(this.#api, damage, options)), this.#api.output);

  /**
   * Changes a damage.
   *
   * `PUT /damages/{id}`
   *
   * Whether omitted properties keep their values is a gap (`fleet.put`): send every property that must be kept.
   * @throws {FleetApiError} `NOT_FOUND`, or another code if the server rejects the input
   * @throws {ScopeError} without `damages:write`
   */
  readonly update = (id: string, damage: I, options?: CallOptions): Call<S> =>
    dataOf(this.#api.http.PUT("/damages/{id}", toReplace(this.#api, id, damage, options)), this.#api.output);

  /**
   * Deletes a damage.
   *
   * `DELETE /damages/{id}`
   *
   * Resolves with the `data` of the response, or with null if it has no body (gap `fleet.delete-response`).
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `damages:write`
   */
  readonly delete = (id: string, options?: CallOptions): Call<unknown> =>
    dataOf(this.#api.http.DELETE("/damages/{id}", toInit({ id }, options)));
}
