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
  id: string;
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
export type Drift = TotalDrift | RepeatDrift | MissingDrift;

/** Returns the sentence of a log or an error about a change. */
export function describeDrift(drift: Drift): string {
  return `the list changed while it was walked: ${describeChange(drift)}`;
}

function describeChange(drift: Drift): string {
  if (drift.kind === "repeated-id") return `id ${drift.id} was returned again on page ${drift.page}`;
  if (drift.kind === "missing")
    return `the pages have ${drift.count} different items instead of ${drift.expected}`;
  return `${drift.kind} was ${drift.before} and is ${drift.after} on page ${drift.page}`;
}
