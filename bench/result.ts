import { readFileSync } from "node:fs";
import type { Environment } from "./environment.ts";
import type { Row } from "./measurement.ts";
import { type Spread, spread } from "./statistics.ts";

/** The format of `--json`. */
export interface Result {
  env: Environment;
  rows: JsonRow[];
}

export interface JsonRow {
  id: string;
  unit: string;
  contenders: Record<string, Spread>;
  target: string;
  met: boolean;
}

export function jsonRow({ id, unit, samples, target, ours }: Row): JsonRow {
  const contenders = Object.fromEntries([...samples].map(([name, values]) => [name, spread(values)]));
  return { id, unit, contenders, target: target.text, met: target.met(samples, ours) };
}

export function readResult(file: string): Result {
  const result = JSON.parse(readFileSync(file, "utf8")) as Partial<Result> | null;
  if (!Array.isArray(result?.rows) || result.env === undefined)
    throw new Error(`${file} holds no result of the bench`);
  return result as Result;
}

/** Throws if the row was not measured. */
export function rowOf({ rows }: Result, id: string): JsonRow {
  const row = rows.find((one) => one.id === id);
  if (row === undefined) throw new Error(`the result has no row ${id}`);
  return row;
}
