import type { ExpectationInput, ExpectationList, paths } from "../../../generated/store.ts";
import { bodyOf, toInit } from "../call.ts";
import type { Call } from "../response.ts";
import type { Http } from "../http.ts";
import type { CallOptions } from "../options.ts";

/** The fill-rate expectations of a store. Contract: store 4, Expectations. */
export class Expectations {
  readonly #http: Http<paths>;

  constructor(http: Http<paths>) {
    this.#http = http;
  }

  /**
   * Returns the expectations of a store.
   *
   * `GET /v1/stores/{externalId}/expectations`
   * @throws {StoreApiError} `not_found` if no store has this external ID
   */
  readonly get = (externalId: string, options?: CallOptions): Call<ExpectationList> =>
    bodyOf(this.#http.GET("/v1/stores/{externalId}/expectations", toInit({ externalId }, options)));

  /**
   * Replaces all expectations of a store.
   *
   * `PUT /v1/stores/{externalId}/expectations`
   *
   * `weekday` is 0 to 6 (the first day of the week is a gap: `weekdays.first`), `protocolTime` is `HH:MM`,
   * `expectedFillRatio` is 0 to 100.
   * @throws {StoreApiError} `validation_failed`, `not_found`
   * @throws {WriteError} `differs` if the response shows other elements than those that were sent
   * @example
   * await store.expectations.replace("S-1", [
   *   { productCategory: "DRINKS", displayType: "FRIDGE_DRINKS", weekday: 1, protocolTime: "08:00", expectedFillRatio: 80 },
   * ]);
   */
  readonly replace = (
    externalId: string,
    expectations: readonly ExpectationInput[],
    options?: CallOptions,
  ): Call<ExpectationList> =>
    bodyOf(
      this.#http.PUT("/v1/stores/{externalId}/expectations", {
        ...toInit({ externalId }, options, { written: { input: "expectationInput", isReplaced: true } }),
        body: { expectations: expectations as ExpectationInput[] }, // it is only serialized
      }),
    );
}
