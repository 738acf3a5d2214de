import type { ApiResponse, Issue } from "./api-response.ts";
import type { Clock } from "./clock.ts";
import type { IdSequence } from "./id-sequence.ts";
import type { PagingFault } from "./paging-fault.ts";
import type { QueryValues } from "./query.ts";
import type { MockReadings } from "./readings.ts";

/** What every handler is given, whichever API it belongs to. */
export interface Exchange {
  /** Path ids, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Query values: numbers and booleans are converted, defaults are not filled in. */
  readonly query: QueryValues;
  /** The parsed body; it met the schema of its operation. Belongs to the handler: it may be stored as it is. */
  readonly body: unknown;
  /** Body of a gap's choice: `readings["stores.omitted-fields"]`. */
  readonly readings: MockReadings;
  readonly clock: Clock;
  readonly ids: IdSequence;
  /** The adversary that the list is under; the page functions act on it. */
  readonly paging: PagingFault | undefined;
}

/**
 * One operation. The core calls the three in the order of gap requests.check-order and stops at the first refusal;
 * `run` may rely on both others having passed, and must check everything before it changes anything.
 */
export interface Handler<Context extends Exchange> {
  /** The refusal when a resource named by the path is unknown. */
  find?(context: Context): ApiResponse | undefined;
  /** What is wrong beyond the operation's schemas. */
  check?(context: Context): Issue[];
  run(context: Context): ApiResponse;
}
