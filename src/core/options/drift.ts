/** A total of a numbered list is no longer what the page before said: items may be missed or seen twice. */
export interface TotalDrift {
  kind: "totalCount" | "totalPages";
  /** The page on which it was noticed. */
  page: number;
  before: number;
  after: number;
}

/** An item of the page before came again: another one may have been missed. */
export interface RepeatDrift {
  kind: "repeated-id";
  /** The page on which it was noticed. */
  page: number;
  id: string | number;
}

/** How a numbered list changed between two of its pages. */
export type Drift = TotalDrift | RepeatDrift;

/** What the hook `onDrift` is told. */
export interface DriftEvent {
  /** The operation's id in the OpenAPI document, e.g. `listVehicles`. */
  operation: string;
  drift: Drift;
}
