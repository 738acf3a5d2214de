/** Counts what the histories of a run covered. */
import { createRandom } from "../models/random.ts";
import type { HistoryResult } from "./history.ts";
import type { Scenario } from "./scenario.ts";

type Counts = Map<string, number>;

export class Statistics {
  histories = 0;
  requests = 0;
  virtualMs = 0;
  /** Histories in which the readings were tracked. */
  tracked = 0;
  readonly faults: Counts = new Map();
  readonly readings: Counts = new Map();
  readonly steps: Counts = new Map();

  /** Whether the readings of a history are tracked: of one in eight, chosen by its seed. */
  static isTracked(seed: number): boolean {
    return createRandom(seed * 5 + 3).integer(0, 7) === 0;
  }

  add(scenario: Scenario, result: HistoryResult): void {
    this.histories += 1;
    this.requests += result.requests;
    this.virtualMs += result.duration;
    for (const fault of result.faults) count(this.faults, fault);
    for (const step of scenario.programs.flat()) count(this.steps, step.do === "pull" ? `pullSince ${step.method}` : step.method);
    if (!Statistics.isTracked(scenario.seed)) return;
    this.tracked += 1;
    for (const reading of result.readings) count(this.readings, reading);
  }

  toString(): string {
    const share = (times: number): string => `${((100 * times) / Math.max(1, this.tracked)).toFixed(1)} %`;
    const readings = sorted(this.readings).map(([name, times]) => `| ${name} | ${share(times)} |`);
    return [
      `${this.histories} histories, ${this.requests} requests, ${(this.virtualMs / 3_600_000).toFixed(1)} virtual hours`,
      "",
      "| fault | requests |",
      "| --- | --- |",
      ...sorted(this.faults).map(([name, times]) => `| ${name} | ${times} |`),
      "",
      "| step | times |",
      "| --- | --- |",
      ...sorted(this.steps).map(([name, times]) => `| ${name} | ${times} |`),
      "",
      "| reading that the service asked for | of the histories |",
      "| --- | --- |",
      ...readings,
    ].join("\n");
  }
}

function count(counts: Counts, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function sorted(counts: Counts): [string, number][] {
  return [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1));
}
