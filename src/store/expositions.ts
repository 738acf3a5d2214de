import type { ExpositionInput, ExpositionList, paths } from "../../generated/store.ts";
import type { Call } from "../core/call.ts";
import type { Http } from "../core/http.ts";
import { isObject } from "../core/json.ts";
import type { CallOptions } from "../core/options.ts";
import type { RetryClass } from "../core/retry.ts";
import { withItems } from "./envelope.ts";

/** The expositions of a store. Contract: store 4, Expositions. */
export class Expositions {
  readonly #http: Http<paths>;

  constructor(http: Http<paths>) {
    this.#http = http;
  }

  /**
   * Reads the expositions of a store.
   *
   * `GET /v1/stores/{externalId}/expositions`
   * @throws {StoreApiError} `not_found` where no store has this external ID
   */
  get(externalId: string, options?: CallOptions): Call<ExpositionList> {
    return this.#http.get(
      "/v1/stores/{externalId}/expositions",
      { path: { externalId }, finish: withItems },
      options,
    );
  }

  /**
   * Creates or updates expositions of a store, at most 500.
   *
   * `PUT /v1/stores/{externalId}/expositions`
   *
   * An element without `status` becomes `active`. How one without `expositionId` finds the exposition it means is a gap
   * (`expositions.matching`): such a call is tried again only where the server said that it did not process it.
   * @throws {StoreApiError} `validation_failed`, `not_found`
   */
  upsert(
    externalId: string,
    expositions: readonly ExpositionInput[],
    options?: CallOptions,
  ): Call<ExpositionList> {
    const body = { expositions: expositions as ExpositionInput[] }; // only read
    return this.#http.put(
      "/v1/stores/{externalId}/expositions",
      { path: { externalId }, body, finish: withItems },
      options,
    );
  }
}

/** Sent twice, expositions are the same only where each names the one it means (gap expositions.matching). */
export function retryClassOf(operation: string, body: unknown): RetryClass | undefined {
  if (operation !== "putExpositions") return undefined;
  const list = isObject(body) ? body.expositions : undefined;
  return Array.isArray(list) && list.every(namesOne) ? "idempotent" : "refused-only";
}

function namesOne(element: unknown): boolean {
  return isObject(element) && typeof element.expositionId === "string";
}
