import { crossStoreGroupBys, fillRateGroupBys, protocolStatuses } from "../../generated/store.enums.ts";
import type {
  CrossStoreGroupBy,
  ExpositionFillRate,
  FillRateGroupBy,
  FillRates as FillRatesAnswer,
  paths,
  ProtocolStatus,
  StoreFillRates,
} from "../../generated/store.ts";
import type { Call } from "../core/call.ts";
import type { Http } from "../core/http.ts";
import type { CallOptions } from "../core/options.ts";
import { boolean, commaList, instant, number, oneOf } from "../core/rules.ts";
import { type Shape, shaped } from "../core/shape.ts";
import type { TimeRange } from "./query.ts";

/** Query of `fillRates.forExposition`, and what all queries of fill rates share. Contract: store 4, Fill rates. */
export interface RateQuery extends TimeRange {
  /** The protocols that count (`completed`). */
  status?: ProtocolStatus | undefined;
}

/** Query of `fillRates.forStore`. Contract: store 4, Fill rates. */
export interface StoreFillRatesQuery extends RateQuery {
  /** What the rates are grouped by (`protocol`). */
  groupBy?: FillRateGroupBy | undefined;
}

/** Query of `fillRates.across`. Contract: store 4, Fill rates. */
export interface FillRatesQuery extends RateQuery {
  /** What the rates are grouped by (`store`). */
  groupBy?: CrossStoreGroupBy | undefined;
  /** The stores that count; left out: all. None may hold a comma. */
  externalIds?: readonly string[] | undefined;
  /** Lower bound, 0–100. Whether it is inclusive is a gap (`fill-rates.bounds`). */
  minFillRate?: number | undefined;
  /** Upper bound, 0–100. Whether it is inclusive is a gap (`fill-rates.bounds`). */
  maxFillRate?: number | undefined;
  /** Only what is below its expectation (false). What that compares is a gap (`fill-rates.below-expectation`). */
  belowExpectationOnly?: boolean | undefined;
}

/** The shapes that read fill rates. */
export interface FillRateShapes {
  storeFillRates?: Shape | undefined;
  expositionFillRate?: Shape | undefined;
  fillRates?: Shape | undefined;
}

/** What the three reports answer where no shape says otherwise. */
export interface Rates {
  store: StoreFillRates;
  exposition: ExpositionFillRate;
  across: FillRatesAnswer;
}

const range = { from: instant, to: instant, status: oneOf(protocolStatuses) };
const required = ["from", "to"];
const expositionRules = { rules: range, required };
const storeRules = { rules: { ...range, groupBy: oneOf(fillRateGroupBys) }, required };
const acrossRules = {
  rules: {
    ...range,
    groupBy: oneOf(crossStoreGroupBys),
    externalIds: commaList,
    minFillRate: number(0, 100),
    maxFillRate: number(0, 100),
    belowExpectationOnly: boolean,
  },
  required,
};

/** Fill rates; how they are computed is a gap (`fill-rates.calculation`). Contract: store 4, Fill rates. */
export class FillRates<R extends Record<keyof Rates, unknown> = Rates> {
  readonly #http: Http<paths>;
  readonly #shapes: FillRateShapes;

  constructor(http: Http<paths>, shapes: FillRateShapes) {
    this.#http = http;
    this.#shapes = shapes;
  }

  /**
   * Reads the fill rates of a store.
   *
   * `GET /v1/stores/{externalId}/fill-rates`
   * @throws {StoreApiError} `validation_failed`, `not_found`
   */
  forStore(externalId: string, query: StoreFillRatesQuery, options?: CallOptions): Call<R["store"]> {
    const finish = shaped<R["store"]>(this.#shapes.storeFillRates);
    return this.#http.get(
      "/v1/stores/{externalId}/fill-rates",
      { path: { externalId }, query, rules: storeRules, finish },
      options,
    );
  }

  /**
   * Reads the fill rate of one exposition of a store.
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
    const finish = shaped<R["exposition"]>(this.#shapes.expositionFillRate);
    return this.#http.get(
      "/v1/stores/{externalId}/expositions/{expositionId}/fill-rate",
      { path: { externalId, expositionId }, uuids: ["expositionId"], query, rules: expositionRules, finish },
      options,
    );
  }

  /**
   * Reads fill rates across stores.
   *
   * `GET /v1/fill-rate`
   * @throws {StoreApiError} `validation_failed`
   */
  across(query: FillRatesQuery, options?: CallOptions): Call<R["across"]> {
    const finish = shaped<R["across"]>(this.#shapes.fillRates);
    return this.#http.get("/v1/fill-rate", { query, rules: acrossRules, finish }, options);
  }
}
