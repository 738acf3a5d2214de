import { copyOptions } from "../core/pagination/list-call.ts";
import type { Expectation, ExpectationInput, ExpectationList, operations } from "../../../generated/store.ts";
import type { CallOptions } from "../core/options/options.ts";
import type { Api, Call } from "../core/request/api.ts";
import type { ModifyOptions } from "./modify.ts";

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
   * `weekday` is 0 to 6 (the first day of the week is a gap: `weekdays.first`), `protocolTime` is `HH:MM`,
   * `expectedFillRatio` is 0 to 100.
   * @throws {StoreApiError} `validation_failed`, `not_found`
   * @example
   * await store.expectations.replace("S-1", [
   *   { productCategory: "DRINKS", displayType: "FRIDGE_DRINKS", weekday: 1, protocolTime: "08:00", expectedFillRatio: 80 },
   * ]);
   */
  replace(
    externalId: string,
    expectations: readonly ExpectationInput[],
    options?: CallOptions,
  ): Call<ExpectationList> {
    const body = { expectations };
    return this.#api.call("putExpectations", { path: { externalId }, body }, options);
  }

  /**
   * Reads the expectations of a store, applies a change, replaces all of them and compares what the service kept. Sends
   * nothing if nothing changed. Calls for one store run one after the other.
   *
   * `GET /v1/stores/{externalId}/expectations`, `PUT /v1/stores/{externalId}/expectations`
   *
   * The change is not atomic: the contract has no versions and no ETags, so a change by another program between the
   * last read and the write is overwritten.
   * @param change returns all expectations that the store should have
   * @throws {StoreApiError} `not_found`, `validation_failed`
   * @throws {WriteError} if the list was not read as a whole, was changed meanwhile, or was not kept as sent
   * @example await store.expectations.modify("S-1", (all) => all.map((it) => ({ ...it, expectedFillRatio: 80 })));
   */
  async modify(
    externalId: string,
    change: (
      expectations: Expectation[],
    ) => readonly (Expectation | ExpectationInput)[] | Promise<readonly (Expectation | ExpectationInput)[]>,
    options?: ModifyOptions,
  ): Promise<ExpectationList> {
    const copied = options && copyOptions(options);
    const { modifyExpectations } = await import("./modify-list.ts");
    return modifyExpectations(this, externalId, change, copied);
  }
}
