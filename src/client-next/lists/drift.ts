/** The total of a numbered list changed between two pages. */
export interface TotalDrift {
  kind: "totalCount" | "totalPages";
  /** The page on which the change was noticed. */
  page: number;
  before: number;
  after: number;
}

/** An item was returned again: another item may be missing. */
export interface RepeatDrift {
  kind: "repeated-id";
  /** The page on which the change was noticed. */
  page: number;
  id: string | number;
}

/** A page has fewer items than another one, although it is not the last page. */
export interface ShortPageDrift {
  kind: "short-page";
  /** The page on which the difference was noticed. */
  page: number;
  /** The number of items of the shorter page, and of the longer one. */
  count: number;
  expected: number;
}

/** The pages of the list have another number of different items than its total. */
export interface MissingDrift {
  kind: "missing";
  /** The last page. */
  page: number;
  /** The number of different items, and the number that the last page promised. */
  count: number;
  expected: number;
}

/** A change of a numbered list during a walk. */
export type Drift = TotalDrift | RepeatDrift | ShortPageDrift | MissingDrift;
