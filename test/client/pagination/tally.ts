import type { Outcome } from "./programs.ts";

interface Count {
  /** Walks that delivered every item once. */
  whole: number;
  /** Walks that ended in an error of the client. */
  error: number;
}

/** Judges walks and counts them by name. */
export class Tally {
  readonly #counts = new Map<string, Count>();

  /** Returns the problems of a walk: items lost or repeated without an error, or an unnecessary error. */
  judge(name: string, { items, error }: Outcome, expected: readonly string[], mayFail: boolean): string[] {
    const count = this.#counts.get(name) ?? { whole: 0, error: 0 };
    this.#counts.set(name, count);
    count[error === undefined ? "whole" : "error"] += 1;
    if (error !== undefined) return mayFail ? [] : [`needless error: ${error.message}`];
    const [delivered, wanted] = [items.toSorted().join("\n"), expected.toSorted().join("\n")];
    return delivered === wanted ? [] : [`delivered ${items.length} of ${expected.length}:\n${delivered}`];
  }

  print(): void {
    const lines = [...this.#counts].map(
      ([name, { whole, error }]) =>
        `${name.padEnd(64)}${String(whole).padStart(6)} whole${String(error).padStart(6)} errors`,
    );
    process.stdout.write(`${lines.join("\n")}\n`);
  }
}
