import type {
  CrossStoreGroupBy,
  ExpositionFillRate,
  FillRateGroupBy,
  FillRates as FillRatesResponse,
  operations,
  ProtocolStatus,
  StoreFillRates,
} from "../../../generated/store.ts";
import type { CallOptions } from "../core/options/options.ts";
import type { Api, Call } from "../core/request/api.ts";
import { type Shape, transformWith } from "../core/request/shape.ts";
import type { TimeRange } from "./query.ts";

/**
 * The query of `fillRates.forExposition`, and the common part of all queries of fill rates. Contract: store 4, Fill
 * rates.
 */
export interface RateQuery extends TimeRange {
  /** Selects protocols by status (default: `completed`). */
  status?: ProtocolStatus | undefined;
}

/** The query of `fillRates.forStore`. Contract: store 4, Fill rates. */
export interface StoreFillRatesQuery extends RateQuery {
  /** The grouping of the rates (default: `protocol`). */
  groupBy?: FillRateGroupBy | undefined;
}

/** The query of `fillRates.across`. Contract: store 4, Fill rates. */
export interface FillRatesQuery extends RateQuery {
  /** The grouping of the rates (default: `store`). */
  groupBy?: CrossStoreGroupBy | undefined;
  /** Selects stores by external ID (default: all). An ID must not contain a comma. */
  externalIds?: readonly string[] | undefined;
  /** The lower bound, 0 to 100. Whether it is inclusive is a gap (`fill-rates.bounds`). */
  minFillRate?: number | undefined;
  /** The upper bound, 0 to 100. Whether it is inclusive is a gap (`fill-rates.bounds`). */
  maxFillRate?: number | undefined;
  /**
   * Returns only rates below the expectation (default: false). The contract does not define which rates these are
   * (gap `fill-rates.below-expectation`).
   */
  belowExpectationOnly?: boolean | undefined;
}

/** The shapes of the three reports. */
export interface FillRateShapes {
  storeFillRates?: Shape | undefined;
  expositionFillRate?: Shape | undefined;
  fillRates?: Shape | undefined;
}

/** The types of the three reports without shapes. */
export interface Rates {
  store: StoreFillRates;
  exposition: ExpositionFillRate;
  across: FillRatesResponse;
}

/**
 * Fill rates. The contract does not define their calculation (gap `fill-rates.calculation`).
 * Contract: store 4, Fill rates.
 */
export class FillRates<R extends Record<keyof Rates, unknown> = Rates> {
  readonly #api: Api<operations>;
  readonly #shapes: FillRateShapes;

  constructor(api: Api<operations>, shapes: FillRateShapes) {
    this.#api = api;
    this.#shapes = shapes;
  }

  /**
   * Returns the fill rates of a store.
   *
   * `GET /v1/stores/{externalId}/fill-rates`
   * @throws {StoreApiError} `validation_failed`, `not_found`
   * @example
   * const range = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };
   * const rates = await store.fillRates.forStore("S-1", { ...range, groupBy: "category" });
   */
  forStore(externalId: string, query: StoreFillRatesQuery, options?: CallOptions): Call<R["store"]> {
    const transform = transformWith<R["store"]>(this.#shapes.storeFillRates);
    return this.#api.call("getStoreFillRates", { path: { externalId }, query, transform }, options);
  }

  /**
   * Returns the fill rate of one exposition of a store.
   *
   * `GET /v1/stores/{externalId}/expositions/{expositionId}/fill-rate`
   * @throws {StoreApiError} `validation_failed`, `not_found`
   */
  forExposition(
    externalId: string,
    expositionId: string,
    query: RateQuery,
    options?: CallOptions,
  ): Call<R["exposition"]> {
    const transform = transformWith<R["exposition"]>(this.#shapes.expositionFillRate);
    const path = { externalId, expositionId };
    return this.#api.call("getExpositionFillRate", { path, query, transform }, options);
  }

  /**
   * Returns fill rates across stores.
   *
   * `GET /v1/fill-rate`
   * @throws {StoreApiError} `validation_failed`
   * @example
   * const range = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };
   * const rates = await store.fillRates.across({ ...range, groupBy: "week", maxFillRate: 50 });
   */
  across(query: FillRatesQuery, options?: CallOptions): Call<R["across"]> {
    const transform = transformWith<R["across"]>(this.#shapes.fillRates);
    return this.#api.call("getFillRates", { query, transform }, options);
  }
}
