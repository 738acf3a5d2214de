import type { Damage, DamageInput, DamageSummary, operations } from "../../../generated/fleet.ts";
import type { Api, Call } from "../core/request/api.ts";
import type { CallOptions } from "../core/options/options.ts";
import type { PageList } from "../core/pagination/list.ts";
import { type Shape, transformWith } from "../core/request/shape.ts";
import type { Lists } from "./lists.ts";
import type { PageQuery } from "./query.ts";
import type { FleetShapes } from "./shapes.ts";

/** The damages. The contract does not show the properties of their summaries and inputs. Contract: fleet 4, Damages. */
export class Damages<S = DamageSummary, I = DamageInput> {
  readonly #api: Api<operations>;
  readonly #lists: Lists;
  readonly #shape: Shape | undefined;
  readonly #input: Shape | undefined;

  constructor(api: Api<operations>, lists: Lists, shapes: FleetShapes) {
    this.#api = api;
    this.#lists = lists;
    this.#shape = shapes.damageSummary;
    this.#input = shapes.damageInput;
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
    return this.#lists.open("listDamages", { query, options, shape: this.#shape });
  }

  /**
   * Returns one damage in full.
   *
   * `GET /damages/{id}`
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `damages:read` or `vehicles:read`; which of them is a gap (`scopes.get-damage`)
   */
  get(id: string, options?: CallOptions): Call<Damage> {
    return this.#api.call("getDamage", { path: { id } }, options);
  }

  /**
   * Creates a damage.
   *
   * `POST /damages`
   * @throws {FleetApiError} if the server rejects the input
   * @throws {ScopeError} without `damages:write`
   */
  create(damage: I, options?: CallOptions): Call<S> {
    const transform = transformWith<S>(this.#shape);
    return this.#api.call("createDamage", { body: damage, bodyShape: this.#input, transform }, options);
  }

  /**
   * Changes a damage.
   *
   * `PUT /damages/{id}`
   *
   * Whether properties that are left out keep their values is a gap (`fleet.put`): send every property that must hold.
   * @throws {FleetApiError} `NOT_FOUND`, or another code if the server rejects the input
   * @throws {ScopeError} without `damages:write`
   */
  update(id: string, damage: I, options?: CallOptions): Call<S> {
    const transform = transformWith<S>(this.#shape);
    return this.#api.call(
      "updateDamage",
      { path: { id }, body: damage, bodyShape: this.#input, transform },
      options,
    );
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
    return this.#api.call("deleteDamage", { path: { id } }, options);
  }
}
