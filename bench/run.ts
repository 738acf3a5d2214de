import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { shuffler } from "d3-array";
import { randomLcg } from "d3-random";
import type { Arguments } from "./arguments.ts";
import { environment, isDisturbed } from "./environment.ts";
import type { Measurement, Row, Run } from "./measurement.ts";
import { publish } from "./publication.ts";
import { buildTime, makeReady } from "./readiness.ts";
import { markdown } from "./report.ts";
import { jsonRow } from "./result.ts";
import { chosen, isChosen } from "./rows/table.ts";

type Log = (line: string) => void;

/** Measures and writes the output. Returns false if something could not be measured. */
export async function measureTable(options: Arguments, log: Log): Promise<boolean> {
  const measurements = chosen(options.only);
  makeReady(log);
  const built = buildTime();
  const before = environment(options.quick, options.seed);
  log(`seed ${options.seed}`);
  if (isDisturbed(before.load))
    log(`other programs are running (load ${before.load}): publish figures of an idle machine only`);
  const start = performance.now();
  const work = fileURLToPath(new URL("work", import.meta.url));
  mkdirSync(work, { recursive: true });
  const { rows, refused } = await measureAll({ ...options, work, log }, measurements);
  if (buildTime() !== built)
    refused.push("dist was built anew during the run: its figures are not of one package");
  const minutes = Math.round((performance.now() - start) / 6_000) / 10;
  const env = { ...before, minutes };
  const result = { env, rows: rows.map(jsonRow) };
  console.log(markdown(env, rows));
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(result, null, 2)}\n`);
  if (refused.length > 0) {
    console.log(`Not measured:\n${refused.map((line) => `- ${line}`).join("\n")}`);
    return false;
  }
  if (options.readme) await publish(result, log);
  return true;
}

type RunOptions = Pick<Arguments, "quick" | "seed" | "only"> & Pick<Run, "work" | "log">;

/** Runs the measurements one after the other. `refused` lists what could not be measured. */
export async function measureAll(
  { seed, only, ...options }: RunOptions,
  measurements: readonly Measurement[],
): Promise<{ rows: Row[]; refused: string[] }> {
  const refused: string[] = [];
  const refuse = (row: string, contender: string, error: unknown): void => {
    const why = error instanceof Error ? error.message : String(error);
    refused.push(`${row}: ${contender}: ${why}`);
    options.log(refused.at(-1) ?? "");
  };
  const run: Run = { ...options, shuffle: shuffler(randomLcg(seed)), refuse };
  const rows: Row[] = [];
  for (const measurement of measurements) rows.push(...(await measureOne(run, measurement)));
  return { rows: rows.filter(({ id }) => isChosen(only, id)), refused };
}

/** A row that fails as a whole stays in the table, without figures. */
async function measureOne(run: Run, { plans, measure }: Measurement): Promise<Row[]> {
  const ids = plans.map(({ id }) => id).join(", ");
  const start = performance.now();
  try {
    return await measure(run);
  } catch (error) {
    run.refuse(ids, "the whole row", error);
    return plans.map((plan) => ({ ...plan, samples: new Map<string, number[]>() }));
  } finally {
    run.log(`${ids}: took ${Math.round((performance.now() - start) / 1000)} s`);
  }
}
