import type { ExpectationInput, ExpectationList, operations } from "../../generated/store.ts";
import type { CallOptions } from "../core/options/options.ts";
import type { Api, Call } from "../core/request/api.ts";

/** The fill-rate expectations of a store. Contract: store 4, Expectations. */
export class Expectations {
  readonly #api: Api<operations>;

  constructor(api: Api<operations>) {
    this.#api = api;
  }

  /**
   * Returns the expectations of a store.
   *
   * `GET /v1/stores/{externalId}/expectations`
   * @throws {StoreApiError} `not_found` if no store has this external ID
   */
  get(externalId: string, options?: CallOptions): Call<ExpectationList> {
    return this.#api.call("getExpectations", { path: { externalId } }, options);
  }

  /**
   * Replaces all expectations of a store.
   *
   * `PUT /v1/stores/{externalId}/expectations`
   *
   * `weekday` is 0 to 6 (which day 0 is: gap `weekdays.first`), `protocolTime` is `HH:MM`, `expectedFillRatio` 0–100.
   * @throws {StoreApiError} `validation_failed`, `not_found`
   */
  replace(
    externalId: string,
    expectations: readonly ExpectationInput[],
    options?: CallOptions,
  ): Call<ExpectationList> {
    const body = { expectations: expectations as ExpectationInput[] }; // only read
    return this.#api.call("putExpectations", { path: { externalId }, body }, options);
  }
}
