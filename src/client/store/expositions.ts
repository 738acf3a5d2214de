import type { ExpositionInput, ExpositionList, paths } from "../../../generated/store.ts";
import { bodyOf } from "../call.ts";
import type { Call, Core } from "../core.ts";
import type { Http } from "../http.ts";
import type { CallOptions } from "../options.ts";

/** The expositions of a store. Contract: store 4, Expositions. */
export class Expositions {
  readonly #core: Core;
  readonly #http: Http<paths>;

  constructor(core: Core, http: Http<paths>) {
    this.#core = core;
    this.#http = http;
  }

  /**
   * Returns the expositions of a store.
   *
   * `GET /v1/stores/{externalId}/expositions`
   * @throws {StoreApiError} `not_found` if no store has this external ID
   */
  readonly get = (externalId: string, options?: CallOptions): Call<ExpositionList> =>
    bodyOf(
      this.#core,
      this.#http.GET("/v1/stores/{externalId}/expositions", {
        params: { path: { externalId } },
        call: { options },
      }),
    );

  /**
   * Creates or updates expositions of a store, at most 500.
   *
   * `PUT /v1/stores/{externalId}/expositions`
   *
   * An element without `status` becomes `active`. The contract does not define how the service matches an element
   * with an exposition (gaps `expositions.matching`, `expositions.unknown-id`): sending it twice may create two
   * expositions. The call is therefore retried only if the server said that it did not process it, or if the client's
   * `readings` say that a retry is safe.
   * @throws {StoreApiError} `validation_failed`, `not_found`
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
      this.#core,
      this.#http.PUT("/v1/stores/{externalId}/expositions", {
        params: { path: { externalId } },
        body: { expositions: [...expositions] },
        call: { options },
      }),
    );
}
