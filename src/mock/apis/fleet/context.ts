import type { Exchange, Handler } from "../../server/handler.ts";
import type { JsonObject } from "../../../../generated/fleet.ts";
import type { FleetData } from "./data.ts";

/** The input of a handler of the fleet API; the key has the required scopes. */
export interface FleetContext extends Exchange {
  /** The environment that the key belongs to. */
  readonly data: FleetData;
  /** Every body of the fleet API is an object. Operations without a body do not read it. */
  readonly body: JsonObject;
}

/** An operation of the fleet API. */
export type FleetHandler = Handler<FleetContext>;
