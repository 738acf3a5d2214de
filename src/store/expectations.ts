import type { ExpectationInput, ExpectationList, paths } from "../../generated/store.ts";
import type { Call } from "../core/call.ts";
import type { Http } from "../core/http.ts";
import type { CallOptions } from "../core/options.ts";
import { withItems } from "./envelope.ts";

/** The fill-rate expectations of a store. Contract: store 4, Expectations. */
export class Expectations {
  readonly #http: Http<paths>;

  constructor(http: Http<paths>) {
    this.#http = http;
  }

  /**
   * Reads the expectations of a store.
   *
   * `GET /v1/stores/{externalId}/expectations`
   * @throws {StoreApiError} `not_found` where no store has this external ID
   */
  get(externalId: string, options?: CallOptions): Call<ExpectationList> {
    return this.#http.get(
      "/v1/stores/{externalId}/expectations",
      { path: { externalId }, finish: withItems },
      options,
    );
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
    return this.#http.put(
      "/v1/stores/{externalId}/expectations",
      { path: { externalId }, body, finish: withItems },
      options,
    );
  }
}
