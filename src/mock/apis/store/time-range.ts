import type { Issue } from "../../kernel/api-response.ts";
import type { StoreContext } from "./context.ts";

/** The instants that `from` and `to` of a query stand for. */
export class TimeRange {
  readonly #from: number;
  readonly #to: number;
  readonly #inclusive: boolean;

  constructor({ query, readings }: StoreContext) {
    this.#from = Date.parse(query.from as string); // the schema asks for both
    this.#to = Date.parse(query.to as string);
    this.#inclusive = readings["time-range.ends"] === "inclusive";
  }

  /** Whether an instant lies within. gap time-range.ends */
  has(time: number): boolean {
    return time >= this.#from && (time < this.#to || (this.#inclusive && time === this.#to));
  }

  get inverted(): boolean {
    return this.#from > this.#to;
  }
}

/** gap time-range.inverted */
export function timeRangeIssues(context: StoreContext): Issue[] {
  if (context.readings["time-range.inverted"] === "empty" || !new TimeRange(context).inverted) return [];
  return [{ path: "from", message: "must not be after to" }];
}
