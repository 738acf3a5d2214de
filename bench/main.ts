import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Arguments, readArguments, usage } from "./arguments.ts";
import { environment } from "./environment.ts";
import type { Measurement, Row, Run } from "./measurement.ts";
import { makeReady } from "./readiness.ts";
import { jsonRow, markdown } from "./report.ts";
import { measurements } from "./rows/table.ts";

// What is measured goes to standard output, what is going on to standard error.

const say = (line: string): void => void process.stderr.write(`${line}\n`);

function prepare({ quick, growth }: Arguments): { run: Run; refused: string[] } {
  const refused: string[] = [];
  const work = fileURLToPath(new URL("work", import.meta.url));
  mkdirSync(work, { recursive: true });
  const refuse = (row: string, contender: string, error: unknown): void => {
    const why = error instanceof Error ? error.message : String(error);
    refused.push(`${row}: ${contender}: ${why}`);
    say(refused.at(-1) ?? "");
  };
  return { run: { quick, growth, work, refuse, say }, refused };
}

const wanted = (only: string[], id: string): boolean =>
  only.length === 0 || only.some((one) => id === one || id.startsWith(`${one}.`));

async function measureAll(run: Run, all: readonly Measurement[], only: string[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { ids, measure } of all) {
    try {
      rows.push(...(await measure(run)));
    } catch (error) {
      run.refuse(ids.join(", "), "the whole row", error);
    }
  }
  return rows.filter(({ id }) => wanted(only, id));
}

/** Throws for a row that there is none of. */
function chosen(only: string[]): Measurement[] {
  const known = measurements.flatMap(({ ids }) => ids);
  const unknown = only.filter((id) => !known.includes(id));
  if (unknown.length > 0)
    throw new Error(`no such row: ${unknown.join(", ")}; there are ${known.join(", ")}`);
  return measurements.filter(({ ids }) => ids.some((id) => wanted(only, id)));
}

async function bench(options: Arguments): Promise<void> {
  const rowsToMeasure = chosen(options.only);
  makeReady(say);
  const env = environment(options.quick);
  const { run, refused } = prepare(options);
  const rows = await measureAll(run, rowsToMeasure, options.only);
  console.log(markdown(env, rows));
  if (options.json !== undefined) {
    writeFileSync(options.json, `${JSON.stringify({ env, rows: rows.map(jsonRow) }, null, 2)}\n`);
  }
  if (refused.length === 0) return;
  console.log(`Not measured:\n${refused.map((line) => `- ${line}`).join("\n")}`);
  process.exitCode = 1;
}

try {
  const options = readArguments(process.argv.slice(2));
  if (options.help) console.log(usage);
  else if (options.list) console.log(measurements.flatMap(({ ids }) => ids).join("\n"));
  else await bench(options);
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
