import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import type { Row } from "./rows.ts";
import { bestTenth, ratios, type Samples, type Spread, spread } from "./statistics.ts";

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
  /** What a reader of the figures must know, added by hand. */
  note?: string;
}

export interface ResultRow {
  id: string;
  title: string;
  unit: string;
  /** shelfleet is the first one. */
  contenders: ContenderFigures[];
}

export interface ContenderFigures extends Spread {
  name: string;
  /** The median of the best tenth of the rounds. */
  best: number;
  /** The median of the processor time, in the unit of the row, and its best tenth. */
  processor?: { median: number; best: number } | undefined;
  /** How many times better shelfleet is, in the same rounds. */
  ahead: Spread;
}

/** The name of another build that takes part. */
export const oldName = "shelfleet 0.1";

/** The figures of a row. */
export function resultRow({ id, title, unit, contenders, isRate = false }: Row, samples: Samples): ResultRow {
  const valuesOf = (name: string): number[] => (samples.get(name) ?? []).map(({ value }) => value);
  const own = valuesOf(contenders[0] ?? "");
  const figures = [...samples].map(([name, all]) => {
    const values = valuesOf(name);
    const times = all.flatMap(({ processor }) => processor ?? []);
    const processor =
      times.length === 0 ? undefined : { median: spread(times).median, best: bestTenth(times) };
    const ahead = isRate ? ratios(own, values) : ratios(values, own);
    return {
      name,
      ...spread(values),
      best: bestTenth(values, isRate),
      ...(processor && { processor }),
      ahead,
    };
  });
  return { id, title, unit, contenders: figures };
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
