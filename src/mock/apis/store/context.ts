import type { HandlerInput, Handler } from "../../server/api.ts";
import type { CrossStoreGroupBy, FillRateGroupBy } from "../../../../generated/store.ts";
import type { QueryValues } from "../../http/query.ts";
import type { StoreData } from "./data.ts";

/** The path parameters of every operation that has them. */
interface StoreParams extends Readonly<Record<string, string>> {
  readonly externalId: string;
  readonly protocolId: string;
  readonly expositionId: string;
}

/** The query of an operation, as its schema has parsed it: with the defaults, and with all that it requires. */
interface StoreQuery extends QueryValues {
  readonly limit: number;
  readonly cursor?: string;
  readonly from: string;
  readonly to: string;
  readonly groupBy: FillRateGroupBy | CrossStoreGroupBy;
  readonly externalIds?: string;
  readonly expositionId?: string;
  readonly minFillRate?: number;
  readonly maxFillRate?: number;
}

/** The input of a handler; the schema of the operation has checked the body. */
export interface StoreContext<Body = unknown> extends HandlerInput {
  readonly params: StoreParams;
  readonly query: StoreQuery;
  readonly body: Body;
  readonly data: StoreData;
}

/** An operation of the store API. */
export type StoreHandler<Body = unknown> = Handler<StoreContext<Body>>;
