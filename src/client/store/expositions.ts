import type { components, ExpositionInput, ExpositionList, paths } from "../../../generated/store.ts";
import { bodyOf, toInit } from "../call.ts";
import type { Call } from "../response.ts";
import type { Http } from "../http.ts";
import type { CallOptions } from "../options.ts";

/** The expositions of a store. Contract: store 4, Expositions. */
export class Expositions {
  readonly #http: Http<paths>;

  constructor(http: Http<paths>) {
    this.#http = http;
  }

  /**
   * Returns the expositions of a store.
   *
   * `GET /v1/stores/{externalId}/expositions`
   * @throws {StoreApiError} `not_found` if no store has this external ID
   */
  readonly get = (externalId: string, options?: CallOptions): Call<ExpositionList> =>
    bodyOf(this.#http.GET("/v1/stores/{externalId}/expositions", toInit({ externalId }, options)));

  /**
   * Creates or updates expositions of a store, at most 500.
   *
   * `PUT /v1/stores/{externalId}/expositions`
   *
   * An element without `status` becomes `active`. A service may remove or disable the expositions that the request does not
   * name, so send all of them (gap `expositions.absent`). The contract does not say how the service matches an element with
   * an exposition (gaps `expositions.matching`, `expositions.unknown-id`): two requests may create two expositions. The call
   * is therefore retried only if the service did not process it, or if the client's `repeatable` has `putExpositions`.
   * @throws {StoreApiError} `validation_failed`, `not_found`
   * @throws {WriteError} `differs` if the response does not show the elements that were sent
   * @example
   * await store.expositions.upsert("S-1", [
   *   { label: "A", productCategories: ["DRINKS"], expositionType: "FRIDGE_DRINKS" },
   * ]);
   */
  readonly upsert = (
    externalId: string,
    expositions: readonly ExpositionInput[],
    options?: CallOptions,
  ): Call<ExpositionList> =>
    bodyOf(
      this.#http.PUT("/v1/stores/{externalId}/expositions", {
        ...toInit({ externalId }, options, { written: { input: "expositionInput", isReplaced: false } }),
        body: { expositions: expositions as components["schemas"]["ExpositionInput"][] }, // JSON has no undefined
      }),
    );
}
