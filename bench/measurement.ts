import type { Target } from "./target.ts";

/** Each contender's figures, one a round, in the order of the rounds. */
export type Samples = ReadonlyMap<string, readonly number[]>;

/** One line of the table, before anything is measured. */
export interface RowPlan {
  id: string;
  /** What is measured, for the table. */
  what: string;
  unit: string;
  /** Whether a larger figure is the better one, such as a rate. */
  better: "less" | "more";
  /** The contender that is ours, to which the others are compared. */
  ours: string;
  target: Target;
}

export interface Row extends RowPlan {
  samples: Samples;
}

/** What is asked of a whole run. */
export interface Run {
  quick: boolean;
  /** Whether each figure is also taken at 10 and 100 times the work. */
  growth: boolean;
  /** A folder that may be written to. */
  work: string;
  /** Puts into a random order, in place. */
  shuffle: <T>(all: T[]) => T[];
  /** Something that could not be measured; the run goes on and ends with an exit code other than 0. */
  refuse: (row: string, contender: string, error: unknown) => void;
  log: (line: string) => void;
}

/** Measures some lines of the table together. */
export interface Measurement {
  /** The rows that it gives, without those of growth. */
  plans: readonly RowPlan[];
  measure: (run: Run) => Promise<Row[]>;
}
