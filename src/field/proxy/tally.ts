import type { Finding } from "./check/finding.ts";

/** A finding with the number of its exchanges. */
export interface Counted {
  readonly finding: Finding;
  readonly count: number;
}

/** The number of findings that are counted separately; further findings share one count. */
const MAX_FINDINGS = 10_000;

/** Counts findings by their ID. */
export class Tally {
  readonly #counts = new Map<string, { finding: Finding; count: number }>();
  /** The number of findings that are not counted separately. */
  uncounted = 0;

  /** Counts a finding; returns whether it is the first of its ID. */
  add(finding: Finding): boolean {
    const known = this.#counts.get(finding.id);
    if (known !== undefined) {
      known.count += 1;
      return false;
    }
    if (this.#counts.size >= MAX_FINDINGS) {
      this.uncounted += 1;
      return false;
    }
    this.#counts.set(finding.id, { finding, count: 1 });
    return true;
  }

  /** In the order in which they were first found. */
  all(): Counted[] {
    return [...this.#counts.values()];
  }
}

/** The totals of a proxy. */
export interface ProxySummary {
  readonly exchanges: number;
  /** The number of exchanges without a complete response. */
  readonly failures: number;
  /** The number of bodies that could not be checked: too large, or in an unknown coding. */
  readonly unread: number;
  readonly violations: readonly Counted[];
  /** The findings that a gap leaves open. */
  readonly open: readonly Counted[];
  /** The number of violations and open findings that were not counted separately. */
  readonly uncounted: number;
}
