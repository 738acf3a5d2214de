import { outcomes, type Report } from "./report.ts";

/** Where a progress is written: the standard error output, so that the standard output has the reports only. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const CLEAR_LINE = "\r\u001b[K";

/** Tells how far a run of many scenarios is: a line that changes on a terminal, and each failure as it comes. */
export class Progress {
  readonly #output: ProgressOutput;
  readonly #total: number;
  #done = 0;
  #failed = 0;

  constructor(output: ProgressOutput, total: number) {
    this.#output = output;
    this.#total = total;
  }

  /** Counts a report, and names its scenario if the program has not passed. */
  add({ scenario, verdict }: Report): void {
    this.#done += 1;
    const isPass = outcomes[verdict] === "pass";
    if (!isPass) this.#failed += 1;
    const clear = this.#output.isTTY === true ? CLEAR_LINE : "";
    if (!isPass) this.#output.write(`${clear}${scenario}: ${verdict}\n`);
    if (this.#output.isTTY === true)
      this.#output.write(`${clear}${this.#done} of ${this.#total} scenarios, ${this.#failed} failed`);
  }

  /** Removes the line. */
  end(): void {
    if (this.#output.isTTY === true) this.#output.write(CLEAR_LINE);
  }
}
