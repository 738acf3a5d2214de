import type * as contract from "../../../generated/store.ts";
import { bodyOf } from "../call.ts";
import type { Call } from "../response.ts";
import type { Http } from "../http.ts";
import type { CallOptions } from "../options.ts";
import type { Shape, ShapedAs } from "../shape.ts";
import type { TimeRange } from "../lists/range.ts";

/**
 * The query of `fillRates.forExposition`, and the common part of all queries of fill rates. Contract: store 4, Fill
 * rates.
 */
export interface RateQuery extends TimeRange {
  /** Selects protocols by status (default: `completed`). */
  status?: contract.ProtocolStatus | undefined;
}

/** The query of `fillRates.forStore`. Contract: store 4, Fill rates. */
export interface StoreFillRatesQuery extends RateQuery {
  /** The grouping of the rates (default: `protocol`). */
  groupBy?: contract.FillRateGroupBy | undefined;
}

/** The query of `fillRates.across`. Contract: store 4, Fill rates. */
export interface FillRatesQuery extends RateQuery {
  /** The grouping of the rates (default: `store`). */
  groupBy?: contract.CrossStoreGroupBy | undefined;
  /** Selects stores by external ID, at least one (default: all). An ID must not contain a comma. */
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

/** The types of the three reports with the shapes of a client. */
export interface Rates<Shapes = object> {
  store: ShapedAs<Shapes, "storeFillRates", contract.StoreFillRates>;
  exposition: ShapedAs<Shapes, "expositionFillRate", contract.ExpositionFillRate>;
  across: ShapedAs<Shapes, "fillRates", contract.FillRates>;
}

/** The shapes of the three reports. */
interface RateShapes<R extends Record<keyof Rates, unknown>> {
  readonly storeFillRates?: Shape<R["store"]> | undefined;
  readonly expositionFillRate?: Shape<R["exposition"]> | undefined;
  readonly fillRates?: Shape<R["across"]> | undefined;
}

/**
 * Fill rates. The contract does not define their calculation (gap `fill-rates.calculation`).
 * Contract: store 4, Fill rates.
 */
export class FillRateMethods<R extends Record<keyof Rates, unknown> = Rates> {
  readonly #http: Http<contract.paths>;
  readonly #shapes: RateShapes<R>;

  constructor(http: Http<contract.paths>, shapes: RateShapes<R>) {
    this.#http = http;
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
  readonly forStore = (
    externalId: string,
    query: StoreFillRatesQuery,
    options?: CallOptions,
  ): Call<R["store"]> =>
    bodyOf(
      this.#http.GET("/v1/stores/{externalId}/fill-rates", {
        params: { path: { externalId }, query: query as never }, // its instants are serialized
        call: { options },
      }),
      this.#shapes.storeFillRates,
    );

  /**
   * Returns the fill rate of one exposition of a store.
   *
   * `GET /v1/stores/{externalId}/expositions/{expositionId}/fill-rate`
   * @throws {StoreApiError} `validation_failed`, `not_found`
   */
  readonly forExposition = (
    externalId: string,
    expositionId: string,
    query: RateQuery,
    options?: CallOptions,
  ): Call<R["exposition"]> =>
    bodyOf(
      this.#http.GET("/v1/stores/{externalId}/expositions/{expositionId}/fill-rate", {
        params: { path: { externalId, expositionId }, query: query as never }, // as above
        call: { options },
      }),
      this.#shapes.expositionFillRate,
    );

  /**
   * Returns fill rates across stores.
   *
   * `GET /v1/fill-rate`
   * @throws {StoreApiError} `validation_failed`
   * @example
   * const range = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };
   * const rates = await store.fillRates.across({ ...range, groupBy: "week", maxFillRate: 50 });
   */
  readonly across = (query: FillRatesQuery, options?: CallOptions): Call<R["across"]> =>
    bodyOf(
      this.#http.GET("/v1/fill-rate", { params: { query: query as never }, call: { options } }), // as above
      this.#shapes.fillRates,
    );
}
