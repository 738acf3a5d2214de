import type * as contract from "../../../generated/fleet.ts";
import { type FleetApi, type PageQuery, pagesOf } from "./resource.ts";
import { dataOf } from "../call.ts";
import type { Call } from "../core.ts";
import type { PageList } from "../lists/list.ts";
import type { CallOptions } from "../options.ts";
import type { Shape } from "../shape.ts";

/**
 * The inspections. The contract does not show the properties of their summaries and inputs. Contract: fleet 4,
 * Inspections.
 */
export class Inspections<S = contract.InspectionSummary, I = contract.InspectionInput> {
  readonly #api: FleetApi;
  readonly #output: Shape<S> | undefined;
  readonly #input: Shape | undefined;

  constructor(api: FleetApi, output?: Shape<S>, input?: Shape) {
    this.#api = api;
    this.#output = output;
    this.#input = input;
  }

  /**
   * Lists the inspections.
   *
   * `GET /inspections`
   * @throws {ScopeError} without `inspections:read`
   * @throws {PaginationError} if the server repeats a page, or the list changes under `onDrift: "throw"`
   */
  readonly list = (query?: PageQuery, options?: CallOptions): PageList<S> =>
    pagesOf<S>(this.#api, "/inspections", { query, options, shape: this.#output }, (sent, init) =>
      this.#api.http.GET("/inspections", { params: { query: sent }, ...init }),
    );

  /**
   * Returns one inspection in full.
   *
   * `GET /inspections/{id}`
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `inspections:read`
   */
  readonly get = (id: string, options?: CallOptions): Call<contract.Inspection> =>
    dataOf(this.#api.http.GET("/inspections/{id}", { params: { path: { id } }, call: { options } }));

  /**
   * Submits an inspection. It may contain several vehicles, damage reports with photo URLs, and a GPS location.
   *
   * `POST /inspections`
   * @throws {FleetApiError} if the server rejects the input
   * @throws {ScopeError} without `inspections:write`
   */
  readonly submit = (inspection: I, options?: CallOptions): Call<S> =>
    dataOf(
      this.#api.http.POST("/inspections", {
        body: inspection as contract.InspectionInput,
        call: { options, bodyShape: this.#input },
      }),
      this.#output,
    );

  /**
   * Changes an inspection.
   *
   * `PATCH /inspections/{id}`
   *
   * The shape `inspectionInput` is not used, because a part of an inspection need not match it (gap `fleet.patch`).
   * @throws {FleetApiError} `NOT_FOUND`, or another code if the server rejects the input
   * @throws {ScopeError} without `inspections:write`
   */
  readonly update = (id: string, changes: contract.InspectionPatch, options?: CallOptions): Call<S> =>
    dataOf(
      this.#api.http.PATCH("/inspections/{id}", {
        params: { path: { id } },
        body: changes,
        call: { options },
      }),
      this.#output,
    );

  /**
   * Deletes an inspection.
   *
   * `DELETE /inspections/{id}`
   *
   * Resolves with the `data` of the response, or with null if it has no body (gap `fleet.delete-response`).
   * @throws {FleetApiError} `NOT_FOUND`
   * @throws {ScopeError} without `inspections:write`
   */
  readonly delete = (id: string, options?: CallOptions): Call<unknown> =>
    dataOf(this.#api.http.DELETE("/inspections/{id}", { params: { path: { id } }, call: { options } }));
}
