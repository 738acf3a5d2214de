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
  /** The ID of the item; null for an item without ID that equals another one. */
  id: string | number | null;
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

/** The properties of `pagination` contradict each other. */
export interface ContradictionDrift {
  kind: "contradiction";
  page: number;
  /** The property that contradicts the number of the page or `totalPages`. */
  property: "hasNextPage" | "hasPreviousPage";
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

/** A change of a numbered list during a walk, or a contradiction that such a change can cause. */
export type Drift = TotalDrift | RepeatDrift | ShortPageDrift | ContradictionDrift | MissingDrift;

/** The argument of the hook `onDrift`. */
export interface DriftEvent {
  /** The operation's ID in the OpenAPI document, e.g. `listVehicles`. */
  operation: string;
  drift: Drift;
}

/** Returns the sentence of a log or an error about a change. */
export function describeDrift(drift: Drift): string {
  return `the list changed while it was walked: ${describeChange(drift)}`;
}

function describeChange(drift: Drift): string {
  const { page } = drift;
  switch (drift.kind) {
    case "repeated-id":
      return drift.id === null
        ? `an item without ID equals an item that was returned before, on page ${page}`
        : `id ${drift.id} was returned again on page ${page}`;
    case "short-page":
      return `a page has ${drift.count} items and another one ${drift.expected}, on page ${page}`;
    case "contradiction":
      return `${drift.property} contradicts the number of pages on page ${page}`;
    case "missing":
      return `the pages have ${drift.count} different items instead of ${drift.expected}`;
    default:
      return `${drift.kind} was ${drift.before} and is ${drift.after} on page ${page}`;
  }
}
