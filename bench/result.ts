import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import type { Goal, Row } from "./rows.ts";
import { ratios, type Samples, type Spread, spread } from "./statistics.ts";

/** The format of `--json`. */
export interface Result {
  env: Environment;
  rows: ResultRow[];
}

/** The machine and the run. */
export interface Environment {
  date: string;
  mode: "quick" | "full";
  commit: string;
  /** The duration of the run. */
  minutes: number;
  node: string;
  cpu: string;
  cores: number;
  /** The load in the minute before the run: much above 0 means that other programs were running. */
  load: number;
}

export interface ResultRow {
  id: string;
  title: string;
  unit: string;
  /** shelfleet is the first one. */
  contenders: ContenderFigures[];
  goal: string;
  isMet: boolean;
}

export interface ContenderFigures extends Spread {
  name: string;
  /** How many times better shelfleet is, in the same rounds. */
  ahead: Spread;
}

/** The name of another build that takes part. */
export const oldName = "shelfleet 0.1";

/** The figures of a row. A goal is not met if a figure that it needs is missing. */
export function resultRow(row: Row, samples: Samples): ResultRow {
  const { id, title, unit, contenders, goal, isRate = false } = row;
  const own = samples.get(contenders[0] ?? "") ?? [];
  const figures = [...samples].map(([name, values]) => ({
    name,
    ...spread(values),
    ahead: isRate ? ratios(own, values) : ratios(values, own),
  }));
  const values = goal.of?.map((name) => ratios(own, samples.get(name))) ?? [spread(own)];
  const isMet = values.every(({ median }) => (isRate ? median >= goal.limit : median <= goal.limit));
  return { id, title, unit, contenders: figures, goal: formatGoal(goal, unit, isRate), isMet };
}

function formatGoal({ limit, of, group = of?.join(", ") }: Goal, unit: string, isRate: boolean): string {
  const factor = limit === 1 ? "" : `${limit} × `;
  return `${isRate ? "≥" : "≤"} ${group === undefined ? `${limit} ${unit}`.trim() : factor + group}`;
}

/** Before the run, when its duration is not known yet. */
export function readEnvironment(isQuick: boolean): Environment {
  return {
    date: new Date().toISOString().slice(0, 10),
    mode: isQuick ? "quick" : "full",
    commit: execFileSync("git", ["describe", "--always", "--dirty"], { encoding: "utf8" }).trim(),
    minutes: 0,
    node: process.versions.node,
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  };
}

export function readResult(file: string | URL): Result {
  return JSON.parse(readFileSync(file, "utf8")) as Result;
}
