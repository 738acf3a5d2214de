import type { Exchange, Handler } from "../../server/handler.ts";
import type { StoreData } from "./data.ts";

/** The input of a handler of the store API. */
export interface StoreContext extends Exchange {
  readonly data: StoreData;
}

/** An operation of the store API. */
export type StoreHandler = Handler<StoreContext>;
