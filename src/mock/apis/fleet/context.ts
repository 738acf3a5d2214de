import type { Exchange, Handler } from "../../server/handler.ts";
import type { FleetData } from "./data.ts";

/** The input of a handler of the fleet API; the key has the required scopes. */
export interface FleetContext extends Exchange {
  /** The environment that the key belongs to. */
  readonly data: FleetData;
}

/** An operation of the fleet API. */
export type FleetHandler = Handler<FleetContext>;
