import type { Finding } from "./check/finding.ts";

/** A finding with how many exchanges had it. */
export interface Counted {
  readonly finding: Finding;
  readonly count: number;
}

/** Different findings that are counted one by one; further ones share one number. */
const MOST_FINDINGS = 10_000;

/** Counts findings by their ID. */
export class Tally {
  readonly #counts = new Map<string, { finding: Finding; count: number }>();
  /** Findings beyond those that are counted one by one. */
  uncounted = 0;

  /** Counts a finding; returns whether it is the first of its ID. */
  add(finding: Finding): boolean {
    const known = this.#counts.get(finding.id);
    if (known !== undefined) {
      known.count += 1;
      return false;
    }
    if (this.#counts.size >= MOST_FINDINGS) {
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

/** What a proxy has seen. */
export interface ProxySummary {
  readonly exchanges: number;
  /** Exchanges without a whole response. */
  readonly failures: number;
  /** Bodies that could not be checked: too large, or in an unknown coding. */
  readonly unread: number;
  readonly violations: readonly Counted[];
  /** Findings about what a gap leaves open. */
  readonly open: readonly Counted[];
  /** Violations and open findings that were not counted one by one. */
  readonly uncounted: number;
}
