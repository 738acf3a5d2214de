import type { ExpositionInput, ExpositionList, operations } from "../../generated/store.ts";
import type { CallOptions } from "../core/options/options.ts";
import type { Api, Call } from "../core/request/api.ts";

/** The expositions of a store. Contract: store 4, Expositions. */
export class Expositions {
  readonly #api: Api<operations>;

  constructor(api: Api<operations>) {
    this.#api = api;
  }

  /**
   * Returns the expositions of a store.
   *
   * `GET /v1/stores/{externalId}/expositions`
   * @throws {StoreApiError} `not_found` if no store has this external ID
   */
  get(externalId: string, options?: CallOptions): Call<ExpositionList> {
    return this.#api.call("getExpositions", { path: { externalId } }, options);
  }

  /**
   * Creates or updates expositions of a store, at most 500.
   *
   * `PUT /v1/stores/{externalId}/expositions`
   *
   * An element without `status` becomes `active`. How an element finds its exposition is a gap
   * (`expositions.matching`, `expositions.unknown-id`): sent twice, it may create two. The call is therefore retried
   * only if the server said that it did not process it, or if the client's `readings` say that twice is safe.
   * @throws {StoreApiError} `validation_failed`, `not_found`
   */
  upsert(
    externalId: string,
    expositions: readonly ExpositionInput[],
    options?: CallOptions,
  ): Call<ExpositionList> {
    const body = { expositions: expositions as ExpositionInput[] }; // only read
    return this.#api.call("putExpositions", { path: { externalId }, body }, options);
  }
}
