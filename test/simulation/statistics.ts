/** Counts what the histories of a run covered. */
import { Coverage } from "./coverage.ts";
import type { HistoryResult } from "./history.ts";
import type { Scenario } from "./scenario.ts";

type Counts = Map<string, number>;

export class Statistics {
  histories = 0;
  requests = 0;
  virtualMs = 0;
  readonly faults: Counts = new Map();
  readonly coverage = new Coverage();
  readonly steps: Counts = new Map();

  add(scenario: Scenario, result: HistoryResult): void {
    this.histories += 1;
    this.requests += result.requests;
    this.virtualMs += result.duration;
    for (const fault of result.faults) count(this.faults, fault);
    const steps = scenario.programs.flat();
    for (const step of steps) count(this.steps, step.do === "pull" ? `pull ${step.method}` : step.method);
    this.coverage.add(result.requested);
  }

  toString(): string {
    const readings = this.coverage
      .shares()
      .map(([name, share]) => `| ${name} | ${(100 * share).toFixed(2)} % |`);
    return [
      `${this.histories} histories, ${this.requests} requests, ${(this.virtualMs / 3_600_000).toFixed(1)} virtual hours`,
      "",
      "| fault | requests |",
      "| --- | --- |",
      ...sortCounts(this.faults).map(([name, times]) => `| ${name} | ${times} |`),
      "",
      "| step | times |",
      "| --- | --- |",
      ...sortCounts(this.steps).map(([name, times]) => `| ${name} | ${times} |`),
      "",
      "| reading, the rarest first | of the histories |",
      "| --- | --- |",
      ...readings,
    ].join("\n");
  }
}

function count(counts: Counts, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function sortCounts(counts: Counts): [string, number][] {
  return [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1));
}
