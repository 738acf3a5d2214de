import type { Damage, DamageInput, DamageSummary, paths } from "../../generated/fleet.ts";
import type { Call } from "../core/call.ts";
import type { Http } from "../core/http.ts";
import type { CallOptions } from "../core/options.ts";
import type { PageList } from "../core/pagination/list.ts";
import { type Shape, shaped } from "../core/shape.ts";
import type { Lists } from "./lists.ts";
import { type PageQuery, pageRules } from "./query.ts";
import type { FleetShapes } from "./shapes.ts";

const listRules = { rules: pageRules };

/** The damages; the members of their summaries and inputs are not shown. Contract: fleet 4, Damages. */
export class Damages<S = DamageSummary, I = DamageInput> {
  readonly #http: Http<paths>;
  readonly #lists: Lists;
  readonly #shape: Shape | undefined;
  readonly #input: Shape | undefined;

  constructor(http: Http<paths>, lists: Lists, shapes: FleetShapes) {
    this.#http = http;
    this.#lists = lists;
    this.#shape = shapes.damageSummary;
    this.#input = shapes.damageInput;
  }

  /**
   * Lists the damages.
   *
   * `GET /damages`
   * @throws {ScopeError} without `damages:read`
   * @throws {PaginationError} where the server repeats itself, or the list changes under `onDrift: "throw"`
   */
  list(query?: PageQuery, options?: CallOptions): PageList<S> {
    return this.#lists.open("GET /damages", { query, options, shape: this.#shape }, (sent, copied, cancel) =>
      this.#http.page("/damages", { query: sent, rules: listRules }, copied, cancel),
    );
  }

  /**
   * Reads one damage in full.
   *
   * `GET /damages/{id}`
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `damages:read` or `vehicles:read`; which of them is a gap (`scopes.get-damage`)
   */
  get(id: string, options?: CallOptions): Call<Damage> {
    return this.#http.get("/damages/{id}", { path: { id } }, options);
  }

  /**
   * Creates a damage.
   *
   * `POST /damages`
   * @throws {FleetApiError} where the server refuses the input
   * @throws {ScopeError} without `damages:write`
   */
  create(damage: I, options?: CallOptions): Call<S> {
    const body = damage as DamageInput; // what the input's shape takes
    const finish = shaped<S>(this.#shape);
    return this.#http.post("/damages", { body, bodyShape: this.#input, finish }, options);
  }

  /**
   * Changes a damage.
   *
   * `PUT /damages/{id}`
   *
   * Whether members that are left out stay is a gap (`fleet.put`): send every member that must hold.
   * @throws {FleetApiError} `NOT_FOUND`, or another code where the server refuses the input
   * @throws {ScopeError} without `damages:write`
   */
  update(id: string, damage: I, options?: CallOptions): Call<S> {
    const body = damage as DamageInput; // what the input's shape takes
    const finish = shaped<S>(this.#shape);
    return this.#http.put("/damages/{id}", { path: { id }, body, bodyShape: this.#input, finish }, options);
  }

  /**
   * Deletes a damage.
   *
   * `DELETE /damages/{id}`
   *
   * Resolves with whatever `data` the server answers, with null where it answers nothing (gap `fleet.delete-answer`).
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `damages:write`
   */
  delete(id: string, options?: CallOptions): Call<unknown> {
    return this.#http.delete("/damages/{id}", { path: { id } }, options);
  }
}
