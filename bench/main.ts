import { type Arguments, readArguments, usage } from "./arguments.ts";
import { install } from "./readiness.ts";

// Figures go to standard output, progress to standard error. Imports only modules that need no installed package until
// the contenders are installed.

const log = (line: string): void => void process.stderr.write(`${line}\n`);

async function bench(options: Arguments): Promise<void> {
  if (options.help) return console.log(usage);
  install(log);
  if (options.list) return console.log((await import("./rows/table.ts")).rowIds.join("\n"));
  if (options.compare !== undefined) return compare(...options.compare);
  if (options.from !== undefined) return publish(options.from);
  const { measureTable } = await import("./run.ts");
  if (!(await measureTable(options, log))) process.exitCode = 1;
}

async function publish(file: string): Promise<void> {
  const { readResult } = await import("./result.ts");
  const { publish: write } = await import("./publication.ts");
  await write(readResult(file), log);
}

async function compare(a: string, b: string): Promise<void> {
  const { readResult } = await import("./result.ts");
  const { compareResults, comparisonTable } = await import("./comparison.ts");
  const comparison = compareResults(readResult(a), readResult(b));
  console.log(comparisonTable(comparison));
  if (comparison.pairs.some(({ agrees }) => !agrees)) process.exitCode = 1;
}

try {
  await bench(readArguments(process.argv.slice(2)));
} catch (error) {
  log(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
