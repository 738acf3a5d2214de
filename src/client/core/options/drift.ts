/** The total of a numbered list changed between two pages: items may be missing or repeated. */
export interface TotalDrift {
  kind: "totalCount" | "totalPages";
  /** The page on which the change was noticed. */
  page: number;
  before: number;
  after: number;
}

/** An item of the previous page was returned again: another item may be missing. */
export interface RepeatDrift {
  kind: "repeated-id";
  /** The page on which the change was noticed. */
  page: number;
  id: string | number;
}

/** A change of a numbered list between two of its pages. */
export type Drift = TotalDrift | RepeatDrift;

/** The argument of the hook `onDrift`. */
export interface DriftEvent {
  /** The operation's ID in the OpenAPI document, e.g. `listVehicles`. */
  operation: string;
  drift: Drift;
}
