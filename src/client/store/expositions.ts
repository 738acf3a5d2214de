import { copyOptions } from "../core/pagination/list-call.ts";
import type { Exposition, ExpositionInput, ExpositionList, operations } from "../../../generated/store.ts";
import type { CallOptions } from "../core/options/options.ts";
import type { Api, Call } from "../core/request/api.ts";
import type { ModifyOptions } from "./modify.ts";

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
  upsert(
    externalId: string,
    expositions: readonly ExpositionInput[],
    options?: CallOptions,
  ): Call<ExpositionList> {
    const body = { expositions };
    return this.#api.call("putExpositions", { path: { externalId }, body }, options);
  }

  /**
   * Reads the expositions of a store, applies a change, upserts all of them and compares what the service kept. Sends
   * nothing if nothing changed. Calls for one store run one after the other.
   *
   * `GET /v1/stores/{externalId}/expositions`, `PUT /v1/stores/{externalId}/expositions`
   *
   * The body contains every exposition, so that it has the same meaning under each reading of gap `expositions.absent`.
   * The change is not atomic: the contract has no versions and no ETags, so a change by another program between the
   * last read and the write is overwritten.
   * @param change returns all expositions of the store, at most 500; leaving one out is an error
   * @throws {StoreApiError} `not_found`, `validation_failed`
   * @throws {WriteError} if the list was not read as a whole, was changed meanwhile, or was not kept as sent
   * @example await store.expositions.modify("S-1", (all) => all.map((it) => ({ ...it, status: "disabled" })));
   */
  async modify(
    externalId: string,
    change: (
      expositions: Exposition[],
    ) => readonly (Exposition | ExpositionInput)[] | Promise<readonly (Exposition | ExpositionInput)[]>,
    options?: ModifyOptions,
  ): Promise<ExpositionList> {
    const copied = options && copyOptions(options);
    const { modifyExpositions } = await import("./modify-list.ts");
    return modifyExpositions(this, externalId, change, copied);
  }
}
