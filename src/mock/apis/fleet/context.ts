import type { Exchange, Handler } from "../../kernel/handler.ts";
import type { FleetData } from "./data.ts";

/** What a handler of the fleet API receives; the key has the required scopes. */
export interface FleetContext extends Exchange {
  /** The environment that the key belongs to. */
  readonly data: FleetData;
}

/** An operation of the fleet API. */
export type FleetHandler = Handler<FleetContext>;
