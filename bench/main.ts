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

async function measureAll(run: Run, chosen: readonly Measurement[], only: string[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { ids, measure } of chosen) {
    try {
      rows.push(...(await measure(run)));
    } catch (error) {
      run.refuse(ids.join(", "), "the whole row", error);
    }
  }
  return rows.filter(({ id }) => wanted(only, id));
}

async function main(options: Arguments): Promise<void> {
  const known = measurements.flatMap(({ ids }) => ids);
  if (options.help) return void console.log(usage);
  if (options.list) return void console.log(known.join("\n"));
  const unknown = options.only.filter((id) => !known.includes(id));
  if (unknown.length > 0) throw new Error(`no such row: ${unknown.join(", ")}; there are ${known.join(", ")}`);
  makeReady(say);
  const env = environment(options.quick);
  const { run, refused } = prepare(options);
  const chosen = measurements.filter(({ ids }) => ids.some((id) => wanted(options.only, id)));
  const rows = await measureAll(run, chosen, options.only);
  console.log(markdown(env, rows));
  if (options.json !== undefined) {
    writeFileSync(options.json, `${JSON.stringify({ env, rows: rows.map(jsonRow) }, null, 2)}\n`);
  }
  if (refused.length === 0) return;
  console.log(`Not measured:\n${refused.map((line) => `- ${line}`).join("\n")}`);
  process.exitCode = 1;
}

try {
  await main(readArguments(process.argv.slice(2)));
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
