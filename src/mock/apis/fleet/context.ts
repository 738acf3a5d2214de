import type { HandlerInput, Handler } from "../../server/api.ts";
import type { JsonObject } from "../../../../generated/fleet.ts";
import type { QueryValues } from "../../http/query.ts";
import type { FleetData } from "./data.ts";

/** The path parameters; an operation without an ID does not read it. */
interface FleetParams extends Readonly<Record<string, string>> {
  readonly id: string;
}

/** The query of an operation, as its schema has parsed it; a list with pages has both numbers. */
interface FleetQuery extends QueryValues {
  readonly page: number;
  readonly limit: number;
  readonly search?: string;
}

/** The input of a handler of the fleet API; the key has the required scopes. */
export interface FleetContext extends HandlerInput {
  readonly params: FleetParams;
  readonly query: FleetQuery;
  /** The environment that the key belongs to. */
  readonly data: FleetData;
  /** Every body of the fleet API is an object. Operations without a body do not read it. */
  readonly body: JsonObject;
}

/** An operation of the fleet API. */
export type FleetHandler = Handler<FleetContext>;
