import type { Issue } from "../../kernel/api-response.ts";
import type { StoreContext } from "./context.ts";

/** The range between `from` and `to` of a query. */
export class TimeRange {
  readonly #from: number;
  readonly #to: number;
  readonly #inclusive: boolean;

  constructor({ query, readings }: StoreContext) {
    this.#from = Date.parse(query.from as string); // the schema requires both
    this.#to = Date.parse(query.to as string);
    this.#inclusive = readings["time-range.ends"] === "inclusive";
  }

  /** Whether an instant is in the range. gap time-range.ends */
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
