import type { ApiResponse, Issue } from "../http/api-response.ts";
import type { Clock } from "./clock.ts";
import type { IdSequence } from "./id-sequence.ts";
import type { PagingFault } from "../testing/paging-fault.ts";
import type { QueryValues } from "../http/query.ts";
import type { MockReadings } from "./readings.ts";

/** The input of every handler. */
export interface HandlerInput {
  /** Decoded path parameters. */
  readonly params: Readonly<Record<string, string>>;
  /** The query, parsed by its schema. */
  readonly query: QueryValues;
  /** The parsed body, which matches the schema of the operation. The handler owns it and may store it. */
  readonly body: unknown;
  /** The readings in force: `readings["stores.omitted-fields"]`. */
  readonly readings: MockReadings;
  readonly clock: Clock;
  readonly ids: IdSequence;
  /** The paging fault that the page functions apply. */
  readonly paging: PagingFault | undefined;
}

/**
 * One operation. The kernel calls the three functions in the order of gap requests.check-order and stops at the
 * first error. `run` is called last, and validates everything before it changes anything.
 */
export interface Handler<Context extends HandlerInput> {
  /** Returns an error response if a resource in the path is unknown. */
  find?(context: Context): ApiResponse | undefined;
  /** Returns the issues that the schemas of the operation cannot find. */
  check?(context: Context): Issue[];
  run(context: Context): ApiResponse;
}
